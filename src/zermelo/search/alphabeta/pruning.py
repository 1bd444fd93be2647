"""Selective search, each technique a step of `negamax`: it saves most of the tree and is sometimes wrong.

Futility pruning, null-move pruning, late move pruning, late move reductions and singular extensions. None of them may
decide a position in which a win or a loss is at stake.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import state
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.alphabeta.table_steps import Hit
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.move_stack import LOSING, NOISY, MoveStack
from zermelo.search.runtime.ordering import COUNTERMOVE, LAST
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import LOWER, NO_MOVE, UPPER

FUTILE_DEPTH, LATE_MOVE_DEPTH, LMR_DEPTH, SINGULAR_DEPTH, NULL_DEPTH = 6, 5, 3, 8, 3
SINGULAR_SHARE = 1 / 40
"""Share of `swing`, per ply, by which a singular move must be better than all others."""


@state
class Node(NamedTuple):
    """The data of a node before its moves are searched."""

    mover: int
    ply: int
    top: int
    """The place of its first move on the stack."""
    excluded: int
    """The number of the excluded move, or -1."""
    is_open: bool
    """The window is wider than a null window (a PV node)."""
    is_threatened: bool
    """The mover must answer a threat."""
    is_calm: bool
    """Pruning by the static value is allowed."""
    static_value: float
    """The evaluation; set if the node is calm."""


def judge(
    game: Game,
    how: Techniques,
    state: State,
    mover: int,
    alpha: float,
    beta: float,
    ply: Ply,
    top: int,
    work: AlphaBetaWorkspace,
) -> Node:
    """Describe a node, and evaluate it if pruning may need that."""
    excluded = work.excluded_move(ply) if how.singular else -1
    # A null window that ends at 0 grows by one ply cost at every ply, because a draw has no ply cost.
    is_open = beta - alpha > 2 * work.null_window + ply * work.ply_cost
    is_threatened = how.threats and game.is_threatened(state)
    may_bet = (how.futility or how.null_move or how.late_move_pruning) and not is_open and not is_threatened
    is_calm = may_bet and abs(beta) < work.win_threshold and (not how.singular or excluded < 0)
    static_value = float(game.evaluate(state, mover)) if is_calm else 0.0
    return Node(mover, ply, top, excluded, is_open, is_threatened, is_calm, static_value)


def refine_static_value(node: Node, hit: Hit, work: AlphaBetaWorkspace) -> float:
    """The evaluation, or the table's value if it is a better bound and not a win or a loss."""
    is_higher = hit.kind == LOWER and hit.value > node.static_value
    is_lower = hit.kind == UPPER and hit.value < node.static_value
    is_used = (is_higher or is_lower) and abs(hit.value) < work.win_threshold
    return hit.value if is_used else node.static_value


def is_futile(game: Game, node: Node, static_value: float, beta: float, depth: int) -> bool:
    """Reverse futility pruning: whether the static value exceeds beta by more than quiet moves can change.

    [Heinz 1998]
    """
    return node.is_calm and depth <= FUTILE_DEPTH and static_value - depth * game.swing >= beta


def may_null_move(
    game: Game, state: State, node: Node, static_value: float, beta: float, depth: int, work: AlphaBetaWorkspace
) -> bool:
    """Whether to try a null move: the mover is ahead and may pass, and the last move was not a null move."""
    if not (node.is_calm and depth >= NULL_DEPTH and static_value >= beta):
        return False
    return work.ordering.last_move(Ply(node.ply)) != NO_ACTION and game.may_pass(state)


def null_move_reduction(depth: int) -> int:
    """Plies by which the search after a null move is reduced. [Donninger 1993; Heinz 1999]"""
    return 3 + depth // 4


def singular_bound(game: Game, node: Node, hit: Hit, depth: int, work: AlphaBetaWorkspace) -> float:
    """The table's move is singular if all other moves are below this value; -INFINITE if that is not tested.

    [Anantharaman, Campbell & Hsu 1990]
    """
    if depth < SINGULAR_DEPTH or node.excluded >= 0 or hit.move == NO_MOVE:
        return -INFINITE
    is_trusted = hit.depth >= depth - 3 and hit.kind != UPPER and abs(hit.value) < work.win_threshold
    return hit.value - depth * SINGULAR_SHARE * min(game.swing, game.unit) if is_trusted else -INFINITE


def can_prune_late_move(how: Techniques, depth: int, quiet: int) -> bool:
    """Late move pruning: whether enough quiet moves were tried at this depth near the horizon. [Romstad 2006]"""
    return how.late_move_pruning and depth <= LATE_MOVE_DEPTH and quiet > 3 + depth * depth


def lmr_reduction(node: Node, is_quiet: bool, score: float, tried: int, depth: int, work: AlphaBetaWorkspace) -> int:
    """Late move reductions (LMR): plies by which the search of a late move is reduced. [Romstad 2006]"""
    if depth < LMR_DEPTH or tried < 2 or not is_quiet or node.is_threatened:
        return 0
    fewer = work.reduction(depth, tried)
    if node.is_open or score >= COUNTERMOVE:
        fewer -= 1
    return max(0, min(fewer, depth - 2))


def demote_losing_captures(game: Game, state: State, first: int, pushed: int, moves: MoveStack) -> None:
    """Static exchange evaluation (SEE): put captures that lose material behind the quiet moves.

    Repeated until the next move is not a losing capture. [Reul 2010]
    """
    while moves.marks(first) & (NOISY | LOSING) == NOISY:
        if game.exchange(state, moves.action(first)) >= 0:
            return
        moves.mark(first, LOSING)
        moves.set_score(first, moves.score(first) + LAST)
        moves.select_next(first, pushed)
