"""Recordings: the numbered nodes of a search, from which the page loads any part and any moment.

Parents have lower numbers than their children; cut branches have none. Moments are numbered from 0: an inner node has
one when it is entered and one when it is left, a leaf has one in total. A probe of Star2 has two more, for the outcome
that it probes; in quiescence search an inner node has one when its mover may stand pat.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.draw.numerals import count_noun
from zermelo.draw.selection import principal_line
from zermelo.inside import search_log as log_of
from zermelo.inside.steps import leave_step, node_steps, probe_steps, traced_leave_step
from zermelo.kernel import is_enabled
from zermelo.textbook.trace import DEEPEST, Cut, Node, Probe, TreeObserver, trace

Json: TypeAlias = dict[str, Any]
"""The JSON form of a node for the page."""

QUICK_NODES, QUICK_SECONDS = 4_000, 1.5
"""Number of nodes recorded before the search is compiled."""
MOST_NODES, MOST_SECONDS = 20_000, 6.0
"""Maximum number of nodes without the compiler."""
MOST_LOGGED = 1_000_000
"""Maximum number of nodes with the compiler."""
STATES_KEPT = 10_000


class Recording(ABC):
    """The recorded tree of one search."""

    game: Game
    size: int
    """The number of nodes."""
    node_weight: int
    """The approximate number of bytes in memory."""

    @property
    def weight(self) -> int:
        return self.size * self.node_weight

    @property
    @abstractmethod
    def player(self) -> int:
        """The player whom the search maximises for."""

    @abstractmethod
    def summary(self) -> Json:
        """The statistics of the recording."""

    @abstractmethod
    def children(self, number: int) -> list[Json]:
        """The nodes and the cut branches below a node, in the order of the moves."""

    @abstractmethod
    def node(self, number: int) -> Json: ...

    @abstractmethod
    def parent(self, number: int) -> int:
        """The number of the node above; -1 at the root."""

    @abstractmethod
    def node_at(self, moment: int) -> int:
        """The node that is entered or left at the moment."""

    def top(self, most: int) -> list[Json]:
        """The root and its descendants, level by level, with all siblings, about `most` nodes in total."""
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
        """The nodes on the path from the root to the search's node at a moment, each with its siblings."""
        return [shown for one in self.path_to(self.node_at(moment)) for shown in self.children(one)]

    def path_to(self, number: int) -> list[int]:
        """The numbers of the nodes on the path from the root to a node."""
        path = [number]
        while (above := self.parent(path[-1])) >= 0:
            path.append(above)
        return path[::-1]

    def describe_cut(self, parent: int, index: int, move: str, chance: float | None, state: State, cut: Cut) -> Json:
        """Describe a cut branch, which counts as cut from the moment when its parent is left."""
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
            "reason": {"kind": cut.kind, "value": cut.value, "bound": cut.bound},
            "entered": None,
            "left": self._cut_moment(above),
            "children": 0,
            "below": 0,
        }

    def _cut_moment(self, above: Json) -> int | None:
        """When the branches of a node are cut: when it is left, or, if it was only probed, when its parent is."""
        is_only_probed = "probe" in above and above["probe"]["entered"] == above["entered"]
        moment: int | None = self.node(above["parent"])["left"] if is_only_probed else above["left"]
        return moment

    def _end_value(self, state: State, is_shared: bool) -> list[float | None] | None:
        """The payoffs of a terminal position, in the form of the recording's values."""
        return values(self.game.utilities(state) if is_shared else self.game.utility(state, self.player))


def record(algorithm: str, game: Game, state: State, depth: int | None) -> Recording:
    """Record a search, as far as room and time allow; a large one is run again, compiled."""
    can_log = algorithm in log_of.LOGGED and is_enabled()
    limits = (QUICK_NODES, QUICK_SECONDS) if can_log else (MOST_NODES, MOST_SECONDS)
    found = _record_trace(algorithm, game, state, depth, *limits)
    if not found.end or not can_log:
        return found
    plies = DEEPEST if depth is None else depth
    log = log_of.log_search(algorithm, game, state, plies, MOST_LOGGED)
    if log is None:
        return _record_trace(algorithm, game, state, depth, MOST_NODES, MOST_SECONDS)
    return LoggedRecording(game, state, log, log_of.LOGGED[algorithm])


