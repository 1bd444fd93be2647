"""Prospects once the sides have passed each other: the race, by the tables of bearing off.

With six checkers each in the home boards the chance is exact; with more, each side is taken to aim at few rolls.
Checkers that are not home yet count as if they stood on the 6 point, and the pips to get there as rolls of 8 1/6 pips.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Any

from zermelo.games.backgammon.bearoff import FEW_POSITIONS, HOME_POINTS, ROLLS, binomials
from zermelo.games.backgammon.board import AWAY, OFF, Side, count_at, occupied, pips
from zermelo.games.backgammon.tables import cells_of, race_chances, rolls_needed
from zermelo.kernel import U64, Reals, Static, popcount

PIPS_A_ROLL = 49 / 6
SPREAD = 0.0345
"""The variance of the number of rolls, per pip: the variance of a roll over the cube of its mean."""

FIRST_OFF = 1.2
"""The mean number of rolls that a side with all checkers at home needs until the first is off."""


class Race(Static):
    """Reads the tables where they lie in memory."""

    runtime = ("needed", "chances")

    @property
    def needed(self) -> Reals:
        """The numbers of rolls: ROLLS cells for each home position."""
        return cells_of(rolls_needed())

    @property
    def chances(self) -> Reals:
        """The exact chances: FEW_POSITIONS cells for each home position of the side on roll."""
        return cells_of(race_chances())

    @property
    def binomials(self) -> Any:
        return binomials()

    def outlook(self, mine: Side, theirs: Side) -> tuple[float, float, float]:
        """The probabilities that the side on roll wins, wins a gammon and loses a gammon."""
        my_way, their_way = way_home(mine), way_home(theirs)
        my_number, their_number = self.number_of(mine), self.number_of(theirs)
        my_mean, my_variance = self.moments(my_number, my_way)
        their_mean, their_variance = self.moments(their_number, their_way)
        gain = loss = 0.0
        if count_at(theirs, OFF) == 0:
            gain = before(my_mean, my_variance, FIRST_OFF + their_way / PIPS_A_ROLL, SPREAD * their_way)
        if count_at(mine, OFF) == 0:
            loss = before(their_mean + 1, their_variance, FIRST_OFF + my_way / PIPS_A_ROLL, SPREAD * my_way)
        if my_way + their_way > 0:
            win = before(my_mean, my_variance, their_mean, their_variance)
        elif my_number < FEW_POSITIONS and their_number < FEW_POSITIONS:
            win = self.chances[my_number * FEW_POSITIONS + their_number]
        else:
            win = self.ahead(my_number, their_number)
        return win, min(gain, win), min(loss, 1 - win)

    def ahead(self, mine: int, theirs: int) -> float:
        """The probability that the first of two home positions, on roll, needs no more rolls than the other."""
        total = 0.0
        for rolls in range(1, ROLLS):
            last, now = self.still(mine, rolls - 1), self.still(mine, rolls)
            total += (last - now) * self.still(theirs, rolls - 1)
        return total

    def still(self, position: int, rolls: int) -> float:
        """The probability that a home position is not borne off after this many rolls."""
        return self.needed[position * ROLLS + rolls]

    def moments(self, position: int, way: int) -> tuple[float, float]:
        """Mean and variance of the number of rolls."""
        mean = square = 0.0
        for rolls in range(ROLLS):
            mean += self.still(position, rolls)
            square += (2 * rolls + 1) * self.still(position, rolls)
        return mean + way / PIPS_A_ROLL, square - mean * mean + SPREAD * way

    def number_of(self, side: Side) -> int:
        """The number of the home position, with all checkers on their way on the 6 point."""
        total = 0
        for point in range(1, HOME_POINTS):
            total += self.binomial(home_checkers(side, point) + point - 1, point)
        return total + self.binomial(15 - count_at(side, OFF) + HOME_POINTS - 1, HOME_POINTS)

    def binomial(self, n: int, k: int) -> int:
        return int(self.binomials[n, k])


def way_home(side: Side) -> int:
    """The pips until all checkers are home."""
    if not occupied(side) & AWAY:
        return 0
    away = Side(side.few & (AWAY | (AWAY << 32)), side.many & (AWAY | (AWAY << 32)))
    return pips(away) - HOME_POINTS * checkers(away)


def home_checkers(side: Side, last: int) -> int:
    """The checkers on the points up to this one."""
    places = U64((2 << last) - 2)
    return checkers(Side(side.few & (places | (places << 32)), side.many & (places | (places << 32))))


def checkers(side: Side) -> int:
    """All that are there."""
    few = popcount(side.few) + popcount(side.few >> 32)
    return few + 4 * (popcount(side.many) + popcount(side.many >> 32))


def before(mean: float, variance: float, other_mean: float, other_variance: float) -> float:
    """The probability that one number of rolls is not greater than another, if both are normally distributed."""
    distance = (other_mean - mean + 0.5) / sqrt(variance + other_variance + 0.01)
    return 0.5 + 0.5 * erf(distance / sqrt(2.0))
