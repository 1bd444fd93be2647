"""RAVE: a move is also credited with simulations in which it was played later (all moves as first)
[Gelly & Silver 2007].

GRAVE: a node with few visits uses the RAVE statistics of the nearest node above it at which the same player was to move
and which has enough visits [Cazenave 2015].
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.tree import NO_NODE, Node, Tree, count_of, first_of
from zermelo.search.mcts.workspace import SIDES, MctsWorkspace, kind_of


def back_up_rave(how: Techniques, tree: Tree, depth: int, work: MctsWorkspace) -> None:
    """Add the payoffs to the RAVE statistics of all moves along the path that the same player played later."""
    stamp = work.stamp + 1
    work.stamp = stamp
    for index in range(work.trail_length - 1, depth - 1, -1):
        work.marks[kind_of(work.trail_player(index), work.trail_move(index))] = stamp
    for ply in range(depth - 1, -1, -1):
        mover = work.movers[ply]
        if mover != CHANCE:
            work.marks[kind_of(mover, work.trail_move(ply))] = stamp
            add_to_marked(how, tree, Node(work.path_nodes[ply]), mover, work)


def add_to_marked(how: Techniques, tree: Tree, node: Node, mover: int, work: MctsWorkspace) -> None:
    """Add the mover's payoff to the children whose moves were played from here on in this simulation."""
    children, payoff = tree.children(node), work.payoffs[column_of(how, mover)]
    child, stamp = first_of(children), work.stamp
    for _ in range(count_of(children)):
        if work.marks[kind_of(mover, tree.action(child))] == stamp:
            if how.shared:
                tree.add_rave_atomically(child, payoff)
            else:
                tree.add_rave(child, payoff)
        child = tree.sibling(child)


def mix_rave(tree: Tree, node: Node, visits: float, mean: float, unit: float, work: MctsWorkspace) -> float:
    """The weighted mean of a mean over `visits` and the RAVE mean of a node."""
    rave_visits = float(tree.rave_visits(node))
    if rave_visits == 0.0:
        return mean
    share = rave_visits / (rave_visits + visits + visits * rave_visits / work.equivalence)
    return (1 - share) * mean + share * unit * tree.rave_total(node) / rave_visits


# -- GRAVE -----------------------------------------------------------------------------------------------


def forget_reference_nodes(work: MctsWorkspace) -> None:
    """Forget the reference nodes of the last simulation."""
    for side in range(SIDES):
        work.reference_nodes[side] = NO_NODE


def reference_node(tree: Tree, node: Node, mover: int, work: MctsWorkspace) -> Node:
    """GRAVE's reference node: the node itself if it has enough visits, else one above it, or NO_NODE.

    The moves of a node above are indexed.
    """
    side = mover & (SIDES - 1)
    if tree.visits(node) >= work.reference:
        work.reference_nodes[side] = node
    found = Node(work.reference_nodes[side])
    if found != NO_NODE and found != node:
        index_moves(tree, found, mover, work)
    return found


def index_moves(tree: Tree, node: Node, mover: int, work: MctsWorkspace) -> None:
    """Index the children of the reference node by their moves."""
    children = tree.children(node)
    child = first_of(children)
    for _ in range(count_of(children)):
        work.lookup[kind_of(mover, tree.action(child))] = child
        child = tree.sibling(child)


def find_same_move(tree: Tree, reference: Node, child: Node, mover: int, work: MctsWorkspace) -> Node:
    """The child of the reference node with the same move, or NO_NODE."""
    children, action = tree.children(reference), tree.action(child)
    found = Node(work.lookup[kind_of(mover, action)])
    return found if tree.is_child(children, found) and tree.action(found) == action else NO_NODE
