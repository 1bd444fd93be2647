"""The tree of a Monte Carlo search: flat memory of a fixed size, never more than was asked for.

cell TOP         the first cell that is free
cell CAPACITY    how many cells there are
cell IS_FULL     not 0 once somebody found no room
cell ROOT ...    the root, a node
then blocks      one for the children of a node: a cell that says whose they are, then the children side by side

A block stands behind that of its parent. So one sweep over the memory, front to back, can drop blocks and move the rest
together: parents are dealt with before their children.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.kernel import Memory, add, kernel, load, store
from zermelo.search.mcts.manner import ACTION, CHILDREN, SUM, VISITS, Manner

TOP, CAPACITY, IS_FULL = range(3)
ROOT = 8
COUNT_BITS = 17
COUNT_MASK = (1 << COUNT_BITS) - 1
NOBODY = 0
IN_THE_MAKING = -1
"""Instead of the children's place: another thread is about to write them."""


class Tree:
    """Flat memory of very nearly `megabytes`."""

    def __init__(self, megabytes: float, how: Manner) -> None:
        self.how = how
        self.memory = Memory(max(int(megabytes * 1024 * 1024) // 8, ROOT + 2 * how.width + 1), large_pages=True)
        self.clear()

    @property
    def address(self) -> int:
        return self.memory.address

    def clear(self) -> None:
        for cell in range(ROOT, ROOT + self.how.width):
            self.memory[cell] = 0
        self.memory[TOP], self.memory[CAPACITY], self.memory[IS_FULL] = ROOT + self.how.width, len(self.memory), 0

    @property
    def nodes(self) -> int:
        """How many nodes there are, very nearly: the cells of blocks that say whose they are count as well."""
        return (self.memory[TOP] - ROOT) // self.how.width

    @property
    def is_full(self) -> bool:
        return self.memory[IS_FULL] != 0

    def children(self, node: int) -> Iterator[int]:
        place = self.memory[node + CHILDREN]
        if place > 0:
            for index in range(place & COUNT_MASK):
                yield (place >> COUNT_BITS) + index * self.how.width

    def visits(self, node: int) -> int:
        return self.memory[node + VISITS]

    def action(self, node: int) -> int:
        return self.memory[node + ACTION]

    def total(self, node: int, player: int) -> int:
        return self.memory[node + SUM + player]

    def make_room(self) -> None:
        """Forget the children of nodes that were seldom visited, until half of the memory is free."""
        least = 2
        while self.memory[TOP] > self.memory[CAPACITY] // 2 and least < 1 << 40:
            sweep.run(self.address, self.how.width, least)
            least *= 2
        self.memory[IS_FULL] = 0

    def descend(self, node: int) -> None:
        """A child of the root becomes the root; what is not below it is forgotten."""
        place = self.memory[node + CHILDREN]
        for child in self.children(ROOT):
            below = self.memory[child + CHILDREN]
            if child != node and below > 0:
                self.memory[(below >> COUNT_BITS) - 1] &= COUNT_MASK  # nobody's
        mine = self.memory[ROOT + CHILDREN] >> COUNT_BITS
        for offset in range(self.how.width):
            self.memory[ROOT + offset] = self.memory[node + offset]
        self.memory[mine - 1] &= COUNT_MASK
        self.memory[node + CHILDREN] = 0  # they are the root's now
        if place > 0:
            self.memory[(place >> COUNT_BITS) - 1] = ROOT << COUNT_BITS | place & COUNT_MASK
        sweep.run(self.address, self.how.width, 0)


def block_for(tree: int, node: int, count: int, width: int) -> int:
    """Room for children of a node: the first one's cell, or 0 if there is none left."""
    size = 1 + count * width
    place = add(tree, TOP, size)
    if place + size > load(tree, CAPACITY):
        add(tree, TOP, -size)
        store(tree, IS_FULL, 1)
        return 0
    store(tree, place, node << COUNT_BITS | count)
    return place + 1


@kernel
def sweep(tree: int, width: int, least: int) -> int:
    """Drop the blocks of nobody, and of nodes with fewer visits; move the others together. The first free cell."""
    end, source, target = load(tree, TOP), ROOT + width, ROOT + width
    while source < end:
        owner, count = load(tree, source) >> COUNT_BITS, load(tree, source) & COUNT_MASK
        size = 1 + count * width
        is_kept = owner != NOBODY and load(tree, owner + VISITS) >= least
        if owner != NOBODY and not is_kept:
            store(tree, owner + CHILDREN, 0)
        if is_kept:
            store(tree, owner + CHILDREN, (target + 1) << COUNT_BITS | count)
        for index in range(count):
            node = source + 1 + index * width
            place = load(tree, node + CHILDREN)
            if place > 0:
                moved = target + 1 + index * width if is_kept else NOBODY
                store(tree, (place >> COUNT_BITS) - 1, moved << COUNT_BITS | place & COUNT_MASK)
        if is_kept:
            if target != source:
                for offset in range(size):
                    store(tree, target + offset, load(tree, source + offset))
            target += size
        source += size
    store(tree, TOP, target)
    return target
