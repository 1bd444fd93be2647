"""The games on offer: the registered ones and the files that the command line named, and no others.

A game is requested by its key and the texts of its options. A request must not make the server read a file: options
that a game declares in `file_options` must be plain words, and others must not look like a file name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Literal

from zermelo.arena.levels import levels
from zermelo.core.errors import UsageError, ZermeloError
from zermelo.core.game import CHANCE, Game, option_text, parse_options, suggest
from zermelo.core.guards import agent_title, suitable_algorithms
from zermelo.core.naive import with_values
from zermelo.draw.wording import capitalise
from zermelo.games import describe, find, names
from zermelo.games.library.files import module_of, where
from zermelo.games.library.scoresheets import form_of, has_own_form
from zermelo.web.groups import OWN, group_of
from zermelo.web.messages import GameFacts, Parameter

WORD = re.compile(r"[\w-]+")
NUMBERS = re.compile(r"[-+., \d]*")
SPEC = re.compile(r"[\w-]+(:[\w-]+=[\w-]+(,[\w-]+=[\w-]+)*)?")
"""A registered game with options; without a point it cannot be a file."""
TREE = re.compile(r"\s*[\w{#][^~]*\(.*", re.DOTALL)
"""A text with brackets, such as a tree."""
KEPT = 64
"""The number of games kept in memory."""


class Catalogue:
    """The games that can be played here."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self.files = tuple(files)
        self._made = functools.lru_cache(maxsize=KEPT)(self._make)
        self._modules: dict[str, ModuleType | None] = {}

    @property
    def keys(self) -> list[str]:
        """The user's own files come first."""
        return [*self.files, *(name for name in names() if name not in self.files)]

    def game(self, key: str, options: Mapping[str, str] | None = None) -> Game:
        """Return the game; UsageError if there is no such game or an option is not valid."""
        return self._made(key, self._module(key), tuple(sorted((options or {}).items())))

    def is_reloaded(self, key: str) -> bool:
        """Whether the file of the game has changed since this was asked before."""
        module = self._module(key)
        before, self._modules[key] = self._modules.get(key, module), module
        return before is not module

    def _module(self, key: str) -> ModuleType | None:
        """The rules of a file as they are now; None for a registered game."""
        return module_of(key.partition(":")[0]) if key in self.files else None

    def facts(self, key: str, options: Mapping[str, str] | None = None) -> GameFacts:
        """The facts of the game with these options."""
        game = self.game(key, options)
        described = describe(key)
        texts = dict(options or {})
        agents = ["auto", *(name for name in suitable_algorithms(game) if name not in ("solve", "equilibrium"))]
        return GameFacts(
            key=key,
            name=game.name,
            title=game.title,
            summary=described["summary"],
            group=OWN if key in self.files else group_of(game),
            players=game.players,
            seats=[game.seat(player) for player in range(game.players)],
            begins=_beginner(game),
            zero_sum=game.zero_sum,
            chance=game.chance,
            hidden=game.hidden,
            parameters=[
                Parameter(
                    name=name,
                    label=game.option_label(name),
                    kind=_kind(value),
                    value=texts.get(name, option_text(value)),
                )
                for name, value in described["parameters"].items()
            ],
            scoresheet=form_of(game).name if has_own_form(game) else "",
            agents=agents,
            levels=[level.describe() for level in levels(game)],
            agent_titles={"auto": "Computer"} | {agent: capitalise(agent_title(agent)) for agent in agents[1:]},
        )

    def _make(self, key: str, _module: ModuleType | None, options: tuple[tuple[str, str], ...]) -> Game:
        if key not in self.keys:
            raise UsageError(f"there is no game {key!r} here; {suggest(self.keys, '', most=40)}")
        if not options:
            return with_values(find(key))
        game_class = type(find(key))
        for name, text in options:
            _refuse_files(game_class, name, text)
        try:
            return with_values(game_class(**parse_options(game_class, key, dict(options))))
        except ZermeloError:
            raise
        except Exception as error:
            raise UsageError(f"{key} cannot be created with these options: {where(error)}") from None


def _beginner(game: Game) -> int | None:
    """The seat with the first move; None if chance moves first."""
    first = game.to_move(game.initial())
    return None if first == CHANCE else first


def _refuse_files(game_class: type[Game], name: str, text: str) -> None:
    forms = (WORD, SPEC) if name in game_class.file_options else (WORD, NUMBERS, TREE)
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
