"""Simulations: select, expand, play out, back up, over and over again.

A node's first visits are playouts; then it gets children. Payoffs are kept as whole numbers, in the unit that stands in
the workspace: sums of them do not depend on the order in which threads add them.

[Kocsis & Szepesvari 2006; Coulom 2006]
"""

from __future__ import annotations

import math

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import add, kernel, load, load_acquire, load_real, load_word, mix, store, store_real
from zermelo.search.legacy_workspace import BEFORE, DEEPEST_PLY, PATH, enter, leave, times_before
from zermelo.search.mcts.expansion import expand, introduce
from zermelo.search.mcts.open_loop import select_open
from zermelo.search.mcts.parallel import LINGERS, add_virtual_loss, back_up_shared, flush_ledger, often_visited, worst
from zermelo.search.mcts.payoff_scale import MOST_WHOLE
from zermelo.search.mcts.playout import Playout, draw_outcome, play_out
from zermelo.search.mcts.proofs import is_proved, narrow_bounds, narrow_from_children, prove
from zermelo.search.mcts.rave import forget_asked, update_rave
from zermelo.search.mcts.selection import select_child
from zermelo.search.mcts.techniques import ACTION, CHILDREN, SUM, VISITS, Techniques
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, IS_FRESH, IS_FULL, PASSED, ROOT
from zermelo.search.mcts.workspace import (
    EXPANSION,
    MAGNITUDE,
    MIDDLE,
    MOST_PATH_NODES,
    MOVERS,
    PATH_NODES,
    PAYOFFS,
    PLAYOUT_PLIES,
    TRAIL_LENGTH,
    UNIT,
    UNITY,
    is_halted,
    note_move,
)

NOT_A_NUMBER = 10
"""A trouble of the search: a payoff or an estimate is not a number."""


@kernel
def simulate(game: Game, how: Techniques, policy: Playout, root: State, tree: int, memory: int) -> int:
    """Simulate until the limit, until the tree is full or the root is proved; returns the number of simulations."""
    before = load(memory, NODES)
    if load(tree, IS_FRESH) != 0:
        store(tree, IS_FRESH, 0)
        children = load(tree, ROOT + CHILDREN)
        introduce(game, how, root, ROOT, children >> COUNT_BITS, children & COUNT_MASK, tree, memory)
    first, left = 0, 0
    while load(memory, NODES) < load(memory, LIMIT) and load(tree, IS_FULL) == 0:
        if how.solver and is_proved(how, tree, ROOT):
            break
        store(memory, NODES, load(memory, NODES) + 1)
        depth = simulate_once(game, how, policy, root, first, tree, memory)
        if how.lingers:
            if first == 0:
                first, left = often_visited(tree, memory, depth), LINGERS
            left -= 1
            if left == 0:
                first = 0
    if how.shared:
        flush_ledger(how, tree, memory)
    return load(memory, NODES) - before


def simulate_once(
    game: Game, how: Techniques, policy: Playout, state: State, first: int, tree: int, memory: int
) -> int:
    """One simulation, whose first `first` plies are those of the last one; returns its depth within the tree."""
    node, depth, loss_from, is_news = ROOT, 0, MOST_PATH_NODES, False
    landmark, rolls = 0, 0
    if how.lingers:
        for ply in range(1, first + 1):
            node = load(memory, PATH_NODES + ply)
            state = game.result(state, load(tree, node + ACTION))
        depth = first
    if how.trail:
        store(memory, TRAIL_LENGTH, 0)
    if how.grave:
        forget_asked(memory)
    while True:
        store(memory, PATH_NODES + depth, node)
        if how.solver and is_proved(how, tree, node):
            store(memory, PAYOFFS, fixed(load_real(tree, node + how.low), memory))
            is_news = how.shared  # two threads that prove siblings at once may both have missed what follows
            break
        children = load_acquire(tree, node + CHILDREN)
        if how.open:
            if game.is_terminal(state):
                pay(game, how, state, memory)
                break
            if how.chance and game.to_move(state) == CHANCE:
                if rolls >= load(memory, PLAYOUT_PLIES) or is_halted(memory):
                    pay(game, how, state, memory)
                    break
                outcome = draw_outcome(game, state, memory)
                if not is_halted(memory):
                    state = game.result(state, outcome)
                rolls += 1
                continue
            if depth == 0 or load(tree, node + VISITS) >= load(memory, EXPANSION):
                children = select_open(game, how, state, node, tree, memory)
        elif children == 0:
            if game.is_terminal(state):
                pay(game, how, state, memory)
                if how.solver and game.repetition >= 0:
                    value = float(game.utility(state, 0))
                    is_news = narrow_bounds(how, tree, node, value, value)
                break
            visits = load(tree, node + VISITS)
            if visits >= load(memory, EXPANSION):
                children = expand(game, how, state, node, tree, memory)
            elif how.bounds and visits == 0:
                low, high = game.bounds(state, 0)
                is_news = narrow_bounds(how, tree, node, float(low), float(high))
                if is_proved(how, tree, node):
                    store(memory, PAYOFFS, fixed(load_real(tree, node + how.low), memory))
                    break
        is_circle = how.transpositions and children > 0 and children == landmark
        if children <= 0 or is_circle or depth + 1 >= MOST_PATH_NODES or (depth > 0 and is_halted(memory)):
            if how.shared:
                loss_from = add_virtual_loss(how, tree, memory, depth)
            state = play_out(game, how, policy, state, load(tree, node + ACTION), load(memory, PLAYOUT_PLIES), memory)
            pay(game, how, state, memory)
            break
        mover = game.to_move(state)
        store(memory, MOVERS + depth, mover)
        if how.transpositions and how.solver:  # others may have proved something of the children
            is_news = narrow_from_children(how, tree, node, mover)
            if is_proved(how, tree, node):
                store(memory, PAYOFFS, fixed(load_real(tree, node + how.low), memory))
                break
        if how.transpositions:
            add(tree, (children >> COUNT_BITS) + PASSED, 1)
            if depth & (depth - 1) == 0:  # whoever goes round in a circle comes to one of these again
                landmark = children
        node = children if how.open else select_child(how, tree, node, children, mover, memory)
        state = game.result(state, load(tree, node + ACTION))
        if how.trail:
            note_move(memory, mover, load(tree, node + ACTION))
        depth += 1
        if how.repeats:
            place = mix(game.key(game.repetition_key(state)))
            times = times_before(memory, depth, place)
            enter(memory, depth, place)
            if game.repetition < 0 and times > 0:
                store(memory, PATH_NODES + depth, node)
                pay_all(how, worst(how, mover, memory), memory)
                break
            if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(state):
                store(memory, PATH_NODES + depth, node)
                pay_all(how, load(memory, MIDDLE), memory)
                break
    if depth > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, depth)
    back_up(how, tree, memory, depth, loss_from)
    if how.rave:
        update_rave(how, tree, memory, depth)
    if how.learns:
        policy.learn(how, memory)
    if how.implicit:
        back_up_implicit(how, tree, memory, depth)
    if how.repeats:
        for ply in range(1, depth + 1):
            leave(memory, load_word(memory, PATH + load(memory, BEFORE) + ply))
    if how.solver and is_news:
        prove(how, tree, memory, depth)
    return depth


