"""Quiescence: judge a position only when nothing is hanging.

The mover may stand pat, that is, take the evaluation instead of making a noisy move; not so where it must answer a
threat: there every move is looked at. [Greenblatt, Eastlake & Crocker 1967; Beal 1990]
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import kernel, load, store
from zermelo.search.alphabeta.mate_distance import INFINITE, delayed, is_distinct
from zermelo.search.alphabeta.ordering import is_room, push, select_next
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import (
    DEEPEST_PLY,
    LAST_LOUD_NODE,
    STUCK,
    TOO_WIDE,
    end_line,
    fill_space,
    has_closed_places,
    last_is_proved,
    note_line,
    set_proved,
)

LOUD_PLIES = 24
"""After this many noisy plies the evaluation is returned in any case."""
LOUD_NODES = 10_000
"""After this many nodes of one quiescence search, evaluations are returned: noisy moves may lead in circles."""


@kernel
def quiesce(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, loud: int, ply: int, top: int, memory: int
) -> float:
    """The value of a state for the side to move, with alpha < beta; `loud` plies of noise came before."""
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    if entered >= load(memory, LIMIT):
        return 0.0
    if loud == 0:
        store(memory, LAST_LOUD_NODE, entered + LOUD_NODES)
    elif entered > load(memory, LAST_LOUD_NODE):
        loud = LOUD_PLIES
    mover = game.to_move(state)
    end_line(memory, ply)
    if game.is_terminal(state):
        paid = float(game.utility(state, mover))
        set_proved(memory, is_distinct(memory, paid))
        return paid
    if not how.quiescence:
        set_proved(memory, False)
        return float(game.evaluate(state, mover))
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    is_threatened = how.threats and loud < LOUD_PLIES and game.is_threatened(state)
    static_value, best = -INFINITE, -INFINITE
    may_prove = is_threatened and not (how.repeats and has_closed_places(memory))
    all_proved = may_prove
    space, count = fill_space(memory), 0
    if is_threatened:
        count = game.fill_actions(state, space, 0)
        if count == 0:
            give_up(memory, STUCK)
            return 0.0
    else:
        static_value = float(game.evaluate(state, mover))
        best = static_value
        if best >= beta or loud >= LOUD_PLIES:
            set_proved(memory, False)
            return best
        count = game.fill_noisy_actions(state, space, 0)
    pushed = top
    if not is_room(pushed, count):
        give_up(memory, TOO_WIDE)
        return 0.0
    for index in range(count):
        action = load(space, index)
        if how.futility and not is_threatened:
            hoped = static_value + float(game.gain(state, action)) + game.swing
            if hoped <= alpha:
                best = max(best, hoped)
                continue
        push(memory, pushed, action, float(game.order(state, action)) if how.order else 0.0, index)
        pushed += 1
    for first in range(top, pushed):
        cell = select_next(memory, first, pushed)
        action = load(memory, cell)
        if how.see and not is_threatened and game.exchange(state, action) < 0:
            continue
        child = game.result(state, action)
        is_same = game.to_move(child) == mover
        floor, ceiling = delayed(memory, max(alpha, best), -1.0), delayed(memory, beta, -1.0)
        low, high = (floor, ceiling) if is_same else (-ceiling, -floor)
        value = quiesce(game, how, child, low, high, loud + 1, ply + 1, pushed, memory)
        value = delayed(memory, value if is_same else -value, 1.0)
        if load(memory, NODES) >= load(memory, LIMIT):
            return 0.0
        is_proved = last_is_proved(memory)
        all_proved = all_proved and is_proved
        if value > best:
            best = value
            if value > alpha:
                note_line(memory, ply, action)
        if best >= beta:
            set_proved(memory, is_proved and may_prove)
            return best
    set_proved(memory, all_proved)
    return best
