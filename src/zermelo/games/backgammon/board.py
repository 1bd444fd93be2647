"""The checkers of one side of backgammon, and how one of them moves.

     13 14 15 16 17 18     19 20 21 22 23 24       places as one side counts them: 1 is its ace point, 6 the last
    +-----------------+---+-----------------+      point of its home board, 24 the point furthest from home;
    |                 |   |                 |      25 is the bar and 0 is off the board;
    |                 | 25|                 | 0    the other side counts from the other end: its place p is 25 - p here
    |                 |   |                 |
    +-----------------+---+-----------------+
     12 11 10  9  8  7      6  5  4  3  2  1

A side has 0 to 15 checkers on each place: four bits, which are kept as planes of one bit for each place.

    few     bits 0 to 25: the ones,  bits 32 to 57: the twos
    many    bits 0 to 25: the fours, bits 32 to 57: the eights
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.kernel import U64, bit, bswap, msb, popcount, state

OFF, BAR = 0, 25
CHECKERS = 15
PLACES = U64((1 << 26) - 1)
POINTS = U64((1 << 25) - 2)
HOME = U64(0b1111110)
AWAY = PLACES & ~HOME & ~U64(1)
"""The places that must be empty before a checker can be borne off."""
ALL_OFF = U64(1 | 1 << 32)


@state
class Side(NamedTuple):
    """The fifteen checkers of one side, as it counts the places."""

    few: U64
    many: U64


def side_of(counts: dict[int, int]) -> Side:
    """A side with these numbers of checkers on these places."""
    planes = [sum(1 << place for place, many in counts.items() if many >> plane & 1) for plane in range(4)]
    return Side(U64(planes[0] | planes[1] << 32), U64(planes[2] | planes[3] << 32))


START = side_of({24: 2, 13: 5, 8: 3, 6: 5})


# -- checkers and places ---------------------------------------------------------------------------------


def occupied(side: Side) -> U64:
    """The places with a checker."""
    either = side.few | side.many
    return (either | (either >> 32)) & PLACES


def made_points(side: Side) -> U64:
    """The places with two checkers or more."""
    return ((side.few >> 32) | side.many | (side.many >> 32)) & PLACES


def lone(side: Side) -> U64:
    """The places with exactly one checker."""
    return side.few & PLACES & ~made_points(side)


def count_at(side: Side, place: int) -> int:
    """The number of checkers on a place."""
    few, many = (side.few >> place) & ALL_OFF, (side.many >> place) & ALL_OFF
    return popcount(few) + popcount(few >> 32) + 4 * (popcount(many) + popcount(many >> 32))


def has_borne_all_off(side: Side) -> bool:
    return side.few & side.many & ALL_OFF == ALL_OFF


def mirror(places: U64) -> U64:
    """Places as the other side counts them."""
    word = ((places >> 1) & U64(0x5555555555555555)) | ((places & U64(0x5555555555555555)) << 1)
    word = ((word >> 2) & U64(0x3333333333333333)) | ((word & U64(0x3333333333333333)) << 2)
    word = ((word >> 4) & U64(0x0F0F0F0F0F0F0F0F)) | ((word & U64(0x0F0F0F0F0F0F0F0F)) << 4)
    return bswap(word) >> (63 - BAR)


def pips(side: Side) -> int:
    """The pip count: the points that all checkers have to move to be borne off."""
    few = plane_pips(side.few) + 2 * plane_pips(side.few >> 32)
    return few + 4 * (plane_pips(side.many) + 2 * plane_pips(side.many >> 32))


def plane_pips(plane: U64) -> int:
    """The sum of the places in one plane, by the binary digits of their numbers."""
    return (
        popcount(plane & U64(0x2AAAAAA))
        + 2 * popcount(plane & U64(0x0CCCCCC))
        + 4 * popcount(plane & U64(0x0F0F0F0))
        + 8 * popcount(plane & U64(0x300FF00))
        + 16 * popcount(plane & U64(0x3FF0000))
    )


# -- moving one checker ----------------------------------------------------------------------------------


def move_checker(side: Side, source: int, die: int) -> Side:
    """Move a checker by the number of a die, or off the board."""
    return shift_checker(side, bit(source), bit(max(source - die, OFF)))


def hit(side: Side, place: int) -> Side:
    """The checker on a place goes to the bar."""
    return shift_checker(side, bit(place), bit(BAR))


def shift_checker(side: Side, source: U64, target: U64) -> Side:
    """One checker less on a place and one more on another: binary arithmetic, plane by plane, for both at once.

    What goes on to the next plane is a borrow at the source, where a digit was 0, and a carry at the target, where it
    was 1.
    """
    twos = (side.few ^ source) & (source | target)
    fours = ((side.few >> 32) ^ source) & twos
    eights = (side.many ^ source) & fours
    return Side(side.few ^ source ^ target ^ (twos << 32), side.many ^ fours ^ (eights << 32))


def sources(own: U64, free: U64, die: int) -> U64:
    """The places from which a checker may move by the number of a die.

    From the bar first. Off the board only if all are home, and by more than is needed only from the furthest place.
    """
    if own & bit(BAR):
        return bit(BAR) & (free << die)
    found = own & (free << die)
    if not own & AWAY:
        found |= own & bit(die)
        furthest = own & HOME
        if furthest and msb(furthest) < die:
            found |= bit(msb(furthest))
    return found
