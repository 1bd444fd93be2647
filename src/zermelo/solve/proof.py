"""Proof by alpha-beta: the exact value of two-player zero-sum games without dice.

Values are seen by player 0. Fail-soft: with v the value and r the result, r <= alpha proves v <= r, r >= beta
proves v >= r, anything between is exact. Nothing is pruned that could change the value: the table, the
game's symmetries (`canonical`) and its proven `bounds` only save work; `order` only directs it.

With `haste` above zero, a win loses that much with every ply and a defeat gains it, so that values also tell the
distance to the end: the winner hurries, the loser delays. A draw, which is zero, stays what it is.
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import U64, kernel, load, mix, store
from zermelo.solve.table import (
    BEST,
    EXACT,
    HITS,
    LOWER,
    MOST_MOVES,
    MOVES,
    STUCK,
    TOO_LONG,
    TOO_WIDE,
    UPPER,
    find,
    keep,
    kind_in,
    move_in,
    pull,
    push,
    value_in,
)

MOST_PLIES = 5_000
"""A longer line counts as endless."""
TABLE_MOVE = 1e18
INFINITE = float("inf")
HASTY = U64(0x5BD1E995_9E3779B9)


@kernel
def prove(game: Game, state: State, alpha: float, beta: float, haste: float, ply: int, top: int, memory: int) -> float:
    """The value of a state that is not terminal, where alpha < beta; meaningless once the memory says stopped."""
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    if entered >= load(memory, LIMIT):
        return 0.0
    if ply >= MOST_PLIES:
        give_up(memory, TOO_LONG)
        return 0.0
    low, high = game.bounds(state, 0)
    floor, ceiling = float(low), float(high)
    if haste > 0:  # the end is one ply away or more, and not endlessly far
        floor = slowed(floor, haste if floor < 0 else MOST_PLIES * haste)
        ceiling = slowed(ceiling, haste if ceiling > 0 else MOST_PLIES * haste)
    if floor >= beta or floor >= ceiling:
        return floor
    if ceiling <= alpha:
        return ceiling
    alpha, beta = max(alpha, floor), min(beta, ceiling)
    key = mix(game.key(game.canonical(state)))
    if haste > 0:
        key = mix(key ^ HASTY)
    cell = find(memory, key)
    table_move = -1
    if cell >= 0:
        store(memory, HITS, load(memory, HITS) + 1)
        value, kind = value_in(memory, cell), kind_in(memory, cell)
        if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
            return value
        table_move = move_in(memory, cell)
    is_max = game.to_move(state) == 0
    best, best_move = -INFINITE if is_max else INFINITE, -1
    # First the moves that end the game: they cost nothing, and one of them may be enough.
    count, pushed = 0, top
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = slowed(float(game.utility(child, 0)), haste)
            if (value > best) if is_max else (value < best):
                best, best_move = value, count
        elif pushed < MOST_MOVES:
            score = TABLE_MOVE if count == table_move else float(game.order(state, action))
            push(memory, pushed, action, score, count)
            pushed += 1
        else:
            give_up(memory, TOO_WIDE)
            return 0.0
        count += 1
    if count == 0:
        give_up(memory, STUCK)
        return 0.0
    for first in range(top, pushed):
        if (best >= beta) if is_max else (best <= alpha):
            break
        floor, ceiling = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        cell = pull(memory, first, pushed)
        child = game.result(state, load(memory, cell))
        floor, ceiling = slowed(floor, -haste), slowed(ceiling, -haste)
        value = slowed(prove(game, child, floor, ceiling, haste, ply + 1, pushed, memory), haste)
        if load(memory, NODES) >= load(memory, LIMIT):
            return 0.0
        if (value > best) if is_max else (value < best):
            best, best_move = value, load(memory, MOVES + 3 * first + 2)
    if ply == 0:
        store(memory, BEST, best_move)
    bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
    keep(memory, key, best, bound, best_move, load(memory, NODES) - entered + 1)
    return best


def slowed(value: float, haste: float) -> float:
    """The value one ply earlier: a win is worth a little less, a defeat is a little less bad."""
    if value > 0:
        return value - haste
    if value < 0:
        return value + haste
    return value
