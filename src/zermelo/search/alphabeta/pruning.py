"""The bets of alpha-beta, each a step of `negamax`: they save most of the tree and are wrong now and then.

Futility pruning, null-move pruning, late move pruning, late move reductions and singular extensions. None of them may
decide a position in which a win is at stake.
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
    """What is known of a node before its moves are searched."""

    mover: int
    ply: int
    top: int
    """Where its moves begin on the stack."""
    excluded: int
    """The number of a move to leave out, or -1."""
    is_open: bool
    """The window is wider than a null window: the node is on the principal variation."""
    is_threatened: bool
    """The mover has to answer a threat."""
    is_calm: bool
    """Bets on the static value are allowed."""
    static_value: float
    """The evaluation, if the node is calm."""


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
    """Evaluate a node, if a bet may need that."""
    excluded = work.excluded_move(ply) if how.singular else -1
    # A null window that ends at 0 grows by one ply cost at every ply, because a draw has no ply cost.
    is_open = beta - alpha > 2 * work.null_window + ply * work.ply_cost
    is_threatened = how.threats and game.is_threatened(state)
    may_bet = (how.futility or how.null_move or how.late_move_pruning) and not is_open and not is_threatened
    is_calm = may_bet and abs(beta) < work.win_threshold and (not how.singular or excluded < 0)
    static_value = float(game.evaluate(state, mover)) if is_calm else 0.0
    return Node(mover, ply, top, excluded, is_open, is_threatened, is_calm, static_value)


def refine_static_value(node: Node, hit: Hit, work: AlphaBetaWorkspace) -> float:
    """The evaluation, or the table's value if that is a better bound and not a win or a loss."""
    is_higher = hit.kind == LOWER and hit.value > node.static_value
    is_lower = hit.kind == UPPER and hit.value < node.static_value
    is_used = (is_higher or is_lower) and abs(hit.value) < work.win_threshold
    return hit.value if is_used else node.static_value


def is_futile(game: Game, node: Node, static_value: float, beta: float, depth: int) -> bool:
    """Reverse futility pruning: whether the node is so good that no quiet move of the opponent changes that.

    [Heinz 1998]
    """
    return node.is_calm and depth <= FUTILE_DEPTH and static_value - depth * game.swing >= beta


def may_null_move(
    game: Game, state: State, node: Node, static_value: float, beta: float, depth: int, work: AlphaBetaWorkspace
) -> bool:
    """Whether to try a null move: the mover is ahead, may pass, and did not get here by a null move."""
    if not (node.is_calm and depth >= NULL_DEPTH and static_value >= beta):
        return False
    return work.ordering.last_move(Ply(node.ply)) != NO_ACTION and game.may_pass(state)


def null_move_reduction(depth: int) -> int:
    """Plies by which the search after a null move is reduced. [Donninger 1993; Heinz 1999]"""
    return 3 + depth // 4


def singular_bound(game: Game, node: Node, hit: Hit, depth: int, work: AlphaBetaWorkspace) -> float:
    """The value that all other moves have to miss for the table's move to be singular; -INFINITE if it is not asked.

    [Anantharaman, Campbell & Hsu 1990]
    """
    if depth < SINGULAR_DEPTH or node.excluded >= 0 or hit.move == NO_MOVE:
        return -INFINITE
    is_trusted = hit.depth >= depth - 3 and hit.kind != UPPER and abs(hit.value) < work.win_threshold
    return hit.value - depth * SINGULAR_SHARE * min(game.swing, game.unit) if is_trusted else -INFINITE


def can_prune_late_move(how: Techniques, depth: int, quiet: int) -> bool:
    """Late move pruning: whether enough quiet moves were tried this near to the horizon. [Romstad 2006]"""
    return how.late_move_pruning and depth <= LATE_MOVE_DEPTH and quiet > 3 + depth * depth


def lmr_reduction(node: Node, is_quiet: bool, score: float, tried: int, depth: int, work: AlphaBetaWorkspace) -> int:
    """Late move reductions: plies by which a move that is tried late is searched less deeply. [Romstad 2006]"""
    if depth < LMR_DEPTH or tried < 2 or not is_quiet or node.is_threatened:
        return 0
    fewer = work.reduction(depth, tried)
    if node.is_open or score >= COUNTERMOVE:
        fewer -= 1
    return max(0, min(fewer, depth - 2))


def demote_losing_captures(game: Game, state: State, first: int, pushed: int, moves: MoveStack) -> None:
    """Static exchange evaluation: if the next move is a capture that loses material, take the next one, and so on.

    A losing capture goes behind the quiet moves. [Reul 2010]
    """
    while moves.marks(first) & (NOISY | LOSING) == NOISY:
        if game.exchange(state, moves.action(first)) >= 0:
            return
        moves.mark(first, LOSING)
        moves.set_score(first, moves.score(first) + LAST)
        moves.select_next(first, pushed)
