"""The tree of a Monte Carlo search: flat memory of a fixed size.

    header | root | block | block | ...                           | index of positions, with `transpositions`
    block:   position, traversals, owner | child | child | ...      the first two with `transpositions` only
    node:    visits, move, children, sum of payoffs for each player | cells that techniques add, see `Columns`

A block holds the children of one node, its owner, side by side. It lies behind the block of its parent. So one pass
over the memory, front to back, can drop blocks and move the rest together (`sweep`), parents before their children.

With `transpositions` the index finds a block by its position, and nodes of equal positions share it, though only one
owns it. With `open`, children are added one by one, each in its own block, and linked, the newest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import NewType

from zermelo.core.game import Action
from zermelo.kernel import (
    U64,
    Memory,
    Numbers,
    Record,
    Static,
    add,
    array,
    claim,
    kernel,
    load,
    load_acquire,
    load_real,
    load_word,
    number,
    real_of,
    store,
    store_real,
    store_release,
    store_word,
    word_of,
)
from zermelo.search.mcts.techniques import Techniques

Node = NewType("Node", int)
"""The place of a node: its first cell."""
Children = NewType("Children", int)
"""The first of a node's children and their number in one cell, so that a thread can publish both at once."""
COUNT_BITS = 17
COUNT_MASK = (1 << COUNT_BITS) - 1
NO_NODE, NO_CHILDREN = Node(0), Children(0)
BEING_EXPANDED = Children(-1)
"""In place of the children: another thread is about to write them."""
INDEX_SHARE = 32
"""The index takes at most 1 / INDEX_SHARE of the cells."""

VISITS, ACTION, CHILDREN, SUM = range(4)
"""The first cells of a node."""
OWNER, TRAVERSALS, POSITION = -1, -2, -3
"""The cells before the first child of a block."""


class TreeHeader(Record):
    top: int
    """The first free cell."""
    apart: Numbers = array(Numbers, 7)
    """Not used: the other fields are not in the cache line of `top`, which all threads write."""
    capacity: int
    """The number of cells for header, nodes and blocks."""
    is_full: bool
    """Whether a thread found no room."""
    is_fresh: bool
    """Whether the root's children are not yet initialised."""
    index: int
    """The first cell of the index of positions, behind all nodes; 0 if there is none."""
    index_mask: int
    end: Numbers = array(Numbers, 3)
    """Not used: the root begins a cache line."""

    def claim_top(self, before: int, after: int) -> bool:
        """Move the top, unless another thread has moved it."""
        return claim(self.address, TOP_CELL, before, after)

    def clear_index(self) -> None:
        """Empty the index."""
        if self.index > 0:
            for cell in range(self.index, self.index + self.index_mask + 1):
                store(self.address, cell, NO_NODE)


TOP_CELL = TreeHeader.fields["top"].offset
ROOT = Node(TreeHeader.cells)


class Columns(Static):
    """Offsets of the cells that techniques add to a node, and the size of nodes: compile-time constants."""

    def __init__(self, how: Techniques) -> None:
        self.header = 3 if how.transpositions else 1
        """The cells of a block before its first child."""
        self.low, self.high = SUM + how.sums, SUM + how.sums + 1
        free = self.high + 1 if how.solver else self.low
        self.likelihood, free = free, free + how.chance
        self.next, self.available, self.mover, free = free, free + 1, free + 2, free + 3 * how.open
        self.squares, free = free, free + how.tuned * how.sums
        self.prior, free = free, free + how.looks
        self.share, free = free, free + how.puct
        self.rave_visits, self.rave_total, free = free, free + 1, free + 2 * how.rave
        self.implicit, free = free, free + how.implicit
        self.width = free
        """The cells of a node."""


class AnyColumns(Columns):
    """The columns of any tree, as runtime numbers, so that kernels that use no others are compiled only once."""

    runtime = ("header", "width", "next")

    def __init__(self, columns: Columns) -> None:
        self.header, self.width, self.next = columns.header, columns.width, columns.next


