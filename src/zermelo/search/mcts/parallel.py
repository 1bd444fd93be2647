"""Several threads in one tree: virtual loss, and batched updates of hot nodes.

A simulation under way counts as lost, so that other threads choose other branches (virtual loss). Hot nodes are updated
in batches from a per-thread ledger, because there virtual loss is negligible and atomic adds would contend for the same
cache lines.

[Chaslot, Winands & van den Herik 2008; Enzenberger & Mueller 2009]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import add, load, store
from zermelo.search.mcts.techniques import SUM, VISITS, Techniques, column_of
from zermelo.search.mcts.workspace import (
    HIGHEST,
    LEDGER,
    LEDGER_PAGES,
    LOWEST,
    MOST_PLAYERS,
    MOVERS,
    PATH_NODES,
    PAYOFFS,
)

OFTEN = 128
FEW, MANY = 4, 64
VERY_OFTEN, LINGERS = 1024, 8
PAGE_CELLS = 2 + MOST_PLAYERS
"""A page of the ledger: the node, its visits and what was paid to each player; no node if the visits are 0."""


def add_virtual_loss(how: Techniques, tree: int, memory: int, depth: int) -> int:
    """Add a virtual loss to the path from its first node with fewer than OFTEN visits on; returns that ply."""
    loss_from = depth + 1
    for ply in range(1, depth + 1):
        node, mover = load(memory, PATH_NODES + ply), load(memory, MOVERS + ply - 1)
        if ply >= loss_from or load(tree, node + VISITS) < OFTEN:
            loss_from = min(loss_from, ply)
            add(tree, node + VISITS, 1)
            if mover != CHANCE:
                add(tree, node + SUM + column_of(how, mover), worst(how, mover, memory))
    return loss_from


def often_visited(tree: int, memory: int, depth: int) -> int:
    """How many plies the path goes through nodes with at least VERY_OFTEN visits."""
    ply = 0
    while ply < depth and load(tree, load(memory, PATH_NODES + ply + 1) + VISITS) >= VERY_OFTEN:
        ply += 1
    return ply


def worst(how: Techniques, mover: int, memory: int) -> int:
    """The worst payoff for the player who moved, as a whole number; with two opponents, the first player's payoff."""
    return load(memory, HIGHEST) if how.is_opposed and mover == 1 else load(memory, LOWEST)


def back_up_shared(how: Techniques, tree: int, node: int, ply: int, loss_from: int, memory: int) -> None:
    """Add the payoffs to a node of the path, and take back its virtual loss."""
    if ply < loss_from and load(tree, node + VISITS) >= OFTEN:
        add_to_ledger(how, tree, node, memory)
        return
    if ply < loss_from:
        add(tree, node + VISITS, 1)
    mover = load(memory, MOVERS + ply - 1) if ply > 0 else CHANCE
    for player in range(how.sums):
        has_virtual_loss = ply >= loss_from and mover != CHANCE and (how.is_opposed or player == mover)
        add(
            tree,
            node + SUM + player,
            load(memory, PAYOFFS + player) - (worst(how, mover, memory) if has_virtual_loss else 0),
        )


def add_to_ledger(how: Techniques, tree: int, node: int, memory: int) -> None:
    page = LEDGER + node % LEDGER_PAGES * PAGE_CELLS
    if load(memory, page) != node:
        flush_page(how, tree, page, memory)
        store(memory, page, node)
    store(memory, page + 1, load(memory, page + 1) + 1)
    for player in range(how.sums):
        store(memory, page + 2 + player, load(memory, page + 2 + player) + load(memory, PAYOFFS + player))
    if load(memory, page + 1) >= min(load(tree, node + VISITS) // OFTEN + FEW, MANY):
        flush_page(how, tree, page, memory)


def flush_page(how: Techniques, tree: int, page: int, memory: int) -> None:
    """Add a page of the ledger to its node, and clear the page."""
    if load(memory, page + 1) > 0:
        node = load(memory, page)
        add(tree, node + VISITS, load(memory, page + 1))
        store(memory, page + 1, 0)
        for player in range(how.sums):
            add(tree, node + SUM + player, load(memory, page + 2 + player))
            store(memory, page + 2 + player, 0)


def flush_ledger(how: Techniques, tree: int, memory: int) -> None:
    for number in range(LEDGER_PAGES):
        flush_page(how, tree, LEDGER + number * PAGE_CELLS, memory)
