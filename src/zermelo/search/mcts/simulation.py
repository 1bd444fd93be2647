"""Simulations: select, expand, play out, back up, over and over again.

A node's first visits are playouts; then it gets children. Payoffs are kept as whole numbers, so many to the unit as the
desk says: sums of them do not depend on the order, whichever thread is first.

[Kocsis & Szepesvari 2006; Coulom 2006]
"""

from __future__ import annotations

import math

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import add, kernel, load, load_acquire, load_real, load_word, mix, store, store_real
from zermelo.search.engine.desk import BEFORE, DEEPEST_PLY, PATH, enter, leave, times_before
from zermelo.search.mcts.books import MOST_WHOLE
from zermelo.search.mcts.desk import (
    EXPANSION,
    LONGEST_WAY,
    MAGNITUDE,
    MIDDLE,
    MOVERS,
    PAYOFFS,
    PLAYOUT_PLIES,
    TRAIL_LENGTH,
    UNIT,
    UNITY,
    WAY,
    is_halted,
    note_move,
)
from zermelo.search.mcts.expansion import expanded, introduce
from zermelo.search.mcts.later import forget_asked, note_later_moves
from zermelo.search.mcts.manner import ACTION, CHILDREN, SUM, VISITS, Manner
from zermelo.search.mcts.opened import opened
from zermelo.search.mcts.playout import Playout, drawn_outcome, played_out
from zermelo.search.mcts.proofs import follows, is_proved, prove, settled
from zermelo.search.mcts.selection import selected
from zermelo.search.mcts.together import LINGERS, book_together, lend, often_visited, settle_all, worst
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, IS_FRESH, IS_FULL, PASSED, ROOT

NOT_A_NUMBER = 10
"""A trouble of the search: a payoff or an estimate is not a number."""


@kernel
def simulate(game: Game, how: Manner, policy: Playout, root: State, tree: int, desk: int) -> int:
    """Simulations until the limit, until the tree is full or until the root is proved; how many were made."""
    before = load(desk, NODES)
    if load(tree, IS_FRESH) != 0:
        store(tree, IS_FRESH, 0)
        children = load(tree, ROOT + CHILDREN)
        introduce(game, how, root, ROOT, children >> COUNT_BITS, children & COUNT_MASK, tree, desk)
    first, left = 0, 0
    while load(desk, NODES) < load(desk, LIMIT) and load(tree, IS_FULL) == 0:
        if how.solver and is_proved(how, tree, ROOT):
            break
        store(desk, NODES, load(desk, NODES) + 1)
        depth = simulated(game, how, policy, root, first, tree, desk)
        if how.lingers:
            if first == 0:
                first, left = often_visited(tree, desk, depth), LINGERS
            left -= 1
            if left == 0:
                first = 0
    if how.shared:
        settle_all(how, tree, desk)
    return load(desk, NODES) - before


