"""Several threads in one tree: how they keep apart, and how they keep from waiting for each other.

A simulation on its way counts as lost, so that other threads go elsewhere (virtual loss). A node that was visited often
would not notice; there the threads would only take the same few cells out of each other's hands. So each keeps a ledger
of its own for such nodes, and books from it by the dozen.

[Chaslot, Winands & van den Herik 2008; Enzenberger & Mueller 2009]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import add, load, store
from zermelo.search.mcts.desk import HIGHEST, LEDGER, LEDGER_PAGES, LOWEST, MOST_PLAYERS, MOVERS, PAYOFFS, WAY
from zermelo.search.mcts.manner import SUM, VISITS, Manner, column_of

OFTEN = 128
FEW, MANY = 4, 64
VERY_OFTEN, LINGERS = 1024, 8
PAGE_CELLS = 2 + MOST_PLAYERS
"""A page of the ledger: the node, its visits and what was paid to each player; no node if the visits are 0."""


def lend(how: Manner, tree: int, desk: int, depth: int) -> int:
    """Count the simulation as lost from the first node of its way on that was not visited often; where that is."""
    lent_from = depth + 1
    for ply in range(1, depth + 1):
        node, mover = load(desk, WAY + ply), load(desk, MOVERS + ply - 1)
        if ply >= lent_from or load(tree, node + VISITS) < OFTEN:
            lent_from = min(lent_from, ply)
            add(tree, node + VISITS, 1)
            if mover != CHANCE:
                add(tree, node + SUM + column_of(how, mover), worst(how, mover, desk))
    return lent_from


def often_visited(tree: int, desk: int, depth: int) -> int:
    """How far the way goes through nodes that were visited very often."""
    ply = 0
    while ply < depth and load(tree, load(desk, WAY + ply + 1) + VISITS) >= VERY_OFTEN:
        ply += 1
    return ply


def worst(how: Manner, mover: int, desk: int) -> int:
    """The worst payoff for the player who moved, as it stands in the books: where two are opposed, the first one's."""
    return load(desk, HIGHEST) if how.is_opposed and mover == 1 else load(desk, LOWEST)


def book_together(how: Manner, tree: int, node: int, ply: int, lent_from: int, desk: int) -> None:
    """Book the payoffs on a node of the way."""
    if ply < lent_from and load(tree, node + VISITS) >= OFTEN:
        book_in_ledger(how, tree, node, desk)
        return
    if ply < lent_from:
        add(tree, node + VISITS, 1)
    mover = load(desk, MOVERS + ply - 1) if ply > 0 else CHANCE
    for player in range(how.sums):
        is_lent = ply >= lent_from and mover != CHANCE and (how.is_opposed or player == mover)
        add(tree, node + SUM + player, load(desk, PAYOFFS + player) - (worst(how, mover, desk) if is_lent else 0))


def book_in_ledger(how: Manner, tree: int, node: int, desk: int) -> None:
    page = LEDGER + node % LEDGER_PAGES * PAGE_CELLS
    if load(desk, page) != node:
        settle(how, tree, page, desk)
        store(desk, page, node)
    store(desk, page + 1, load(desk, page + 1) + 1)
    for player in range(how.sums):
        store(desk, page + 2 + player, load(desk, page + 2 + player) + load(desk, PAYOFFS + player))
    if load(desk, page + 1) >= min(load(tree, node + VISITS) // OFTEN + FEW, MANY):
        settle(how, tree, page, desk)


def settle(how: Manner, tree: int, page: int, desk: int) -> None:
    """Book what stands on a page of the ledger, and clear it."""
    if load(desk, page + 1) > 0:
        node = load(desk, page)
        add(tree, node + VISITS, load(desk, page + 1))
        store(desk, page + 1, 0)
        for player in range(how.sums):
            add(tree, node + SUM + player, load(desk, page + 2 + player))
            store(desk, page + 2 + player, 0)


def settle_all(how: Manner, tree: int, desk: int) -> None:
    for number in range(LEDGER_PAGES):
        settle(how, tree, LEDGER + number * PAGE_CELLS, desk)
