"""The choice of nodes to draw: the principal line or the current path, then level by level, fairly among parents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from zermelo.core.analysis import Kind
from zermelo.core.errors import UsageError
from zermelo.core.numerals import number_text
from zermelo.core.picture import Branches, TreeNode
from zermelo.draw.numerals import count_noun, count_text, value_text
from zermelo.textbook.trace import Node, NodeKind

MOST_ON_A_BOARD = 40
"""Maximum number of nodes of a game tree on a board."""


@dataclass
class Branch:
    """A drawn node with its drawn children."""

    node: Node
    depth: int
    on_line: bool
    """Whether it belongs to the principal line."""
    seat: str = ""
    """`P1`, `P2` ... at a player's node, if a triangle alone does not identify the player."""
    children: list[Branch] = field(default_factory=list)
    hidden: int = 0
    """Number of nodes and cut branches below through children that are not drawn."""
    unvalued: str = "?"
    """The text in place of a missing value, which the search did not reach or the board does not have."""
    is_here: bool = False
    """On a board, whether the game is at this node."""


def select(root: Node, most: int) -> list[Branch]:
    """At most `most` nodes, cut branches counted, level by level from the root; parents come before children."""
    if most < 1:
        raise UsageError(f"a tree of at most {most} nodes cannot be drawn; ask for 1 or more")
    line = {id(node) for node in principal_line(root)[:most]}
    return _arrange(root, _grow(line | {id(root)}, root, most), line)


def around(picture: Branches, most: int) -> list[Branch]:
    """About `most` nodes of a game tree: the path to the current node, its descendants, and the rest if there is room.

    The way is there in full, and so is each level that is there at all, unless the next moves alone are too many.
    The state of a node is its cell.
    """
    nodes = [_make_node(cell, node) for cell, node in enumerate(picture.nodes)]
    for node, drawn in zip(nodes, picture.nodes, strict=True):
        if drawn.parent >= 0:
            nodes[drawn.parent].children.append(node)
    line = {id(nodes[cell]) for cell in way_to(picture, picture.at)}
    chosen = _grow(line, nodes[picture.at], most, whole=True)
    branches = _arrange(nodes[0], _grow(chosen, nodes[0], most, whole=True), line)
    for branch in branches:
        branch.unvalued, branch.is_here = "", branch.node.state == picture.at
    return branches


def way_to(picture: Branches, cell: int) -> list[int]:
    """The cells from the root to this one."""
    way = [cell]
    while picture.nodes[way[-1]].parent >= 0:
        way.append(picture.nodes[way[-1]].parent)
    return way[::-1]


def _make_node(cell: int, node: TreeNode) -> Node:
    """A node of a board in the form of a search recording."""
    kind: NodeKind = "terminal" if node.kind == "end" else node.kind
    player = None if node.kind == "end" else node.player
    value_kind: Kind = "exact" if node.kind == "end" else "estimate"
    return Node(cell, kind, player, node.move, node.probability, value=node.value, value_kind=value_kind)


def _arrange(root: Node, chosen: set[int], line: set[int]) -> list[Branch]:
    """The chosen nodes, parents before children, with counts of hidden ones."""
    sizes = _sizes(root)
    branches = [Branch(root, 0, True)]
    for branch in branches:  # grows while it is walked
        for child in branch.node.children:
            if id(child) in chosen:
                branch.children.append(Branch(child, branch.depth + 1, id(child) in line))
            else:
                branch.hidden += sizes[id(child)]
        branches.extend(branch.children)
    if _is_crowded(branches):
        for branch in branches:
            if branch.node.kind in ("max", "min") and branch.node.player is not None:
                branch.seat = f"P{branch.node.player + 1}"
    return branches


def _grow(chosen: set[int], start: Node, most: int, whole: bool = False) -> set[int]:
    """With more nodes below one of them, level by level.

    Where a level does not fit, its parents take turns: all first children, all second ones, and so on. With `whole` a
    level that does not fit is left out, unless it is the first.
    """
    level = [start]
    while level and len(chosen) < most:
        turns = zip_longest(*(node.children for node in level))
        fresh = [id(child) for turn in turns for child in turn if child is not None and id(child) not in chosen]
        if whole and level[0] is not start and len(chosen) + len(fresh) > most:
            break
        chosen = chosen | set(fresh[: most - len(chosen)])
        level = [child for node in level for child in node.children if id(child) in chosen]
    return chosen


def principal_line(root: Node) -> list[Node]:
    """The root and the moves that gave it its value, up to the first roll of dice."""
    line = [root]
    while line[-1].kind != "chance" and line[-1].value is not None:
        value = line[-1].value
        giver = next((child for child in line[-1].children if child.kind != "cut" and child.value == value), None)
        if giver is None:
            break
        line.append(giver)
    return line


def branch_value_text(branch: Branch) -> str:
    """The value as text; an estimate outside its window is a bound of one: `≤ ~2`."""
    node = branch.node
    if node.value is None:
        return "" if node.information_set is not None or node.kind == "chance" else branch.unvalued
    if node.value_kind == "estimate" and node.children and node.window and not isinstance(node.value, tuple):
        alpha, beta = node.window
        side = "≤ ~" if node.value <= alpha else "≥ ~" if node.value >= beta else ""
        if side:
            return side + number_text(node.value)
    return value_text(node.value, node.value_kind)


def _is_crowded(branches: list[Branch]) -> bool:
    """Whether two players maximise, or two minimise."""
    seats = {(branch.node.kind, branch.node.player) for branch in branches}
    return any(sum(kind == one for one, _ in seats) > 1 for kind in ("max", "min"))


def summary(branches: list[Branch]) -> str:
    """`value 3, line L a; 11 nodes, 2 branches cut`, and the number of drawn ones if not all are.

    Of a game with hidden information: `58 nodes, 12 information sets`.
    """
    root = branches[0].node
    sets = len({node.information_set for node in _all_nodes(root) if node.information_set is not None})
    if sets:
        return f"{count_noun(root.count(), 'node', 'nodes')}, {count_noun(sets, 'information set', 'information sets')}"
    moves = [node.move for node in principal_line(root)[1:] if node.move]
    visited = cut = 0
    for node in _all_nodes(root):
        visited, cut = (visited, cut + 1) if node.kind == "cut" else (visited + 1, cut)
    text = f"value {value_text(root.value, root.value_kind)}" + (f", line {' '.join(moves)}" if moves else "")
    text += f"; {count_noun(visited, 'node', 'nodes')}"
    if cut:
        text += f", {count_noun(cut, 'branch', 'branches')} cut"
    if len(branches) < visited + cut:
        text += f"; {count_text(len(branches))} of {count_text(visited + cut)} drawn"
    return text


def _sizes(root: Node) -> dict[int, int]:
    """The number of nodes and cut branches of each subtree, its root included."""
    sizes: dict[int, int] = {}
    for node in reversed(list(_all_nodes(root))):
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in node.children)
    return sizes


def _all_nodes(root: Node) -> Iterator[Node]:
    """Parents before children; without recursion, for trees of any depth."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)
