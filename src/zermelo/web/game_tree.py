"""The tree of a session: the moves of the game and of its branches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from zermelo.core.errors import UsageError
from zermelo.web.messages import Judgement


@dataclass
class Node:
    """A move of the game; the root has none."""

    number: int
    parent: int | None
    move: str
    player: int
    next: int | None = None
    """The child that was visited last."""
    judgement: Judgement | None = None
    children: list[int] = field(default_factory=list)


class GameTree:
    """Nodes in the order in which they were added; node 0 is the root."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)
        for node in self.nodes[1:]:
            self._add_child(node)

    def node(self, number: int) -> Node:
        if not 0 <= number < len(self.nodes):
            raise UsageError(f"there is no node {number} in this game; its nodes are 0 to {len(self.nodes) - 1}")
        return self.nodes[number]

    def path(self, number: int) -> list[int]:
        """The nodes from the first move to this one."""
        found = []
        node = self.node(number)
        while node.parent is not None:
            found.append(node.number)
            node = self.nodes[node.parent]
        return found[::-1]

    def moves_to(self, number: int) -> list[str]:
        return [self.nodes[one].move for one in self.path(number)]

    def line_through(self, number: int) -> list[Node]:
        """The nodes from the root through this one to the end of its line."""
        found = [self.nodes[0], *(self.nodes[one] for one in self.path(number))]
        while (after := found[-1].next) is not None:
            found.append(self.nodes[after])
        return found

    def leaves(self) -> list[int]:
        """The nodes at which a line ends."""
        return [node.number for node in self.nodes if not node.children]

    def child(self, parent: int, move: str) -> int | None:
        """The child to which the move leads, if there is one."""
        return next((one for one in self.nodes[parent].children if self.nodes[one].move == move), None)

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        self._add_child(node)

    def visit(self, number: int) -> None:
        """Make the node the `next` of its parent."""
        parent = self.nodes[number].parent
        if parent is not None:
            self.nodes[parent].next = number

    def _add_child(self, node: Node) -> None:
        parent = self.nodes[node.parent or 0]
        parent.children.append(node.number)
        parent.next = node.number
