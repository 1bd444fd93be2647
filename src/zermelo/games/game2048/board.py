"""Boards of 2048 as 64-bit words: four bits for each cell, and tables for whole rows.

     0  1  2  3        a cell is row * 4 + col from the upper left, for all sizes of the board;
     4  5  6  7        its four bits hold the rank of its tile: 0 for none, r for a tile of 2^r;
     8  9 10 11        smaller boards use the upper left corner
    12 13 14 15

Everything is a push to the left on a board that was turned before and is turned back afterwards.
"""

from __future__ import annotations

import functools
from typing import Any

from zermelo.kernel import U64, Static, number

SIDE = 4
HIGHEST = 15
"""The rank of the greatest tile there is room for, 32768; two of them do not merge."""
ONES = U64(0x1111111111111111)
HIGHS = U64(0x8888888888888888)
ROW = U64(0xFFFF)
COLUMN = U64(0x000F000F000F000F)
SECOND_COLUMN = U64(0x00F000F000F000F0)
SECOND_ROW = U64(0x00000000FFFF0000)
ODD_OF_EVEN_ROWS = U64(0x0000F0F00000F0F0)
UPPER_RIGHT = U64(0x00000000FF00FF00)
POINTS_FROM = 16
"""In the table, points stand above the bits of the row, in units of four."""


class Slides(Static):
    """Knows what becomes of a row that is pushed to the left."""

    @property
    def table(self) -> Any:
        """Made when a row is pushed, so that a list of games does not wait for numpy."""
        return slides()

    def push_left(self, board: U64) -> tuple[U64, int]:
        """The board with every row pushed to the left, and the points of all merges."""
        first = U64(self.table[number(board & ROW)])
        second = U64(self.table[number((board >> 16) & ROW)])
        third = U64(self.table[number((board >> 32) & ROW)])
        fourth = U64(self.table[number(board >> 48)])
        low = (first & ROW) | (second & ROW) << 16
        high = (third & ROW) | (fourth & ROW) << 16
        points = (first >> POINTS_FROM) + (second >> POINTS_FROM) + (third >> POINTS_FROM) + (fourth >> POINTS_FROM)
        return low | high << 32, 4 * number(points)


@functools.cache
def slides() -> Any:
    """For each of the 65,536 rows: the row pushed to the left, and above it a quarter of the points of its merges."""
    import numpy

    cells = ranks_of_rows()
    pack(cells)
    points = numpy.zeros(1 << 16, numpy.int64)
    for col in range(3):
        is_merge = (cells[col] == cells[col + 1]) & (cells[col] > 0) & (cells[col] < HIGHEST)
        cells[col] += is_merge
        cells[col + 1] *= ~is_merge
        points += is_merge * (1 << cells[col]) // 4
    pack(cells)
    row = cells[0] | cells[1] << 4 | cells[2] << 8 | cells[3] << 12
    return (row | points << POINTS_FROM).astype(numpy.uint32)


def ranks_of_rows() -> Any:
    """The ranks in all 65,536 rows: four arrays, from the left."""
    import numpy

    rows = numpy.arange(1 << 16)
    return numpy.array([rows >> 4 * col & 15 for col in range(4)])


def pack(cells: Any) -> None:
    """Let the tiles of all rows fall to the left, without merges."""
    for _ in range(3):
        for col in range(3):
            is_gap = cells[col] == 0
            cells[col] += cells[col + 1] * is_gap
            cells[col + 1] *= ~is_gap


# -- turns and mirrors -----------------------------------------------------------------------------


def mirror(board: U64) -> U64:
    """Left and right exchanged."""
    left = (board & COLUMN) << 12 | (board & SECOND_COLUMN) << 4
    return left | (board >> 4) & SECOND_COLUMN | (board >> 12) & COLUMN


def flip(board: U64) -> U64:
    """Top and bottom exchanged."""
    return board << 48 | (board & SECOND_ROW) << 16 | (board >> 16) & SECOND_ROW | board >> 48


def transpose(board: U64) -> U64:
    """Rows and columns exchanged: first within each block of two by two cells, then the blocks."""
    swap = (board ^ (board >> 12)) & ODD_OF_EVEN_ROWS
    board = board ^ swap ^ swap << 12
    swap = (board ^ (board >> 24)) & UPPER_RIGHT
    return board ^ swap ^ swap << 24


# -- cells -----------------------------------------------------------------------------------------


def tiles_of(board: U64) -> U64:
    """The lowest bit of each cell that has a tile."""
    board |= board >> 2
    return (board | board >> 1) & ONES


def has_rank(board: U64, rank: int) -> bool:
    """Whether there is a tile of this rank: then a cell is zero once the rank is taken away.

    Below the lowest such cell nothing borrows, so at least that one is found.
    """
    rest = board ^ ONES * U64(rank)
    return (rest - ONES) & ~rest & HIGHS != U64(0)


def rank_at(board: U64, cell: int) -> int:
    return number(board >> 4 * cell & U64(15))
