"""The games on offer: the registered ones and the files that the command line named, and no others.

A game is requested by its key and the texts of its options. A request must not make the server read a file: options
that a game declares in `file_options` must be plain words, and others must not look like a file name.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from zermelo.core.errors import UsageError, ZermeloError
from zermelo.core.game import Game, option_text, parse_options, suggest
from zermelo.core.guards import fitting
from zermelo.games import describe, find, names
from zermelo.games.library.files import where
from zermelo.games.library.scoresheets import scoresheet_of
from zermelo.web.messages import GameFacts, Parameter

WORD = re.compile(r"[\w-]+")
NUMBERS = re.compile(r"[-+., \d]*")
TREE = re.compile(r"\s*[\w{#][^~]*\(.*", re.DOTALL)
"""A text with brackets, such as a tree."""
KEPT = 64
"""The number of games kept in memory."""


class Catalogue:
    """The games that can be played here."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self.files = tuple(files)
        self._made = functools.lru_cache(maxsize=KEPT)(self._make)

    @property
    def keys(self) -> list[str]:
        """The user's own files come first."""
        return [*self.files, *(name for name in names() if name not in self.files)]

    def game(self, key: str, options: Mapping[str, str] | None = None) -> Game:
        """Return the game; UsageError if there is no such game or an option is not valid."""
        return self._made(key, tuple(sorted((options or {}).items())))

    def all_facts(self) -> Iterator[GameFacts]:
        """The facts of every game that needs no options."""
        for key in self.keys:
            with contextlib.suppress(ZermeloError):
                yield self.facts(key)

    def facts(self, key: str, options: Mapping[str, str] | None = None) -> GameFacts:
        """The facts of the game with these options."""
        game = self.game(key, options)
        described = describe(key)
        texts = dict(options or {})
        return GameFacts(
            key=key,
            name=game.name,
            summary=described["summary"],
            players=game.players,
            seats=[game.seat(player) for player in range(game.players)],
            zero_sum=game.zero_sum,
            chance=game.chance,
            hidden=game.hidden,
            parameters=[
                Parameter(name=name, kind=_kind(value), value=texts.get(name, option_text(value)))
                for name, value in described["parameters"].items()
            ],
            scoresheet=sheet.name if (sheet := scoresheet_of(game)) else "",
            agents=["auto", *(name for name in fitting(game) if name != "solve")],
        )

    def _make(self, key: str, options: tuple[tuple[str, str], ...]) -> Game:
        if key not in self.keys:
            raise UsageError(f"there is no game {key!r} here; {suggest(self.keys, '', most=40)}")
        if not options:
            return find(key)
        game_class = type(find(key))
        for name, text in options:
            _refuse_files(game_class, name, text)
        try:
            return game_class(**parse_options(game_class, key, dict(options)))
        except ZermeloError:
            raise
        except Exception as error:
            raise UsageError(f"{key} cannot be created with these options: {where(error)}") from None


def _refuse_files(game_class: type[Game], name: str, text: str) -> None:
    forms = (WORD,) if name in game_class.file_options else (WORD, NUMBERS, TREE)
    is_harmless = any(form.fullmatch(text) for form in forms)
    if not is_harmless or (not NUMBERS.fullmatch(text) and _exists(text)):
        raise UsageError(f"{name}={text[:80]!r} could be a file, which the page does not open; give a plain word")


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _kind(value: object) -> Literal["whole", "number", "switch", "text"]:
    if isinstance(value, bool):
        return "switch"
    return "whole" if isinstance(value, int) else "number" if isinstance(value, float) else "text"
