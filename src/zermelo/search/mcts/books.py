"""Payoffs as whole numbers: how they are written down, so that sums do not depend on the order of the threads.

What simulations pay is rounded to whole numbers; what is proved is not. Payoffs without declared bounds are measured in
a few random games: that says how finely to write them down and how much to explore, and proves nothing.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass

from zermelo.core.game import Game, State
from zermelo.core.random_games import random_game

UNITY = 1 << 30
"""The largest payoff as a whole number."""
MEASURED_UNITY = 1 << 22
"""The largest payoff that was measured: others may be larger."""
MOST_WHOLE = 1 << 32
"""What is larger is cut off: two thousand million visits are added up before a sum overflows."""
LARGEST_POWER = 1023
"""Of two, as a floating-point number."""
TRIALS, LONGEST_TRIAL = 20, 5000
MOST_OF_TIME = 0.25
"""The share of a search's time that random games may take."""


@dataclass(frozen=True)
class Books:
    """How payoffs are written down as whole numbers, and what is proved of them before anybody searches."""

    unity: int
    magnitude: float
    """A power of two that is written down as `unity`."""
    low: float
    high: float
    """The least and the most that anybody gets, as declared or as measured."""
    floor: float
    ceiling: float
    """The same, as declared: infinite where nothing is."""

    @classmethod
    def of(cls, game: Game, state: State, seconds: float | None = None) -> Books:
        """For a search from a state, which may take so long."""
        floor, ceiling = map(float, game.utility_range)
        deadline = math.inf if seconds is None else time.monotonic() + seconds * MOST_OF_TIME
        is_bounded = math.isfinite(floor) and math.isfinite(ceiling)
        low, high = (floor, ceiling) if is_bounded else _seen(game, state, deadline)
        largest = max(abs(low), abs(high)) or 1.0
        magnitude = 2.0 ** min(math.frexp(largest)[1], LARGEST_POWER)
        return cls(UNITY if is_bounded else MEASURED_UNITY, magnitude, low, high, floor, ceiling)

    @property
    def half(self) -> float:
        """Half of what lies between the least and the most, as a whole number may be."""
        return (self.high / 2 - self.low / 2) / self.magnitude * self.unity or float(self.unity)

    def fixed(self, value: float) -> int:
        """A payoff as a whole number."""
        return math.floor(min(max(value / self.magnitude * self.unity + 0.5, -MOST_WHOLE), MOST_WHOLE))

    def real(self, whole: float) -> float:
        """The payoff that a whole number, or a mean of several, stands for."""
        return whole / self.unity * self.magnitude


def _seen(game: Game, state: State, deadline: float) -> tuple[float, float]:
    """The least and the most that anybody got in a few random games, and nothing at all is between them."""
    rng, seen = random.Random(0), [0.0]
    for _ in range(TRIALS):
        for here, moves in random_game(game, state, rng, LONGEST_TRIAL):
            if time.monotonic() > deadline:
                return min(seen), max(seen)
            if not moves:
                seen += filter(math.isfinite, map(float, game.utilities(here)))
    return min(seen), max(seen)
