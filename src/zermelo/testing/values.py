"""The value of a position for a player, as an interval proved by a small search.

Backward induction for one player against all others: the highest payoff the player can enforce. Beyond the horizon
the value may be anything on the scale. In a zero-sum game for two this encloses the value of the game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from zermelo.core.game import Game, has_one_value
from zermelo.core.repetition import Repetition
from zermelo.testing.position import Position
from zermelo.testing.violation import OutOfTime

Interval: TypeAlias = tuple[float, float]

DEEPEST = 60
"""Maximum depth, so that the recursion stays within Python's limit."""


def has_a_value(game: Game) -> bool:
    """Whether positions have unique values: not with ties of many players, nor with history or hidden information."""
    return has_one_value(game) and not game.hidden and game.repetition is Repetition.NOTHING


def proven_interval(position: Position, player: int, nodes: int, is_late: Callable[[], bool]) -> Interval:
    """The narrowest interval found by deepening searches with at most `nodes` positions."""
    found: Interval = position.game.utility_range
    search = _Search(player, nodes, is_late)
    try:
        for depth in range(DEEPEST):
            found = search.value(position, depth)
            if found[0] == found[1]:
                break
    except OutOfTime:
        pass
    return found


class _Search:
    def __init__(self, player: int, nodes: int, is_late: Callable[[], bool]) -> None:
        self.player, self.nodes, self.is_late = player, nodes, is_late
        self.known: dict[tuple[Any, int], Interval] = {}

    def value(self, position: Position, depth: int) -> Interval:
        if position.over:
            payoff = position.payoffs[self.player]
            return payoff, payoff
        if depth == 0 or not position.moves:
            return position.game.utility_range
        place = (position.state, depth)
        if place not in self.known:
            self.known[place] = self.combine(
                position, [self.value(self.step(position, m), depth - 1) for m in position.moves]
            )
        return self.known[place]

    def step(self, position: Position, move: Any) -> Position:
        self.nodes -= 1
        if self.nodes < 0 or self.is_late():
            raise OutOfTime
        return position.after(move)

    def combine(self, position: Position, values: list[Interval]) -> Interval:
        lows, highs = zip(*values, strict=True)
        if position.is_chance:
            return _mean(position.chances, lows), _mean(position.chances, highs)
        best = max if position.player == self.player else min
        return best(lows), best(highs)


def _mean(chances: Iterable[float], values: Iterable[float]) -> float:
    return sum(chance * value for chance, value in zip(chances, values, strict=True))


def format_interval(value: Interval) -> str:
    """`1`, or `0 to 1` for an interval."""
    low, high = value
    return f"{low:g}" if math.isclose(low, high, abs_tol=1e-9) else f"{low:g} to {high:g}"
