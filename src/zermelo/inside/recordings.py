"""What a search looked at, numbered, so that a page can ask for any part of it and for any moment.

Parents have lower numbers than their children; branches that were cut have none. Moments are numbered from 0: an
inner node has one when it is entered and one when it is left, a leaf has one in all.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.core.numerals import number_text
from zermelo.draw.numerals import count_noun
from zermelo.draw.selection import principal_line
from zermelo.inside import search_log as log_of
from zermelo.kernel import is_enabled
from zermelo.textbook.trace import DEEPEST, Node, TreeObserver, trace

Json: TypeAlias = dict[str, Any]
"""A node as the page gets it."""

QUICK_NODES, QUICK_SECONDS = 4_000, 1.5
"""What is recorded before the compiler is asked for help."""
MOST_NODES, MOST_SECONDS = 20_000, 6.0
"""What is recorded without it."""
MOST_LOGGED = 1_000_000
"""Nodes that are recorded with it."""
STATES_KEPT = 10_000


class Recording(ABC):
    """The tree of one search."""

    game: Game
    size: int
    """How many nodes were looked at."""
    node_weight: int
    """Bytes in memory, about."""

    @property
    def weight(self) -> int:
        return self.size * self.node_weight

    @property
    @abstractmethod
    def player(self) -> int:
        """Whose side the search takes."""

    @abstractmethod
    def summary(self) -> Json:
        """The whole in figures."""

    @abstractmethod
    def children(self, number: int) -> list[Json]:
        """The nodes and the cut branches below a node, in the order of the moves."""

    @abstractmethod
    def node(self, number: int) -> Json: ...

    @abstractmethod
    def parent(self, number: int) -> int:
        """The number of the node above; -1 at the root."""

    @abstractmethod
    def here(self, moment: int) -> int:
        """The node that is entered or left at the moment."""

    def top(self, most: int) -> list[Json]:
        """The root and what is below it, level by level, families whole, about `most` nodes in all."""
        shown, level = [self.node(0)], [0]
        while level:
            below: list[int] = []
            for number in level:
                family = self.children(number)
                if len(shown) + len(family) > most:
                    return shown
                shown.extend(family)
                below.extend(child["number"] for child in family if child["number"] is not None)
            level = below
        return shown

    def at(self, moment: int) -> list[Json]:
        """Of the moment, the nodes from the root to where the search is, each with its brothers and sisters."""
        return [shown for one in self.way(self.here(moment)) for shown in self.children(one)]

    def way(self, number: int) -> list[int]:
        """The numbers from the root to a node."""
        way = [number]
        while (above := self.parent(way[-1])) >= 0:
            way.append(above)
        return way[::-1]

    def describe_cut(self, parent: int, index: int, move: str, chance: float | None, state: State, reason: str) -> Json:
        """A branch that was not searched; it is known to be cut when its parent is left."""
        game, above = self.game, self.node(parent)
        return {
            "number": None,
            "parent": parent,
            "index": index,
            "kind": "cut",
            "shape": shape(game, state, game.is_terminal(state), None if len(above["value"]) > 1 else self.player),
            "player": None,
            "move": move,
            "probability": chance,
            "window": None,
            "value": self._end_value(state, len(above["value"]) > 1) if game.is_terminal(state) else None,
            "proof": "exact",
            "reason": reason,
            "entered": None,
            "left": above["left"],
            "children": 0,
            "below": 0,
        }

    def _end_value(self, state: State, is_shared: bool) -> list[float | None] | None:
        """What an end pays: to all, where values are one for each player."""
        return values(self.game.utilities(state) if is_shared else self.game.utility(state, self.player))


def record(algorithm: str, game: Game, state: State, depth: int | None) -> Recording:
    """The search, or as much of it as there is room and time for; a large one is run again, compiled."""
    can_log = algorithm in log_of.LOGGED and is_enabled()
    limits = (QUICK_NODES, QUICK_SECONDS) if can_log else (MOST_NODES, MOST_SECONDS)
    found = _record_trace(algorithm, game, state, depth, *limits)
    if not found.end or not can_log:
        return found
    plies = DEEPEST if depth is None else depth
    log = log_of.log_search(algorithm, game, state, plies, MOST_LOGGED)
    if log is None:
        return _record_trace(algorithm, game, state, depth, MOST_NODES, MOST_SECONDS)
    return Logged(game, state, log, log_of.LOGGED[algorithm])


def _record_trace(algorithm: str, game: Game, state: State, depth: int | None, most: int, seconds: float) -> Traced:
    observer = Patient(most, seconds)
    try:
        trace(algorithm, game, state, depth=depth, observer=observer)
    except BrokenOff:
        observer.break_off()
    assert observer.root is not None
    return Traced(game, observer.root, observer.end)


# -- interpreted searches ----------------------------------------------------------------------------------


class BrokenOff(Exception):
    """The tree is larger than there is room or time for."""


class Patient(TreeObserver):
    """Records until there is no more room or time."""

    def __init__(self, most: int, seconds: float) -> None:
        super().__init__(2 * most + 1)  # a probe of Star2 opens two places
        self._seen, self._room, self._until = 0, most, time.monotonic() + seconds
        self.end = ""
        """Why it was broken off, in a sentence."""

    def enter(self, name: str, arguments: dict[str, Any]) -> None:
        if self._seen >= self._room:
            self._break(too_large(self._room))
        if self._seen and time.monotonic() > self._until:
            self._break(
                f"After {count_noun(self._seen, 'node', 'nodes')} the time was up, and the search was broken off"
            )
        self._seen += 1
        super().enter(name, arguments)

    def _break(self, reason: str) -> None:
        self.end = f"{reason}; a smaller depth shows all of it."
        raise BrokenOff


class Traced(Recording):
    """A recording of an interpreted search."""

    node_weight = 1_500

    def __init__(self, game: Game, root: Node, end: str = "") -> None:
        self.game, self.end = game, end
        self._nodes: list[Node] = []
        self._places: list[tuple[int, int]] = []
        """Of each node, its parent and its place among its siblings."""
        self._cuts = self._leaves = 0
        self._number(root)
        self.size = len(self._nodes)
        self._sizes = self._count_below()
        self._moments = self._list_moments()
        self._entered: dict[int, int] = {}
        self._left: dict[int, int] = {}
        for moment, (number, is_left) in enumerate(self._moments):
            if not is_left or not self._nodes[number].children:
                self._entered[number] = moment
            if is_left:
                self._left[number] = moment

    @property
    def player(self) -> int:
        root = self._nodes[0]
        return max(0, root.player or 0) if root.kind == "max" else 0

    def _number(self, root: Node) -> None:
        waiting = [(root, -1, 0)]
        while waiting:
            node, parent, index = waiting.pop()
            number = len(self._nodes)
            self._nodes.append(node)
            self._places.append((parent, index))
            self._leaves += not node.children
            below = [(child, number, nth) for nth, child in enumerate(node.children) if child.kind != "cut"]
            self._cuts += len(node.children) - len(below)
            waiting.extend(reversed(below))
        self._numbers = {id(node): number for number, node in enumerate(self._nodes)}

    def _count_below(self) -> list[int]:
        """Of each node, how many are below it."""
        below = [0] * self.size
        for number in range(self.size - 1, 0, -1):
            below[self._places[number][0]] += below[number] + 1
        return below

    def _list_moments(self) -> list[tuple[int, bool]]:
        """For each moment, the node and whether it is left."""
        found = []
        for number, node in enumerate(self._nodes):
            if node.children or node.left < 0:
                found.append((node.entered, number, False))
            if node.left >= 0:
                found.append((node.left, number, True))
        return [(number, is_left) for _, number, is_left in sorted(found)]

    def summary(self) -> Json:
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

    def parent(self, number: int) -> int:
        return self._places[number][0]

    def here(self, moment: int) -> int:
        return self._moments[max(0, min(moment, len(self._moments) - 1))][0]

    def children(self, number: int) -> list[Json]:
        return [
            self.describe_cut(number, index, child.move, child.probability, child.state, child.reason)
            if child.kind == "cut"
            else self.node(self._numbers[id(child)])
            for index, child in enumerate(self._nodes[number].children)
        ]

    def node(self, number: int) -> Json:
        node, (parent, index) = self._nodes[number], self._places[number]
        return {
            "number": number,
            "parent": parent,
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
            "below": self._sizes[number],
        }


# -- compiled searches -------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A move or an outcome."""

    action: Action
    chance: float | None


