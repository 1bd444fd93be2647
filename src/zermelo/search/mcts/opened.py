"""Open search: a node stands for the moves that led to it, whatever the dice or the hidden cards were in between.

So its moves differ from visit to visit. A child is compared with the others over the visits where its move was
available [Perez et al. 2015; Cowling, Powley & Whitehouse 2012].
"""

from __future__ import annotations

import math

from zermelo.core.game import Game, State
from zermelo.kernel import load, load_real, store
from zermelo.search.engine.desk import fill_space
from zermelo.search.mcts.desk import EXPLORATION, LEGAL, UNIT
from zermelo.search.mcts.manner import ACTION, CHILDREN, SUM, VISITS, Manner, column_of
from zermelo.search.mcts.playout import below, usable
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NOBODY, ROOT, block_for, link


def opened(game: Game, how: Manner, state: State, node: int, tree: int, desk: int) -> int:
    """The child to go to, new if a move was never tried; nobody, if there is no room for it."""
    space, mover = fill_space(desk), game.to_move(state)
    if game.repetition < 0 and node == ROOT:
        count = fill_legal(space, desk)
    else:
        count = game.fill_actions(state, space, 0)
    count = usable(count, desk)
    unit, column = load_real(desk, UNIT), SUM + column_of(how, mover)
    if how.is_opposed:
        unit = unit if mover == 0 else -unit
    children = load(tree, node + CHILDREN)
    child, found, best, chosen = children >> COUNT_BITS, 0, -math.inf, NOBODY
    for _ in range(children & COUNT_MASK):
        index = count
        if load(tree, child + how.mover) == mover:
            index = place_among(space, found, count, load(tree, child + ACTION))
        if index < count:  # moves that have a child come to the front
            store(space, index, load(space, found))
            found += 1
            available = load(tree, child + how.available) + 1
            store(tree, child + how.available, available)
            visits = float(load(tree, child + VISITS))
            score = unit * load(tree, child + column) / visits
            score += load_real(desk, EXPLORATION) * math.sqrt(math.log(available) / visits)
            if score > best:
                best, chosen = score, child
        child = load(tree, child + how.next)
    if found < count:
        return with_child(how, node, mover, load(space, found + below(desk, count - found)), tree)
    return chosen


def fill_legal(space: int, desk: int) -> int:
    """The moves of the root that the past does not forbid; how many there are."""
    count = load(desk, LEGAL)
    for index in range(count):
        store(space, index, load(desk, LEGAL + 1 + index))
    return count


def place_among(space: int, first: int, count: int, action: int) -> int:
    """Where a move stands from a place on; `count` if nowhere."""
    index = first
    while index < count and load(space, index) != action:
        index += 1
    return index


def with_child(how: Manner, node: int, mover: int, action: int, tree: int) -> int:
    """A new child for a move, or nobody: there is no room, or the node has as many as can be counted."""
    is_counted = load(tree, node + CHILDREN) & COUNT_MASK < COUNT_MASK
    child = block_for(tree, node, 1, how.header, how.width) if is_counted else NOBODY
    if child != NOBODY:
        for offset in range(how.width):
            store(tree, child + offset, 0)
        store(tree, child + ACTION, action)
        store(tree, child + how.available, 1)
        store(tree, child + how.mover, mover)
        link(tree, how.next, node, child)
    return child
