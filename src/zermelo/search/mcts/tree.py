"""The tree of a Monte Carlo search: flat memory of a fixed size, never more than was asked for.

cell TOP         the first cell that is free
cell CAPACITY    how many cells there are for nodes
cell IS_FULL     not 0 once a thread found no room
cell IS_FRESH    not 0 as long as nothing is known of the root's children
cell INDEX       where the index of positions begins, if there is one; behind all nodes
cell ROOT ...    the root, a node
then blocks      one for the children of a node: a cell that says whose they are, then the children side by side

A block stands behind that of its parent. So one sweep over the memory, front to back, can drop blocks and move the rest
together: parents are dealt with before their children.

With `transpositions` a block also holds the position it belongs to and the number of visits through it; the index
finds it by the position, and nodes of equal positions share it, though only one owns it. With `open` children come one
by one, each in a block of its own, and the youngest knows the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.kernel import (
    U64,
    Memory,
    claim,
    kernel,
    load,
    load_acquire,
    load_real,
    load_word,
    number,
    store,
    store_release,
    store_word,
)
from zermelo.search.mcts.techniques import ACTION, CHILDREN, SUM, VISITS, Techniques

TOP = 0
CAPACITY, IS_FULL, IS_FRESH, INDEX, INDEX_MASK = range(8, 13)  # not beside TOP, which all threads write
ROOT = 16
COUNT_BITS = 17
COUNT_MASK = (1 << COUNT_BITS) - 1
NO_NODE = 0
IN_THE_MAKING = -1
"""Instead of the children's place: another thread is about to write them."""
OWNER, PASSED, POSITION = -1, -2, -3
"""The cells before the children of a block: their owner, the visits through the block, and its position."""
INDEX_SHARE = 32
"""The index takes at most one cell in this many."""


