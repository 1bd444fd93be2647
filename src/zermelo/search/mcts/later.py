"""RAVE: a move is as good as it was anywhere later in the same simulations [Gelly & Silver 2007].

GRAVE: where a node was seldom visited, those of the nearest node above it are asked, where the same player was to move
and which was visited often enough [Cazenave 2015].
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import add, load, load_real, store
from zermelo.search.mcts.desk import (
    ASKED,
    EQUIVALENCE,
    LOOKUP,
    MARKS,
    MOVERS,
    PAYOFFS,
    REFERENCE,
    SIDES,
    STAMP,
    TRAIL,
    TRAIL_LENGTH,
    WAY,
    kind_of,
)
from zermelo.search.mcts.manner import ACTION, CHILDREN, VISITS, Manner, column_of
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NOBODY


def note_later_moves(how: Manner, tree: int, desk: int, depth: int) -> None:
    """Book the payoffs on all moves beside the way that the same player made later."""
    stamp = load(desk, STAMP) + 1
    store(desk, STAMP, stamp)
    for index in range(load(desk, TRAIL_LENGTH) - 1, depth - 1, -1):
        store(desk, MARKS + kind_of(load(desk, TRAIL + 2 * index + 1), load(desk, TRAIL + 2 * index)), stamp)
    for ply in range(depth - 1, -1, -1):
        mover = load(desk, MOVERS + ply)
        if mover != CHANCE:
            store(desk, MARKS + kind_of(mover, load(desk, TRAIL + 2 * ply)), stamp)
            children = load(tree, load(desk, WAY + ply) + CHILDREN)
            child = children >> COUNT_BITS
            payoff = load(desk, PAYOFFS + column_of(how, mover))
            for _ in range(children & COUNT_MASK):
                if load(desk, MARKS + kind_of(mover, load(tree, child + ACTION))) == stamp:
                    if how.shared:
                        add(tree, child + how.later_visits, 1)
                        add(tree, child + how.later_sum, payoff)
                    else:
                        store(tree, child + how.later_visits, load(tree, child + how.later_visits) + 1)
                        store(tree, child + how.later_sum, load(tree, child + how.later_sum) + payoff)
                child += how.width


def forget_asked(desk: int) -> None:
    """At the start of a simulation nobody is asked."""
    for side in range(SIDES):
        store(desk, ASKED + side, NOBODY)


def witness(tree: int, node: int, mover: int, desk: int) -> int:
    """The node whose later moves count here: itself, if it was visited often enough, or one above, or nobody."""
    side = ASKED + (mover & (SIDES - 1))
    if load(tree, node + VISITS) >= load(desk, REFERENCE):
        store(desk, side, node)
        return node
    return load(desk, side)


def list_moves(how: Manner, tree: int, asked: int, mover: int, desk: int) -> None:
    """Write down where the children of the node that is asked are, by their moves."""
    children = load(tree, asked + CHILDREN)
    child = children >> COUNT_BITS
    for _ in range(children & COUNT_MASK):
        store(desk, LOOKUP + kind_of(mover, load(tree, child + ACTION)), child)
        child += how.width


def same_move(how: Manner, tree: int, asked: int, child: int, mover: int, desk: int) -> int:
    """The child of the node that is asked with the same move, or nobody."""
    children = load(tree, asked + CHILDREN)
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    found = load(desk, LOOKUP + kind_of(mover, load(tree, child + ACTION)))
    is_there = first <= found < first + count * how.width and (found - first) % how.width == 0
    return found if is_there and load(tree, found + ACTION) == load(tree, child + ACTION) else NOBODY


def mixed(how: Manner, tree: int, found: int, visits: float, mean: float, unit: float, desk: int) -> float:
    """A mean after so many visits, mixed with that of the later moves booked on a node."""
    later = float(load(tree, found + how.later_visits))
    if later == 0.0:
        return mean
    share = later / (later + visits + visits * later / load_real(desk, EQUIVALENCE))
    return (1 - share) * mean + share * unit * load(tree, found + how.later_sum) / later
