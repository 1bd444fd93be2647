"""The growing tree of a Monte Carlo tree search after any number of simulations, forwards and backwards."""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.core.game import CHANCE, Game, State, has_one_value
from zermelo.inside.mcts_tree import NO_NODE, ROOT, GrowingTree, Node, action_at, grow_tree, recount
from zermelo.kernel import is_enabled
from zermelo.textbook.pseudocode import Step

MOST_SIMULATIONS = 500_000
EXPLORATION = 2**0.5
SELDOM = 200
"""Nodes with less than one in this many simulations are left out."""
FAMILY = 40
"""Maximum number of children shown for each node on the path of the last simulation."""
MANY = 50
"""Number of simulations from which on the compiler is used."""
SLICE = 0.02
"""Approximate seconds between checks of the clock."""
STATES_KEPT = 10_000


class MctsRecording:
    """The tree of the lecture's algorithm. Large trees are compiled in the background, and then grow faster."""

    def __init__(self, game: Game, state: State, seed: int) -> None:
        self.game = game
        low, high = game.utility_range
        self.exploration = EXPLORATION * ((high - low) / 2 if math.isfinite(high - low) else 1)
        self.is_opposed = has_one_value(game)
        self._tree = GrowingTree.create(game, MOST_SIMULATIONS, seed)
        self._states: dict[Node, State] = {ROOT: state}
        self._grow, self._recount = grow_tree.__call__, recount.__call__
        self._compiler: threading.Thread | None = None

    @property
    def simulations(self) -> int:
        """The number of simulations so far."""
        return self._tree.done

    def grow(self, wanted: int, seconds: float) -> None:
        """Simulate until there are `wanted` simulations in total, or the time is up."""
        wanted = min(wanted, MOST_SIMULATIONS)
        if wanted - self.simulations > MANY:
            self._start_compiler()
        begun, at_once = time.monotonic(), 1
        until = begun + (seconds / 2 if self.is_compiling else seconds)
        while self.simulations < wanted and (begun := time.monotonic()) < until:
            end = min(wanted, self.simulations + at_once)
            self._grow(self.game, self._states[ROOT], self._tree, end, self.exploration)
            at_once = at_once * 2 if time.monotonic() - begun < SLICE else max(1, at_once // 2)
        if self._compiler is not None and self.is_compiling:
            self._compiler.join(seconds / 2)  # the compiler needs time as well

    @property
    def is_compiling(self) -> bool:
        return self._compiler is not None and self._compiler.is_alive()

    def _start_compiler(self) -> None:
        """Compile in the background while the tree grows interpreted."""
        if self._compiler is None and is_enabled():
            self._compiler = threading.Thread(target=self._compile, daemon=True)
            self._compiler.start()

    def _compile(self) -> None:
        can_grow = grow_tree.prepare(self.game, self._states[ROOT], self._tree, 0, self.exploration)
        if can_grow and recount.prepare(self._tree, 0):
            self._grow, self._recount = grow_tree.run_compiled, recount.run_compiled

    # -- describing -----------------------------------------------------------------------------------------

    def describe(self, simulations: int, most: int) -> dict[str, Any]:
        """The most visited nodes after this many simulations, the path of the last one, and its neighbours."""
        done = self._recount(self._tree, min(simulations, self.simulations))
        last = self._tree.line(done - 1)
        way = self._path_to(last.leaf) if done else [ROOT]
        paid = (last.payoffs[player] for player in range(self.game.players))
        near = (child for node in way for child in sorted(self._children(node), key=self._by_visits)[:FAMILY])
        chosen = {ROOT, *self._most_visited(done, most), *way, *near}
        return {
            "simulations": done,
            "size": last.size if done else 1,
            "way": way,
            "payoffs": self._visible_payoffs(paid) if done else None,
            "steps": self._steps(done, way),
            "is_compiling": self.is_compiling,
            "items": [self._describe_node(node) for node in sorted(chosen)],
        }

    def _steps(self, done: int, way: list[Node]) -> list[Step]:
        """What the last simulation did, in the steps of the pseudocode."""
        if not done:
            return ["begin"]
        size_before = self._tree.line(done - 2).size if done > 1 else 1
        has_expanded = self._tree.line(done - 1).size > size_before
        chosen = way[: -2 if has_expanded else -1]
        found: list[Step] = ["roll" if self._kind(self._state(node))[0] == "chance" else "select" for node in chosen]
        found += ["expand"] if has_expanded else []
        found += [] if self.game.is_terminal(self._state(way[-1])) else ["simulate"]
        return [*dict.fromkeys(found), "back up"]

    def _most_visited(self, done: int, most: int) -> Iterator[Node]:
        """The nodes by visits, the most visited first; parents come before their children."""
        waiting = [(0, ROOT)]
        for _ in range(most):
            if not waiting:
                return
            _, node = heapq.heappop(waiting)
            yield node
            for child in self._children(node):
                if self._visits(child) * SELDOM >= done:
                    heapq.heappush(waiting, (self._by_visits(child), child))

    def _path_to(self, node: Node) -> list[Node]:
        way = [node]
        while (above := self._tree.node(way[-1]).parent) != NO_NODE:
            way.append(above)
        return way[::-1]

    def _children(self, node: Node) -> Iterator[Node]:
        """The children with visits."""
        child = self._tree.node(node).first_child
        while child != NO_NODE and self._visits(child):
            yield child
            child = self._tree.node(child).next_sibling

    def _visits(self, node: Node) -> int:
        return self._tree.node(node).visits_then

    def _by_visits(self, node: Node) -> int:
        return -self._visits(node)

    def _visible_payoffs(self, payoffs: Iterable[float]) -> list[float]:
        """The payoffs of all players, or only the first in a zero-sum game of two."""
        return list(payoffs)[: 1 if self.is_opposed else None]

    def _describe_node(self, node: Node) -> dict[str, Any]:
        game, known, state = self.game, self._tree.node(node), self._state(node)
        parent, index, visits = known.parent, known.index, known.visits_then
        paid = [known.paid[game.players + player] for player in range(game.players)]
        above = self._state(parent) if parent != NO_NODE else None
        kind, mover = self._kind(state)
        is_chance = above is not None and game.to_move(above) == CHANCE
        return {
            "number": node,
            "parent": parent,
            "index": index,
            "kind": kind,
            "player": mover,
            "move": game.format_action(above, action_at(game, above, index)) if parent != NO_NODE else "",
            "probability": [chance for _, chance in game.outcomes(above)][index] if is_chance else None,
            "value": self._visible_payoffs(one / visits for one in paid) if visits else None,
            "proof": "estimate",
            "visits": visits,
            "children": sum(1 for _ in self._children(node)),
            "branches": known.branches if visits > (node != ROOT) else 0,
        }

    def _kind(self, state: State) -> tuple[str, int | None]:
        if self.game.is_terminal(state):
            return "terminal", None
        mover = self.game.to_move(state)
        return "chance" if mover == CHANCE else "min" if self.is_opposed and mover == 1 else "max", mover

    def _state(self, node: Node) -> State:
        if node not in self._states:
            if len(self._states) > STATES_KEPT:
                self._states = {ROOT: self._states[ROOT]}
            known = self._tree.node(node)
            above = self._state(known.parent)
            self._states[node] = self.game.result(above, action_at(self.game, above, known.index))
        return self._states[node]
