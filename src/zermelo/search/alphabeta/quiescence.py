"""Quiescence search: continue with noisy moves until the position is quiet, then evaluate it.

The mover may stand pat, that is, take the evaluation instead of a noisy move. If it must answer a threat, it may not,
and all moves are searched. [Greenblatt, Eastlake & Crocker 1967; Beal 1990]
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.search.alphabeta.mate_distance import INFINITE, delayed, is_distinct
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

LOUD_PLIES = 24
"""Maximum number of noisy plies; after them the evaluation is returned."""


@kernel
def quiesce(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    loud: int,
    ply: Ply,
    top: int,
    work: AlphaBetaWorkspace,
) -> float:
    """The value of a state for the side to move, with alpha < beta, after `loud` noisy plies."""
    if work.enter_node():
        return 0.0
    if work.enter_quiescence(loud):
        loud = LOUD_PLIES
    mover = game.to_move(state)
    work.variation.clear(ply)
    if game.is_terminal(state):
        paid = float(game.utility(state, mover))
        return work.report(paid, is_distinct(work, paid))
    if not how.quiescence:
        return work.report(float(game.evaluate(state, mover)), False)
    work.note_ply(ply)
    is_threatened = how.threats and loud < LOUD_PLIES and game.is_threatened(state)
    may_prove = is_threatened and not (how.repeats and work.path.closed_places != 0)
    static_value, best = -INFINITE, -INFINITE
    if not is_threatened:
        static_value = float(game.evaluate(state, mover))
        best = static_value
        if best >= beta or loud >= LOUD_PLIES:
            return work.report(best, False)
    count = generate_moves(game, state, is_threatened, top, work)
    if count < 0:
        return 0.0
    pushed, best = push_promising(game, how, state, is_threatened, static_value, alpha, best, count, top, work)
    all_proved = may_prove
    for first in range(top, pushed):
        work.moves.select_next(first, pushed)
        action = work.moves.action(first)
        if how.see and not is_threatened and game.exchange(state, action) < 0:
            continue
        child = game.result(state, action)
        is_same = game.to_move(child) == mover
        floor, ceiling = delayed(work, max(alpha, best), -1.0), delayed(work, beta, -1.0)
        low, high = (floor, ceiling) if is_same else (-ceiling, -floor)
        value = quiesce(game, how, child, low, high, loud + 1, next_ply(ply), pushed, work)
        value = delayed(work, value if is_same else -value, 1.0)
        if work.is_stopped():
            return 0.0
        is_proved = work.is_proved
        all_proved = all_proved and is_proved
        if value > best:
            best = value
            if value > alpha:
                work.variation.update(ply, action)
        if best >= beta:
            return work.report(best, is_proved and may_prove)
    return work.report(best, all_proved)


def generate_moves(game: Game, state: State, is_threatened: bool, top: int, work: AlphaBetaWorkspace) -> int:
    """Generate all moves under a threat, otherwise the noisy ones; returns their number, or -1 on giving up."""
    if is_threatened:
        count = game.fill_actions(state, work.moves.buffer(), 0)
        if count == 0:
            work.give_up(STUCK)
            return -1
    else:
        count = game.fill_noisy_actions(state, work.moves.buffer(), 0)
    if not work.moves.is_room(top, count):
        work.give_up(TOO_WIDE)
        return -1
    return count


def push_promising(
    game: Game,
    how: Techniques,
    state: State,
    is_threatened: bool,
    static_value: float,
    alpha: float,
    best: float,
    count: int,
    top: int,
    work: AlphaBetaWorkspace,
) -> tuple[int, float]:
    """Delta pruning: push the generated moves except those that cannot raise alpha.

    Returns the new top, and the best value so far, which the pruned moves cannot exceed.
    """
    pushed = top
    for index in range(count):
        action = work.moves.generated[index]
        if how.futility and not is_threatened:
            hoped = static_value + float(game.gain(state, action)) + game.swing
            if hoped <= alpha:
                best = max(best, hoped)
                continue
        work.moves.push(pushed, action, float(game.order(state, action)) if how.order else 0.0, index)
        pushed += 1
    return pushed, best
