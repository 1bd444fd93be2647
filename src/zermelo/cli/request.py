"""What commands share: finding a game and a position, JSON output, and the notice that a game is compiled."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from zermelo.cli.terminal import note, write_message
from zermelo.core.checked import is_own
from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.guards import ALGORITHMS
from zermelo.core.referee import Referee

SCHEMA = 1
"""Version of the JSON answers; it changes if a key is removed or changes its meaning, not if a key is added."""
ROOM = 1 << 20
"""Bytes that a compiled kernel may need on disk."""


def find_position(game: str, position: str = "") -> Referee:
    """Find the game and set up the position, or play the game of a file to its end."""
    rules = find_game(game)
    return _end_of_game(rules, position) if _is_file(position) else Referee.at(rules, position)


def _is_file(position: str) -> bool:
    try:
        return bool(position) and Path(position).is_file()
    except (OSError, ValueError):  # a text that cannot be a name
        return False


def _end_of_game(rules: Game, path: str) -> Referee:
    """The first game of a scoresheet at its end."""
    from zermelo.games.library.scoresheets import recognise

    text = read_file(path)
    form, rules = recognise(text, path, rules)
    sheets = form.read(rules, text)
    if len(sheets) > 1:
        note(f"{path} has {len(sheets)} games; this is about the first one")
    return form.check_one(sheets[0], 1, len(sheets)).replay()


def find_game(spec: str) -> Game:
    """Find the game; a user's game plays a few random games first, so that mistakes in its rules show at once."""
    from zermelo.games import find

    game = find(spec)
    if not is_own(type(game)):
        from zermelo.cli.precheck import precheck

        game = precheck(game)
    announce_compiling(game)
    return game


def is_ours(game: Game) -> bool:
    """Whether the game is part of this package; the others are files of the user's."""
    return type(game).__module__.startswith("zermelo.")


def read_file(path: str) -> str:
    """The text of a file; `-` is standard input. Old scoresheets are not in UTF-8."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    named = re.search(rb"\bCA\[([\w-]+)\]", data)  # the encoding of an SGF
    for encoding in ("utf-8-sig", named[1].decode() if named else "latin-1"):
        with suppress(UnicodeDecodeError, LookupError):
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    return data.decode("latin-1")


def print_json(answer: Mapping[str, Any]) -> None:
    """Print the answer with the version of its schema; see `zermelo/schemas`."""
    print(json.dumps({"schema": SCHEMA, **answer}, indent=2, ensure_ascii=False))


def announce_compiling(game: Game) -> None:
    """From now on, announce each compilation: it takes seconds, once."""
    from zermelo.kernel import on_compile

    announced: set[str] = set()
    instant = "the next start is instant" if is_ours(game) else "if its rules compile, the next start is instant"

    def announce(kernel: str, static: str) -> None:
        title = next((f" for {needs.title}" for name, needs in ALGORITHMS.items() if name == kernel), "")
        if title not in announced:
            announced.add(title)
            later = instant if _can_be_saved() else "the result cannot be saved here"
            write_message(f"compiling {game.name}{title}; {later} …")

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
