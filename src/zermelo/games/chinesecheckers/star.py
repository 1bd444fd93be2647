"""The star of Chinese checkers: holes by number, and sets of holes in two 64-bit words.

               0                 holes are numbered row by row from the top; here the star of size 1;
         1   2   3   4           x counts half the distance between neighbours, from the middle;
           5   6   7             y counts rows, from the middle
         8   9  10  11
              12                 corners, clockwise: south, south-west, north-west, north, north-east, south-east

A star of size n has triangles of n (n + 1) / 2 holes on the six sides of a hexagon with sides of n + 1.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from typing import Any, TypeAlias

from zermelo.kernel import U64, Static, bit, drop, lsb, nth_bit, popcount

Holes: TypeAlias = tuple[U64, U64]
"""A set of holes: those up to 63, and the others."""
Place: TypeAlias = tuple[int, int]

CORNERS = 6
DIRECTIONS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""Steps (x, y) to the six neighbours."""
OUTSIDE = -1


class Star(Static):
    """The holes of the star, and the moves of pegs between them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.holes = len(places(size))
        self.low = U64((1 << min(self.holes, 64)) - 1)
        self.high = U64((1 << max(self.holes - 64, 0)) - 1)

    @property
    def beside(self) -> Any:
        """Made when a peg moves, so that a list of games does not wait for numpy."""
        return neighbours(self.size)

    @property
    def beyond(self) -> Any:
        return straight_on(self.size)

    def reach(self, hole: int, low: U64, high: U64) -> Holes:
        """The holes that a peg can reach, with the others in these holes: by one step or any number of hops."""
        far_low, far_high = self.hop_targets(hole, low, high)
        step_low = U64(self.beside[2 * hole]) & ~low
        step_high = U64(self.beside[2 * hole + 1]) & ~high
        return far_low | step_low, far_high | step_high

    def hop_targets(self, hole: int, low: U64, high: U64) -> Holes:
        """The holes that a peg can reach by hops over a neighbour into the empty hole straight beyond."""
        start_low, start_high = only(hole)
        found_low, found_high = start_low, start_high
        next_low, next_high = start_low, start_high
        while next_low | next_high:
            here = first_of(next_low, next_high)
            next_low, next_high = without_first(next_low, next_high)
            near_low = U64(self.beside[2 * here]) & low
            near_high = U64(self.beside[2 * here + 1]) & high
            while near_low | near_high:
                to = int(self.beyond[128 * here + first_of(near_low, near_high)])
                near_low, near_high = without_first(near_low, near_high)
                if to != OUTSIDE and not has(low | found_low, high | found_high, to):
                    to_low, to_high = only(to)
                    found_low, found_high = found_low | to_low, found_high | to_high
                    next_low, next_high = next_low | to_low, next_high | to_high
        return found_low ^ start_low, found_high ^ start_high


def has(low: U64, high: U64, hole: int) -> bool:
    word = low if hole < 64 else high
    return word >> (hole & 63) & U64(1) != U64(0)


def first_of(low: U64, high: U64) -> int:
    """The first hole of a set, which is not empty."""
    return lsb(low) if low else 64 + lsb(high)


def without_first(low: U64, high: U64) -> Holes:
    if low:
        return drop(low), high
    return low, drop(high)


def only(hole: int) -> Holes:
    """The set of one hole."""
    if hole < 64:
        return bit(hole), U64(0)
    return U64(0), bit(hole - 64)


def size_of(low: U64, high: U64) -> int:
    return popcount(low) + popcount(high)


def nth_hole(low: U64, high: U64, n: int) -> int:
    """The hole of a set before which n others come."""
    below = popcount(low)
    return nth_bit(low, n) if n < below else 64 + nth_bit(high, n - below)


def holes_of(numbers: Iterable[int]) -> Holes:
    word = sum(1 << hole for hole in numbers)
    return U64(word), U64(word >> 64)


# -- the shape of the star -------------------------------------------------------------------------


def row_widths(size: int) -> list[int]:
    """The number of holes in each row, from the top."""
    point = list(range(1, size + 1))
    return [*point, *(2 * size + 1 + abs(size - row) for row in range(2 * size + 1)), *reversed(point)]


@functools.cache
def places(size: int) -> tuple[Place, ...]:
    """x and y of every hole."""
    rows = enumerate(row_widths(size), -2 * size)
    return tuple((2 * col - width + 1, y) for y, width in rows for col in range(width))


@functools.cache
def corners(size: int) -> tuple[tuple[int, ...], ...]:
    """The holes of the six triangles, clockwise from the south.

    They are the holes that lie more than `size` beyond the middle along one of three axes, y and the two slanting ones.
    """
    found: tuple[list[int], ...] = ([], [], [], [], [], [])
    for hole, (x, y) in enumerate(places(size)):
        for corner, axis in enumerate((y, (y - x) // 2, (-x - y) // 2, -y, (x - y) // 2, (x + y) // 2)):
            if axis > size:
                found[corner].append(hole)
    return tuple(map(tuple, found))


@functools.cache
def rows_of(size: int) -> tuple[range, ...]:
    """The holes of each row, from the top."""
    ends = list(itertools.accumulate(row_widths(size), initial=0))
    return tuple(range(start, stop) for start, stop in itertools.pairwise(ends))


@functools.cache
def hole_names(size: int) -> tuple[str, ...]:
    """The letter of the row, from below, and the number in the row, from the left."""
    rows = zip(reversed("abcdefghijklmnopq"[: 4 * size + 1]), row_widths(size), strict=True)
    return tuple(f"{letter}{number + 1}" for letter, width in rows for number in range(width))


@functools.cache
def links(size: int) -> tuple[tuple[int, int], ...]:
    """Pairs of neighbours."""
    numbers = {place: hole for hole, place in enumerate(places(size))}
    ahead = [(hole, (x + across, y + down)) for (x, y), hole in numbers.items() for across, down in DIRECTIONS[:3]]
    return tuple((hole, numbers[place]) for hole, place in ahead if place in numbers)


@functools.cache
def neighbours(size: int) -> Any:
    """For each hole two words: the set of its neighbours."""
    import numpy

    found = [0] * 2 * len(places(size))
    for hole, other in (*links(size), *((other, hole) for hole, other in links(size))):
        found[2 * hole + other // 64] |= 1 << other % 64
    return numpy.array(found, numpy.uint64)


@functools.cache
def straight_on(size: int) -> Any:
    """At 128 * hole + neighbour: the hole beyond the neighbour, in the same direction, or OUTSIDE."""
    import numpy

    numbers = {place: hole for hole, place in enumerate(places(size))}
    found = numpy.full(128 * len(numbers), OUTSIDE, numpy.int16)
    for hole, over in (*links(size), *((other, hole) for hole, other in links(size))):
        (x, y), (over_x, over_y) = places(size)[hole], places(size)[over]
        found[128 * hole + over] = numbers.get((2 * over_x - x, 2 * over_y - y), OUTSIDE)
    return found
