"""The race in Chinese checkers: the remaining way of the pegs, and who is likely to be home first.

A peg that is d steps from the far tip of its goal still costs d^1.6, so the last ones count most, and half the distance
from the straight way there. What a player's pegs cost, less what they cost when they are home, is the way to go.

The chances of winning are as exp(-way / T), where T grows with the way that the leader has to go: a lead counts more
the nearer the end is. Weights and T were found in games between programs that look two plies ahead.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from zermelo.games.chinesecheckers.star import CORNERS, corners, places
from zermelo.kernel import U64, Static, drop, lsb

POWER, ASIDE = 1.6, 0.5
TEMPO = 3.0
"""The value of a turn."""
LEAST_SPREAD, SPREAD = 4.0, 0.12
"""T = LEAST_SPREAD + SPREAD * the way of the leader."""
STRIDE = 128
"""A player's costs begin at a multiple of this in the table."""
ROOT = math.sqrt(3)


class Race(Static):
    """Knows the costs of holes, for each player, in tenths."""

    def __init__(self, size: int, seats: tuple[int, ...]) -> None:
        self.size, self.seats = size, seats
        self.home = sum(sorted(costs_from(size, 0))[: len(corners(size)[0])])

    @property
    def table(self) -> Any:
        """Made when a position is judged, so that a list of games does not wait for numpy."""
        return costs(self.size, self.seats)

    def cost(self, player: int, hole: int) -> int:
        return int(self.table[STRIDE * player + hole])

    def way(self, player: int, low: U64, high: U64) -> float:
        """The remaining way of pegs in these holes."""
        total = -self.home
        while low:
            total += int(self.table[STRIDE * player + lsb(low)])
            low = drop(low)
        while high:
            total += int(self.table[STRIDE * player + 64 + lsb(high)])
            high = drop(high)
        return total / 10


@functools.cache
def costs(size: int, seats: tuple[int, ...]) -> Any:
    import numpy

    found = numpy.zeros(STRIDE * len(seats), numpy.int64)
    for player, seat in enumerate(seats):
        found[STRIDE * player : STRIDE * player + len(places(size))] = costs_from(size, seat)
    return found


@functools.cache
def costs_from(size: int, seat: int) -> list[int]:
    """The cost of each hole for a peg from this corner, in tenths; the same for all corners, rotated."""
    tip = places(size)[tip_of(size, (seat + CORNERS // 2) % CORNERS)]
    found = [steps(place, tip) ** POWER + ASIDE * aside(place, tip) for place in places(size)]
    return [math.floor(10 * cost + 0.500001) for cost in found]


def tip_of(size: int, corner: int) -> int:
    """The hole of a corner that is furthest from the middle."""
    return max(corners(size)[corner], key=lambda hole: places(size)[hole][0] ** 2 + 3 * places(size)[hole][1] ** 2)


def steps(place: tuple[int, int], other: tuple[int, int]) -> int:
    """The steps from one hole to another on an endless board, where a step down moves half a step aside."""
    across, down = abs(place[0] - other[0]), abs(place[1] - other[1])
    return down + max(0, across - down) // 2


def aside(place: tuple[int, int], tip: tuple[int, int]) -> float:
    """The distance of a hole from the line between the tip and the middle of the star."""
    (x, y), (tip_x, tip_y) = place, tip
    return abs(x * tip_y - y * tip_x) * ROOT / math.hypot(tip_x, ROOT * tip_y) / 2
