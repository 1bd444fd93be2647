"""Proofs within the tree: what is settled below settles something above.

A node has a lower and an upper bound of its value, as real numbers; they begin as the game declares them, and may be
infinite. A bound is proved by itself: by the end of a game, by the game's own `bounds` or by the bounds of all
children. So whatever else is known, and whichever bound another thread has just narrowed, it holds.

[Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import U64, claim, load, load_real, number, real_of, store_real, word_of
from zermelo.search.mcts.desk import MOVERS, WAY
from zermelo.search.mcts.manner import CHILDREN, Manner
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK


def is_proved(how: Manner, tree: int, node: int) -> bool:
    """Whether the value of a node is known."""
    return load_real(tree, node + how.low) >= load_real(tree, node + how.high)


def settled(how: Manner, tree: int, node: int, low: float, high: float) -> bool:
    """Narrow what is proved of a node; whether that was news.

    A bound does not pass the other one, which rounding might make it do.
    """
    raised = narrowed(how, tree, node + how.low, min(low, load_real(tree, node + how.high)), 1)
    lowered = narrowed(how, tree, node + how.high, max(high, load_real(tree, node + how.low)), -1)
    return raised or lowered


def narrowed(how: Manner, tree: int, cell: int, bound: float, sign: int) -> bool:
    """Raise a bound, or lower it if the sign is negative; whether that was news. Threads never undo each other's."""
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


def prove(how: Manner, tree: int, desk: int, depth: int) -> None:
    """What is proved of the last node of the way proves something of those before it."""
    ply = depth - 1
    is_news = True
    while is_news and ply >= 0:
        is_news = follows(how, tree, load(desk, WAY + ply), load(desk, MOVERS + ply))
        ply -= 1


def follows(how: Manner, tree: int, node: int, mover: int) -> bool:
    """Narrow what is proved of a node by what is proved of its children; whether that was news."""
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
    return settled(how, tree, node, low, high)
