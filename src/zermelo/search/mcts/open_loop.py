"""Open-loop search: a node stands for a sequence of moves, whatever the dice or the hidden cards were in between.

Its legal moves differ from visit to visit. UCB1 counts for each child the visits in which its move was available
(open-loop MCTS; information set MCTS, ISMCTS) [Perez et al. 2015; Cowling, Powley & Whitehouse 2012].
"""

from __future__ import annotations

import math

from zermelo.core.game import Game, State
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.tree import COUNT_MASK, NO_CHILDREN, NO_NODE, ROOT, Node, Tree, count_of, first_of
from zermelo.search.mcts.workspace import MctsWorkspace


def select_open(game: Game, how: Techniques, state: State, node: Node, tree: Tree, work: MctsWorkspace) -> Node:
    """The child with the highest UCB1, or a new one if a move is untried; NO_NODE if there is no room for it."""
    mover = game.to_move(state)
    count = work.usable(list_moves(game, state, node, work))
    unit, column = work.unit, column_of(how, mover)
    if how.is_opposed:
        unit = unit if mover == 0 else -unit
    children = tree.children(node)
    child, found, best, chosen = first_of(children), 0, -math.inf, NO_NODE
    for _ in range(count_of(children)):
        index = count
        if tree.mover(child) == mover:
            index = place_among(found, count, tree.action(child), work)
        if index < count:  # moves that have a child come to the front
            work.generated[index] = work.generated[found]
            found += 1
            available = tree.available(child) + 1
            tree.set_available(child, available)
            visits = float(tree.visits(child))
            score = unit * tree.total(child, column) / visits
            score += work.exploration * math.sqrt(math.log(available) / visits)
            if score > best:
                best, chosen = score, child
        child = tree.linked_sibling(child)
    if found < count:
        return expand_open(tree, node, mover, work.generated[found + work.below(count - found)])
    return chosen


def list_moves(game: Game, state: State, node: Node, work: MctsWorkspace) -> int:
    """Write the moves of a position, without those at the root that the history forbids; returns their number."""
    if game.repetition < 0 and node == ROOT:
        for index in range(work.legal_count):
            work.generated[index] = work.legal[index]
        return work.legal_count
    return game.fill_actions(state, work.buffer(), 0)


def place_among(first: int, count: int, action: int, work: MctsWorkspace) -> int:
    """The index of a move, from `first` on; `count` if it is missing."""
    index = first
    while index < count and work.generated[index] != action:
        index += 1
    return index


def expand_open(tree: Tree, node: Node, mover: int, action: int) -> Node:
    """Create a child for a move; NO_NODE if there is no room, or the node has the maximum number of children."""
    is_counted = count_of(tree.children(node)) < COUNT_MASK
    child = first_of(tree.new_block(node, 1) if is_counted else NO_CHILDREN)
    if child != NO_NODE:
        tree.erase(child)
        tree.set_action(child, action)
        tree.set_available(child, 1)
        tree.set_mover(child, mover)
        tree.link(node, child)
    return child
