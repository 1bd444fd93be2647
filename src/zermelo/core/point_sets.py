"""Sets of the points of a board, as tuples of 64-bit words, the lowest points first.

A board of up to 64 points needs one word, 19x19 points need six. The loops over words have a constant length, and the
compiler unrolls them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from zermelo.kernel import U64, bit, bits, draw_below, lsb, nth_bit, popcount, replace_item

Points: TypeAlias = tuple[U64, ...]


def points_of(places: Iterable[int], words: int) -> Points:
    """A set from its points."""
    found = sum(1 << place for place in places)
    return tuple(U64(found >> 64 * i) for i in range(words))


def places_of(points: Points) -> Iterator[int]:
    """The points of a set, lowest first; for texts and pictures."""
    for i, word in enumerate(points):
        for place in bits(word):
            yield 64 * i + place


def with_point(points: Points, place: int) -> Points:
    """The set and one more point."""
    for i in range(len(points)):
        if place >> 6 == i:
            points = replace_item(points, i, points[i] | bit(place & 63))
    return points


def has_point(points: Points, place: int) -> bool:
    found = False
    for i in range(len(points)):
        if place >> 6 == i:
            found = points[i] >> (place & 63) & U64(1) != U64(0)
    return found


def shift_up(points: Points, count: int) -> Points:
    """Every point p as p + count, for a count from 1 to 63."""
    found = points
    for i in range(len(points)):
        word = points[i] << count
        if i > 0:
            word |= points[i - 1] >> (64 - count)
        found = replace_item(found, i, word)
    return found


def shift_down(points: Points, count: int) -> Points:
    """Every point p as p - count, for a count from 1 to 63."""
    found = points
    for i in range(len(points)):
        word = points[i] >> count
        if i < len(points) - 1:
            word |= points[i + 1] << (64 - count)
        found = replace_item(found, i, word)
    return found


def union(one: Points, other: Points) -> Points:
    for i in range(len(one)):
        one = replace_item(one, i, one[i] | other[i])
    return one


def common(one: Points, other: Points) -> Points:
    for i in range(len(one)):
        one = replace_item(one, i, one[i] & other[i])
    return one


def without(one: Points, other: Points) -> Points:
    for i in range(len(one)):
        one = replace_item(one, i, one[i] & ~other[i])
    return one


def is_any(points: Points) -> bool:
    found = U64(0)
    for i in range(len(points)):
        found |= points[i]
    return found != U64(0)


def size_of(points: Points) -> int:
    found = 0
    for i in range(len(points)):
        found += popcount(points[i])
    return found


def first_of(points: Points) -> int:
    """The lowest point of a set that has one."""
    i = 0
    while points[i] == U64(0):
        i += 1
    return 64 * i + lsb(points[i])


def nth_of(points: Points, n: int) -> int:
    """The point of a set before which n others come."""
    i = 0
    while n >= popcount(points[i]):
        n -= popcount(points[i])
        i += 1
    return 64 * i + nth_bit(points[i], n)


def draw_from(points: Points, many: int, word: U64) -> int:
    """One of the points, drawn by a random word; all are equally likely. `many` is their number."""
    return nth_of(points, draw_below(word, many))
