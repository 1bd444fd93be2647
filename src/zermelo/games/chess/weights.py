"""What the features of a chess position count, in hundredths of a pawn: in the middlegame, and in the endgame.

The numbers are those of a logistic regression, which predict best, of all such sums, how 109,000 quiet positions go on.
The positions are from 4,300 varied games between copies of a strong engine; how they go on is its own estimate after a
short search, for some of them mixed with the result of the game. This is the method of Peter Österlund's Texel (2014).
The scale is such that knights and bishops count 3.3 on average.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from zermelo.kernel import state

HALF = 1 << 15


def weight(middlegame: int, endgame: int) -> int:
    """Two weights in one number; sums and multiples of such pairs are pairs again, up to 327 pawns."""
    return middlegame + (endgame << 16)


def middlegame_of(pair: int) -> int:
    return ((pair + HALF) & 0xFFFF) - HALF


def endgame_of(pair: int) -> int:
    return (pair - middlegame_of(pair)) >> 16


@state
class Weights(NamedTuple):
    bishop_pair: int = weight(40, 27)
    knight_and_pawns: int = weight(10, 17)
    doubled: int = weight(-4, -27)
    isolated: int = weight(-9, 4)
    protected: int = weight(16, 17)
    abreast: int = weight(6, 3)
    passed_helped: int = weight(27, 2)
    passed_blocked: int = weight(-19, -12)
    passed_open: int = weight(-66, 71)
    passed_own_king: int = weight(3, -10)
    passed_their_king: int = weight(-3, 14)
    rook_behind: int = weight(25, 28)
    behind_pawn: int = weight(4, 27)
    outpost: int = weight(28, 17)
    rook_half_open: int = weight(10, 33)
    rook_open: int = weight(26, -34)
    may_castle: int = weight(17, 7)
    king_open_file: int = weight(-25, -4)
    knight_reach: int = weight(5, 8)
    bishop_reach: int = weight(6, 2)
    rook_reach: int = weight(6, 1)
    queen_reach: int = weight(5, -1)
    bishop_hits: int = weight(-4, 2)
    queen_hits: int = weight(-6, -10)
    all_hits: int = weight(3, 1)
    rook_checks: int = weight(53, -5)
    queen_checks: int = weight(22, -1)
    pawn_threat: int = weight(80, 40)
    advance_threat: int = weight(24, -3)
    minor_heavy: int = weight(61, 25)
    minor_minor: int = weight(27, 29)
    king_threat: int = weight(50, 50)
    loose_pawn: int = weight(21, 37)
    loose_piece: int = weight(19, 32)
    loose_piece_now: int = weight(27, 26)
    turn: int = weight(43, 18)


# -- what pieces are worth, and how much more on which square -------------------------------------------------------
#
# The left half of the board as the piece's own side sees it, from the eighth rank down; the right half is its mirror
# image. The middlegame is on the left, the endgame on the right. Passed pawns have a second place.

PIECE_VALUES = (
    weight(59, 97),
    weight(344, 294),
    weight(373, 309),
    weight(453, 548),
    weight(904, 1095),
    weight(0, 0),
)
PLACES = (
    """
       0    0    0    0        0    0    0    0
      55   15  -34  -36      -18  -24   33   28
      29   53   45   53        3    0   38    5
       7   23   21   31       10   17    2   -3
      -4  -12    9    7       -4   15  -11  -10
     -12   -1   -8  -21      -13   -6   -1    2
     -12    3    1  -20       -5    1   14    3
       0    0    0    0        0    0    0    0
    """,  # pawn
    """
     -49   -3  -49  -14     -135  -17  -25  -26
     -28   -8    7   10       23   21  -12    4
      -8   26    8   56       -2  -19  -20  -32
      29   29   30   36       -1   15    4   10
      -1   -5   28   25        2   11    7   32
     -23   15    4   17       -1   18    8   -9
     -34   14   -9   -6        8    5  -12   16
     -39  -29  -47  -11      -17  -31   17    3
    """,  # knight
    """
     -11  -84  -63   -7      -14    2   -3   -3
     -24  -68    9  -47      -16    4    4  -10
      -2   48    1   20      -27  -26    1    3
       3    7   13   13      -18   26   -6   20
      10   -9    3   17      -21  -19   28  -10
     -15   24   17    1       22    2    2   31
      30   15    2    2      -22  -19   11    9
     -18   15  -18  -18       -3   -4  -16    3
    """,  # bishop
    """
     -16   43    7   18       12   35   37   36
      13  -11   22   31       28   34   34   29
     -13   52   36   78       32   26    1   -3
      -8   19   65   34        0   16    2   -4
     -17  -25   -2   -6       24   32   -5   15
     -27    4  -21   -8        5   -6   20   22
     -24  -14   -3   -2      -14   -4  -14    5
     -15    0    2   21      -10  -17    5  -10
    """,  # rook
    """
      -3    4  -23   14       10   41   -3   41
       3  -34   23  -20       -1   78   -1   20
       9  -37   14  -20       50   74   52   41
      15  -10    3  -10       20   38   42   14
       7   -8  -26  -19       -6    9   71   76
     -19    5  -10   -2       29   46   28  -12
      27    7    7    8        7  -45  -22   -9
      19   16  -13    3       10  -26  -66  -37
    """,  # queen
    """
     -70  -64 -125 -123      -99   38   31   23
     -74  -80 -125 -125      -50   33   78   26
     -57  -55  -86 -121      -22   70   69   46
     -66  -83  -89 -132      -15   50   68   57
     -73  -91 -111  -83       -9   38   39   32
      29  -14  -49  -91      -34   15   24   43
      26   45   -9  -25      -38   -1   21   27
      81   76   35    6      -44  -30  -11  -22
    """,  # king
    """
       0    0    0    0        0    0    0    0
      30   30   30   30      198  198  198  198
     -20  -20  -20  -20      110  110  110  110
     -15  -15  -15  -15       33   33   33   33
     -30  -30  -30  -30       29   29   29   29
     -27  -27  -27  -27       10   10   10   10
     -21  -21  -21  -21       12   12   12   12
       0    0    0    0        0    0    0    0
    """,  # passed pawn, besides
)


@functools.cache
def places() -> Any:
    """An array of pairs, by 64 * kind + square: worths of White's pieces, and what its passed pawns count besides."""
    import numpy

    found = numpy.zeros(64 * len(PLACES), numpy.int64)
    for kind, text in enumerate(PLACES):
        worth = PIECE_VALUES[kind] if kind < len(PIECE_VALUES) else 0
        for row, line in enumerate(text.split("\n")[1:9]):
            numbers = [int(word) for word in line.split()]
            for file in range(8):
                half = min(file, 7 - file)
                found[64 * kind + 8 * (7 - row) + file] = worth + weight(numbers[half], numbers[4 + half])
    return found
