"""The shallow tail of a proof: near the end of a game, plain alpha-beta is faster than storing positions."""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.search.alphabeta.mate_distance import INFINITE, MOST_PLIES, delayed, known_bounds
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.workspace import TOO_LONG, TOO_WIDE


@kernel
def finish(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    ply: Ply,
    top: int,
    work: AlphaBetaWorkspace,
) -> float:
    """The value of a state for the side to move, by plain alpha-beta to the end; fail-soft.

    Meaningless once the workspace is stopped: the remaining calls return at once.
    """
    entered = work.nodes
    if entered >= work.limit:
        return 0.0
    work.nodes = entered + 1
    mover = game.to_move(state)
    if game.is_terminal(state):
        return float(game.utility(state, mover))
    if ply >= MOST_PLIES:
        work.give_up(TOO_LONG)
        return 0.0
    if how.bounds:
        floor, ceiling = known_bounds(game, state, mover, work)
        if floor >= beta or floor >= ceiling:
            return floor
        if ceiling <= alpha:
            return ceiling
        alpha, beta = max(alpha, floor), min(beta, ceiling)
    count = push_sorted(game, how, state, top, work)
    if count < 0:
        work.give_up(TOO_WIDE)
        return 0.0
    best = -INFINITE
    near, far = delayed(work, alpha, -1.0), delayed(work, beta, -1.0)
    for place in range(top, top + count):
        child = game.result(state, work.moves.action(place))
        is_same = game.to_move(child) == mover
        low, high = (near, far) if is_same else (-far, -near)
        value = finish(game, how, child, low, high, next_ply(ply), top + count, work)
        value = delayed(work, value if is_same else -value, 1.0)
        if value > best:
            best = value
            if best >= beta:
                break
            if best > alpha:
                near = delayed(work, best, -1.0)
    return best


def push_sorted(game: Game, how: Techniques, state: State, top: int, work: AlphaBetaWorkspace) -> int:
    """Push the moves, sorted by the game's `order`; returns their number, or -1 if there is no room."""
    moves = work.moves
    count = game.fill_candidates(state, moves.buffer(), 0)
    if not moves.is_room(top, count):
        return -1
    for index in range(count):
        action = moves.generated[index]
        score = float(game.order(state, action)) if how.order and count > 1 else 0.0
        moves.insert(top, top + index, action, score)
    return count
