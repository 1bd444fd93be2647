"""Backup: the payoffs of a simulation are added to the nodes of its path. [Coulom 2006]"""

from __future__ import annotations

import math

from zermelo.core.game import CHANCE, Game, State
from zermelo.search.mcts.parallel import back_up_shared
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.tree import Node, Tree, count_of, first_of
from zermelo.search.mcts.workspace import MctsWorkspace


def write_payoffs(game: Game, how: Techniques, state: State, work: MctsWorkspace) -> None:
    """Write the payoffs at the end of a playout; before the end of the game, the game's bounds or its evaluation."""
    if game.is_terminal(state):
        for player in range(how.sums):
            work.payoffs[player] = work.to_stored(float(game.utility(state, player)))
        return
    if how.decisive:
        low, high = game.bounds(state, 0)
        if low == high:
            work.payoffs[0] = work.to_stored(float(low))
            return
    if not how.judges:
        write_equal_payoffs(how, work.middle, work)
        return
    for player in range(how.sums):
        work.payoffs[player] = work.to_stored(float(game.evaluate(state, player)))


def write_equal_payoffs(how: Techniques, payoff: int, work: MctsWorkspace) -> None:
    for player in range(how.sums):
        work.payoffs[player] = payoff


def back_up(how: Techniques, tree: Tree, depth: int, loss_from: int, work: MctsWorkspace) -> None:
    """Add the payoffs to all nodes of the path, and remove virtual losses."""
    for ply in range(depth + 1):
        node = Node(work.path_nodes[ply])
        if how.shared:
            back_up_shared(how, tree, node, ply, loss_from, work)
        else:
            tree.add_visit(node)
            for player in range(how.sums):
                tree.add_payoff(node, player, work.payoffs[player])
        if how.tuned:
            for player in range(how.sums):
                payoff = work.payoffs[player]
                tree.add_square_atomically(node, player, math.floor(payoff * work.unit * payoff))


def back_up_implicit(how: Techniques, tree: Tree, depth: int, work: MctsWorkspace) -> None:
    """Implicit minimax backups: give the nodes of the path the minimax value of the evaluations below them.

    [Lanctot, Winands, Pepels & Sturtevant 2014]
    """
    for ply in range(depth - 1, -1, -1):
        node = Node(work.path_nodes[ply])
        tree.set_implicit_value(node, implicit_minimax(how, tree, node, work.movers[ply]))


def implicit_minimax(how: Techniques, tree: Tree, node: Node, mover: int) -> float:
    """The best of the children's implicit values for the mover; at a chance node, their mean."""
    children = tree.children(node)
    child = first_of(children)
    best = tree.implicit_value(child)
    if how.chance and mover == CHANCE:
        best *= tree.likelihood(child)
    for _ in range(1, count_of(children)):
        child = tree.sibling(child)
        value = tree.implicit_value(child)
        if how.chance and mover == CHANCE:
            best += tree.likelihood(child) * value
        elif mover == 0:
            best = max(best, value)
        else:
            best = min(best, value)
    return best
