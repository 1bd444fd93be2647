"""Simulations: select, expand, play out, back up, over and over again.

A node's first visit is a playout; the second gives it children. Payoffs are kept as whole numbers, so many to the unit
as the desk says: sums of them do not depend on the order, whichever thread is first.

[Kocsis & Szepesvari 2006; Coulom 2006; Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010]
"""

from __future__ import annotations

import math

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import FILL_MASK, add, claim, kernel, load, load_real, load_word, mix, store, store_real
from zermelo.search.engine.desk import (
    BEFORE,
    CELLS,
    DEEPEST_PLY,
    PATH,
    TOO_WIDE,
    enter,
    fill_space,
    leave,
    times_before,
)
from zermelo.search.mcts.manner import ACTION, CHILDREN, SUM, VISITS, Manner
from zermelo.search.mcts.playout import Playout, below, fraction, played_out
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, IN_THE_MAKING, IS_FULL, ROOT, block_for

SCALE, UNIT, EXPLORATION, LOWEST, HIGHEST, PLAYOUT_PLIES = range(CELLS, CELLS + 6)
"""So many whole numbers to 1; what one of them counts, on a scale from -1 to 1; the constant of UCB1; the least and the
most that anybody gets; and how long a playout may take."""
PAYOFFS = CELLS + 8
MOST_PLAYERS = 64
WAY = PAYOFFS + MOST_PLAYERS
LONGEST_WAY = 4096
MOVERS = WAY + LONGEST_WAY
MCTS_CELLS = MOVERS + LONGEST_WAY


@kernel
def simulate(game: Game, how: Manner, policy: Playout, root: State, tree: int, desk: int) -> int:
    """Simulations until the limit, until the tree is full or until the root is proved; how many were made."""
    before = load(desk, NODES)
    while load(desk, NODES) < load(desk, LIMIT) and load(tree, IS_FULL) == 0:
        if how.solver and load(tree, ROOT + how.low) == load(tree, ROOT + how.high):
            break
        store(desk, NODES, load(desk, NODES) + 1)
        simulated(game, how, policy, root, tree, desk)
    return load(desk, NODES) - before


def simulated(game: Game, how: Manner, policy: Playout, state: State, tree: int, desk: int) -> None:
    """One simulation from the root."""
    node, depth, is_news = ROOT, 0, False
    while True:
        store(desk, WAY + depth, node)
        if how.solver and load(tree, node + how.low) == load(tree, node + how.high):
            store(desk, PAYOFFS, load(tree, node + how.low))
            break
        children = load(tree, node + CHILDREN)
        if children == 0:
            if game.is_terminal(state):
                pay(game, how, state, desk)
                if how.solver and game.repetition >= 0:
                    is_news = settled(how, tree, node, load(desk, PAYOFFS), load(desk, PAYOFFS))
                break
            is_known = load(tree, node + VISITS) > (1 if how.shared and depth > 0 else 0)
            if is_known:
                children = expanded(game, how, state, node, tree, desk)
            elif how.bounds:
                low, high = game.bounds(state, 0)
                is_news = settled(how, tree, node, fixed(low, desk), fixed(high, desk))
                if load(tree, node + how.low) == load(tree, node + how.high):
                    store(desk, PAYOFFS, load(tree, node + how.low))
                    break
        if children <= 0 or depth + 1 >= LONGEST_WAY:
            state = played_out(game, how, policy, state, load(tree, node + ACTION), load(desk, PLAYOUT_PLIES), desk)
            pay(game, how, state, desk)
            break
        mover = game.to_move(state)
        store(desk, MOVERS + depth, mover)
        node = selected(how, tree, node, children, mover, desk)
        if how.shared:  # until it is known better, the simulation counts as lost: other threads go elsewhere
            add(tree, node + VISITS, 1)
            add_payoffs(how, tree, node, mover, 1, desk)
        state = game.result(state, load(tree, node + ACTION))
        depth += 1
        if how.repeats:
            place = mix(game.key(game.timeless(state)))
            times = times_before(desk, depth, place)
            enter(desk, depth, place)
            if game.repetition < 0 and times > 0:
                store(desk, WAY + depth, node)
                pay_all(how, worst(how, mover, desk), desk)
                break
            if game.repetition > 0 and times + 1 >= game.repetition:
                store(desk, WAY + depth, node)
                pay_all(how, fixed((game.utility_range[0] + game.utility_range[1]) / 2, desk), desk)
                break
    if depth > load(desk, DEEPEST_PLY):
        store(desk, DEEPEST_PLY, depth)
    back_up(how, tree, desk, depth)
    if how.repeats:
        for ply in range(1, depth + 1):
            leave(desk, load_word(desk, PATH + load(desk, BEFORE) + ply))
    if how.solver and is_news:
        prove(how, tree, desk, depth)


