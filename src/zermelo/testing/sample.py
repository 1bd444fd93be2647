"""The positions of all checks: seeded random games, drawn once."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from zermelo.core.game import Action, Game
from zermelo.core.repetition import Repetition
from zermelo.testing.copies import snapshot
from zermelo.testing.position import Position
from zermelo.testing.violation import ContractViolation, attempt

INHERITED = "nothing to check: the game keeps the inherited one"
"""The detail of a check of an optional method that the game does not define."""


@dataclass
class Sample:
    """Positions of random games, each state once, in the order of play; and the clock of the current check."""

    game: Game
    seed: int = 0
    plies: int = 2000
    """Plies after which a random game counts as endless."""
    games: int = 0
    """The number of random games begun."""
    positions: list[Position] = field(default_factory=list)
    visits: list[Position] = field(default_factory=list)
    """Every position as often as it was reached, in the order of play."""
    twins: list[tuple[Position, Position]] = field(default_factory=list)
    """Pairs of equal states with different results of the rules."""
    endless: Position | None = None
    """The last position of the first game that was too long."""
    broken: ContractViolation | None = None
    """The violation that stopped the random games."""
    deadline: float = math.inf
    """The deadline of the current check, on the clock of `time.monotonic`."""
    looked: int = 0
    offered: int = 0
    """The number of positions that the last loop checked, and of all positions for it."""

    # -- looking -----------------------------------------------------------------------------------

    def all(self) -> Iterator[Position]:
        return self._each(self.positions)

    def deepest_first(self) -> Iterator[Position]:
        """All positions, the deepest first, so that those near the end come early."""
        return self._each(sorted(self.positions, key=lambda position: -position.ply))

    def decisions(self, *, deepest_first: bool = False) -> Iterator[Position]:
        """The positions in which a player is to move."""
        found = [position for position in self.positions if position.is_decision]
        return self._each(sorted(found, key=lambda position: -position.ply) if deepest_first else found)

    def rolls(self) -> Iterator[Position]:
        """The positions in which chance is to move."""
        return self._each([position for position in self.positions if position.is_chance and not position.over])

    def all_visits(self) -> Iterator[Position]:
        return self._each(self.visits)

    def ends(self) -> Iterator[Position]:
        return self._each([position for position in self.positions if position.over])

    def _each(self, positions: list[Position]) -> Iterator[Position]:
        self.looked, self.offered = 0, len(positions)
        for position in positions:
            if self.is_late() and self.looked:
                break
            self.looked += 1
            yield position

    def summary(self, noun: str = "position") -> str:
        """A summary of the last loop: `412 positions`, or `100 of 412 positions` if the time was up."""
        if not self.looked:
            return f"nothing to check: random play met no {noun}"
        if self.looked < self.offered:
            return f"{self.looked:,} of {count_noun(self.offered, noun)}, then the time was up"
        return count_noun(self.looked, noun)

    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, games: int) -> None:
        """Play random games until there are enough, the time is up, or the rules break."""
        rng = random.Random(self.seed)
        known: dict[Any, Position] = {}
        while self.games < games and not self.endless and not (self.is_late() and self.games):
            self.games += 1
            try:
                attempt(self.game, "comparing states", self._play, rng, known)
            except ContractViolation as violation:
                self.broken = violation
                return

    def _play(self, rng: random.Random, known: dict[Any, Position]) -> None:
        position = self._start()
        times: Counter[Any] = Counter()
        for _ in range(self.plies):
            self._record(position, known)
            if is_hashable(position.state):
                place = position.ask("repetition_key")
                times[place] += 1
                if 0 < int(self.game.repetition) <= times[place]:
                    return
            moves = self._playable(position, times)
            if not moves or self.is_late():
                return
            position = position.after(_choose(position, moves, rng))
        if position.over:
            self._record(position, known)
        else:
            self.endless = position

    def _start(self) -> Position:
        state = attempt(self.game, "initial", self.game.initial)
        if state is None:
            raise ContractViolation("initial should return the first state, but it is None")
        return Position(self.game, state).observe()

    def _playable(self, position: Position, times: Counter[Any]) -> tuple[Action, ...]:
        if self.game.repetition is not Repetition.FORBIDDEN or position.is_chance:
            return position.moves
        repetition_key = self.game.repetition_key
        return tuple(action for action in position.moves if repetition_key(position.next_state(action)) not in times)

    def _record(self, position: Position, known: dict[Any, Position]) -> None:
        self.visits.append(position)
        if not is_hashable(position.state):
            self.positions.append(position)
            return
        twin = known.setdefault(position.state, position)
        if twin is position:
            self.positions.append(position)
        elif snapshot(answers(twin)) != snapshot(answers(position)):
            self.twins.append((twin, position))


def count_noun(number: int, noun: str) -> str:
    """`1 position`, `2 positions`."""
    return f"{number:,} {noun}" + "s" * (number != 1)


def is_number(value: object) -> bool:
    """A finite real number."""
    return isinstance(value, Real) and math.isfinite(value)


def is_yes_or_no(value: object) -> bool:
    """True or False, from Python or from numpy."""
    return isinstance(value, bool) or type(value).__name__ == "bool_"


def answers(position: Position) -> dict[str, Any]:
    """The results of the rules for the position, by method."""
    moves = "outcomes" if position.is_chance else "actions"
    return {
        "to_move": position.player,
        "is_terminal": position.over,
        moves: tuple(zip(position.moves, position.chances, strict=True)) if position.chances else position.moves,
        "utility": position.payoffs,
    }


def _choose(position: Position, moves: tuple[Action, ...], rng: random.Random) -> Action:
    weights = position.chances
    if weights and all(is_number(weight) and weight >= 0 for weight in weights) and sum(weights) > 0:
        return rng.choices(position.moves, weights)[0]
    return rng.choice(moves)


def is_hashable(value: object) -> bool:
    """Whether it can stand in a table."""
    try:
        hash(value)
    except Exception:
        return False
    return True
