"""Proofs within the tree: bounds of children prove bounds of their parents (MCTS-Solver, score-bounded MCTS).

A node has a lower and an upper bound of its value, as real numbers; they begin as the game declares them, and may be
infinite. A bound is proved by itself: by the end of a game, by the game's own `bounds` or by the bounds of all
children. So whatever else is known, and whichever bound another thread has just narrowed, it holds.

[Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import U64, claim, load, load_real, number, real_of, store_real, word_of
from zermelo.search.mcts.techniques import CHILDREN, Techniques
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK
from zermelo.search.mcts.workspace import MOVERS, PATH_NODES


def is_proved(how: Techniques, tree: int, node: int) -> bool:
    """Whether the value of a node is known."""
    return load_real(tree, node + how.low) >= load_real(tree, node + how.high)


def narrow_bounds(how: Techniques, tree: int, node: int, low: float, high: float) -> bool:
    """Narrow the proved bounds of a node; returns whether that was news.

    A bound does not pass the other one, as it could by rounding.
    """
    raised = narrow_bound(how, tree, node + how.low, min(low, load_real(tree, node + how.high)), 1)
    lowered = narrow_bound(how, tree, node + how.high, max(high, load_real(tree, node + how.low)), -1)
    return raised or lowered


def narrow_bound(how: Techniques, tree: int, cell: int, bound: float, sign: int) -> bool:
    """Raise a bound, or lower it if the sign is negative; returns whether that was news. Safe between threads."""
    if not how.shared:
        is_news = sign * bound > sign * load_real(tree, cell)
        if is_news:
            store_real(tree, cell, bound)
        return is_news
    while True:
        before = load(tree, cell)
        if not sign * bound > sign * real_of(U64(before)):
            return False
        if claim(tree, cell, before, number(word_of(bound))):
            return True


def prove(how: Techniques, tree: int, memory: int, depth: int) -> None:
    """Narrow the bounds of the nodes on the path, from its end to the root, as long as that is news."""
    ply = depth - 1
    is_news = True
    while is_news and ply >= 0:
        is_news = narrow_from_children(how, tree, load(memory, PATH_NODES + ply), load(memory, MOVERS + ply))
        ply -= 1


def narrow_from_children(how: Techniques, tree: int, node: int, mover: int) -> bool:
    """Narrow the proved bounds of a node by those of its children; returns whether that was news."""
    children = load(tree, node + CHILDREN)
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    low, high = load_real(tree, first + how.low), load_real(tree, first + how.high)
    if how.chance and mover == CHANCE:
        low, high = 0.0, 0.0
        for index in range(count):
            child = first + index * how.width
            likelihood = load_real(tree, child + how.likelihood)
            if likelihood > 0:  # nothing times infinity is not a number
                low += likelihood * load_real(tree, child + how.low)
                high += likelihood * load_real(tree, child + how.high)
    else:
        for index in range(1, count):
            child = first + index * how.width
            if mover == 0:
                low, high = max(low, load_real(tree, child + how.low)), max(high, load_real(tree, child + how.high))
            else:
                low, high = min(low, load_real(tree, child + how.low)), min(high, load_real(tree, child + how.high))
    return narrow_bounds(how, tree, node, low, high)
