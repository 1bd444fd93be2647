"""The end of a proof: where a game is nearly over, trying the moves is quicker than remembering positions."""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import FILL_MASK, kernel, load, store
from zermelo.search.engine.desk import (
    MOST_MOVES,
    TOO_LONG,
    TOO_WIDE,
    end_line,
    fill_space,
    note_line,
)
from zermelo.search.engine.haste import INFINITE, MOST_PLIES, known_bounds, slowed
from zermelo.search.engine.ordering import pull, push
from zermelo.search.engine.techniques import Techniques


@kernel
def finish(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, ply: int, top: int, memory: int
) -> float:
    """The value of a state for the side to move, by plain alpha-beta to the end; fail-soft."""
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    if entered >= load(memory, LIMIT):
        return 0.0
    mover = game.to_move(state)
    end_line(memory, ply)
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
    if top + count > MOST_MOVES or count > FILL_MASK:
        give_up(memory, TOO_WIDE)
        return 0.0
    pushed = top
    for index in range(count):
        action = load(space, index)
        push(memory, pushed, action, float(game.order(state, action)) if how.order else 0.0, index)
        pushed += 1
    best = -INFINITE
    for first in range(top, pushed):
        action = load(memory, pull(memory, first, pushed))
        child = game.result(state, action)
        is_same = game.to_move(child) == mover
        near, far = slowed(memory, max(alpha, best), -1.0), slowed(memory, beta, -1.0)
        low, high = (near, far) if is_same else (-far, -near)
        value = finish(game, how, child, low, high, ply + 1, pushed, memory)
        value = slowed(memory, value if is_same else -value, 1.0)
        if load(memory, NODES) >= load(memory, LIMIT):
            return 0.0
        if value > best:
            best = value
            if value > alpha:
                note_line(memory, ply, action)
            if best >= beta:
                break
    return best
