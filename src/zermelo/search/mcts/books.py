"""Payoffs as whole numbers: how many of them make 1."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from zermelo.core.game import Game, State
from zermelo.core.random_games import random_game

UNITY = 1 << 30
"""The largest payoff as a whole number."""
TRIALS, LONGEST_TRIAL = 20, 5000


@dataclass(frozen=True)
class Books:
    """How payoffs are written down as whole numbers."""

    scale: float
    half: float
    """Half of what lies between the least and the most that anybody gets."""
    low: float
    high: float

    @classmethod
    def of(cls, game: Game, state: State) -> Books:
        low, high = map(float, game.utility_range)
        if not math.isfinite(high - low):
            low, high = _seen(game, state)
        largest = max(abs(low), abs(high), 1e-9)
        return cls(UNITY / 2.0 ** math.frexp(largest)[1], max((high - low) / 2, 1e-9), low, high)

    def fixed(self, value: float) -> int:
        return math.floor(value * self.scale + 0.5)


def _seen(game: Game, state: State) -> tuple[float, float]:
    """The least and the most that anybody got in a few random games: payoffs without bounds have to be measured."""
    rng, seen = random.Random(0), [0.0, 1.0]
    for _ in range(TRIALS):
        for here, moves in random_game(game, state, rng, LONGEST_TRIAL):
            if not moves:
                seen += map(float, game.utilities(here))
    return min(seen), max(seen)
