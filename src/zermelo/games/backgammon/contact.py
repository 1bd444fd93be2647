"""Prospects while the sides can still hit each other: features of the position, weighed by a small neural network.

    features   of each side and place: a single checker, a point, a spare, a stack
               of each side: the rolls that hit, the pips, the checkers borne off
    hidden     x / (1 + |x|) of 64 sums of weighted features
    outputs    how likely the side on roll wins, wins a gammon, and loses a gammon

The binary features are bits: two words for each side, so that a sum goes over the bits that are set.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from zermelo.games.backgammon.board import (
    BAR,
    OFF,
    PLACES,
    POINTS,
    Side,
    count_at,
    lone,
    made_points,
    mirror,
    occupied,
    pips,
)
from zermelo.games.backgammon.weights import contact_weights
from zermelo.kernel import U64, Reals, Static, bit, bits, state

HIDDEN = 64
BLOCK = 8
"""Hidden units that are computed at a time."""
NUMBERS, BIAS, WIN, GAIN, LOSS, ROWS = 256, 262, 263, 264, 265, 266
"""Rows of weights: 256 for bits, then those for numbers, the biases, and the weights of the outputs."""
OUTPUTS = ROWS * HIDDEN
"""The biases of the outputs."""
WEIGHTS = OUTPUTS + 3


@state
class Sums(NamedTuple):
    """Eight of the hidden units."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    g: float
    h: float


class Contact(Static):
    """The network; its weights lie in flat memory, one row of 64 for each feature."""

    runtime = ("weights",)

    @property
    def weights(self) -> Reals:
        return contact_weights()

    def outlook(self, mine: Side, theirs: Side) -> tuple[float, float, float]:
        """The probabilities that the side on roll wins, wins a gammon and loses a gammon."""
        words = thin(mine), thick(mine), thin(theirs), thick(theirs)
        numbers = (
            hits(mine, theirs) / 36,
            hits(theirs, mine) / 36,
            pips(mine) / 100,
            pips(theirs) / 100,
            count_at(mine, OFF) / 15,
            count_at(theirs, OFF) / 15,
        )
        win, gain, loss = self.weights[OUTPUTS], self.weights[OUTPUTS + 1], self.weights[OUTPUTS + 2]
        for first in range(0, HIDDEN, BLOCK):
            sums = self.row(BIAS, first)
            for index in range(len(words)):
                for feature in bits(words[index]):
                    sums = self.plus(sums, 64 * index + feature, first, 1.0)
            for index in range(len(numbers)):
                sums = self.plus(sums, NUMBERS + index, first, numbers[index])
            sums = squash_all(sums)
            win += product(sums, self.row(WIN, first))
            gain += product(sums, self.row(GAIN, first))
            loss += product(sums, self.row(LOSS, first))
        return logistic(win), logistic(gain), logistic(loss)

    def row(self, number: int, first: int) -> Sums:
        """Eight weights of a row."""
        weights, index = self.weights, HIDDEN * number + first
        return Sums(
            weights[index],
            weights[index + 1],
            weights[index + 2],
            weights[index + 3],
            weights[index + 4],
            weights[index + 5],
            weights[index + 6],
            weights[index + 7],
        )

    def plus(self, sums: Sums, number: int, first: int, share: float) -> Sums:
        """The sums with a feature more, which is there to some extent."""
        row = self.row(number, first)
        return Sums(
            sums.a + share * row.a,
            sums.b + share * row.b,
            sums.c + share * row.c,
            sums.d + share * row.d,
            sums.e + share * row.e,
            sums.f + share * row.f,
            sums.g + share * row.g,
            sums.h + share * row.h,
        )


def product(sums: Sums, row: Sums) -> float:
    half = sums.a * row.a + sums.b * row.b + sums.c * row.c + sums.d * row.d
    return half + (sums.e * row.e + sums.f * row.f + sums.g * row.g + sums.h * row.h)


def squash_all(sums: Sums) -> Sums:
    return Sums(
        squash(sums.a),
        squash(sums.b),
        squash(sums.c),
        squash(sums.d),
        squash(sums.e),
        squash(sums.f),
        squash(sums.g),
        squash(sums.h),
    )


def squash(number: float) -> float:
    return number / (1 + abs(number))


def logistic(number: float) -> float:
    return 1 / (1 + exp(-number))


def thin(side: Side) -> U64:
    """The places with one checker, and from bit 32 on those with two or more."""
    return lone(side) | (made_points(side) << 32)


def thick(side: Side) -> U64:
    """The places with three checkers or more, and from bit 32 on those with five or more."""
    ones, twos, fours = side.few, side.few >> 32, side.many | (side.many >> 32)
    stack = (side.many & (ones | twos)) | (side.many >> 32)
    return (((ones & twos) | fours) & PLACES) | ((stack & PLACES) << 32)


def hits(mine: Side, theirs: Side) -> int:
    """The number of the 36 rolls that hit a blot of the other side."""
    own, free = occupied(mine), POINTS & ~mirror(made_points(theirs))
    blots = POINTS & mirror(lone(theirs))
    if not blots:
        return 0
    barred = count_at(mine, BAR)
    found = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            if barred:
                is_hit = hits_from_the_bar(own, free, blots, barred, high, low)
            elif high != low:
                direct = own & ((blots << high) | (blots << low))
                through = own & (blots << (high + low)) & ((free << high) | (free << low))
                is_hit = bool(direct | through)
            else:
                free_one = free << high
                free_two = free_one & (free_one << high)
                free_three = free_two & (free_one << 2 * high)
                direct = (blots << high) | ((blots << 2 * high) & free_one)
                direct |= ((blots << 3 * high) & free_two) | ((blots << 4 * high) & free_three)
                is_hit = bool(own & direct)
            if is_hit:
                found += 1 if high == low else 2
    return found


def hits_from_the_bar(own: U64, free: U64, blots: U64, barred: int, high: int, low: int) -> bool:
    """The same for one roll with checkers on the bar: they enter first."""
    larger, smaller = bit(BAR - high), bit(BAR - low)
    if (blots & larger) or (blots & smaller):
        return True
    if high == low:
        if not free & larger or barred > 3:
            return False
        return bool((own | larger) & (blots << high) & POINTS)
    if barred > 1:
        return False
    if free & larger and (own | larger) & (blots << low) & POINTS:
        return True
    return bool(free & smaller and (own | smaller) & (blots << high) & POINTS)
