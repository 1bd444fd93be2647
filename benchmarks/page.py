"""How fast the page is: python benchmarks/page.py [paint] [first[=GAME,GAME...]] [clicks] [length] [crowd] [memory]

The server is started as a person starts it, with a data folder of its own and the kernels that are compiled already; a
game's first search on a machine compiles for a while, so run this twice and believe the second figures.

    paint    from opening the address to the first thing on the screen, and to the last picture of the start page, or to
             the drawn board of a game: at once when the server has said its address, with the processor time that the
             server takes until then, and on later visits, each in a fresh browser without a cache
    first    for every registered game, or those that are named, the computer's first move at the usual level where
             nothing is compiled: a server and an empty folder of kernels for each game, a page that is open for a
             second, and then a move; the time from the order on the socket to the event of the computer's move, and the
             processor time that the server and its small searches take for it, which says more on a busy machine
    clicks   two people play at random with a real mouse while the engine analyses every position: from the release of
             the button to the end of the frame that shows the new position, and what of it was waiting for the server
    length   a move after 10 and after 500 others, in a game with a small board: the time from the order on the socket
             to its event, and the size of the event
    crowd    fifty sessions at once, each of which plays a move, then wants an agent's answer and an analysis; meanwhile
             one client requests the list of games continuously
    memory   what the server alone has in memory, before and after sessions of twenty moves: fewer than it keeps, the
             same with a socket each, and more than it keeps

Times are of the wall clock, and browser, server and search processes share the processors: look at the load.
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
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from websockets.asyncio.client import ClientConnection, connect

from zermelo.core.referee import Referee
from zermelo.games import find, names
from zermelo.web.service import RATE
from zermelo.web.sessions import KEPT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
VISITS = 9
FIRSTS = 3
FIRST_LOOK = 1.0
"""Seconds from opening a game to the first click."""
CLICKED = ("connect-four", "chess", "othello", "go", "backgammon")
CLICKS = 60
LENGTHS = (10, 500)
WALK = """
from zermelo import Game
class Walk(Game):
    "A walk that ends after a thousand steps."
    def initial(self): return (0, 0)
    def to_move(self, state): return state[0] % 2
    def actions(self, state):
        if state[0] < 1000: yield 1 - state[1]
    def result(self, state, action): return (state[0] + 1, action)
    def is_terminal(self, state): return state[0] == 1000
    def utility(self, state, player): return 0
"""
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
    if (!document.querySelector('.start[aria-busy="false"], .board svg')) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
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
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
  const sent = performance.now();
  const hear = ({ data }) => {
    if (!data.includes('"event": "moved"')) return;
    this.removeEventListener("message", hear);
    window.wait = performance.now() - sent;
  };
  if (text.includes('"do":"play"')) this.addEventListener("message", hear);
  send.call(this, text);
};
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
    window.onDrawn({ total: performance.now() - released.at, wait: window.wait });
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

    def worked(self) -> float:
        """Seconds of processor time that the server and its small searches have taken."""
        return sum(map(_processor_time, [self.process.pid, *self._small_searches()]))

    def _small_searches(self) -> Iterator[int]:
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.process.pid and b"small_search_process" in folder.joinpath("cmdline").read_bytes():
                    yield int(folder.name)

    def own_memory(self) -> float:
        """Bytes that would be free without the server; its searches run in processes of their own."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return 1024.0 * sum(int(line.split()[1]) for line in file if line.startswith("Private_"))


def _processor_time(process: int) -> float:
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(*files: str, is_cold: bool = False) -> Iterator[Server]:
    """A server with a folder of its own; a cold one has no kernels."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser", *files]
        environment = {**os.environ, "ZERMELO_DATA_DIR": folder, "PYTHONUNBUFFERED": "1"}
        if is_cold:
            environment["ZERMELO_CACHE_DIR"] = os.path.join(folder, "kernels")
        begun = time.perf_counter()
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://[^/]+/", process.stdout.readline())
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


def report(what: str, figure: str, target: str = "") -> None:
    print(f"{what:<52} {figure:>26}   {target}", flush=True)


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.0f} ms"


def percentile(values: list[float], percent: float) -> float:
    """The percentile: the smallest value that this percentage of all does not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


# -- paint -----------------------------------------------------------------------------------------


def measure_paint() -> None:
    with browsing() as browser:
        browser.new_context().close()
        with serving() as server:
            report("from starting the server to its address", milliseconds(server.seconds))
            before = server.worked()
            painted, drawn = visit(browser, server.address)
            work = server.worked() - before
            report("first visit: first paint", milliseconds(painted), "under 300 ms")
            report("first visit: the start page is complete", milliseconds(drawn), "under 600 ms")
            report("    the server's processor time meanwhile", milliseconds(work))
            games = [visit(browser, f"{server.address}#game=connect-four") for _ in range(VISITS)]
            later = [visit(browser, server.address) for _ in range(VISITS)]
    for what, visits in (("the start page is complete", later), ("the board is drawn", games)):
        report(f"{VISITS} later visits, median: first paint", milliseconds(statistics.median(p for p, _ in visits)))
        report(f"{VISITS} later visits, median: {what}", milliseconds(statistics.median(d for _, d in visits)))


