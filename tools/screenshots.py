"""Take the screenshots of the README and the documentation again.

    python tools/screenshots.py [NAME ...]

It starts a server with an empty store, and opens the page in a headless Chromium. Everything on a picture is fixed: the
positions, the run numbers, the size of the window. Numbers that depend on the machine, such as times, are left out, and
a search is waited for until its values are proved. A second run on the same machine writes the same files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--disable-partial-raster",
    "--run-all-compositor-stages-before-draw",
)
"""The last three draw everything anew for each picture, so that no edge differs."""
DESKTOP, PHONE = (1280, 800), (390, 700)
PATIENCE = 90_000
"""Milliseconds: the first search compiles."""
STILL = ".effort, .thought, .note[role=status] { display: none } * { caret-color: transparent !important }"
"""Nothing that differs from run to run: times, what is being compiled, and a blinking cursor."""
PEOPLE = '{"people": "all", "agent": "auto", "options": {}}'


@dataclass(frozen=True)
class Shot:
    """A picture: its name, what is opened, what is done there, and how it is shown."""

    name: str
    address: str
    act: Callable[[Page], None]
    size: tuple[int, int] = DESKTOP
    theme: str = "light"
    people: str = ""
    """A game that is played by people only."""
    analysing: bool = False


def show_start(page: Page) -> None:
    expect(page.locator("main.start")).to_have_attribute("aria-busy", "false")


def show_proof(page: Page) -> None:
    """The analysis when all values are proved."""
    expect(page.locator(".verdict .proof")).to_contain_text("proved")
    expect(page.get_by_role("button", name="Stop")).to_be_disabled()


def show_board(page: Page) -> None:
    expect(page.locator(".board svg")).to_be_visible()


def show_cut(page: Page) -> None:
    """The step at which alpha-beta cuts the second branch."""
    expect(page.locator("#tree .node")).to_have_count(13)
    page.get_by_role("slider", name="Step").fill("9")
    expect(page.get_by_text("Branches b and c are cut")).to_be_visible()


def grow_tree(page: Page) -> None:
    """A tree after two hundred simulations."""
    expect(page.get_by_text("No simulation yet")).to_be_visible()
    for count in (100, 200):
        page.get_by_role("button", name="A hundred simulations").click()
        expect(page.locator(".stepper .count")).to_have_text(f"{count} / {count}")


def mark_cuts(page: Page) -> None:
    """An exercise with a right and a wrong answer, checked."""
    expect(page.locator("#tree .node").first).to_be_visible()
    for place in ("b.b", "c.c"):
        page.locator(f'#tree [data-place="{place}"]').first.click()
    page.get_by_role("button", name="Check").click()


SHOTS = (
    Shot("start", "", show_start, (1280, 860)),
    Shot(
        "game",
        "#game=connect-four&moves=3+4+6+1+4+3+3+4+4+7+1+3+7+1+5+3+4+5",
        show_proof,
        people="connect-four",
        analysing=True,
    ),
    Shot("go-on-a-phone", "#game=go&moves=E5+G6+C4+F3+D6+G4+C7+F7", show_board, PHONE, people="go"),
    Shot("kalah-on-a-phone", "#game=kalah&moves=c+f+A+b+E", show_board, PHONE, "dark", people="kalah"),
    Shot("inside", "inside", show_cut),
    Shot("mcts", "inside#game=tic-tac-toe&algorithm=mcts", grow_tree),
    Shot("exercise", "inside#seed=7&kind=max+and+min&mode=prune", mark_cuts, theme="dark"),
)


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a server that keeps its games in the folder."""
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser"]
    environment = {**os.environ, "ZERMELO_DATA_DIR": folder, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://\S+", line)
            if found is None:
                raise SystemExit(f"the server did not start: {line}")
            yield found[0]
        finally:
            process.terminate()


def take(browser: Browser, address: str, shot: Shot) -> None:
    width, height = shot.size
    is_phone = shot.size == PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1.5 if is_phone else 1,
        color_scheme="dark" if shot.theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=is_phone,
        locale="en-GB",
        bypass_csp=True,  # for the style sheet below
    )
    kept = {"analysing": "yes" if shot.analysing else "no"}
    if shot.people:
        kept[f"settings.{shot.people}"] = PEOPLE
    for name, value in kept.items():
        context.add_init_script(f"localStorage.setItem('zermelo.{name}', '{value}')")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address + shot.address)
    page.add_style_tag(content=STILL)
    shot.act(page)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{shot.name}.png", animations="disabled")
    context.close()


def main(names: list[str]) -> None:
    wanted = [shot for shot in SHOTS if not names or shot.name in names]
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        raise SystemExit(f"there is no browser here; one of these is needed: {', '.join(BROWSERS)}")
    expect.set_options(timeout=PATIENCE)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for shot in wanted:
            take(browser, address, shot)
            print(f"docs/screenshots/{shot.name}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
