"""How fast the page is: python benchmarks/page.py [paint] [clicks] [crowd] [memory]

The server is started as a person starts it, with a data folder of its own and the kernels that are compiled already; a
game's first search on a machine compiles for a while, so run this twice and believe the second figures.

    paint    from opening the address to the first thing on the screen, and to the drawn board: at once when the server
             has said its address, and on later visits, each in a fresh browser without a cache
    clicks   two people play at random with a real mouse while the engine analyses every position: from the release of
             the button to the end of the frame that shows the new position, and what of it was waiting for the server
    crowd    fifty sessions at once, each of which plays a move, then wants an agent's answer and an analysis; meanwhile
             somebody asks for the list of games all the time
    memory   what the server alone has in memory, before and after sessions of twenty moves: fewer than it keeps, the
             same with a socket each, and more than it keeps

Times are of the wall clock, and the browser, the server and its thinkers share the processors: look at the load.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from websockets.asyncio.client import ClientConnection, connect

from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.web.sessions import KEPT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
VISITS = 9
CLICKED = ("connect-four", "chess", "othello", "go", "backgammon")
CLICKS = 60
LOOK = 0.5
"""Seconds that a person looks at the board before the next click."""
CROWD = 50
CROWD_GAMES = ("connect-four", "chess", "othello", "go", "hexapawn", "tic-tac-toe", "nim", "breakthrough", "checkers")
LONGEST_WAIT = 300.0
IDLE, MANY, MOVES = 200, 500, 20
IDLE_GAMES = ("chess", "go", "othello", "connect-four", "checkers", "backgammon")

WATCH_PAINT = """
window.drawn = new Promise((done) => {
  const watch = new MutationObserver(() => {
    if (!document.querySelector(".board svg")) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  });
  watch.observe(document, { childList: true, subtree: true });
});
window.painted = new Promise((done) => {
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
  });
  watch.observe({ type: "paint", buffered: true });
});
"""
WATCH_CLICKS = """
window.released = null;
window.expectMove = () => void (window.drawnMove = new Promise((done) => {
  window.onDrawn = done;
  setTimeout(() => done(null), 20_000);
}));
const position = () => Array.from(document.querySelectorAll(".board [data-cell]"), (cell) => cell.ariaLabel).join();
addEventListener("pointerup", (event) => (window.released = { at: event.timeStamp, before: position() }), true);
new MutationObserver(() => {
  const { released } = window;
  if (!released || position() === released.before) return;
  window.released = null;
  requestAnimationFrame(() => setTimeout(() => {
    const asked = performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("/moves")).at(-1);
    const wait = asked && asked.startTime >= released.at ? asked.responseEnd - asked.startTime : null;
    window.onDrawn({ total: performance.now() - released.at, wait });
    performance.clearResourceTimings();
  }));
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-label"] });
"""


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[str]
    address: str
    seconds: float
    """From its start to its address."""

    def call(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}api/{path}", data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def begin(self, game: str, **wanted: object) -> Any:
        players = [{}] * find(game).players
        return self.call("sessions", {"game": game, "players": players, **wanted})

    def stream(self, session: Any) -> connect:
        return connect(f"{self.address.replace('http', 'ws')}api/sessions/{session['id']}/stream", max_size=None)

    def own_memory(self) -> float:
        """Bytes that would be free without the server; its thinkers are processes of their own."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return 1024.0 * sum(int(line.split()[1]) for line in file if line.startswith("Private_"))


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser"]
        environment = {**os.environ, "ZERMELO_DATA_DIR": folder, "PYTHONUNBUFFERED": "1"}
        begun = time.perf_counter()
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found, "the server did not start"
                yield Server(process, found[0], time.perf_counter() - begun)
            finally:
                process.terminate()


@contextmanager
def browsing() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


def tell(what: str, figure: str, target: str = "") -> None:
    print(f"{what:<52} {figure:>26}   {target}", flush=True)


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.0f} ms"


