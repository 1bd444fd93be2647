"""Bearing off solved: how many rolls a side needs, and who wins the race to the last checker.

A home position is six numbers, the checkers on points 1 to 6, 15 at most. Positions are numbered by the combinatorial
number system, so that those with at most n checkers are the numbers below C(n + 6, 6): 54,264 for 15 and 924 for 6.

Both tables are made from small positions to larger ones, for each number of pips all at once. A table `steps` says
where each die leads from each position and point: steps[die - 1, point - 1, position], or POSITIONS if nowhere.
"""

from __future__ import annotations

import functools
from itertools import product
from math import comb
from typing import Any

HOME_POINTS = 6
MEN = 15
FEW_MEN = 6
POSITIONS = comb(MEN + HOME_POINTS, HOME_POINTS)
FEW_POSITIONS = comb(FEW_MEN + HOME_POINTS, HOME_POINTS)
ROLLS = 24
"""A side practically never needs this many rolls: the chance is below 10^-9."""


def number_of(counts: Any) -> Any:
    """The number of a position, or of each row of an array of positions."""
    import numpy

    chosen = numpy.cumsum(counts, axis=-1) + numpy.arange(HOME_POINTS)
    return sum(binomials()[chosen[..., k], k + 1] for k in range(HOME_POINTS))


@functools.cache
def binomials() -> Any:
    """C(n, k) for all that are needed."""
    import numpy

    rows = [[comb(n, k) for k in range(HOME_POINTS + 1)] for n in range(MEN + HOME_POINTS + 2)]
    return numpy.array(rows, numpy.int64)


@functools.cache
def positions() -> Any:
    """All home positions, in the order of their numbers: the checkers on points 1 to 6."""
    import numpy

    found = [(0,) * HOME_POINTS]
    for point in range(HOME_POINTS):
        found = [(*row[:point], many, *row[point + 1 :]) for row in found for many in range(MEN - sum(row) + 1)]
    rows = numpy.array(found, numpy.int64)
    return rows[numpy.argsort(number_of(rows))]


def steps() -> Any:
    """The position after a move of one checker, by die, point and position; POSITIONS if it is not possible."""
    import numpy

    rows = positions()
    found = numpy.full((HOME_POINTS, HOME_POINTS, POSITIONS + 1), POSITIONS)
    for die, point in product(range(1, HOME_POINTS + 1), range(1, HOME_POINTS + 1)):
        is_there = rows[:, point - 1] > 0
        if point < die:
            is_there &= rows[:, point:].sum(axis=1) == 0
        after = rows[is_there]
        after[:, point - 1] -= 1
        if point > die:
            after[:, point - die - 1] += 1
        found[die - 1, point - 1, :POSITIONS][is_there] = number_of(after)
    found[:, 0, 0] = 0
    return found


def after_roll(table: Any, here: Any, high: int, low: int) -> Any:
    """The positions after a roll, for each of some positions: one row for each way to play it, some impossible."""
    import numpy

    if high != low:
        larger, smaller = table[high - 1], table[low - 1]
        ways = [smaller[:, larger[:, here]], larger[:, smaller[:, here]]]
        return numpy.concatenate([way.reshape(-1, len(here)) for way in ways])
    die, last = table[high - 1], [way[None] for way in table[high - 1][:, here]]
    for _ in range(3):  # moves in the order of their points, the furthest first
        last = [die[point][numpy.concatenate(last[point:])] for point in range(HOME_POINTS)]
    return numpy.concatenate(last)


def rolls() -> list[tuple[int, int, float]]:
    """The 21 rolls with their probabilities."""
    return [(high, low, (1 if high == low else 2) / 36) for high in range(1, 7) for low in range(1, high + 1)]


def one_sided() -> Any:
    """For each home position and n, the probability of needing more than n rolls, with the fewest expected."""
    import numpy

    table, pips = steps(), positions() @ numpy.arange(1, HOME_POINTS + 1)
    still = numpy.zeros((POSITIONS, ROLLS))
    expected = numpy.full(POSITIONS + 1, numpy.inf)
    expected[0] = 0
    for level in range(1, MEN * HOME_POINTS + 1):
        here = numpy.flatnonzero(pips == level)
        still[here, 0] = 1
        for high, low, chance in rolls():
            ways = after_roll(table, here, high, low)
            best = ways[expected[ways].argmin(axis=0), numpy.arange(len(here))]
            still[here, 1:] += chance * still[best, :-1]
        expected[here] = still[here].sum(axis=1)
    return still


def two_sided() -> Any:
    """For each pair of positions with at most six checkers, the winning probability of the first side, on roll."""
    import numpy

    table, pips = steps(), positions()[:FEW_POSITIONS] @ numpy.arange(1, HOME_POINTS + 1)
    levels = [numpy.flatnonzero(pips == level) for level in range(FEW_MEN * HOME_POINTS + 1)]
    chances = numpy.array([chance for _, _, chance in rolls()])
    plays = [_plays(table, here) for here in levels]
    wins = numpy.zeros((FEW_POSITIONS, FEW_POSITIONS))
    wins[0] = 1
    for total in range(2, 2 * len(levels) - 1):
        for mine in range(max(1, total - len(levels) + 1), min(total, len(levels))):
            here, there = levels[mine], levels[total - mine]
            ways, firsts = plays[mine]
            losses = numpy.minimum.reduceat(wins[there][:, ways], firsts, axis=1)
            wins[numpy.ix_(here, there)] = 1 - (losses.reshape(len(there), len(here), -1) @ chances).T
    return numpy.clip(wins, 0, 1)


def _plays(table: Any, here: Any) -> tuple[Any, Any]:
    """All plays of all rolls from some positions, one after the other, and where those of each roll begin."""
    import numpy

    found: list[Any] = []
    for position in here:
        for high, low, _ in rolls():
            ways = numpy.unique(after_roll(table, numpy.array([position]), high, low))
            found.append(ways[ways < POSITIONS])
    return numpy.concatenate(found), numpy.cumsum([0] + [len(ways) for ways in found[:-1]])