def simulated(game: Game, how: Manner, policy: Playout, state: State, first: int, tree: int, desk: int) -> int:
    """One simulation from the root, which goes the way of the last one for so many plies; how deep the tree was."""
    node, depth, lent_from, is_news = ROOT, 0, LONGEST_WAY, False
    landmark, rolls = 0, 0
    if how.lingers:
        for ply in range(1, first + 1):
            node = load(desk, WAY + ply)
            state = game.result(state, load(tree, node + ACTION))
        depth = first
    if how.trail:
        store(desk, TRAIL_LENGTH, 0)
    if how.grave:
        forget_asked(desk)
    while True:
        store(desk, WAY + depth, node)
        if how.solver and is_proved(how, tree, node):
            store(desk, PAYOFFS, fixed(load_real(tree, node + how.low), desk))
            is_news = how.shared  # two threads that prove siblings at once may both have missed what follows
            break
        children = load_acquire(tree, node + CHILDREN)
        if how.open:
            if game.is_terminal(state):
                pay(game, how, state, desk)
                break
            if how.chance and game.to_move(state) == CHANCE:
                if rolls >= load(desk, PLAYOUT_PLIES) or is_halted(desk):
                    pay(game, how, state, desk)
                    break
                outcome = drawn_outcome(game, state, desk)
                if not is_halted(desk):
                    state = game.result(state, outcome)
                rolls += 1
                continue
            if depth == 0 or load(tree, node + VISITS) >= load(desk, EXPANSION):
                children = opened(game, how, state, node, tree, desk)
        elif children == 0:
            if game.is_terminal(state):
                pay(game, how, state, desk)
                if how.solver and game.repetition >= 0:
                    value = float(game.utility(state, 0))
                    is_news = settled(how, tree, node, value, value)
                break
            visits = load(tree, node + VISITS)
            if visits >= load(desk, EXPANSION):
                children = expanded(game, how, state, node, tree, desk)
            elif how.bounds and visits == 0:
                low, high = game.bounds(state, 0)
                is_news = settled(how, tree, node, float(low), float(high))
                if is_proved(how, tree, node):
                    store(desk, PAYOFFS, fixed(load_real(tree, node + how.low), desk))
                    break
        is_circle = how.transpositions and children > 0 and children == landmark
        if children <= 0 or is_circle or depth + 1 >= LONGEST_WAY or (depth > 0 and is_halted(desk)):
            if how.shared:
                lent_from = lend(how, tree, desk, depth)
            state = played_out(game, how, policy, state, load(tree, node + ACTION), load(desk, PLAYOUT_PLIES), desk)
            pay(game, how, state, desk)
            break
        mover = game.to_move(state)
        store(desk, MOVERS + depth, mover)
        if how.transpositions and how.solver:  # others may have proved something of the children
            is_news = follows(how, tree, node, mover)
            if is_proved(how, tree, node):
                store(desk, PAYOFFS, fixed(load_real(tree, node + how.low), desk))
                break
        if how.transpositions:
            add(tree, (children >> COUNT_BITS) + PASSED, 1)
            if depth & (depth - 1) == 0:  # whoever goes round in a circle comes to one of these again
                landmark = children
        node = children if how.open else selected(how, tree, node, children, mover, desk)
        state = game.result(state, load(tree, node + ACTION))
        if how.trail:
            note_move(desk, mover, load(tree, node + ACTION))
        depth += 1
        if how.repeats:
            place = mix(game.key(game.timeless(state)))
            times = times_before(desk, depth, place)
            enter(desk, depth, place)
            if game.repetition < 0 and times > 0:
                store(desk, WAY + depth, node)
                pay_all(how, worst(how, mover, desk), desk)
                break
            if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(state):
                store(desk, WAY + depth, node)
                pay_all(how, load(desk, MIDDLE), desk)
                break
    if depth > load(desk, DEEPEST_PLY):
        store(desk, DEEPEST_PLY, depth)
    back_up(how, tree, desk, depth, lent_from)
    if how.rave:
        note_later_moves(how, tree, desk, depth)
    if how.learns:
        policy.learn(how, desk)
    if how.implicit:
        imply(how, tree, desk, depth)
    if how.repeats:
        for ply in range(1, depth + 1):
            leave(desk, load_word(desk, PATH + load(desk, BEFORE) + ply))
    if how.solver and is_news:
        prove(how, tree, desk, depth)
    return depth


# -- payoffs ---------------------------------------------------------------------------------------------


def fixed(value: float, desk: int) -> int:
    """A payoff as a whole number; one that is not a number ends the search."""
    if math.isnan(value):
        give_up(desk, NOT_A_NUMBER)
        return 0
    whole = value / load_real(desk, MAGNITUDE) * load_real(desk, UNITY) + 0.5
    return math.floor(min(max(whole, -float(MOST_WHOLE)), float(MOST_WHOLE)))


def pay(game: Game, how: Manner, state: State, desk: int) -> None:
    """The payoffs at the end of a playout; what was not played to the end is settled by bounds, or judged."""
    if game.is_terminal(state):
        for player in range(how.sums):
            store(desk, PAYOFFS + player, fixed(float(game.utility(state, player)), desk))
        return
    if how.decisive:
        low, high = game.bounds(state, 0)
        if low == high:
            store(desk, PAYOFFS, fixed(float(low), desk))
            return
    if not how.judges:
        pay_all(how, load(desk, MIDDLE), desk)
        return
    for player in range(how.sums):
        store(desk, PAYOFFS + player, fixed(float(game.evaluate(state, player)), desk))


def pay_all(how: Manner, payoff: int, desk: int) -> None:
    for player in range(how.sums):
        store(desk, PAYOFFS + player, payoff)


def back_up(how: Manner, tree: int, desk: int, depth: int, lent_from: int) -> None:
    """Book the payoffs on all nodes of the way; what was lent is taken back."""
    for ply in range(depth + 1):
        node = load(desk, WAY + ply)
        if how.shared:
            book_together(how, tree, node, ply, lent_from, desk)
        else:
            store(tree, node + VISITS, load(tree, node + VISITS) + 1)
            for player in range(how.sums):
                store(tree, node + SUM + player, load(tree, node + SUM + player) + load(desk, PAYOFFS + player))
        if how.tuned:
            for player in range(how.sums):
                payoff = load(desk, PAYOFFS + player)
                add(tree, node + how.squares + player, math.floor(payoff * load_real(desk, UNIT) * payoff))


def imply(how: Manner, tree: int, desk: int, depth: int) -> None:
    """Give the nodes of the way what minimax makes of the guesses below them."""
    for ply in range(depth - 1, -1, -1):
        node, mover = load(desk, WAY + ply), load(desk, MOVERS + ply)
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
