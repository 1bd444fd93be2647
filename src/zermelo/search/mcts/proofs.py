"""Proofs within the tree: what is settled below settles something above.

[Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010]
"""

from __future__ import annotations

import math

from zermelo.core.game import CHANCE
from zermelo.kernel import load, load_real, store
from zermelo.search.mcts.desk import MOVERS, WAY
from zermelo.search.mcts.manner import CHILDREN, Manner
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK


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
        is_news = follows(how, tree, load(desk, WAY + ply), load(desk, MOVERS + ply))
        ply -= 1


def follows(how: Manner, tree: int, node: int, mover: int) -> bool:
    """Narrow what is proved of a node by what is proved of its children; whether that was news."""
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
    return settled(how, tree, node, low, high)
