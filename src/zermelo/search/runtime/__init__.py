"""Shared parts of all searches: workspace, transposition table, move stack, move ordering, path, watch, root."""

from zermelo.search.runtime.arguments import reserve
from zermelo.search.runtime.move_stack import MOST_MOVES, MoveStack
from zermelo.search.runtime.ordering import Ordering, OrderingTables, reward_cutoff, score_moves
from zermelo.search.runtime.path import LONGEST_PATH, Path, Ply, next_ply
from zermelo.search.runtime.principal_variation import PrincipalVariation
from zermelo.search.runtime.root_search import NO_LIMIT, Findings, Request, RootSearch, stuck_sentence
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
    unveil_move,
    veil_move,
    veil_of_keys,
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
    "NO_LIMIT",
    "NO_MOVE",
    "PROVED",
    "STUCK",
    "TOO_LONG",
    "TOO_WIDE",
    "UNKNOWN",
    "UPPER",
    "Findings",
    "MoveStack",
    "Ordering",
    "OrderingTables",
    "Path",
    "Ply",
    "PrincipalVariation",
    "Request",
    "RootSearch",
    "Table",
    "TableView",
    "Watch",
    "Workspace",
    "depth_in",
    "kind_in",
    "move_in",
    "next_ply",
    "reserve",
    "reward_cutoff",
    "score_moves",
    "stuck_sentence",
    "unveil_move",
    "veil_move",
    "veil_of_keys",
]
