"""`zermelo` without a command: the page if there is a browser, else a list of games in a terminal, or the help."""

from __future__ import annotations

import sys
import textwrap

from zermelo.cli.terminal import style
from zermelo.core.extras import missing_modules

FAVOURITE = "hexapawn"


def welcome(help_text: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(help_text)
        return
    from zermelo.cli.serve import has_browser, serve_page

    if has_browser() and not missing_modules("page"):
        serve_page((), "127.0.0.1", None, browser=True)
        return
    from zermelo.cli.games import rules
    from zermelo.cli.play import play_game
    from zermelo.core.limit import Limit
    from zermelo.games import find, names

    print(style("Welcome to Zermelo!", "1"), "Play games, solve them, and look inside the search.\n")
    choices = names()
    games = [find(name) for name in choices]
    wide = max(len(game.title) for game in games)
    for number, game in enumerate(games, 1):
        summary = (rules(game) or [""])[0]
        words = textwrap.shorten(summary.partition(": ")[2] or summary, 74 - wide, placeholder=" …")
        print(f"  {number:>2}  {style(game.title.ljust(wide), '1')}  {words}")
    print("\nzermelo serve opens them in a browser; zermelo --help lists all commands.\n")
    if (choice := _ask_for_game(choices)) is not None and (level := _ask_for_level()) is not None:
        print()
        play_game(choice, "", "auto", level, 1, Limit(), None)


def _ask_for_game(choices: list[str]) -> str | None:
    """Ask the user for a game by name or number; None to leave."""
    while True:
        try:
            text = input(f"Which game do you want to play? (name or number; Enter for {FAVOURITE}, q to quit) ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        if text.lower() in ("q", "quit", "exit"):
            return None
        begun = [name for name in choices if _plain(name).startswith(_plain(text))]
        if not text:
            return FAVOURITE
        if text.isdecimal() and 1 <= int(text) <= len(choices):
            return choices[int(text) - 1]
        exact = [name for name in begun if _plain(name) == _plain(text)]
        if len(begun) == 1 or exact:
            return (exact or begun)[0]
        print(f"There is no game {text!r} in the list; type a name or a number.")


def _ask_for_level() -> str | None:
    """Ask the user for the computer's level; None to leave."""
    from zermelo.arena.levels import HIGHEST_LEVEL, NAMES, USUAL_LEVEL, parse_level
    from zermelo.core.errors import UsageError

    usual = f"{USUAL_LEVEL}, {NAMES[USUAL_LEVEL - 1]}"
    question = f"Which level, from 1 ({NAMES[0]}) to {HIGHEST_LEVEL} ({NAMES[-1]})? (Enter for {usual}) "
    while True:
        try:
            text = input(question).strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        try:
            return str(parse_level(text) if text else USUAL_LEVEL)
        except UsageError as error:
            print(error)


def _plain(name: str) -> str:
    """A name as it is compared: `Pac-Man` and `Connect Four` are pacman and connect-four."""
    return name.lower().replace("-", "").replace(" ", "")
