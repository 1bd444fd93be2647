"""Compaction of a tree: unwanted blocks are dropped, and the others are moved together."""

from __future__ import annotations

from zermelo.kernel import kernel
from zermelo.search.mcts.tree import (
    NO_CHILDREN,
    NO_NODE,
    ROOT,
    Node,
    Tree,
    count_of,
    first_of,
    pack_children,
)

MOST_VISITS = 1 << 40


def prepare_sweep(tree: Tree) -> None:
    """Compile the sweep before the search, so that it does not compile while the clock runs."""
    (sweep_linked if tree.how.open else sweep).prepare(tree.of_any_kind(), 0)


def make_room(tree: Tree) -> None:
    """Drop the children of rarely visited nodes until half of the memory is free."""
    header, least = tree.header(), 2
    while header.top > header.capacity // 2 and least < MOST_VISITS:
        _sweep(tree, least)
        least *= 2
    header.is_full = False


def make_root(tree: Tree, node: Node) -> None:
    """Make a child of the root the new root, and drop everything outside its subtree."""
    children = tree.children(node)
    for child in tree.child_nodes(ROOT):
        below = tree.children(child)
        if child != node and below > 0 and tree.owner(below) == child:
            tree.set_owner(below, NO_NODE)
    tree.set_owner(tree.children(ROOT), NO_NODE)
    tree.move_cells(node, ROOT, tree.columns.width)
    tree.set_children(node, NO_CHILDREN)  # they belong to the root from here on
    if children > 0:
        tree.set_owner(children, ROOT)
    _sweep(tree, 0)


def _sweep(tree: Tree, least: int) -> None:
    (sweep_linked if tree.how.open else sweep).run(tree.of_any_kind(), least)


@kernel
def sweep(tree: Tree, least: int) -> int:
    """Drop the blocks without an owner or whose owner has fewer visits; returns the first free cell."""
    sweep_blocks(tree, least)
    return tree.header().top


def sweep_blocks(tree: Tree, least: int) -> None:
    header, source = tree.header(), ROOT + tree.columns.width
    end, target = header.top, source
    header.clear_index()
    while source < end:
        children = tree.children_at(source)
        owner, count = tree.owner(children), count_of(children)
        size, moved = tree.block_size(count), pack_children(Node(first_of(children) - source + target), count)
        is_kept = owner != NO_NODE and tree.visits(owner) >= least
        if owner != NO_NODE:
            tree.set_children(owner, moved if is_kept else NO_CHILDREN)
        for index in range(count):
            pass_on(tree, tree.child(children, index), tree.child(moved, index) if is_kept else NO_NODE)
        if is_kept:
            tree.move_cells(source, target, size)
            if header.index > 0:
                tree.register(tree.position(moved), moved)
            target += size
        source += size
    header.top = target


def pass_on(tree: Tree, node: Node, heir: Node) -> None:
    """Give the children of a node to `heir`, its new place; without one, they are dropped later."""
    children = tree.children(node)
    if children > 0:
        is_ahead = first_of(children) > node  # blocks that were moved already stay
        if is_ahead and tree.owner(children) in (node, NO_NODE):
            tree.set_owner(children, heir)
        else:
            tree.set_children(node, NO_CHILDREN)


@kernel
def sweep_linked(tree: Tree, least: int) -> int:
    """The same for an open tree, where a block is one child: the lists of children are rebuilt."""
    sweep_linked_blocks(tree, least)
    return tree.header().top


def sweep_linked_blocks(tree: Tree, least: int) -> None:
    header, root, size = tree.header(), ROOT, tree.block_size(1)
    end, source, target = header.top, root + tree.columns.width, root + tree.columns.width
    pass_on_linked(tree, root, root)
    while source < end:
        children = tree.children_at(source)
        owner, node = tree.owner(children), first_of(children)
        if owner == NO_NODE or tree.visits(owner) < least:
            pass_on_linked(tree, node, NO_NODE)
        else:
            moved = Node(node - source + target)
            pass_on_linked(tree, node, moved)
            tree.move_cells(source, target, size)
            tree.link(owner, moved)
            target += size
        source += size
    header.top = target


def pass_on_linked(tree: Tree, node: Node, heir: Node) -> None:
    """Give the linked children of a node to `heir`, and empty the node's list."""
    children = tree.children(node)
    child = first_of(children)
    for _ in range(count_of(children)):
        tree.set_owner(pack_children(child, 1), heir)
        child = tree.linked_sibling(child)
    tree.set_children(node, NO_CHILDREN)
