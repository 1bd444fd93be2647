"""The principal variation: the best line from each ply, in a triangular table."""

from __future__ import annotations

from zermelo.core.game import Action
from zermelo.kernel import Numbers, Record, array
from zermelo.search.runtime.path import Ply

LONGEST_LINE = 64
ROW = LONGEST_LINE + 1
"""Cells of a row: the length of a line, then its moves."""


class PrincipalVariation(Record):
    rows: Numbers = array(Numbers, LONGEST_LINE * ROW)

    def clear(self, ply: Ply) -> None:
        """Empty the line from this ply."""
        if ply < LONGEST_LINE:
            self.rows[ply * ROW] = 0

    def update(self, ply: Ply, action: int) -> None:
        """Set the line from this ply: this move, then the line of the next ply."""
        if ply + 1 >= LONGEST_LINE:
            return
        rows = self.rows
        here, after = ply * ROW, (ply + 1) * ROW
        length = min(rows[after], LONGEST_LINE - 1)
        rows[here + 1] = action
        for index in range(1, length + 1):
            rows[here + 1 + index] = rows[after + index]
        rows[here] = length + 1

    def line(self, ply: Ply) -> list[Action]:
        """The moves of the best line from a ply."""
        first = ply * ROW
        return [self.rows[first + 1 + index] for index in range(self.rows[first])]
