"""`zermelo` without a command: the page if there is a browser, else a list of games in a terminal, or the help."""

from __future__ import annotations

import sys
import textwrap

from zermelo.cli.terminal import styled
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

    print(styled("Welcome to Zermelo!", "1"), "Play games, solve them, and look inside the search.\n")
    choices = names()
    wide = max(map(len, choices))
    for number, name in enumerate(choices, 1):
        summary = (rules(find(name)) or [""])[0]
        words = textwrap.shorten(summary.partition(": ")[2] or summary, 74 - wide, placeholder=" …")
        print(f"  {number:>2}  {styled(name.ljust(wide), '1')}  {words}")
    print("\nzermelo serve opens them in a browser; zermelo --help lists all commands.\n")
    if (choice := _ask_for_game(choices)) is not None:
        print()
        play_game(choice, "", "auto", 1, Limit(), None)


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
        begun = [name for name in choices if name.startswith(text.lower())]
        if not text:
            return FAVOURITE
        if text.isdecimal() and 1 <= int(text) <= len(choices):
            return choices[int(text) - 1]
        if len(begun) == 1 or text.lower() in begun:
            return text.lower() if text.lower() in begun else begun[0]
        print(f"There is no game {text!r} in the list; type a name or a number.")
