"""The payoff scale: payoffs are stored as whole numbers, so that sums do not depend on the order of the threads.

The payoffs of simulations are rounded to whole numbers; proved bounds are not. Payoffs without declared bounds are
measured in a few random games, which sets the resolution and the exploration but proves nothing.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass

from zermelo.core.game import Game, State
from zermelo.core.random_games import random_game

UNITY = 1 << 30
"""The stored form of the largest declared payoff."""
MEASURED_UNITY = 1 << 22
"""The stored form of the largest measured payoff; smaller, because others may exceed it."""
MOST_WHOLE = 1 << 32
"""Larger payoffs are clipped to this, so that a sum does not overflow within 2^31 visits."""
LARGEST_POWER = 1023
"""The largest exponent of a finite floating-point number."""
TRIALS, LONGEST_TRIAL = 20, 5000
MOST_OF_TIME = 0.25
"""Share of the search's time for the random games."""


@dataclass(frozen=True)
class PayoffScale:
    """How payoffs are stored as whole numbers, and the bounds known before the search."""

    unity: int
    magnitude: float
    """A power of two; `unity` is its stored form."""
    low: float
    high: float
    """The least and the greatest payoff of any player, as declared or as measured."""
    floor: float
    ceiling: float
    """The declared bounds; infinite if not declared."""

    @classmethod
    def of(cls, game: Game, state: State, seconds: float | None = None) -> PayoffScale:
        """The scale for a search of `seconds` from a state."""
        floor, ceiling = map(float, game.utility_range)
        deadline = math.inf if seconds is None else time.monotonic() + seconds * MOST_OF_TIME
        is_bounded = math.isfinite(floor) and math.isfinite(ceiling)
        low, high = (floor, ceiling) if is_bounded else _measure_payoffs(game, state, deadline)
        largest = max(abs(low), abs(high)) or 1.0
        magnitude = 2.0 ** min(math.frexp(largest)[1], LARGEST_POWER)
        return cls(UNITY if is_bounded else MEASURED_UNITY, magnitude, low, high, floor, ceiling)

    @property
    def half(self) -> float:
        """Half the range of payoffs, in stored units."""
        return (self.high / 2 - self.low / 2) / self.magnitude * self.unity or float(self.unity)

    def to_stored(self, value: float) -> int:
        """The stored form of a payoff: a whole number."""
        return math.floor(min(max(value / self.magnitude * self.unity + 0.5, -MOST_WHOLE), MOST_WHOLE))

    def to_payoff(self, whole: float) -> float:
        """The payoff for a stored number, or for a mean of stored numbers."""
        return whole / self.unity * self.magnitude


def _measure_payoffs(game: Game, state: State, deadline: float) -> tuple[float, float]:
    """The least and the greatest payoff in a few random games, 0 included."""
    rng, seen = random.Random(0), [0.0]
    for _ in range(TRIALS):
        for here, moves in random_game(game, state, rng, LONGEST_TRIAL):
            if time.monotonic() > deadline:
                return min(seen), max(seen)
            if not moves:
                seen += filter(math.isfinite, map(float, game.utilities(here)))
    return min(seen), max(seen)
