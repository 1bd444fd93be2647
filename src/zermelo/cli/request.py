"""What commands share: finding a game and a position, JSON output, and the notice that a game is compiled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import Any

from zermelo.cli.terminal import aside
from zermelo.core.game import Game
from zermelo.core.guards import ALGORITHMS
from zermelo.core.referee import Referee

SCHEMA = 1
"""Version of the JSON answers; it changes if a key is removed or changes its meaning, not if a key is added."""
ROOM = 1 << 20
"""Bytes that a compiled kernel may need on disk."""


def find_position(game: str, position: str = "") -> Referee:
    """Find the game and set up the position."""
    return Referee.at(find_game(game), position)


def find_game(spec: str) -> Game:
    """Find the game; a user's game plays a few random games first, so that mistakes in its rules show at once."""
    from zermelo.games import find

    game = find(spec)
    if not type(game).__module__.startswith("zermelo."):
        from zermelo.cli.precheck import precheck

        precheck(game)
    announce_compiling(game)
    return game


def print_json(answer: Mapping[str, Any]) -> None:
    """Print the answer with the version of its schema; see `zermelo/schemas`."""
    print(json.dumps({"schema": SCHEMA, **answer}, indent=2, ensure_ascii=False))


def announce_compiling(game: Game) -> None:
    """From now on, announce each compilation: it takes seconds, once."""
    from zermelo.kernel import on_compile

    announced: set[str] = set()

    def announce(kernel: str, static: str) -> None:
        title = next((f" for {needs.title}" for name, needs in ALGORITHMS.items() if name == kernel), "")
        if title not in announced:
            announced.add(title)
            later = "the next start is instant" if _can_be_saved() else "the result cannot be saved here"
            aside(f"compiling {game.name}{title}; {later} …")

    on_compile(announce)


def _can_be_saved() -> bool:
    """Whether the cache folder can hold a compiled kernel."""
    from zermelo.kernel.cache import directory

    try:
        directory().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory()) as file:
            file.write(bytes(ROOM))
    except OSError:
        return False
    return True