class Logged(Recording):
    """A recording of a compiled search: its log, and the rules, which reproduce the positions."""

    node_weight = log_of.NODE_BYTES

    def __init__(self, game: Game, state: State, log: log_of.SearchLog, has_cuts: bool) -> None:
        self.game, self._log, self._has_cuts = game, log, has_cuts
        self.size = log.count
        self._states: dict[int, State] = {0: state}
        self._known_ways: dict[int, list[Way]] = {}

    def summary(self) -> Json:
        log, root = self._log, self.node(0)
        return {
            "nodes": self.size,
            "leaves": log.leaves,
            "cuts": 0 if log.is_full else log.cuts,
            "moments": log.clock,
            "value": root["value"],
            "kind": root["proof"],
            "line": self._line(),
            "end": f"{too_large(self.size)}; a smaller depth shows all of it." if log.is_full else "",
        }

    def _line(self) -> list[str]:
        """The moves that gave the root its value, as far as no dice are thrown."""
        found: list[str] = []
        node: Json | None = self.node(0)
        while node and node["value"] is not None and node["kind"] in ("max", "min"):
            family = self.children(node["number"])
            node = next((one for one in family if one["kind"] != "cut" and one["value"] == node["value"]), None)
            found += [node["move"]] if node else []
        return found

    def parent(self, number: int) -> int:
        return self._log.node(number).parent

    def here(self, moment: int) -> int:
        return self._log.moments[max(0, min(moment, self._log.clock - 1))]

    def children(self, number: int) -> list[Json]:
        node = self._log.node(number)
        if node.kind != log_of.INNER:
            return []
        seen: dict[int, int] = {}
        child = node.first_child
        while child != log_of.NO_NODE:
            sibling = self._log.node(child)
            seen[sibling.index] = child
            child = sibling.next_sibling
        is_left = node.left >= 0
        state, shown = self._state(number), []
        for index, way in enumerate(self._ways(number)):
            if index in seen:
                shown.append(self.node(seen[index]))
            elif is_left:
                move, child_state = self.game.format_action(state, way.action), self.game.result(state, way.action)
                shown.append(self.describe_cut(number, index, move, way.chance, child_state, self._reason(number, way)))
        return shown

    def node(self, number: int) -> Json:
        node, state = self._log.node(number), self._state(number)
        parent, index, is_left = node.parent, node.index, node.left >= 0
        above = self._ways(parent)[index] if parent >= 0 else None
        names = {log_of.TERMINAL: "terminal", log_of.HORIZON: "horizon"}
        window = [finite(node.alpha), finite(node.beta)]
        return {
            "number": number,
            "parent": parent,
            "index": index,
            "kind": names.get(node.kind) or self._kind(state),
            "player": None if node.kind == log_of.TERMINAL else self.game.to_move(state),
            "move": self.game.format_action(self._state(parent), above.action) if above else "",
            "probability": above.chance if above else None,
            "window": window if self._has_cuts else None,
            "value": values(node.value) if is_left else None,
            "proof": ("exact", "lower", "upper", "estimate")[node.proof],
            "entered": node.entered,
            "left": node.left if is_left else None,
            "children": node.branches,
            "below": self._last(number) - number,
        }

    def _last(self, number: int) -> int:
        """The node below that was entered last: that of the child left last, and so on; numbers go by entering."""
        while (node := self._log.node(number)).kind == log_of.INNER:
            left = node.left
            if left < 0:  # the search was broken off in here
                return self.size - 1
            number = self.here(left - 1)
        return number

    def _kind(self, state: State) -> str:
        return shape(self.game, state, is_leaf=False, player=self.player)

    @property
    def player(self) -> int:
        """In games for many, the player to move."""
        return 0 if self.game.players <= 2 else max(0, self.game.to_move(self._states[0]))

    def _state(self, number: int) -> State:
        if number not in self._states:
            if len(self._states) > STATES_KEPT:
                self._states = {0: self._states[0]}
                self._known_ways.clear()
            above = self._state(self.parent(number))
            way = self._ways(self.parent(number))[self._log.node(number).index]
            self._states[number] = self.game.result(above, way.action)
        return self._states[number]

    def _ways(self, number: int) -> list[Way]:
        if number not in self._known_ways:
            state = self._state(number)
            is_chance = self.game.to_move(state) == CHANCE
            ways = self.game.outcomes(state) if is_chance else ((action, None) for action in self.game.actions(state))
            self._known_ways[number] = [Way(*way) for way in ways]
        return self._known_ways[number]

    def _reason(self, number: int, way: Way) -> str:
        node = self._log.node(number)
        if way.chance == 0:
            return "never happens"
        if node.value <= node.alpha:
            return f"{number_text(node.value)} ≤ α = {number_text(node.alpha)}"
        return f"{number_text(node.value)} ≥ β = {number_text(node.beta)}"


# -- words and numbers ---------------------------------------------------------------------------------------


def too_large(room: int) -> str:
    return (
        f"The tree is larger than the {count_noun(room, 'node', 'nodes')} that are kept, and the search was broken off"
    )


def shape(game: Game, state: State, is_leaf: bool, player: int | None = 0) -> str:
    """What kind of node a position is, seen from a player; with None all players maximise."""
    if is_leaf:
        return "terminal"
    mover = game.to_move(state)
    return "chance" if mover == CHANCE else "max" if player in (mover, None) else "min"


def values(value: float | Sequence[float] | None) -> list[float | None] | None:
    """One for each player, or one in all; infinity has no number in JSON."""
    if value is None:
        return None
    return [finite(one) for one in value] if isinstance(value, Sequence) else [finite(value)]


def finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
