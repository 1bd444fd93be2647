"""The evaluation of 2048: the sum of the table values of all rows and columns.

A line is the better the more of its cells are empty, the more of its tiles can merge, the less its tiles go up and
down, and the fewer great tiles lie in it; the last two count by a power of the ranks. These are the features of Robert
Xiao's program (2014); the weights are our own, found by the cross-entropy method in games that look one push ahead.

An empty cell is worth about 1 in each of its two lines, and a chain of tiles 2, 4, 8 ... 1024 in good order costs 188.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from zermelo.games.game2048.board import ROW, SIDE, ranks_of_rows, transpose
from zermelo.kernel import U64, Static, number

EMPTY, MERGE = 0.9, 0.9
DISORDER, DISORDER_POWER = 0.034, 3.15
BURDEN, BURDEN_POWER = 0.012, 3.45


class Lines(Static):
    """The table of values for lines of a width."""

    def __init__(self, width: int) -> None:
        self.width = width

    @property
    def table(self) -> Any:
        """Made when a board is judged, so that a list of games does not wait for numpy."""
        return promises(self.width)

    def promise(self, board: U64) -> int:
        """The value of the four rows of a board, in thousandths."""
        upper = int(self.table[number(board & ROW)]) + int(self.table[number((board >> 16) & ROW)])
        lower = int(self.table[number((board >> 32) & ROW)]) + int(self.table[number(board >> 48)])
        return upper + lower


class Promise(Static):
    """The evaluation of boards of a size: 0 without tiles, and less for most others."""

    def __init__(self, rows: int, cols: int) -> None:
        self.across, self.down = Lines(cols), Lines(rows)
        self.empty = SIDE * (rows + cols) * round(1000 * EMPTY)

    def of(self, board: U64) -> float:
        return (self.across.promise(board) + self.down.promise(transpose(board)) - self.empty) / 1000


@functools.cache
def promises(width: int) -> Any:
    """For each of the 65,536 rows, in thousandths; cells beyond the width count for nothing."""
    import numpy

    ranks = ranks_of_rows()[:width]
    last, merges = numpy.zeros(1 << 16, numpy.int64), numpy.zeros(1 << 16, numpy.int64)
    for cell in ranks:
        merges += (cell == last) & (cell > 0)
        last = numpy.where(cell > 0, cell, last)
    steps = numpy.diff(ranks.astype(float) ** DISORDER_POWER, axis=0)
    disorder = numpy.minimum(numpy.maximum(steps, 0).sum(axis=0), numpy.maximum(-steps, 0).sum(axis=0))
    burden = (ranks.astype(float) ** BURDEN_POWER).sum(axis=0)
    found = EMPTY * (ranks == 0).sum(axis=0) + MERGE * merges - DISORDER * disorder - BURDEN * burden
    return numpy.rint(1000 * found).astype(numpy.int32)


def chain(rank: int) -> float:
    """The cost of the tiles 2, 4, 8 ... up to this rank in good order, without the value of empty cells."""
    return 2 * BURDEN * math.fsum(step**BURDEN_POWER for step in range(1, rank + 1))