# -- payoffs ---------------------------------------------------------------------------------------------


def fixed(value: float, memory: int) -> int:
    """A payoff as a whole number; one that is not a number ends the search."""
    if math.isnan(value):
        give_up(memory, NOT_A_NUMBER)
        return 0
    whole = value / load_real(memory, MAGNITUDE) * load_real(memory, UNITY) + 0.5
    return math.floor(min(max(whole, -float(MOST_WHOLE)), float(MOST_WHOLE)))


def pay(game: Game, how: Techniques, state: State, memory: int) -> None:
    """Write the payoffs at the end of a playout; if the game is not over, those of its bounds or its evaluation."""
    if game.is_terminal(state):
        for player in range(how.sums):
            store(memory, PAYOFFS + player, fixed(float(game.utility(state, player)), memory))
        return
    if how.decisive:
        low, high = game.bounds(state, 0)
        if low == high:
            store(memory, PAYOFFS, fixed(float(low), memory))
            return
    if not how.judges:
        pay_all(how, load(memory, MIDDLE), memory)
        return
    for player in range(how.sums):
        store(memory, PAYOFFS + player, fixed(float(game.evaluate(state, player)), memory))


def pay_all(how: Techniques, payoff: int, memory: int) -> None:
    for player in range(how.sums):
        store(memory, PAYOFFS + player, payoff)


def back_up(how: Techniques, tree: int, memory: int, depth: int, loss_from: int) -> None:
    """Add the payoffs to all nodes of the path, and take back virtual losses."""
    for ply in range(depth + 1):
        node = load(memory, PATH_NODES + ply)
        if how.shared:
            back_up_shared(how, tree, node, ply, loss_from, memory)
        else:
            store(tree, node + VISITS, load(tree, node + VISITS) + 1)
            for player in range(how.sums):
                store(tree, node + SUM + player, load(tree, node + SUM + player) + load(memory, PAYOFFS + player))
        if how.tuned:
            for player in range(how.sums):
                payoff = load(memory, PAYOFFS + player)
                add(tree, node + how.squares + player, math.floor(payoff * load_real(memory, UNIT) * payoff))


def back_up_implicit(how: Techniques, tree: int, memory: int, depth: int) -> None:
    """Implicit minimax backup: give the nodes of the path the minimax value of the evaluations below them."""
    for ply in range(depth - 1, -1, -1):
        node, mover = load(memory, PATH_NODES + ply), load(memory, MOVERS + ply)
        children = load(tree, node + CHILDREN)
        child, count = children >> COUNT_BITS, children & COUNT_MASK
        best = load_real(tree, child + how.implied)
        if how.chance and mover == CHANCE:
            best *= load_real(tree, child + how.likelihood)
        for _ in range(1, count):
            child += how.width
            value = load_real(tree, child + how.implied)
            if how.chance and mover == CHANCE:
                best += load_real(tree, child + how.likelihood) * value
            elif mover == 0:
                best = max(best, value)
            else:
                best = min(best, value)
        store_real(tree, node + how.implied, best)
