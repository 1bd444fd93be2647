"""RAVE: a move is as good as it was anywhere later in the same simulations (all moves as first) [Gelly & Silver 2007].

GRAVE: a node with few visits uses the RAVE statistics of the nearest node above it at which the same player was to move
and which has enough visits [Cazenave 2015].
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import add, load, load_real, store
from zermelo.search.mcts.techniques import ACTION, CHILDREN, VISITS, Techniques, column_of
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NO_NODE
from zermelo.search.mcts.workspace import (
    ASKED,
    EQUIVALENCE,
    LOOKUP,
    MARKS,
    MOVERS,
    PATH_NODES,
    PAYOFFS,
    REFERENCE,
    SIDES,
    STAMP,
    TRAIL,
    TRAIL_LENGTH,
    kind_of,
)


def update_rave(how: Techniques, tree: int, memory: int, depth: int) -> None:
    """Add the payoffs to the RAVE statistics of all moves along the path that the same player made later."""
    stamp = load(memory, STAMP) + 1
    store(memory, STAMP, stamp)
    for index in range(load(memory, TRAIL_LENGTH) - 1, depth - 1, -1):
        store(memory, MARKS + kind_of(load(memory, TRAIL + 2 * index + 1), load(memory, TRAIL + 2 * index)), stamp)
    for ply in range(depth - 1, -1, -1):
        mover = load(memory, MOVERS + ply)
        if mover != CHANCE:
            store(memory, MARKS + kind_of(mover, load(memory, TRAIL + 2 * ply)), stamp)
            children = load(tree, load(memory, PATH_NODES + ply) + CHILDREN)
            child = children >> COUNT_BITS
            payoff = load(memory, PAYOFFS + column_of(how, mover))
            for _ in range(children & COUNT_MASK):
                if load(memory, MARKS + kind_of(mover, load(tree, child + ACTION))) == stamp:
                    if how.shared:
                        add(tree, child + how.rave_visits, 1)
                        add(tree, child + how.rave_sum, payoff)
                    else:
                        store(tree, child + how.rave_visits, load(tree, child + how.rave_visits) + 1)
                        store(tree, child + how.rave_sum, load(tree, child + how.rave_sum) + payoff)
                child += how.width


def forget_asked(memory: int) -> None:
    """Forget the reference nodes of the last simulation."""
    for side in range(SIDES):
        store(memory, ASKED + side, NO_NODE)


def reference_node(tree: int, node: int, mover: int, memory: int) -> int:
    """GRAVE's reference node: the node itself if it has enough visits, else one above, or NO_NODE."""
    side = ASKED + (mover & (SIDES - 1))
    if load(tree, node + VISITS) >= load(memory, REFERENCE):
        store(memory, side, node)
        return node
    return load(memory, side)


def list_moves(how: Techniques, tree: int, asked: int, mover: int, memory: int) -> None:
    """Index the children of the reference node by their moves."""
    children = load(tree, asked + CHILDREN)
    child = children >> COUNT_BITS
    for _ in range(children & COUNT_MASK):
        store(memory, LOOKUP + kind_of(mover, load(tree, child + ACTION)), child)
        child += how.width


def same_move(how: Techniques, tree: int, asked: int, child: int, mover: int, memory: int) -> int:
    """The child of the reference node with the same move, or NO_NODE."""
    children = load(tree, asked + CHILDREN)
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    found = load(memory, LOOKUP + kind_of(mover, load(tree, child + ACTION)))
    is_there = first <= found < first + count * how.width and (found - first) % how.width == 0
    return found if is_there and load(tree, found + ACTION) == load(tree, child + ACTION) else NO_NODE


def mix_rave(how: Techniques, tree: int, found: int, visits: float, mean: float, unit: float, memory: int) -> float:
    """A mean over `visits`, mixed with the RAVE mean of a node."""
    rave_visits = float(load(tree, found + how.rave_visits))
    if rave_visits == 0.0:
        return mean
    share = rave_visits / (rave_visits + visits + visits * rave_visits / load_real(memory, EQUIVALENCE))
    return (1 - share) * mean + share * unit * load(tree, found + how.rave_sum) / rave_visits
