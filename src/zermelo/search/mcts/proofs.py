"""Proofs within the tree: bounds of children prove bounds of their parents (MCTS-Solver, score-bounded MCTS).

A node has a lower and an upper bound of its value, as real numbers. They start with the game's declared bounds, which
may be infinite. Each bound is proved independently: by the end of a game, by the game's own `bounds` or by the bounds
of all children. So it holds whichever other bound another thread has just narrowed.

[Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.tree import Node, Tree, count_of, first_of
from zermelo.search.mcts.workspace import MctsWorkspace


def narrow_bounds(how: Techniques, tree: Tree, node: Node, low: float, high: float) -> bool:
    """Narrow the proved bounds of a node; returns whether they changed.

    Bounds cannot cross by rounding.
    """
    lower, upper = node + tree.columns.low, node + tree.columns.high
    if how.shared:
        raised = tree.narrow_bound_atomically(lower, min(low, tree.upper_bound(node)), 1)
        return tree.narrow_bound_atomically(upper, max(high, tree.lower_bound(node)), -1) or raised
    raised = tree.narrow_bound(lower, min(low, tree.upper_bound(node)), 1)
    return tree.narrow_bound(upper, max(high, tree.lower_bound(node)), -1) or raised


def back_up_bounds(how: Techniques, tree: Tree, depth: int, work: MctsWorkspace) -> None:
    """Narrow the bounds of the nodes on the path, from its end towards the root, until nothing changes."""
    ply = depth - 1
    is_news = True
    while is_news and ply >= 0:
        is_news = narrow_from_children(how, tree, Node(work.path_nodes[ply]), work.movers[ply])
        ply -= 1


def narrow_from_children(how: Techniques, tree: Tree, node: Node, mover: int) -> bool:
    """Narrow the proved bounds of a node by those of its children; returns whether they changed."""
    children = tree.children(node)
    child = first_of(children)
    low, high = tree.lower_bound(child), tree.upper_bound(child)
    if how.chance and mover == CHANCE:
        low, high = 0.0, 0.0
        for index in range(count_of(children)):
            child = tree.child(children, index)
            likelihood = tree.likelihood(child)
            if likelihood > 0:  # 0 times infinity is not a number
                low += likelihood * tree.lower_bound(child)
                high += likelihood * tree.upper_bound(child)
    else:
        for index in range(1, count_of(children)):
            child = tree.child(children, index)
            if mover == 0:
                low, high = max(low, tree.lower_bound(child)), max(high, tree.upper_bound(child))
            else:
                low, high = min(low, tree.lower_bound(child)), min(high, tree.upper_bound(child))
    return narrow_bounds(how, tree, node, low, high)
