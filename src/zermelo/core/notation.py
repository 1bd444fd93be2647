"""Lines of play as text: searches work with actions, and text is derived where it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from zermelo.core.game import Action, Game, State


class Notation(Protocol):
    """Writes lines of play that begin in one position."""

    def write(self, line: Iterable[Action]) -> tuple[str, ...]:
        """One text for each move."""


class Verbatim:
    """For actions that are texts already."""

    def write(self, line: Iterable[Action]) -> tuple[str, ...]:
        return tuple(map(str, line))


@dataclass
class _Written:
    """A position on a written line, and the positions after it."""

    game: Game
    before: _Written | None
    action: Action
    texts: tuple[str, ...] = ()
    after: dict[Action, _Written] = field(default_factory=dict)

    @cached_property
    def state(self) -> State:
        """Computed once a move from here is written: the last move of a line may end where the rules know no state."""
        assert self.before is not None
        return self.game.result(self.before.state, self.action)


class GameNotation:
    """The notation of a game. Lines of one search have common beginnings, so each position is computed only once."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self._root = _Written(game, None, None)
        self._root.state = state

    def write(self, line: Iterable[Action]) -> tuple[str, ...]:
        here = self._root
        for action in line:
            if action not in here.after:
                text = self.game.format_action(here.state, action)
                here.after[action] = _Written(self.game, here, action, (*here.texts, text))
            here = here.after[action]
        return here.texts