def _record_trace(
    algorithm: str, game: Game, state: State, depth: int | None, most: int, seconds: float
) -> TracedRecording:
    observer = BoundedObserver(most, seconds)
    try:
        trace(algorithm, game, state, depth=depth, observer=observer)
    except LimitReached:
        observer.break_off()
    assert observer.root is not None
    return TracedRecording(game, observer.root, observer.end, algorithm)


# -- interpreted searches ----------------------------------------------------------------------------------


class LimitReached(Exception):
    """The tree is larger than there is room or time for."""


class BoundedObserver(TreeObserver):
    """Records a search up to a number of nodes and a time."""

    def __init__(self, most: int, seconds: float) -> None:
        super().__init__(2 * most + 1)  # a probe of Star2 opens two entries
        self._seen, self._room, self._until = 0, most, time.monotonic() + seconds
        self.end = ""
        """Why the recording was stopped early; empty if it was not."""

    def enter(self, name: str, arguments: dict[str, Any]) -> None:
        if self._seen >= self._room:
            self._break(too_large(self._room))
        if self._seen and time.monotonic() > self._until:
            self._break(f"After {count_noun(self._seen, 'node', 'nodes')} the time was up, and the search was stopped")
        self._seen += 1
        super().enter(name, arguments)

    def _break(self, reason: str) -> None:
        self.end = f"{reason}; a smaller depth shows all of it."
        raise LimitReached


class TracedRecording(Recording):
    """A recording of an interpreted search."""

    node_weight = 1_500

    def __init__(self, game: Game, root: Node, end: str = "", algorithm: str = "") -> None:
        self.game, self.end, self._algorithm = game, end, algorithm
        self._nodes: list[Node] = []
        self._places: list[tuple[int, int]] = []
        """For each node, its parent and its place among its siblings."""
        self._cuts = self._leaves = 0
        self._number(root)
        self.size = len(self._nodes)
        self._sizes = self._count_below()
        steps = self._list_steps()
        self._moments = [number for _, number in steps]
        """For each moment, the node."""
        self._moment_of = {step: moment for moment, (step, _) in enumerate(steps)}

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
        """For each node, the number of its descendants."""
        below = [0] * self.size
        for number in range(self.size - 1, 0, -1):
            below[self._places[number][0]] += below[number] + 1
        return below

    def _list_steps(self) -> list[tuple[int, int]]:
        """The steps of the search that are moments, in order, each with its node."""
        found = set()
        for number, node in enumerate(self._nodes):
            if node.children or node.left < 0:
                found.add((node.entered, number))
            if node.left >= 0:
                found.add((node.left, number))
            if node.probe:
                found.update((step, number) for step in (node.probe.entered, node.probe.left) if step >= 0)
            if node.stand_pat and node.children:
                found.add((node.stand_pat.step, number))
        return sorted(found)

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

    def node_at(self, moment: int) -> int:
        return self._moments[max(0, min(moment, len(self._moments) - 1))]

    def children(self, number: int) -> list[Json]:
        return [
            self.describe_cut(number, index, child.move, child.probability, child.state, child.cut)
            if child.cut
            else self.node(self._numbers[id(child)])
            for index, child in enumerate(self._nodes[number].children)
        ]

    def node(self, number: int) -> Json:
        node, (parent, index) = self._nodes[number], self._places[number]
        left = self._moment_of.get(node.left)
        above = self._nodes[parent] if parent >= 0 else None
        found: Json = {
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
            "entered": self._moment_of.get(node.entered, left),
            "left": left,
            "children": len(node.children),
            "below": self._sizes[number],
            "steps": node_steps(node.kind, traced_leave_step(self._algorithm, node, above)),
        }
        if node.probe:
            found["probe"] = {**self._describe_probe(node.probe), "steps": probe_steps(node)}
            if node.probe.entered == node.entered:  # only probed
                found["proof"] = found["probe"]["proof"]
        if node.stand_pat:
            moment = self._moment_of[node.stand_pat.step] if node.children else left
            found["stand_pat"] = {"moment": moment, "value": values(node.stand_pat.value)}
        return found

    def _describe_probe(self, probe: Probe) -> Json:
        return {
            "entered": self._moment_of[probe.entered],
            "left": self._moment_of.get(probe.left),
            "value": values(probe.value),
            "proof": f"{probe.side} estimate" if probe.is_estimate else probe.side,
        }


# -- compiled searches -------------------------------------------------------------------------------------


class Branch(NamedTuple):
    """A move or an outcome."""

    action: Action
    chance: float | None


