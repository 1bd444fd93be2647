"""Open-loop search: a node stands for the moves that led to it, whatever the dice or the hidden cards were in between.

So its moves differ from visit to visit. A child is compared with the others over the visits in which its move was
available (open-loop MCTS, information set MCTS) [Perez et al. 2015; Cowling, Powley & Whitehouse 2012].
"""

from __future__ import annotations

import math

from zermelo.core.game import Game, State
from zermelo.kernel import load, load_real, store
from zermelo.search.legacy_workspace import fill_space
from zermelo.search.mcts.playout import below, usable
from zermelo.search.mcts.techniques import ACTION, CHILDREN, SUM, VISITS, Techniques, column_of
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NO_NODE, ROOT, block_for, link
from zermelo.search.mcts.workspace import EXPLORATION, LEGAL, UNIT


def select_open(game: Game, how: Techniques, state: State, node: int, tree: int, memory: int) -> int:
    """The child to go to, a new one if a move was never tried; NO_NODE if there is no room for it."""
    space, mover = fill_space(memory), game.to_move(state)
    if game.repetition < 0 and node == ROOT:
        count = fill_legal(space, memory)
    else:
        count = game.fill_actions(state, space, 0)
    count = usable(count, memory)
    unit, column = load_real(memory, UNIT), SUM + column_of(how, mover)
    if how.is_opposed:
        unit = unit if mover == 0 else -unit
    children = load(tree, node + CHILDREN)
    child, found, best, chosen = children >> COUNT_BITS, 0, -math.inf, NO_NODE
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
            score += load_real(memory, EXPLORATION) * math.sqrt(math.log(available) / visits)
            if score > best:
                best, chosen = score, child
        child = load(tree, child + how.next)
    if found < count:
        return with_child(how, node, mover, load(space, found + below(memory, count - found)), tree)
    return chosen


def fill_legal(space: int, memory: int) -> int:
    """The moves of the root that the past does not forbid; how many there are."""
    count = load(memory, LEGAL)
    for index in range(count):
        store(space, index, load(memory, LEGAL + 1 + index))
    return count


def place_among(space: int, first: int, count: int, action: int) -> int:
    """The index of a move, from `first` on; `count` if it is not there."""
    index = first
    while index < count and load(space, index) != action:
        index += 1
    return index


def with_child(how: Techniques, node: int, mover: int, action: int, tree: int) -> int:
    """A new child for a move; NO_NODE if there is no room, or the node has the largest possible number of children."""
    is_counted = load(tree, node + CHILDREN) & COUNT_MASK < COUNT_MASK
    child = block_for(tree, node, 1, how.header, how.width) if is_counted else NO_NODE
    if child != NO_NODE:
        for offset in range(how.width):
            store(tree, child + offset, 0)
        store(tree, child + ACTION, action)
        store(tree, child + how.available, 1)
        store(tree, child + how.mover, mover)
        link(tree, how.next, node, child)
    return child
