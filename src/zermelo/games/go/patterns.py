"""Shapes of 3x3 points of Go in whose middle a good move often is, when the other side has just played there.

    5 6 7        the points round the middle, by number; what stands on them is a word of 16 bits: bit k for a stone of
    3   4        mine on point k, bit 8 + k for one of theirs, and both where the board ends
    0 1 2

The shapes are those of the program MoGo: hane, cuts, and moves at the edge [Gelly, Wang, Munos & Teytaud, "Modification
of UCT with patterns in Monte-Carlo Go", 2006].
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

from zermelo.kernel import U64, Static

SHAPES = """
    XOX   XO.   XO?   .O.      XO?   XO?   ?X?   OX?      X.?   OX?   ?X?   ?XO   ?OX
    . .   . .   X .   X .      O o   O X   O O   o O      O ?   X O   x O   x x   X O
    ???   ?.?   x.?   ...      ?o?   ???   ooo   ???      ###   ###   ###   ###   ###
"""
"""Hane, cuts, the edge. X and O are stones of the two sides, in either role; x is anything but X, o is
anything but O, ? is anything, and # is where the board ends, which x, o and ? allow as well."""

EMPTY, MINE, THEIRS, OUTSIDE = 0, 1, 2, 3
ALLOWED = {
    ".": (EMPTY,),
    "X": (MINE,),
    "O": (THEIRS,),
    "#": (OUTSIDE,),
    "x": (EMPTY, THEIRS, OUTSIDE),
    "o": (EMPTY, MINE, OUTSIDE),
    "?": (EMPTY, MINE, THEIRS, OUTSIDE),
}
AROUND = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))
"""Row and column of the eight points."""


class Patterns(Static):
    """Knows the shapes."""

    @property
    def table(self) -> Any:
        """Made when a shape is looked up, so that a list of games does not wait for numpy."""
        return table()

    def fits(self, around: int) -> bool:
        """Whether the stones around a point match one of the shapes."""
        return (U64(self.table[around >> 6]) >> (around & 63)) & U64(1) != U64(0)


@functools.cache
def table() -> Any:
    """A bit for each of the 65,536 words that eight points can make, 64 of them in one number."""
    import numpy

    found = [0] * 1024
    for word in {word for shape in shapes() for word in words_of(shape)}:
        found[word >> 6] |= 1 << (word & 63)
    return numpy.array(found, numpy.uint64)


def shapes() -> Iterator[str]:
    """All shapes as the eight signs round the middle, turned and mirrored, and with colours exchanged."""
    rows = [line.split("   ") for line in SHAPES.strip("\n").split("\n")]
    rows = [[cell for cell in row if cell.strip()] for row in rows]
    for low, middle, high in zip(*reversed(rows), strict=True):
        square = [low.strip(), middle.strip(), high.strip()]
        for _ in range(4):
            square = ["".join(line) for line in zip(*square[::-1], strict=True)]
            for image in (square, square[::-1]):
                signs = "".join(image[row][col] for row, col in AROUND)
                yield from (signs, signs.translate(str.maketrans("XOxo", "OXox")))


def words_of(signs: str) -> Iterator[int]:
    """Every way to fill the eight points as the signs allow."""
    for codes in itertools.product(*(ALLOWED[sign] for sign in signs)):
        yield sum((code & 1) << k | (code >> 1) << 8 + k for k, code in enumerate(codes))