# -- selection -------------------------------------------------------------------------------------------


def selected(how: Manner, tree: int, node: int, children: int, mover: int, desk: int) -> int:
    """The child to go to: by UCB1, or as chance will have it."""
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    child, end = first, first + count * how.width
    if how.chance and mover == CHANCE:
        luck = fraction(desk) - load_real(tree, child + how.likelihood)
        while luck >= 0 and child + how.width < end:
            child += how.width
            luck -= load_real(tree, child + how.likelihood)
        return child
    child += how.width * below(desk, count)  # so that of equals any may come first
    logarithm = math.log(max(1, load(tree, node + VISITS)))
    exploration, unit = load_real(desk, EXPLORATION), load_real(desk, UNIT)
    column = SUM
    if how.is_opposed:
        unit = unit if mover == 0 else -unit
    else:
        column = SUM + mover
    best, chosen = -math.inf, child
    for _ in range(count):
        if not (how.solver and is_pointless(how, tree, node, child, mover)):
            visits = load(tree, child + VISITS)
            if visits == 0:
                return child
            share = 1.0 / visits
            score = unit * load(tree, child + column) * share + exploration * math.sqrt(logarithm * share)
            if score > best:
                best, chosen = score, child
        child += how.width
        if child == end:
            child = first
    return chosen


def is_pointless(how: Manner, tree: int, node: int, child: int, mover: int) -> bool:
    """The child is proved to be no better than what the mover has for certain."""
    if mover == 0:
        return load(tree, child + how.high) <= load(tree, node + how.low)
    return load(tree, child + how.low) >= load(tree, node + how.high)


# -- expansion -------------------------------------------------------------------------------------------


def expanded(game: Game, how: Manner, state: State, node: int, tree: int, desk: int) -> int:
    """Give a node its children: where they are; 0 if there is no room, or another thread is at it."""
    if how.shared and not claim(tree, node + CHILDREN, 0, IN_THE_MAKING):
        return 0
    space, count = fill_space(desk), 0
    is_luck = how.chance and game.to_move(state) == CHANCE
    if is_luck:
        for action, _ in game.outcomes(state):
            store(space, count & FILL_MASK, action)
            count += 1
    elif how.is_opposed:
        count = game.fill_candidates(state, space, 0)
    else:
        count = game.fill_actions(state, space, 0)
    if count > FILL_MASK:
        give_up(desk, TOO_WIDE)
        count = 0
    first = block_for(tree, node, count, how.width) if count > 0 else 0
    if first == 0:
        store(tree, node + CHILDREN, 0)
        return 0
    for index in range(count):
        child = first + index * how.width
        for offset in range(how.width):
            store(tree, child + offset, 0)
        store(tree, child + ACTION, load(space, index))
        if how.solver:
            store(tree, child + how.low, load(desk, LOWEST))
            store(tree, child + how.high, load(desk, HIGHEST))
    if is_luck:
        child = first
        for _, probability in game.outcomes(state):
            store_real(tree, child + how.likelihood, probability)
            child += how.width
    place = first << COUNT_BITS | count
    store(tree, node + CHILDREN, place)
    return place