def percentile(values: list[float], percent: float) -> float:
    """The smallest value that so many percent of all do not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


# -- paint -----------------------------------------------------------------------------------------


def measure_paint() -> None:
    with browsing() as browser:
        browser.new_context().close()
        with serving() as server:
            tell("from starting the server to its address", milliseconds(server.seconds))
            painted, drawn = visit(browser, server.address)
            tell("first visit: first paint", milliseconds(painted), "under 500 ms")
            tell("first visit: the board is drawn", milliseconds(drawn))
            later = [visit(browser, server.address) for _ in range(VISITS)]
    tell(f"{VISITS} later visits, median: first paint", milliseconds(statistics.median(p for p, _ in later)))
    tell(f"{VISITS} later visits, median: the board is drawn", milliseconds(statistics.median(d for _, d in later)))


def visit(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from opening the page to its first paint and to the drawn board."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.add_init_script(WATCH_PAINT)
        page.goto(address, wait_until="commit")
        painted, drawn = page.evaluate("Promise.all([window.painted, window.drawn])")
        return painted / 1000, drawn / 1000
    finally:
        context.close()


# -- clicks ----------------------------------------------------------------------------------------


def measure_clicks() -> None:
    with serving() as server, browsing() as browser:
        for game in CLICKED:
            told = clicked(server, browser, game)
            totals = [one["total"] / 1000 for one in told]
            waits = [one["wait"] / 1000 for one in told if one["wait"] is not None]
            figure = f"{milliseconds(statistics.median(totals))}, {milliseconds(percentile(totals, 95))}"
            tell(f"{game}: {len(totals)} clicks, median and 95th percentile", figure, "95th under 100 ms")
            figure = f"{milliseconds(statistics.median(waits))}, {milliseconds(percentile(waits, 95))}"
            tell("    of it waiting for the server", figure)


def clicked(server: Server, browser: Browser, game: str) -> list[dict[str, float]]:
    """What the page told of so many moves."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script("localStorage.setItem('zermelo.analysing', 'yes')")
    context.add_init_script(WATCH_CLICKS)
    page = context.new_page()
    chance = random.Random(game)
    told: list[dict[str, float]] = []
    try:
        while len(told) < CLICKS:
            session = server.begin(game)
            page.goto("about:blank")
            page.goto(f"{server.address}#s={session['id']}")
            page.wait_for_selector(".board svg")
            wait_for_engine(page)
            while len(told) < CLICKS and (cells := next_touches(server, session["id"], chance)):
                wait_for_engine(page)
                time.sleep(LOOK)
                told.append(touched(page, cells))
    finally:
        context.close()
    return told


def wait_for_engine(page: Page) -> None:
    """Until it has said something of this position: kernels are loaded, and it thinks on."""
    page.wait_for_selector(".effort", timeout=120_000)


def next_touches(server: Server, name: str, chance: random.Random) -> list[int] | None:
    """The cells of a move that touches alone decide; None at the end."""
    deadline = time.monotonic() + 30
    while True:
        position = server.call(f"sessions/{name}")["position"]
        if position["is_over"]:
            return None
        touches = list(position["board"]["touches"].values())
        plain = [cells for cells in touches if cells and sum(one[: len(cells)] == cells for one in touches) == 1]
        if position["to_move"] >= 0:
            return chance.choice(plain) if plain else None
        assert time.monotonic() < deadline, "the dice do not roll"
        time.sleep(0.1)


def touched(page: Page, cells: list[int]) -> dict[str, float]:
    """Click on the cells; what it took from the last release to the new board."""
    page.evaluate("window.expectMove()")
    for cell in cells:
        box = page.locator(f'.board [data-cell="{cell}"]').bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.3 * box["height"])  # not between two checkers
    found: dict[str, float] | None = page.evaluate("window.drawnMove")
    assert found is not None, f"the move {cells} was not drawn"
    return found


# -- crowd -----------------------------------------------------------------------------------------


@dataclass
class Guest:
    """What one of the crowd heard."""

    answered: float = 0.0
    analysed: float = 0.0
    waited: bool = False
    values: bool = False
    error: str = ""


def measure_crowd() -> None:
    with serving() as server:
        asyncio.run(_crowd(server))


async def _crowd(server: Server) -> None:
    sessions = [
        await asyncio.to_thread(server.begin, CROWD_GAMES[number % len(CROWD_GAMES)], players=[{}, {"agent": "auto"}])
        for number in range(CROWD)
    ]
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(server.stream(session)) for session in sessions]
        begun = time.perf_counter()
        asking = asyncio.create_task(_ask_for_games(server))
        guests = await asyncio.gather(*(_guest(server, *pair) for pair in zip(sessions, sockets, strict=True)))
        asking.cancel()
        delays = await asking
    errors = {guest.error for guest in guests if guest.error}
    tell(f"{CROWD} sessions: answered", f"{sum(guest.answered > 0 for guest in guests)}", f"{CROWD}")
    tell("    analyses that ended, and those with values", _two(guests, "analysed", "values"), f"{CROWD}, {CROWD}")
    tell("    told that they wait", f"{sum(guest.waited for guest in guests)}")
    tell("    the last answer", f"{max(guest.answered for guest in guests) - begun:.1f} s")
    tell("    the last analysis", f"{max(guest.analysed for guest in guests) - begun:.1f} s")
    figure = f"{milliseconds(statistics.median(delays))}, {milliseconds(percentile(delays, 95))}"
    tell("    the list of games meanwhile, median and 95th", figure)
    for error in errors:
        tell("    refused", error)