class Tree:
    """Flat memory of very nearly `megabytes`."""

    def __init__(self, megabytes: float, how: Techniques) -> None:
        self.how = how
        self.memory = Memory(max(int(megabytes * 1024 * 1024) // 8, ROOT + 4 * how.width + 8), large_pages=True)
        self.clear()

    @property
    def address(self) -> int:
        return self.memory.address

    def clear(self) -> None:
        for cell in range(ROOT, ROOT + self.how.width):
            self.memory[cell] = 0
        self.memory[TOP], self.memory[CAPACITY] = ROOT + self.how.width, len(self.memory)
        self.memory[IS_FULL] = self.memory[IS_FRESH] = 0
        if self.how.transpositions:
            size = 1 << ((len(self.memory) // INDEX_SHARE).bit_length() - 1)
            self.memory[INDEX] = self.memory[CAPACITY] = len(self.memory) - size
            self.memory[INDEX_MASK] = size - 1
            clear_index.run(self.address)

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
            child = place >> COUNT_BITS
            for _ in range(place & COUNT_MASK):
                yield child
                child = self.memory[child + self.how.next] if self.how.open else child + self.how.width

    def visits(self, node: int) -> int:
        return self.memory[node + VISITS]

    def action(self, node: int) -> int:
        return self.memory[node + ACTION]

    def total(self, node: int, player: int) -> int:
        return self.memory[node + SUM + player]

    def bounds(self, node: int) -> tuple[float, float]:
        """What is proved of a node, if there is a solver."""
        return load_real(self.address, node + self.how.low), load_real(self.address, node + self.how.high)

    def prepare(self) -> None:
        """Compile what makes room, so that a search does not compile in the middle of its time."""
        if self.how.open:
            sweep_open.prepare(0, 0, 0, 0)
        else:
            sweep.prepare(0, 0, 0, 0)

    def make_room(self) -> None:
        """Forget the children of nodes that were seldom visited, until half of the memory is free."""
        least = 2
        while self.memory[TOP] > self.memory[CAPACITY] // 2 and least < 1 << 40:
            self._sweep(least)
            least *= 2
        self.memory[IS_FULL] = 0

    def descend(self, node: int) -> None:
        """A child of the root becomes the root; what is not below it is forgotten."""
        place = self.memory[node + CHILDREN]
        for child in self.children(ROOT):
            below = self.memory[child + CHILDREN] >> COUNT_BITS
            if child != node and below > 0 and self.memory[below + OWNER] >> COUNT_BITS == child:
                self.memory[below + OWNER] &= COUNT_MASK  # no owner
        mine = self.memory[ROOT + CHILDREN] >> COUNT_BITS
        for offset in range(self.how.width):
            self.memory[ROOT + offset] = self.memory[node + offset]
        self.memory[mine + OWNER] &= COUNT_MASK
        self.memory[node + CHILDREN] = 0  # they are the root's now
        if place > 0:
            self.memory[(place >> COUNT_BITS) + OWNER] = ROOT << COUNT_BITS | place & COUNT_MASK
        self._sweep(0)

    def _sweep(self, least: int) -> None:
        if self.how.open:
            sweep_open.run(self.address, self.how.width, self.how.next, least)
        else:
            sweep.run(self.address, self.how.width, self.how.header, least)


def block_for(tree: int, node: int, count: int, header: int, width: int) -> int:
    """Room for children of a node: the first one's cell, or 0 if there is none left."""
    size = header + count * width
    place = load(tree, TOP)
    while place + size <= load(tree, CAPACITY) and not claim(tree, TOP, place, place + size):
        place = load(tree, TOP)  # another thread was quicker
    if place + size > load(tree, CAPACITY):
        store(tree, IS_FULL, 1)
        return NO_NODE
    store(tree, place + header + OWNER, node << COUNT_BITS | count)
    return place + header


def owner_of(tree: int, children: int) -> int:
    """The node whose children stand at this place; of those who share them, one."""
    return load(tree, (children >> COUNT_BITS) + OWNER) >> COUNT_BITS


@kernel
def sweep(tree: int, width: int, header: int, least: int) -> int:
    """Drop the blocks without an owner, or whose owner has fewer visits; compact the rest. The first free cell."""
    end, source, target = load(tree, TOP), ROOT + width, ROOT + width
    clear_index(tree)
    while source < end:
        owner, count = (
            load(tree, source + header + OWNER) >> COUNT_BITS,
            load(tree, source + header + OWNER) & COUNT_MASK,
        )
        size = header + count * width
        is_kept = owner != NO_NODE and load(tree, owner + VISITS) >= least
        if owner != NO_NODE:
            store(tree, owner + CHILDREN, (target + header) << COUNT_BITS | count if is_kept else 0)
        for index in range(count):
            node = source + header + index * width
            children = load(tree, node + CHILDREN)
            if children > 0:
                heir = target + header + index * width if is_kept else NO_NODE
                parent = owner_of(tree, children)
                is_ahead = children >> COUNT_BITS > node  # blocks that were moved already are not touched again
                if is_ahead and parent in (node, NO_NODE):
                    store(tree, (children >> COUNT_BITS) + OWNER, heir << COUNT_BITS | children & COUNT_MASK)
                else:
                    store(tree, node + CHILDREN, 0)
        if is_kept:
            if target != source:
                for offset in range(size):
                    store(tree, target + offset, load(tree, source + offset))
            if load(tree, INDEX) > 0:
                register(tree, load_word(tree, target + header + POSITION), target + header)
            target += size
        source += size
    store(tree, TOP, target)
    return target


@kernel
def sweep_open(tree: int, width: int, following: int, least: int) -> int:
    """The same where children are linked: the lists are made anew."""
    end, source, target = load(tree, TOP), ROOT + width, ROOT + width
    hand_over(tree, following, ROOT, ROOT)
    while source < end:
        owner, node = load(tree, source) >> COUNT_BITS, source + 1
        if owner == NO_NODE or load(tree, owner + VISITS) < least:
            hand_over(tree, following, node, NO_NODE)
        else:
            hand_over(tree, following, node, target + 1)
            for offset in range(1 + width):
                store(tree, target + offset, load(tree, source + offset))
            link(tree, following, owner, target + 1)
            target += 1 + width
        source += 1 + width
    store(tree, TOP, target)
    return target


def hand_over(tree: int, following: int, node: int, heir: int) -> None:
    """Tell the children of a node who will be their owner; the list of them is empty then."""
    children = load(tree, node + CHILDREN)
    child = children >> COUNT_BITS
    for _ in range(children & COUNT_MASK):
        store(tree, child + OWNER, heir << COUNT_BITS | 1)
        child = load(tree, child + following)
    store(tree, node + CHILDREN, 0)


def link(tree: int, following: int, owner: int, child: int) -> None:
    """Put a child in front of its siblings."""
    children = load(tree, owner + CHILDREN)
    store(tree, child + following, children >> COUNT_BITS)
    store_release(tree, owner + CHILDREN, child << COUNT_BITS | (children & COUNT_MASK) + 1)


# -- the index of positions ------------------------------------------------------------------------------


@kernel
def clear_index(tree: int) -> int:
    """Forget where positions are; how many cells the index has."""
    if load(tree, INDEX) == 0:
        return 0
    for cell in range(load(tree, INDEX_MASK) + 1):
        store(tree, load(tree, INDEX) + cell, NO_NODE)
    return load(tree, INDEX_MASK) + 1


def register(tree: int, key: U64, place: int) -> None:
    """Let the children of this position be found; they replace others with the same lower bits."""
    store_word(tree, place + POSITION, key)
    store_release(tree, load(tree, INDEX) + number(key & U64(load(tree, INDEX_MASK))), place)


def found_block(tree: int, key: U64) -> int:
    """Where the children of a position are, with their number, or 0."""
    place = load_acquire(tree, load(tree, INDEX) + number(key & U64(load(tree, INDEX_MASK))))
    if place == NO_NODE or load_word(tree, place + POSITION) != key:
        return 0
    return place << COUNT_BITS | load(tree, place + OWNER) & COUNT_MASK