class Tree(Static):
    """Flat memory of about `megabytes`. Kernels know its address, and the columns as constants."""

    runtime = ("address",)
    not_compiled = ("how", "memory", "clear", "nodes", "node_bytes", "child_nodes", "of_any_kind", "_of_any_kind")

    def __init__(self, megabytes: float, how: Techniques) -> None:
        self.how, self.columns = how, Columns(how)
        self.columns.freeze()  # so that the digest of the tree is computed once
        least = ROOT + 4 * self.columns.width + 8
        self.memory = Memory(max(int(megabytes * 1024 * 1024) // 8, least), large_pages=True)
        self.address = self.memory.address
        self._of_any_kind: Tree | None = None
        self.clear()

    def clear(self) -> None:
        """Drop all nodes; the root has to be written anew."""
        self.erase(ROOT)
        header = self.header()
        header.top, header.capacity = ROOT + self.columns.width, len(self.memory)
        header.is_full = header.is_fresh = False
        if self.how.transpositions:
            size = 1 << ((len(self.memory) // INDEX_SHARE).bit_length() - 1)
            header.index = header.capacity = len(self.memory) - size
            header.index_mask = size - 1
            clear_index.run(self.header())

    @property
    def nodes(self) -> int:
        """The approximate number of nodes: the headers of blocks count as well."""
        return (self.header().top - ROOT) // self.columns.width

    @property
    def node_bytes(self) -> int:
        """The size of a node in bytes."""
        return 8 * self.columns.width

    def of_any_kind(self) -> Tree:
        """The same tree for kernels that are compiled for all trees at once."""
        if self._of_any_kind is None:
            self._of_any_kind = copy(self)
            self._of_any_kind.columns = AnyColumns(self.columns)
            self._of_any_kind.columns.freeze()
        return self._of_any_kind

    def child_nodes(self, node: Node) -> Iterator[Node]:
        """The children of a node, for code that is not compiled."""
        children = self.children(node)
        if children > 0:
            child = first_of(children)
            for _ in range(count_of(children)):
                yield child
                child = self.linked_sibling(child) if self.how.open else self.sibling(child)

    def header(self) -> TreeHeader:
        return TreeHeader(self.address)

    # -- the cells of every node -----------------------------------------------------------------------

    def visits(self, node: Node) -> int:
        return load(self.address, node + VISITS)

    def add_visit(self, node: Node) -> None:
        store(self.address, node + VISITS, load(self.address, node + VISITS) + 1)

    def add_visits_atomically(self, node: Node, count: int) -> None:
        add(self.address, node + VISITS, count)

    def action(self, node: Node) -> Action:
        """The move that leads to a node."""
        return load(self.address, node + ACTION)

    def set_action(self, node: Node, action: Action) -> None:
        store(self.address, node + ACTION, action)

    def total(self, node: Node, column: int) -> int:
        """The sum of a player's stored payoffs."""
        return load(self.address, node + SUM + column)

    def add_payoff(self, node: Node, column: int, payoff: int) -> None:
        store(self.address, node + SUM + column, load(self.address, node + SUM + column) + payoff)

    def add_payoff_atomically(self, node: Node, column: int, payoff: int) -> None:
        add(self.address, node + SUM + column, payoff)

    # -- children --------------------------------------------------------------------------------------

    def children(self, node: Node) -> Children:
        return Children(load(self.address, node + CHILDREN))

    def published_children(self, node: Node) -> Children:
        """The children, with all that another thread wrote before it published them."""
        return Children(load_acquire(self.address, node + CHILDREN))

    def set_children(self, node: Node, children: Children) -> None:
        store(self.address, node + CHILDREN, children)

    def publish_children(self, node: Node, children: Children) -> None:
        """Publish the complete children to other threads."""
        store_release(self.address, node + CHILDREN, children)

    def claim_expansion(self, node: Node) -> bool:
        """Claim the expansion of a node; False if another thread has claimed it."""
        return claim(self.address, node + CHILDREN, NO_CHILDREN, BEING_EXPANDED)

    def child(self, children: Children, index: int) -> Node:
        return Node((children >> COUNT_BITS) + index * self.columns.width)

    def is_child(self, children: Children, node: Node) -> bool:
        """Whether a node, or a number that may have been one, is among the children."""
        first, width = children >> COUNT_BITS, self.columns.width
        return first <= node < first + (children & COUNT_MASK) * width and (node - first) % width == 0

    def sibling(self, node: Node) -> Node:
        """The next child of the same block."""
        return Node(node + self.columns.width)

    def linked_sibling(self, node: Node) -> Node:
        """The next child of an open tree."""
        return Node(load(self.address, node + self.columns.next))

    def link(self, owner: Node, child: Node) -> None:
        """Put a child of an open tree in front of its siblings."""
        children = self.children(owner)
        store(self.address, child + self.columns.next, first_of(children))
        self.publish_children(owner, pack_children(child, count_of(children) + 1))

    def erase(self, node: Node) -> None:
        """Set all cells of a node to zero."""
        for offset in range(self.columns.width):
            store(self.address, node + offset, 0)

    def swap_cells(self, one: Node, other: Node) -> None:
        """Swap all cells of two nodes."""
        for offset in range(self.columns.width):
            cell = load(self.address, one + offset)
            store(self.address, one + offset, load(self.address, other + offset))
            store(self.address, other + offset, cell)

    # -- blocks ----------------------------------------------------------------------------------------

    def new_block(self, node: Node, count: int) -> Children:
        """Allocate a block for the children of a node; NO_CHILDREN if there is no room."""
        header, size = self.header(), self.block_size(count)
        place = header.top
        while place + size <= header.capacity and not header.claim_top(place, place + size):
            place = header.top  # another thread was quicker
        if place + size > header.capacity:
            header.is_full = True
            return NO_CHILDREN
        children = pack_children(Node(place + self.columns.header), count)
        self.set_owner(children, node)
        return children

    def owner(self, children: Children) -> Node:
        """The node that owns the children; others may share them."""
        return Node(load(self.address, (children >> COUNT_BITS) + OWNER) >> COUNT_BITS)

    def set_owner(self, children: Children, node: Node) -> None:
        """Write the owner and the number of children."""
        cell = (children >> COUNT_BITS) + OWNER
        store(self.address, cell, node << COUNT_BITS | children & COUNT_MASK)

    def children_at(self, place: int) -> Children:
        """The children in the block that begins at a place."""
        first = place + self.columns.header
        return pack_children(Node(first), load(self.address, first + OWNER) & COUNT_MASK)

    def block_size(self, count: int) -> int:
        return self.columns.header + count * self.columns.width

    def move_cells(self, source: int, target: int, count: int) -> None:
        """Copy `count` cells towards the front."""
        if target != source:
            for offset in range(count):
                store(self.address, target + offset, load(self.address, source + offset))

    def traversals(self, children: Children) -> int:
        """The number of simulations through a block (transpositions)."""
        return load(self.address, (children >> COUNT_BITS) + TRAVERSALS)

    def clear_traversals(self, children: Children) -> None:
        store(self.address, (children >> COUNT_BITS) + TRAVERSALS, 0)

    def add_traversal_atomically(self, children: Children) -> None:
        add(self.address, (children >> COUNT_BITS) + TRAVERSALS, 1)

    # -- the index of positions ------------------------------------------------------------------------

    def index_cell(self, key: U64) -> int:
        header = self.header()
        return header.index + number(key & U64(header.index_mask))

    def register(self, key: U64, children: Children) -> None:
        """Enter the children of a position into the index, in place of a position with the same lower bits."""
        first = children >> COUNT_BITS
        store_word(self.address, first + POSITION, key)
        store_release(self.address, self.index_cell(key), first)

    def position(self, children: Children) -> U64:
        """The key of the position to which a block belongs."""
        return load_word(self.address, (children >> COUNT_BITS) + POSITION)

    def find_children(self, key: U64) -> Children:
        """The children of a position; NO_CHILDREN if the index does not have them."""
        first = load_acquire(self.address, self.index_cell(key))
        if first == NO_NODE or load_word(self.address, first + POSITION) != key:
            return NO_CHILDREN
        return pack_children(Node(first), load(self.address, first + OWNER) & COUNT_MASK)

    # -- proved bounds ---------------------------------------------------------------------------------

    def lower_bound(self, node: Node) -> float:
        return load_real(self.address, node + self.columns.low)

    def upper_bound(self, node: Node) -> float:
        return load_real(self.address, node + self.columns.high)

    def set_bounds(self, node: Node, low: float, high: float) -> None:
        store_real(self.address, node + self.columns.low, low)
        store_real(self.address, node + self.columns.high, high)

    def is_proved(self, node: Node) -> bool:
        """Whether the value of a node is proved."""
        return self.lower_bound(node) >= self.upper_bound(node)

    def narrow_bound(self, cell: int, bound: float, sign: int) -> bool:
        """Raise the bound in a cell, or lower it if the sign is negative; returns whether it changed."""
        is_news = sign * bound > sign * load_real(self.address, cell)
        if is_news:
            store_real(self.address, cell, bound)
        return is_news

    def narrow_bound_atomically(self, cell: int, bound: float, sign: int) -> bool:
        """The same, safe between threads."""
        while True:
            before = load(self.address, cell)
            if not sign * bound > sign * real_of(U64(before)):
                return False
            if claim(self.address, cell, before, number(word_of(bound))):
                return True

    # -- cells that techniques add ---------------------------------------------------------------------

    def likelihood(self, node: Node) -> float:
        """The probability of an outcome of chance."""
        return load_real(self.address, node + self.columns.likelihood)

    def set_likelihood(self, node: Node, probability: float) -> None:
        store_real(self.address, node + self.columns.likelihood, probability)

    def available(self, node: Node) -> int:
        """In an open tree, the number of simulations in which the move was available."""
        return load(self.address, node + self.columns.available)

    def set_available(self, node: Node, count: int) -> None:
        store(self.address, node + self.columns.available, count)

    def mover(self, node: Node) -> int:
        """In an open tree, the player whose move leads to the node."""
        return load(self.address, node + self.columns.mover)

    def set_mover(self, node: Node, player: int) -> None:
        store(self.address, node + self.columns.mover, player)

    def squares(self, node: Node, column: int) -> int:
        """The sum of the squares of a player's payoffs (UCB1-Tuned)."""
        return load(self.address, node + self.columns.squares + column)

    def add_square_atomically(self, node: Node, column: int, square: int) -> None:
        add(self.address, node + self.columns.squares + column, square)

    def prior(self, node: Node) -> float:
        """The prior value of the move, from -1 to 1."""
        return load_real(self.address, node + self.columns.prior)

    def set_prior(self, node: Node, prior: float) -> None:
        store_real(self.address, node + self.columns.prior, prior)

    def prior_share(self, node: Node) -> float:
        """The move's share of the prior probability (PUCT)."""
        return load_real(self.address, node + self.columns.share)

    def set_prior_share(self, node: Node, share: float) -> None:
        store_real(self.address, node + self.columns.share, share)

    def rave_visits(self, node: Node) -> int:
        return load(self.address, node + self.columns.rave_visits)

    def rave_total(self, node: Node) -> int:
        return load(self.address, node + self.columns.rave_total)

    def add_rave(self, node: Node, payoff: int) -> None:
        store(self.address, node + self.columns.rave_visits, self.rave_visits(node) + 1)
        store(self.address, node + self.columns.rave_total, self.rave_total(node) + payoff)

    def add_rave_atomically(self, node: Node, payoff: int) -> None:
        add(self.address, node + self.columns.rave_visits, 1)
        add(self.address, node + self.columns.rave_total, payoff)

    def implicit_value(self, node: Node) -> float:
        """The minimax value of the evaluations below a node, for the first player."""
        return load_real(self.address, node + self.columns.implicit)

    def set_implicit_value(self, node: Node, value: float) -> None:
        store_real(self.address, node + self.columns.implicit, value)


def pack_children(first: Node, count: int) -> Children:
    return Children(first << COUNT_BITS | count)


def first_of(children: Children) -> Node:
    return Node(children >> COUNT_BITS)


def count_of(children: Children) -> int:
    return children & COUNT_MASK


@kernel
def clear_index(header: TreeHeader) -> int:
    """Empty the index; returns the number of cells for nodes."""
    header.clear_index()
    return header.capacity