def _two(guests: list[Guest], *names: str) -> str:
    return ", ".join(str(sum(bool(getattr(guest, name)) for guest in guests)) for name in names)


async def _guest(server: Server, session: Any, socket: ClientConnection) -> Guest:
    """Play a move, and listen until both wishes are fulfilled."""
    guest = Guest()
    move = random.Random(session["id"]).choice(session["position"]["moves"])
    await asyncio.to_thread(server.call, f"sessions/{session['id']}/moves", {"move": move})
    for order in ({"do": "answer", "node": 1}, {"do": "analyse", "node": 1, "seconds": 5}):
        await socket.send(json.dumps(order))
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            while not (guest.answered and guest.analysed):
                _hear(guest, json.loads(await socket.recv()))
    except TimeoutError:
        guest.error = guest.error or "nobody answered"
    return guest


def _hear(guest: Guest, told: dict[str, Any]) -> None:
    news, content = told["news"], told[told["news"]]
    if news == "session" and content["current"] == 2:
        guest.answered = time.perf_counter()
    elif news in ("thinking", "answering"):
        guest.waited |= content["state"] == "waiting"
        if news == "thinking" and content["state"] in ("done", "failed"):
            guest.analysed = time.perf_counter()
    elif news == "analysis":
        guest.values = True
    elif news == "error":
        guest.error = content


async def _ask_for_games(server: Server) -> list[float]:
    delays: list[float] = []
    try:
        while True:
            begun = time.perf_counter()
            await asyncio.to_thread(server.call, "games")
            delays.append(time.perf_counter() - begun)
            await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        return delays


# -- memory ----------------------------------------------------------------------------------------


def measure_memory() -> None:
    lines = {game: random_line(game) for game in IDLE_GAMES}
    with serving() as server:
        wait_for_quiet(server)
        for game in IDLE_GAMES:
            server.begin(game, moves=lines[game])
        before = server.own_memory()
        tell("the server's own memory, with no sessions to speak of", f"{before / 1e6:.1f} MB")
        for number in range(MANY):
            if number == IDLE:
                tell(f"{IDLE} sessions, each", _each(server.own_memory() - before, IDLE), "under 1 MB")
            game = IDLE_GAMES[number % len(IDLE_GAMES)]
            server.begin(game, moves=lines[game])
        tell(f"{MANY} sessions, of which {KEPT} are kept, each of {KEPT}", _each(server.own_memory() - before, KEPT))
        asyncio.run(_sockets(server, lines))


async def _sockets(server: Server, lines: dict[str, list[str]]) -> None:
    """What an open page adds to a session."""
    async with AsyncExitStack() as stack:
        games = [IDLE_GAMES[number % len(IDLE_GAMES)] for number in range(IDLE)]
        sessions = [await asyncio.to_thread(server.begin, game, moves=lines[game]) for game in games]
        before = server.own_memory()
        for session in sessions:
            await stack.enter_async_context(server.stream(session))
        tell(f"{IDLE} open sockets of sessions, each in addition", _each(server.own_memory() - before, IDLE))


def _each(size: float, count: int) -> str:
    return f"{size / count / 1e3:,.0f} kB"


def wait_for_quiet(server: Server) -> None:
    """Until what is loaded at the start is loaded."""
    for _ in range(3):
        server.call("games")
        time.sleep(1)


def random_line(game: str) -> list[str]:
    """Twenty random moves, dice included."""
    chance = random.Random(game)
    while True:
        referee = Referee(find(game))
        while not referee.is_over and len(referee.turns) < MOVES:
            referee.play(chance.choice(referee.legal()))
        if len(referee.turns) == MOVES:
            return [turn.text for turn in referee.turns]


PARTS: dict[str, Callable[[], None]] = {
    "paint": measure_paint,
    "clicks": measure_clicks,
    "crowd": measure_crowd,
    "memory": measure_memory,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
        print(f"({part}: load of the last minute {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)\n")
