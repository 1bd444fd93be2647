"""Constants of a search that follow from the game's payoffs: ply cost, null window, win threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.core.game import Game
from zermelo.search.alphabeta.mate_distance import MOST_PLIES
from zermelo.search.alphabeta.negamax import FAR
from zermelo.search.alphabeta.quiescence import LOUD_PLIES

PLY_COST_SHARE, NULL_WINDOW_SHARE = 2.0**-48, 2.0**-52
"""As shares of the payoff scale: the cost of one ply (mate distance) and the width of a null window."""
LONGEST = FAR + LOUD_PLIES
"""Maximum plies of a line, quiescence included: a value is at most this many ply costs away from its payoff."""
DIGITS = 8
"""Decimal places of an estimate, if the payoffs are about 1."""


@dataclass(frozen=True)
class Scale:
    """Constants of a search that follow from the game's payoffs."""

    ply_cost: float
    null_window: float
    win_threshold: float
    """Values from here on are wins; estimates are lower."""

    @classmethod
    def of(cls, game: Game, has_ply_cost: bool) -> Scale:
        largest = max(map(abs, game.utility_range))
        power = math.frexp(largest)[1] if math.isfinite(largest) else 0
        ply_cost = math.ldexp(PLY_COST_SHARE, power) if has_ply_cost and math.isfinite(largest) else 0.0
        return cls(ply_cost, math.ldexp(NULL_WINDOW_SHARE, power), game.utility_range[1] - MOST_PLIES * ply_cost)

    @property
    def slack(self) -> float:
        """The maximum difference between a value and its payoff."""
        return LONGEST * self.ply_cost

    def plain(self, value: float) -> float:
        """The value without ply costs, rounded: all ply costs of a line together are below the last digit.

        It is the payoff itself, unless that has more digits.
        """
        if self.ply_cost == 0.0 or not math.isfinite(value):
            return value
        size = self.ply_cost / PLY_COST_SHARE
        most = DIGITS if size >= 1 else DIGITS - math.floor(math.log10(size))
        return round(value, min(most, math.floor(-math.log10(2 * self.slack))))

    def ceiling(self, value: float) -> float:
        """An upper bound of the payoff, given an upper bound of the value with ply costs.

        A round number plus ply costs, such as a loss, is returned as that number.
        """
        plain = self.plain(value)
        if self.ply_cost == 0.0 or value == 0.0 or abs(plain - value) <= self.slack:
            return plain
        return value + self.slack if value > 0 else value
