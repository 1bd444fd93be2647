"""The board of checkers: words of squares, a position, and where pieces can go.

 .  1  .  2  .  3  .  4       A word has a bit for every square and after every eighth
 5  .  6  .  7  .  8  .       one that is never set: 1 to 8 are bits 0 to 7, 9 to 16 are
 .  9  . 10  . 11  . 12       bits 9 to 16, 17 to 24 are bits 18 to 25, and so on. Then a
13  . 14  . 15  . 16  .       step down is 4 bits to the left side of the board and 5 to
 . 17  . 18  . 19  . 20       the right, from everywhere, and off the board is a bit that
21  . 22  . 23  . 24  .       is not a square.
 . 25  . 26  . 27  . 28
29  . 30  . 31  . 32  .       Ways are 0 and 1, down to the left and right, and 2 and 3, up
                              to the right and left.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.kernel import U64, state

BLACK, WHITE = 0, 1


@state
class Position(NamedTuple):
    black: U64
    white: U64
    kings: U64
    """Those of both."""
    player: int
    quiet: int
    """Plies since a capture or a man's move."""


def squares(*numbers: int) -> U64:
    """The word of squares with these numbers."""
    return U64(sum(1 << bit_of(number) for number in numbers))


def bit_of(number: int) -> int:
    return number - 1 + (number - 1) // 8


def number_of(bit: int) -> int:
    return bit - bit // 9 + 1


BOARD = squares(*range(1, 33))
TOP, BOTTOM = squares(1, 2, 3, 4), squares(29, 30, 31, 32)


def beside(squares: U64, way: int) -> U64:
    """The squares one step away; `way ^ 2` is the way back."""
    step = 4 + (way & 1)
    return squares << step if way < 2 else squares >> step


def able_to_step(down: U64, up: U64, free: U64) -> U64:
    """The pieces with a free square beside them, among those that may move down and those that may move up."""
    return (down & ((free >> 4) | (free >> 5))) | (up & ((free << 4) | (free << 5)))


def able_to_jump(down: U64, up: U64, theirs: U64, free: U64) -> U64:
    """The pieces with an enemy beside them and a free square behind it."""
    below = (theirs >> 4) & (free >> 8) | (theirs >> 5) & (free >> 10)
    above = (theirs << 4) & (free << 8) | (theirs << 5) & (free << 10)
    return (down & below) | (up & above)


def in_reach(down: U64, up: U64, free: U64) -> U64:
    """The squares on which a piece could be jumped by these."""
    below = (down << 4) & (free >> 4) | (down << 5) & (free >> 5)
    above = (up >> 4) & (free << 4) | (up >> 5) & (free << 5)
    return below | above
