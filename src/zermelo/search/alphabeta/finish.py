"""The shallow tail of a proof: if a game is nearly over, plain alpha-beta is quicker than storing positions."""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import kernel, load, load_real, store
from zermelo.search.alphabeta.mate_distance import INFINITE, MOST_PLIES, delayed, known_bounds
from zermelo.search.alphabeta.ordering import is_room, push
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import MOVES, TOO_LONG, TOO_WIDE, fill_space


@kernel
def finish(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, ply: int, top: int, memory: int
) -> float:
    """The value of a state for the side to move, by plain alpha-beta to the end; fail-soft.

    Meaningless once the workspace is stopped: the remaining moves are entered and left at once.
    """
    entered = load(memory, NODES)
    if entered >= load(memory, LIMIT):
        return 0.0
    store(memory, NODES, entered + 1)
    mover = game.to_move(state)
    if game.is_terminal(state):
        return float(game.utility(state, mover))
    if ply >= MOST_PLIES:
        give_up(memory, TOO_LONG)
        return 0.0
    if how.bounds:
        floor, ceiling = known_bounds(game, state, mover, memory)
        if floor >= beta or floor >= ceiling:
            return floor
        if ceiling <= alpha:
            return ceiling
        alpha, beta = max(alpha, floor), min(beta, ceiling)
    space = fill_space(memory)
    count = game.fill_candidates(state, space, 0)
    if not is_room(top, count):
        give_up(memory, TOO_WIDE)
        return 0.0
    for index in range(count):
        action = load(space, index)
        score = float(game.order(state, action)) if how.order and count > 1 else 0.0
        insert(memory, top, top + index, action, score)
    best = -INFINITE
    near, far = delayed(memory, alpha, -1.0), delayed(memory, beta, -1.0)
    for place in range(top, top + count):
        child = game.result(state, load(memory, MOVES + 3 * place))
        is_same = game.to_move(child) == mover
        low, high = (near, far) if is_same else (-far, -near)
        value = finish(game, how, child, low, high, ply + 1, top + count, memory)
        value = delayed(memory, value if is_same else -value, 1.0)
        if value > best:
            best = value
            if best >= beta:
                break
            if best > alpha:
                near = delayed(memory, best, -1.0)
    return best


def insert(memory: int, first: int, place: int, action: int, score: float) -> None:
    """Insertion sort: put a move among those from `first` to `place` on the stack, behind its equals."""
    while place > first and load_real(memory, MOVES + 3 * place - 2) < score:
        push(memory, place, load(memory, MOVES + 3 * place - 3), load_real(memory, MOVES + 3 * place - 2), 0)
        place -= 1
    push(memory, place, action, score, 0)