class LoggedRecording(Recording):
    """A recording of a compiled search: its log, and the rules, which reproduce the positions."""

    node_weight = log_of.NODE_BYTES

    def __init__(self, game: Game, state: State, log: log_of.SearchLog, has_cuts: bool) -> None:
        self.game, self._log, self._has_cuts = game, log, has_cuts
        self.size = log.count
        self._states: dict[int, State] = {0: state}
        self._known_branches: dict[int, list[Branch]] = {}

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
        """The moves that gave the root its value, up to the first roll of dice."""
        found: list[str] = []
        node: Json | None = self.node(0)
        while node and node["value"] is not None and node["kind"] in ("max", "min"):
            family = self.children(node["number"])
            node = next((one for one in family if one["kind"] != "cut" and one["value"] == node["value"]), None)
            found += [node["move"]] if node else []
        return found

    def parent(self, number: int) -> int:
        return self._log.node(number).parent

    def node_at(self, moment: int) -> int:
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
        for index, branch in enumerate(self._branches(number)):
            if index in seen:
                shown.append(self.node(seen[index]))
            elif is_left:
                child_state, cut = self.game.result(state, branch.action), self._cut(number, branch)
                move = self.game.format_action(state, branch.action)
                shown.append(self.describe_cut(number, index, move, branch.chance, child_state, cut))
        return shown

    def node(self, number: int) -> Json:
        node, state = self._log.node(number), self._state(number)
        parent, index, is_left = node.parent, node.index, node.left >= 0
        above = self._branches(parent)[index] if parent >= 0 else None
        names = {log_of.TERMINAL: "terminal", log_of.HORIZON: "horizon"}
        window = [finite(node.alpha), finite(node.beta)]
        kind = names.get(node.kind) or self._kind(state)
        return {
            "number": number,
            "parent": parent,
            "index": index,
            "kind": kind,
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
            "steps": node_steps(
                kind, leave_step(kind, node.value, (node.alpha, node.beta) if self._has_cuts else None)
            ),
        }

    def _last(self, number: int) -> int:
        """The descendant that was entered last; nodes are numbered in the order of entering."""
        while (node := self._log.node(number)).kind == log_of.INNER:
            left = node.left
            if left < 0:  # the search was stopped below this node
                return self.size - 1
            number = self.node_at(left - 1)
        return number

    def _kind(self, state: State) -> str:
        return shape(self.game, state, is_leaf=False, player=self.player)

    @property
    def player(self) -> int:
        """The player whom the search maximises for; with more than two players, the player to move."""
        return 0 if self.game.players <= 2 else max(0, self.game.to_move(self._states[0]))

    def _state(self, number: int) -> State:
        if number not in self._states:
            if len(self._states) > STATES_KEPT:
                self._states = {0: self._states[0]}
                self._known_branches.clear()
            above = self._state(self.parent(number))
            branch = self._branches(self.parent(number))[self._log.node(number).index]
            self._states[number] = self.game.result(above, branch.action)
        return self._states[number]

    def _branches(self, number: int) -> list[Branch]:
        if number not in self._known_branches:
            state = self._state(number)
            is_chance = self.game.to_move(state) == CHANCE
            moves = self.game.outcomes(state) if is_chance else ((action, None) for action in self.game.actions(state))
            self._known_branches[number] = [Branch(*move) for move in moves]
        return self._known_branches[number]

    def _cut(self, number: int, branch: Branch) -> Cut:
        node = self._log.node(number)
        if branch.chance == 0:
            return Cut("never")
        if node.value <= node.alpha:
            return Cut("alpha", node.value, node.alpha)
        return Cut("beta", node.value, node.beta)


# -- words and numbers ---------------------------------------------------------------------------------------


def too_large(room: int) -> str:
    return f"The tree is larger than the {count_noun(room, 'node', 'nodes')} that are kept, and the search was stopped"


def shape(game: Game, state: State, is_leaf: bool, player: int | None = 0) -> str:
    """The kind of node of a position, seen by a player; with None all players maximise."""
    if is_leaf:
        return "terminal"
    mover = game.to_move(state)
    return "chance" if mover == CHANCE else "max" if player in (mover, None) else "min"


def values(value: float | Sequence[float] | None) -> list[float | None] | None:
    """A value as a list, with one number per player or a single one; None for infinity, which JSON lacks."""
    if value is None:
        return None
    return [finite(one) for one in value] if isinstance(value, Sequence) else [finite(value)]


def finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