def visit(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from opening the page to its first paint, and until its pictures or its board are drawn."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.add_init_script(WATCH_PAINT)
        page.goto(address, wait_until="commit")
        painted, drawn = page.evaluate("Promise.all([window.painted, window.drawn])")
        return painted / 1000, drawn / 1000
    finally:
        context.close()


# -- the first move --------------------------------------------------------------------------------


def measure_first(games: str = "") -> None:
    slowest = 0.0
    for game in games.split(",") if games else names():
        found = [asyncio.run(_first_move(game)) for _ in range(FIRSTS)]
        seconds, work = statistics.median(one.seconds for one in found), statistics.median(one.work for one in found)
        slowest = max(slowest, seconds)
        report(f"{game}: median, and processor time", f"{milliseconds(seconds)}, {milliseconds(work)}")
    report("the slowest game", milliseconds(slowest), "under 1000 ms")


@dataclass(frozen=True)
class FirstMove:
    seconds: float
    """From a person's move, or from the start of a game without one, to the computer's."""
    work: float
    """The processor time of the processes that it waits for: the server, and its small searches."""


async def _first_move(game: str) -> FirstMove:
    rules = find(game)
    with serving(is_cold=True) as server:
        wanted = [{}, *[{"agent": "auto"}] * (rules.players - 1)] if rules.players > 1 else [{}]
        session = await asyncio.to_thread(server.begin, game, players=wanted)
        async with server.stream(session) as socket:
            state = json.loads(await socket.recv())["content"]["session"]
            await asyncio.sleep(FIRST_LOOK)
            while state["position"]["to_move"] != 0:  # the dice, or the computer begins
                news = json.loads(await socket.recv())
                state["position"] = news["content"]["position"] if news["event"] == "moved" else state["position"]
            begun, before = time.perf_counter(), server.worked()
            if rules.players > 1:
                move = random.Random(game).choice(state["position"]["moves"])
                order = {"do": "play", "move": move}
            else:
                order = {"do": "sit", "players": [{"agent": "auto"}]}
            await socket.send(json.dumps(order))
            while True:
                news = json.loads(await asyncio.wait_for(socket.recv(), LONGEST_WAIT))
                if (found := _latest_move(news)) is not None:
                    node, position = found
                    if node["player"] > 0 or (rules.players == 1 and node["player"] == 0):
                        return FirstMove(time.perf_counter() - begun, server.worked() - before)
                    assert not position["is_over"], f"{game} was over before the computer moved"
                    if position["to_move"] == 0 and rules.players > 1:  # it is the person's turn again
                        begun, before = time.perf_counter(), server.worked()
                        await socket.send(json.dumps({"do": "play", "move": position["moves"][0]}))


def _latest_move(news: Any) -> tuple[Any, Any] | None:
    """The node and the position of a move; in a game with hidden information a whole state may bring it."""
    if news["event"] == "moved":
        return news["content"]["node"], news["content"]["position"]
    if news["event"] == "snapshot":
        session = news["content"]["session"]
        return session["nodes"][session["current"]], session["position"]
    return None


# -- clicks ----------------------------------------------------------------------------------------


def measure_clicks() -> None:
    with serving() as server, browsing() as browser:
        for game in CLICKED:
            before = server.worked()
            figures = clicked(server, browser, game)
            work = (server.worked() - before) / len(figures)
            totals = [one["total"] / 1000 for one in figures]
            waits = [one["wait"] / 1000 for one in figures]
            figure = f"{milliseconds(statistics.median(totals))}, {milliseconds(percentile(totals, 95))}"
            report(f"{game}: {len(totals)} clicks, median and 95th percentile", figure, "95th under 80 ms")
            figure = f"{milliseconds(statistics.median(waits))}, {milliseconds(percentile(waits, 95))}"
            report("    of it waiting for the server", figure)
            report("    the server's processor time, with its analyses", milliseconds(work))


def clicked(server: Server, browser: Browser, game: str) -> list[dict[str, float]]:
    """The page's measurements of CLICKS moves."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.add_init_script("localStorage.setItem('zermelo.analysing', 'yes')")
    context.add_init_script(WATCH_CLICKS)
    page = context.new_page()
    chance = random.Random(game)
    figures: list[dict[str, float]] = []
    try:
        while len(figures) < CLICKS:
            session = server.begin(game)
            page.goto("about:blank")
            page.goto(f"{server.address}#s={session['id']}")
            page.wait_for_selector(".board svg")
            wait_for_engine(page)
            while len(figures) < CLICKS and (cells := next_touches(server, session["id"], chance)):
                wait_for_engine(page)
                time.sleep(LOOK)
                figures.append(touched(page, cells))
    finally:
        context.close()
    return figures


def wait_for_engine(page: Page) -> None:
    """Wait for its first report on this position: kernels are loaded, and the search continues."""
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


# -- length ----------------------------------------------------------------------------------------


def measure_length() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "walk.py")
        file.write_text(WALK)
        with serving(str(file)) as server:
            for moves in LENGTHS:
                asyncio.run(_length(server, str(file), moves))


async def _length(server: Server, file: str, moves: int) -> None:
    session = await asyncio.to_thread(server.begin, file, moves=[str((ply + 1) % 2) for ply in range(moves)])
    delays, sizes = [], []
    async with server.stream(session) as socket:
        for ply in range(moves, moves + CLICKS):
            begun = time.perf_counter()
            await socket.send(json.dumps({"do": "play", "move": str((ply + 1) % 2)}))
            while json.loads(text := await socket.recv())["event"] != "moved":
                pass
            delays.append(time.perf_counter() - begun)
            sizes.append(len(text))
            await asyncio.sleep(1 / RATE)
    figure = f"{1000 * statistics.median(delays):.1f} ms, {statistics.median(sizes):,.0f} bytes"
    report(f"after {moves} moves: from an order to its event", figure)


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
    report(f"{CROWD} sessions: answered", f"{sum(guest.answered > 0 for guest in guests)}", f"{CROWD}")
    report("    analyses that ended, and those with values", _two(guests, "analysed", "values"), f"{CROWD}, {CROWD}")
    report("    saw that they were queued", f"{sum(guest.waited for guest in guests)}")
    report("    the last answer", f"{max(guest.answered for guest in guests) - begun:.1f} s")
    report("    the last analysis", f"{max(guest.analysed for guest in guests) - begun:.1f} s")
    figure = f"{milliseconds(statistics.median(delays))}, {milliseconds(percentile(delays, 95))}"
    report("    the list of games meanwhile, median and 95th", figure)
    for error in errors:
        report("    refused", error)


def _two(guests: list[Guest], *names: str) -> str:
    return ", ".join(str(sum(bool(getattr(guest, name)) for guest in guests)) for name in names)


async def _guest(server: Server, session: Any, socket: ClientConnection) -> Guest:
    """Play a move, and listen until both wishes are fulfilled."""
    guest = Guest()
    move = random.Random(session["id"]).choice(session["position"]["moves"])
    await asyncio.to_thread(server.call, f"sessions/{session['id']}/moves", {"move": move})
    await socket.send('{"do": "analyse", "node": 1, "seconds": 5}')
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            while not (guest.answered and guest.analysed):
                _hear(guest, json.loads(await socket.recv()))
    except TimeoutError:
        guest.error = guest.error or "no answer"
    return guest


def _hear(guest: Guest, message: dict[str, Any]) -> None:
    news, content = message["event"], message["content"]
    if news == "moved" and content["current"] == 2:
        guest.answered = time.perf_counter()
    elif news in ("thinking", "answering") and content is not None:
        guest.waited |= content["state"] == "waiting"
        if news == "thinking" and content["state"] in ("done", "failed"):
            guest.analysed = time.perf_counter()
    elif news == "analysis":
        guest.values = True
    elif news == "refused":
        guest.error = content["error"]


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
        report("the server's own memory, with no sessions to speak of", f"{before / 1e6:.1f} MB")
        for number in range(MANY):
            if number == IDLE:
                report(f"{IDLE} sessions, each", _each(server.own_memory() - before, IDLE), "under 60 kB")
            game = IDLE_GAMES[number % len(IDLE_GAMES)]
            server.begin(game, moves=lines[game])
        report(f"{MANY} sessions, of which {KEPT} are kept, each of {KEPT}", _each(server.own_memory() - before, KEPT))
        asyncio.run(_sockets(server, lines))


async def _sockets(server: Server, lines: dict[str, list[str]]) -> None:
    """What an open page adds to a session."""
    async with AsyncExitStack() as stack:
        games = [IDLE_GAMES[number % len(IDLE_GAMES)] for number in range(IDLE)]
        sessions = [await asyncio.to_thread(server.begin, game, moves=lines[game]) for game in games]
        before = server.own_memory()
        for session in sessions:
            await stack.enter_async_context(server.stream(session))
        report(f"{IDLE} open sockets of sessions, each in addition", _each(server.own_memory() - before, IDLE))


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


PARTS: dict[str, Callable[..., None]] = {
    "paint": measure_paint,
    "first": measure_first,
    "clicks": measure_clicks,
    "length": measure_length,
    "crowd": measure_crowd,
    "memory": measure_memory,
}

if __name__ == "__main__":
    for argument in sys.argv[1:] or PARTS:
        part, _, games = argument.partition("=")
        PARTS[part](*([games] if games else []))
        print(f"({part}: load of the last minute {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)\n")
