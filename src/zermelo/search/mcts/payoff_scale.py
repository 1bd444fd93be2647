"""The payoff scale: payoffs are stored as whole numbers, so that sums do not depend on the order of the threads.

The payoffs of simulations are rounded to whole numbers; proved bounds are not. Payoffs without declared bounds are
measured in a few random games: that sets the resolution and the exploration, and proves nothing.
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
"""Larger payoffs are clipped to this, so that a sum does not overflow within 2^31 visits."""
LARGEST_POWER = 1023
"""Of two, as a floating-point number."""
TRIALS, LONGEST_TRIAL = 20, 5000
MOST_OF_TIME = 0.25
"""The share of a search's time that random games may take."""


@dataclass(frozen=True)
class PayoffScale:
    """How payoffs are stored as whole numbers, and the bounds that hold before the search."""

    unity: int
    magnitude: float
    """A power of two that is stored as `unity`."""
    low: float
    high: float
    """The least and the greatest payoff of any player, as declared or as measured."""
    floor: float
    ceiling: float
    """The same, as declared; infinite if not declared."""

    @classmethod
    def of(cls, game: Game, state: State, seconds: float | None = None) -> PayoffScale:
        """For a search from a state that may take `seconds`."""
        floor, ceiling = map(float, game.utility_range)
        deadline = math.inf if seconds is None else time.monotonic() + seconds * MOST_OF_TIME
        is_bounded = math.isfinite(floor) and math.isfinite(ceiling)
        low, high = (floor, ceiling) if is_bounded else _seen(game, state, deadline)
        largest = max(abs(low), abs(high)) or 1.0
        magnitude = 2.0 ** min(math.frexp(largest)[1], LARGEST_POWER)
        return cls(UNITY if is_bounded else MEASURED_UNITY, magnitude, low, high, floor, ceiling)

    @property
    def half(self) -> float:
        """Half the range of payoffs, in stored units."""
        return (self.high / 2 - self.low / 2) / self.magnitude * self.unity or float(self.unity)

    def fixed(self, value: float) -> int:
        """A payoff as a whole number."""
        return math.floor(min(max(value / self.magnitude * self.unity + 0.5, -MOST_WHOLE), MOST_WHOLE))

    def real(self, whole: float) -> float:
        """The payoff of a stored number, or of a mean of stored numbers."""
        return whole / self.unity * self.magnitude


def _seen(game: Game, state: State, deadline: float) -> tuple[float, float]:
    """The least and the greatest payoff of a few random games; 0 always counts as seen."""
    rng, seen = random.Random(0), [0.0]
    for _ in range(TRIALS):
        for here, moves in random_game(game, state, rng, LONGEST_TRIAL):
            if time.monotonic() > deadline:
                return min(seen), max(seen)
            if not moves:
                seen += filter(math.isfinite, map(float, game.utilities(here)))
    return min(seen), max(seen)
