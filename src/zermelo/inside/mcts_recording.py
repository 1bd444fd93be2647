"""The growing tree of a Monte Carlo tree search, at any of its moments: the page goes back as well as on."""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.core.game import CHANCE, Game, State, has_one_value
from zermelo.inside import mcts_tree as tree_of
from zermelo.inside.mcts_tree import action_at, cell_of, grow_tree, line_of, new_tree, recount
from zermelo.kernel import is_enabled, load_real

MOST_SIMULATIONS = 500_000
EXPLORATION = 2**0.5
SELDOM = 200
"""Nodes with less than one in this many simulations are left out."""
FAMILY = 40
"""Children that are shown of each node on the way of the last simulation."""
MANY = 50
"""Simulations at once that are worth a compiler."""
SLICE = 0.02
"""Seconds between two looks at the clock, about."""
STATES_KEPT = 10_000


class Growth:
    """The tree of the lecture's algorithm. What takes long is compiled meanwhile, and then goes on faster."""

    def __init__(self, game: Game, state: State, seed: int) -> None:
        self.game = game
        low, high = game.utility_range
        self.exploration = EXPLORATION * ((high - low) / 2 if math.isfinite(high - low) else 1)
        self.is_opposed = has_one_value(game)
        self._tree = new_tree(game, MOST_SIMULATIONS, seed)
        self._states: dict[int, State] = {0: state}
        self._grow, self._recount = grow_tree.__call__, recount.__call__
        self._compiler: threading.Thread | None = None

    @property
    def done(self) -> int:
        """How many simulations there are."""
        return self._tree[tree_of.DONE]

    def grow(self, wanted: int, seconds: float) -> None:
        """Simulate until there are `wanted` simulations in all, or the time is up."""
        wanted = min(wanted, MOST_SIMULATIONS)
        if wanted - self.done > MANY:
            self._hurry()
        begun, at_once = time.monotonic(), 1
        until = begun + (seconds / 2 if self.is_compiling else seconds)
        while self.done < wanted and (begun := time.monotonic()) < until:
            end = min(wanted, self.done + at_once)
            self._grow(self.game, self._states[0], self._tree.address, end, self.exploration)
            at_once = at_once * 2 if time.monotonic() - begun < SLICE else max(1, at_once // 2)
        if self._compiler is not None and self.is_compiling:
            self._compiler.join(seconds / 2)  # the compiler needs time as well

    @property
    def is_compiling(self) -> bool:
        return self._compiler is not None and self._compiler.is_alive()

    def _hurry(self) -> None:
        """Have the compiler at work while the tree goes on growing."""
        if self._compiler is None and is_enabled():
            self._compiler = threading.Thread(target=self._compile, daemon=True)
            self._compiler.start()

    def _compile(self) -> None:
        address = self._tree.address
        can_grow = grow_tree.prepare(self.game, self._states[0], address, 0, self.exploration)
        if can_grow and recount.prepare(self.game, address, 0):
            self._grow, self._recount = grow_tree.run_compiled, recount.run_compiled

    # -- describing -----------------------------------------------------------------------------------------

    def describe(self, simulations: int, most: int) -> dict[str, Any]:
        """The most visited nodes after this many simulations, the way of the last one, and its neighbours."""
        done = self._recount(self.game, self._tree.address, min(simulations, self.done))
        line = line_of(self.game, done - 1)
        way = self._way(self._tree[line + tree_of.LEAF]) if done else [0]
        paid = [load_real(self._tree.address, line + tree_of.LINE + player) for player in range(self.game.players)]
        near = (child for number in way for child in sorted(self._children(number), key=self._seldom)[:FAMILY])
        chosen = {0, *self._most_visited(done, most), *way, *near}
        return {
            "simulations": done,
            "size": self._tree[line + tree_of.SIZE] if done else 1,
            "way": way,
            "payoffs": self._visible_payoffs(paid) if done else None,
            "is_compiling": self.is_compiling,
            "items": [self._node(number) for number in sorted(chosen)],
        }

    def _most_visited(self, done: int, most: int) -> Iterator[int]:
        """Nodes from the most visited on; parents come before their children, so the nodes form a tree."""
        waiting = [(0, 0)]
        for _ in range(most):
            if not waiting:
                return
            _, number = heapq.heappop(waiting)
            yield number
            for child in self._children(number):
                if self._visits(child) * SELDOM >= done:
                    heapq.heappush(waiting, (self._seldom(child), child))

    def _way(self, number: int) -> list[int]:
        way = [number]
        while (above := self._cell(way[-1], tree_of.PARENT)) >= 0:
            way.append(above)
        return way[::-1]

    def _children(self, number: int) -> Iterator[int]:
        """Those that had been visited."""
        child = self._cell(number, tree_of.FIRST)
        while child != tree_of.NO_NODE and self._visits(child):
            yield child
            child = self._cell(child, tree_of.NEXT)

    def _cell(self, number: int, offset: int) -> int:
        return self._tree[cell_of(self.game, self._tree.address, number) + offset]

    def _visits(self, number: int) -> int:
        return self._cell(number, tree_of.VISITS_THEN)

    def _seldom(self, number: int) -> int:
        return -self._visits(number)

    def _visible_payoffs(self, payoffs: Iterable[float]) -> list[float]:
        """One payoff for each player, or the first one if two players oppose each other."""
        return list(payoffs)[: 1 if self.is_opposed else None]

    def _node(self, number: int) -> dict[str, Any]:
        game, parent, visits = self.game, self._cell(number, tree_of.PARENT), self._visits(number)
        state = self._state(number)
        first = cell_of(game, self._tree.address, number) + tree_of.PAID + game.players
        paid = [load_real(self._tree.address, first + player) for player in range(game.players)]
        index = self._cell(number, tree_of.INDEX)
        above = self._state(parent) if parent >= 0 else None
        kind, mover = self._kind(state)
        is_chance = above is not None and game.to_move(above) == CHANCE
        return {
            "number": number,
            "parent": parent,
            "index": index,
            "kind": kind,
            "player": mover,
            "move": game.format_action(above, action_at(game, above, index)) if parent >= 0 else "",
            "probability": [chance for _, chance in game.outcomes(above)][index] if is_chance else None,
            "value": self._visible_payoffs(one / visits for one in paid) if visits else None,
            "proof": "estimate",
            "visits": visits,
            "children": sum(1 for _ in self._children(number)),
            "branches": self._cell(number, tree_of.BRANCHES) if visits > (number > 0) else 0,
        }

    def _kind(self, state: State) -> tuple[str, int | None]:
        if self.game.is_terminal(state):
            return "terminal", None
        mover = self.game.to_move(state)
        return "chance" if mover == CHANCE else "min" if self.is_opposed and mover == 1 else "max", mover

    def _state(self, number: int) -> State:
        if number not in self._states:
            if len(self._states) > STATES_KEPT:
                self._states = {0: self._states[0]}
            above = self._state(self._cell(number, tree_of.PARENT))
            self._states[number] = self.game.result(
                above, action_at(self.game, above, self._cell(number, tree_of.INDEX))
            )
        return self._states[number]