# -- payoffs ---------------------------------------------------------------------------------------------


def fixed(value: float, desk: int) -> int:
    """A payoff as a whole number."""
    return math.floor(value * load_real(desk, SCALE) + 0.5)


def pay(game: Game, how: Manner, state: State, desk: int) -> None:
    """The payoffs at the end of a playout; what was not played to the end is judged."""
    is_over = game.is_terminal(state)
    for player in range(how.sums):
        value = float(game.utility(state, player)) if is_over else float(game.evaluate(state, player))
        store(desk, PAYOFFS + player, fixed(value, desk))


def pay_all(how: Manner, payoff: int, desk: int) -> None:
    for player in range(how.sums):
        store(desk, PAYOFFS + player, payoff)


def worst(how: Manner, mover: int, desk: int) -> int:
    """The worst payoff for the player who moved, as it stands in the books: where two are opposed, the first one's."""
    return load(desk, HIGHEST) if how.is_opposed and mover == 1 else load(desk, LOWEST)


def add_payoffs(how: Manner, tree: int, node: int, mover: int, sign: int, desk: int) -> None:
    """Book the loss of a simulation that is not finished yet, or take it back."""
    if mover != CHANCE:
        add(tree, node + SUM + (0 if how.is_opposed else mover), sign * worst(how, mover, desk))


def back_up(how: Manner, tree: int, desk: int, depth: int) -> None:
    """Book the payoffs on all nodes of the way."""
    for ply in range(depth + 1):
        node = load(desk, WAY + ply)
        if how.shared:
            if ply == 0:
                add(tree, node + VISITS, 1)
            else:
                add_payoffs(how, tree, node, load(desk, MOVERS + ply - 1), -1, desk)
            for player in range(how.sums):
                add(tree, node + SUM + player, load(desk, PAYOFFS + player))
        else:
            store(tree, node + VISITS, load(tree, node + VISITS) + 1)
            for player in range(how.sums):
                store(tree, node + SUM + player, load(tree, node + SUM + player) + load(desk, PAYOFFS + player))


# -- proofs ----------------------------------------------------------------------------------------------


def settled(how: Manner, tree: int, node: int, low: int, high: int) -> bool:
    """Narrow what is proved of a node; whether that was news."""
    low, high = max(low, load(tree, node + how.low)), min(high, load(tree, node + how.high))
    is_news = low > load(tree, node + how.low) or high < load(tree, node + how.high)
    if is_news:
        store(tree, node + how.low, low)
        store(tree, node + how.high, high)
    return is_news


def prove(how: Manner, tree: int, desk: int, depth: int) -> None:
    """What is proved of the last node of the way proves something of those before it."""
    ply = depth - 1
    is_news = True
    while is_news and ply >= 0:
        node, mover = load(desk, WAY + ply), load(desk, MOVERS + ply)
        children = load(tree, node + CHILDREN)
        first, count = children >> COUNT_BITS, children & COUNT_MASK
        low, high = load(tree, first + how.low), load(tree, first + how.high)
        if how.chance and mover == CHANCE:
            least, most = 0.0, 0.0
            for index in range(count):
                child = first + index * how.width
                least += load_real(tree, child + how.likelihood) * load(tree, child + how.low)
                most += load_real(tree, child + how.likelihood) * load(tree, child + how.high)
            low, high = math.floor(least), math.ceil(most)
        else:
            for index in range(1, count):
                child = first + index * how.width
                if mover == 0:
                    low, high = max(low, load(tree, child + how.low)), max(high, load(tree, child + how.high))
                else:
                    low, high = min(low, load(tree, child + how.low)), min(high, load(tree, child + how.high))
        is_news = settled(how, tree, node, low, high)
        ply -= 1
