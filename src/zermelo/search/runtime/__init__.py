"""What all searches share: workspaces, the transposition table, the stack of moves, the path, the watch, the root."""

from zermelo.search.runtime.move_stack import MOST_MOVES, MoveStack
from zermelo.search.runtime.ordering import Ordering, OrderingTables, reward_cutoff, score_moves
from zermelo.search.runtime.path import LONGEST_PATH, Path, Ply, next_ply
from zermelo.search.runtime.principal_variation import PrincipalVariation
from zermelo.search.runtime.table import (
    DEEPEST,
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UNKNOWN,
    UPPER,
    Table,
    TableView,
    depth_in,
    kind_in,
    move_in,
    unveiled,
    veiled,
)
from zermelo.search.runtime.watch import Watch
from zermelo.search.runtime.workspace import STUCK, TOO_LONG, TOO_WIDE, Workspace

__all__ = [
    "DEEPEST",
    "EXACT",
    "LONGEST_PATH",
    "LOWER",
    "MOST_MOVES",
    "NOTHING",
    "NO_MOVE",
    "PROVED",
    "STUCK",
    "TOO_LONG",
    "TOO_WIDE",
    "UNKNOWN",
    "UPPER",
    "MoveStack",
    "Ordering",
    "OrderingTables",
    "Path",
    "Ply",
    "PrincipalVariation",
    "Table",
    "TableView",
    "Watch",
    "Workspace",
    "depth_in",
    "kind_in",
    "move_in",
    "next_ply",
    "reward_cutoff",
    "score_moves",
    "unveiled",
    "veiled",
]
