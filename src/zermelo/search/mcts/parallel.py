"""Several threads in one tree: virtual loss, and batched updates of hot nodes.

A simulation under way counts as lost, so that other threads choose other branches (virtual loss). Hot nodes are updated
in batches from a per-thread ledger, because there virtual loss is negligible and atomic adds would contend for the same
cache lines.

[Chaslot, Winands & van den Herik 2008; Enzenberger & Mueller 2009]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.tree import Node, Tree
from zermelo.search.mcts.workspace import LEDGER_PAGES, LedgerPage, MctsWorkspace

OFTEN = 128
FEW, MANY = 4, 64
VERY_OFTEN, LINGERS = 1024, 8


def add_virtual_loss(how: Techniques, tree: Tree, depth: int, work: MctsWorkspace) -> int:
    """Add a virtual loss to the path from its first node with fewer than OFTEN visits on; returns that ply."""
    loss_from = depth + 1
    for ply in range(1, depth + 1):
        node, mover = Node(work.path_nodes[ply]), work.movers[ply - 1]
        if ply >= loss_from or tree.visits(node) < OFTEN:
            loss_from = min(loss_from, ply)
            tree.add_visits_atomically(node, 1)
            if mover != CHANCE:
                tree.add_payoff_atomically(node, column_of(how, mover), loss_payoff(how, mover, work))
    return loss_from


def hot_plies(tree: Tree, depth: int, work: MctsWorkspace) -> int:
    """The number of plies that the path goes through nodes with at least VERY_OFTEN visits."""
    ply = 0
    while ply < depth and tree.visits(Node(work.path_nodes[ply + 1])) >= VERY_OFTEN:
        ply += 1
    return ply


def loss_payoff(how: Techniques, mover: int, work: MctsWorkspace) -> int:
    """The stored payoff of a loss of the player who moved; with two opponents, seen by the first player."""
    return work.highest if how.is_opposed and mover == 1 else work.lowest


def back_up_shared(how: Techniques, tree: Tree, node: Node, ply: int, loss_from: int, work: MctsWorkspace) -> None:
    """Add the payoffs to a node of the path, and remove its virtual loss."""
    if ply < loss_from and tree.visits(node) >= OFTEN:
        add_to_ledger(how, tree, node, work)
        return
    if ply < loss_from:
        tree.add_visits_atomically(node, 1)
    mover = work.movers[ply - 1] if ply > 0 else CHANCE
    for player in range(how.sums):
        has_virtual_loss = ply >= loss_from and mover != CHANCE and (how.is_opposed or player == mover)
        loss = loss_payoff(how, mover, work) if has_virtual_loss else 0
        tree.add_payoff_atomically(node, player, work.payoffs[player] - loss)


def add_to_ledger(how: Techniques, tree: Tree, node: Node, work: MctsWorkspace) -> None:
    """Add the payoffs to the node's page of the ledger, and flush the page once it has enough of them."""
    page = work.page(node % LEDGER_PAGES)
    if page.node != node:
        flush_page(how, tree, page)
        page.node = node
    page.visits += 1
    for player in range(how.sums):
        page.payoffs[player] = page.payoffs[player] + work.payoffs[player]
    if page.visits >= min(tree.visits(node) // OFTEN + FEW, MANY):
        flush_page(how, tree, page)


def flush_page(how: Techniques, tree: Tree, page: LedgerPage) -> None:
    """Add a page of the ledger to its node, and clear the page."""
    if page.visits > 0:
        node = Node(page.node)
        tree.add_visits_atomically(node, page.visits)
        page.visits = 0
        for player in range(how.sums):
            tree.add_payoff_atomically(node, player, page.payoffs[player])
            page.payoffs[player] = 0


def flush_ledger(how: Techniques, tree: Tree, work: MctsWorkspace) -> None:
    for index in range(LEDGER_PAGES):
        flush_page(how, tree, work.page(index))
