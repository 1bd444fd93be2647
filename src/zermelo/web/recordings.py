"""What a search looked at, numbered, so that a page can ask for any part of it and for any moment.

Nodes have numbers in the order in which they were first looked at; branches that were cut have none. Moments are
numbered from 0: an inner node has one when it is entered and one when it is left, a leaf has one in all.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from zermelo.core.game import CHANCE, Game, State
from zermelo.draw.numerals import counted
from zermelo.draw.selection import principal_line
from zermelo.textbook.trace import Node, TreeObserver, trace

Shown: TypeAlias = dict[str, Any]
"""A node as the page gets it."""

MOST_NODES = 20_000
MOST_SECONDS = 4.0
LOOKED_AT_CLOCK = 64
"""Nodes between two looks at the clock."""


class BrokenOff(Exception):
    """The tree is larger than there is room or time for."""


class Patient(TreeObserver):
    """Records until there is no more room or time."""

    def __init__(self, most: int, seconds: float) -> None:
        super().__init__(most + 1)
        self._seen, self._room, self._until = 0, most, time.monotonic() + seconds
        self.end = ""
        """Why it was broken off, in a sentence."""

    def enter(self, name: str, arguments: dict[str, Any]) -> None:
        if self._seen >= self._room:
            self._break(f"The tree is larger than the {counted(self._room, 'node', 'nodes')} that are kept")
        if self._seen % LOOKED_AT_CLOCK == 0 and time.monotonic() > self._until:
            self._break(f"After {counted(self._seen, 'node', 'nodes')} the time was up")
        self._seen += 1
        super().enter(name, arguments)

    def _break(self, reason: str) -> None:
        self.end = f"{reason}: the search was broken off there. A smaller depth shows all of it."
        raise BrokenOff


class Recording:
    """The tree of one search."""

    def __init__(self, game: Game, root: Node, end: str = "") -> None:
        self.game, self.end = game, end
        self._nodes: list[Node] = []
        self._parents: list[int] = []
        self._cuts = self._leaves = 0
        self._number(root)
        self._moments = self._timed()
        self._entered: dict[int, int] = {}
        self._left: dict[int, int] = {}
        for moment, (number, is_left) in enumerate(self._moments):
            if not is_left or not self._nodes[number].children:
                self._entered[number] = moment
            if is_left:
                self._left[number] = moment

    def _number(self, root: Node) -> None:
        waiting = [(root, -1)]
        while waiting:
            node, parent = waiting.pop()
            number = len(self._nodes)
            self._nodes.append(node)
            self._parents.append(parent)
            looked_at = [child for child in node.children if child.kind != "cut"]
            self._cuts += len(node.children) - len(looked_at)
            self._leaves += not node.children
            waiting.extend((child, number) for child in reversed(looked_at))
        self._numbers = {id(node): number for number, node in enumerate(self._nodes)}

    def _timed(self) -> list[tuple[int, bool]]:
        """For each moment, the node and whether it is left."""
        found = []
        for number, node in enumerate(self._nodes):
            if node.children or node.left < 0:
                found.append((node.entered, number, False))
            if node.left >= 0:
                found.append((node.left, number, True))
        return [(number, is_left) for _, number, is_left in sorted(found)]

    # -- the whole ---------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many nodes were looked at."""
        return len(self._nodes)

    def summary(self) -> Shown:
        """The whole in figures."""
        root = self._nodes[0]
        return {
            "nodes": self.size,
            "leaves": self._leaves,
            "cuts": self._cuts,
            "moments": len(self._moments),
            "value": values(root.value),
            "kind": root.value_kind,
            "line": [node.move for node in principal_line(root)[1:]],
            "end": self.end,
        }

    # -- its parts ---------------------------------------------------------------------------------------

    def top(self, most: int) -> list[Shown]:
        """The root and what is below it, level by level, families whole, about so many nodes in all."""
        shown, level = [self.node(0)], [0]
        while level:
            below: list[int] = []
            for number in level:
                family = len(self._nodes[number].children)
                if len(shown) + family > most:
                    return shown
                shown.extend(self.children(number))
                below.extend(self._numbered_children(number))
            level = below
        return shown

    def _numbered_children(self, number: int) -> Iterator[int]:
        return (self._numbers[id(child)] for child in self._nodes[number].children if child.kind != "cut")

    def children(self, number: int) -> list[Shown]:
        """The nodes and the cut branches below a node, in the order of the moves."""
        node = self._nodes[number]
        return [
            self._cut(child, number, index) if child.kind == "cut" else self.node(self._numbers[id(child)], index)
            for index, child in enumerate(node.children)
        ]

    def node(self, number: int, index: int = 0) -> Shown:
        """A node; `index` is its place among its siblings."""
        node = self._nodes[number]
        return {
            "number": number,
            "parent": self._parents[number],
            "index": index,
            "kind": node.kind,
            "player": node.player,
            "move": node.move,
            "probability": node.probability,
            "window": None if node.window is None else [finite(bound) for bound in node.window],
            "value": values(node.value),
            "proof": node.value_kind,
            "entered": self._entered[number],
            "left": self._left.get(number),
            "children": len(node.children),
        }

    def _cut(self, node: Node, parent: int, index: int) -> Shown:
        is_leaf = self.game.is_terminal(node.state)
        return {
            "number": None,
            "parent": parent,
            "index": index,
            "kind": "cut",
            "shape": _shape(self.game, node.state, is_leaf),
            "player": None,
            "move": node.move,
            "probability": node.probability,
            "window": None,
            "value": values(self.game.utility(node.state, 0)) if is_leaf else None,
            "proof": "exact",
            "reason": node.reason,
            "entered": None,
            "left": self._left.get(parent),
            "children": 0,
        }

    def at(self, moment: int) -> list[Shown]:
        """Of the moment, the nodes from the root to where the search is, each with its brothers and sisters."""
        number = self._moments[max(0, min(moment, len(self._moments) - 1))][0]
        return [shown for one in self.way(number) for shown in self.children(one)]

    def way(self, number: int) -> list[int]:
        """The numbers from the root to a node."""
        way = [number]
        while self._parents[way[-1]] >= 0:
            way.append(self._parents[way[-1]])
        return way[::-1]

    def moves(self, number: int) -> list[str]:
        """The moves from the root to a node."""
        return [self._nodes[one].move for one in self.way(number)[1:]]


def _shape(game: Game, state: State, is_leaf: bool) -> str:
    """What a branch that nobody looked at leads to."""
    if is_leaf:
        return "terminal"
    mover = game.to_move(state)
    return "chance" if mover == CHANCE else "max" if mover == 0 else "min"


def record(algorithm: str, game: Game, state: State, depth: int | None) -> Recording:
    """The search, or as much of it as there is room and time for."""
    observer = Patient(MOST_NODES, MOST_SECONDS)
    try:
        trace(algorithm, game, state, depth=depth, observer=observer)
    except BrokenOff:
        observer.break_off()
    assert observer.root is not None
    return Recording(game, observer.root, observer.end)


def values(value: float | Sequence[float] | None) -> list[float | None] | None:
    """One for each player, or one in all; infinity has no number in JSON."""
    if value is None:
        return None
    return [finite(one) for one in value] if isinstance(value, Sequence) else [finite(value)]


def finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
