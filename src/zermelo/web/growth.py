"""The growing tree of a Monte Carlo tree search, at any of its moments: the page goes back as well as on."""

from __future__ import annotations

import random
import time
from typing import Any

from zermelo.core.game import CHANCE, Game, State, has_one_value
from zermelo.textbook.mcts import Tried, back_propagate, expand, select, simulate, tried

MOST_SIMULATIONS = 20_000
EXPLORATION = 2**0.5
SELDOM = 60
"""What got less than this part of the simulations is not drawn."""


class Growth:
    """The tree of the lecture's algorithm, with a book of what every simulation did."""

    def __init__(self, game: Game, state: State, seed: int) -> None:
        self.game, self._rng = game, random.Random(seed)
        low, high = game.utility_range
        self.exploration = EXPLORATION * (high - low) / 2
        root = tried(game, state, self._rng)
        self._nodes, self._parents = [root], [-1]
        self._numbers = {id(root): 0}
        self._book: list[tuple[list[int], tuple[float, ...]]] = []
        self.is_opposed = has_one_value(game)

    def grow(self, wanted: int, seconds: float) -> None:
        """Until so many simulations were made in all, or the time is up."""
        until = time.monotonic() + seconds
        root = self._nodes[0]
        while len(self._book) < min(wanted, MOST_SIMULATIONS) and time.monotonic() < until:
            way = select(self.game, root, self._rng, self.exploration)
            if way[-1].untried:
                parent = way[-1]
                way.append(expand(self.game, parent, self._rng))
                self._numbers[id(way[-1])] = len(self._nodes)
                self._nodes.append(way[-1])
                self._parents.append(self._numbers[id(parent)])
            payoffs = simulate(self.game, way[-1].state, self._rng)
            back_propagate(way, payoffs)
            self._book.append(([self._numbers[id(node)] for node in way], payoffs))

    def shown(self, simulations: int, most: int) -> dict[str, Any]:
        """The nodes that were visited most after so many simulations, and the way of the last one.

        Parents were visited more than their children, so what is shown hangs together.
        """
        done = min(simulations, len(self._book))
        visits, paid = self._counts(done)
        born = [number for number, count in enumerate(visits) if count or number == 0]
        often = [number for number in born if visits[number] * SELDOM >= done]
        chosen = sorted(often, key=lambda number: (-visits[number], number))[:most]
        way, payoffs = self._book[done - 1] if done else ([0], None)
        wanted = sorted({*chosen, *way})
        below = [0] * len(visits)
        for number in born[1:]:
            below[self._parents[number]] += 1
        return {
            "simulations": done,
            "size": len(born),
            "way": way,
            "payoffs": None if payoffs is None else list(payoffs[:1] if self.is_opposed else payoffs),
            "items": [self._node(number, visits, paid, below) for number in wanted],
        }

    def _counts(self, done: int) -> tuple[list[int], list[list[float]]]:
        """How often each node had been visited, and what was paid there."""
        if done == len(self._book):
            return [node.visits for node in self._nodes], [list(node.paid) for node in self._nodes]
        visits = [0] * len(self._nodes)
        paid = [[0.0] * self.game.players for _ in self._nodes]
        for way, payoffs in self._book[:done]:
            for number in way:
                visits[number] += 1
                for player, payoff in enumerate(payoffs):
                    paid[number][player] += payoff
        return visits, paid

    def _node(self, number: int, visits: list[int], paid: list[list[float]], below: list[int]) -> dict[str, Any]:
        node, parent = self._nodes[number], self._parents[number]
        count = visits[number]
        means = [one / count for one in paid[number]] if count else None
        return {
            "number": number,
            "parent": parent,
            "index": self._nodes[parent].children.index(node) if parent >= 0 else 0,
            "kind": self._kind(node),
            "player": node.mover,
            "move": self.game.format_action(self._nodes[parent].state, node.action) if parent >= 0 else "",
            "probability": self._probability(number),
            "value": means and (means[:1] if self.is_opposed else means),
            "proof": "estimate",
            "visits": count,
            "children": below[number],
        }

    def _kind(self, node: Tried) -> str:
        if node.mover is None:
            return "terminal"
        if node.mover == CHANCE:
            return "chance"
        return "min" if self.is_opposed and node.mover == 1 else "max"

    def _probability(self, number: int) -> float | None:
        parent = self._parents[number]
        if parent < 0 or self._nodes[parent].mover != CHANCE:
            return None
        return dict(self.game.outcomes(self._nodes[parent].state)).get(self._nodes[number].action)
