"""The workspace of alpha-beta: that of all searches, then scores, excluded moves and reductions."""

from __future__ import annotations

import math
from functools import cache
from typing import Self

from zermelo.kernel import Memory, Numbers, array
from zermelo.search.runtime.ordering import RING
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.workspace import Entries, Workspace

TABULATED = 64
"""Size of the late move reduction table, in depths and in move numbers."""
LOUD_NODES = 10_000
"""Maximum nodes of one quiescence search; then evaluations are returned, because noisy moves may lead in circles."""


class AlphaBetaWorkspace(Workspace):
    ply_cost: float
    """See `mate_distance`; 0 if payoffs are margins."""
    win_threshold: float
    """Values from here on are wins; estimates are lower."""
    last_loud_node: int
    """The node count after which the current quiescence search only evaluates."""
    excluded: Numbers = array(Numbers, RING)
    """For each ply the number of the excluded move plus one (singular extension); 0 if there is none."""
    reductions: Numbers = array(Numbers, TABULATED * TABULATED)
    """Late move reductions in plies, by depth and move number."""

    @classmethod
    def create(cls, table: Entries | None, nodes: int | None = None) -> Self:
        found = super().create(table, nodes)
        found.reductions.copy_from(late_move_reductions(), TABULATED * TABULATED)
        return found

    def excluded_move(self, ply: Ply) -> int:
        """The number of the excluded move at a ply; -1 if there is none."""
        return self.excluded[ply & (RING - 1)] - 1

    def exclude(self, ply: Ply, move: int) -> None:
        """Exclude a move at a ply from now on; none if it is -1."""
        self.excluded[ply & (RING - 1)] = move + 1

    def reduction(self, depth: int, tried: int) -> int:
        """The late move reduction in plies."""
        return self.reductions[TABULATED * min(depth, TABULATED - 1) + min(tried, TABULATED - 1)]

    def enter_quiescence(self, loud: int) -> bool:
        """Count a node of quiescence after `loud` noisy plies; True if no nodes are left."""
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
