"""The workspace of alpha-beta: what all searches have, then scores, excluded moves and reductions."""

from __future__ import annotations

import math
from functools import cache
from typing import Self

from zermelo.kernel import Memory, Numbers, array
from zermelo.search.runtime.ordering import RING
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.workspace import Entries, Workspace

TABULATED = 64
"""Depths, and move numbers, for which the late move reduction is tabulated."""
LOUD_NODES = 10_000
"""After this many nodes of one quiescence search, evaluations are returned: noisy moves may lead in circles."""


class AlphaBetaWorkspace(Workspace):
    ply_cost: float
    """See `mate_distance`; 0 if the payoff is a margin, because then only the margin counts."""
    win_threshold: float
    """No estimate is this high: from here on a value is a win."""
    last_loud_node: int
    """The node after which the present quiescence search only evaluates."""
    excluded: Numbers = array(Numbers, RING)
    """For each ply one more than the number of a move to leave out (singular extension); 0 if none is."""
    reductions: Numbers = array(Numbers, TABULATED * TABULATED)
    """Plies of late move reduction, by depth and number of the move."""

    @classmethod
    def create(cls, table: Entries | None, nodes: int | None = None) -> Self:
        found = super().create(table, nodes)
        found.reductions.copy_from(late_move_reductions(), TABULATED * TABULATED)
        return found

    def excluded_move(self, ply: Ply) -> int:
        """The number of the move to leave out at a ply; -1 if none is."""
        return self.excluded[ply & (RING - 1)] - 1

    def exclude(self, ply: Ply, move: int) -> None:
        """Leave out a move at a ply from now on; none if it is -1."""
        self.excluded[ply & (RING - 1)] = move + 1

    def reduction(self, depth: int, tried: int) -> int:
        """Plies by which the search of a late move is reduced."""
        return self.reductions[TABULATED * min(depth, TABULATED - 1) + min(tried, TABULATED - 1)]

    def enter_quiescence(self, loud: int) -> bool:
        """Count a node of quiescence after `loud` noisy plies; True if it has used up its nodes."""
        if loud == 0:
            self.last_loud_node = self.nodes + LOUD_NODES
            return False
        return self.nodes > self.last_loud_node


@cache
def late_move_reductions() -> Memory:
    cells = Memory(TABULATED * TABULATED)
    for depth in range(1, TABULATED):
        for late in range(1, TABULATED):
            cells[TABULATED * depth + late] = round(0.5 + math.log(depth) * math.log(late) / 2.1)
    return cells
