"""Random finite games as explicit graphs, and their values by plain recursion that shares no code with the searches.

Nodes stand in layers; a move leads to a node of a later layer, so that positions are reached in several ways and every
game ends. Layers come in any order: players, the same player again, dice, dice after dice. Few different payoffs make
ties common, and estimates have nothing to do with the truth. These games run interpreted.
"""

import math
import random
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.core.game import CHANCE, Game


class Node(NamedTuple):
    mover: int
    children: tuple
    chances: tuple
    payoffs: tuple
    estimates: tuple
    orders: tuple


@dataclass(frozen=True)
class Kind:
    """What a random game is like."""

    players: int = 2
    zero_sum: bool = True
    chance: bool = True
    layers: int = 6
    width: int = 4
    branching: int = 3
    steps: int = 2
    """Payoffs are whole multiples of 1/2 and at most this many halves."""
    total: int | None = None
    """What the payoffs of all players sum to, in halves; `max_payoff_sum` says so."""
    scale: float = 1.0
    """All payoffs and estimates are multiplied by it."""
    is_bounded: bool = True
    """Whether `utility_range` is finite."""


ANY_KIND = Kind()


class Graph(Game):
    """A random graph; actions are the numbers of the children."""

    def __init__(self, seed: int = 0, kind: Kind = ANY_KIND):
        self.seed, self.kind = seed, kind
        rng = random.Random(seed)
        self.players, self.zero_sum, self.chance = kind.players, kind.zero_sum, kind.chance
        high = kind.steps / 2
        self.utility_range = (-high, high) if kind.zero_sum else (0.0, 2 * high)
        if kind.zero_sum and kind.players > 2:
            self.utility_range = (-high * (kind.players - 1), high * (kind.players - 1))
        if kind.total is not None:
            self.utility_range = (0.0, kind.total / 2)
            self.max_payoff_sum = kind.total / 2 * kind.scale
        low, high = self.utility_range
        self.utility_range = (low * kind.scale, high * kind.scale) if kind.is_bounded else (-math.inf, math.inf)
        self.nodes = self._nodes(rng)

    def _nodes(self, rng):
        kind, ids, count = self.kind, [], 1
        ids.append([0])
        for _ in range(1, kind.layers + 1):
            ids.append(list(range(count, count + kind.width)))
            count += kind.width
        nodes = []
        habit = rng.choice([None, None, 0, 1 % kind.players])  # one player moves most of the time
        for layer, members in enumerate(ids):
            for _ in members:
                is_over = layer == kind.layers or (layer > 0 and rng.random() < 0.15)
                mover = rng.randrange(kind.players) if habit is None or rng.random() < 0.4 else habit
                if kind.chance and layer > 0 and rng.random() < 0.35:
                    mover = CHANCE
                later = [
                    node for nodes_of in ids[layer + 1 : layer + (3 if rng.random() < 0.2 else 2)] for node in nodes_of
                ]
                children = () if is_over else tuple(rng.choices(later, k=rng.randint(1, kind.branching)))
                weights = [rng.choice([1, 1, 2, 3, 7]) for _ in children]
                chances = tuple(weight / sum(weights) for weight in weights)
                orders = tuple(rng.choice([0.0, 0.0, 1.0, 2.5, -1.0]) for _ in children)
                payoffs = tuple(kind.scale * payoff for payoff in self._payoffs(rng))
                estimates = tuple(kind.scale * estimate for estimate in self._estimates(rng))
                nodes.append(Node(mover, children, chances, payoffs, estimates, orders))
        return nodes

    def _payoffs(self, rng):
        kind = self.kind
        if kind.total is not None:
            cuts = sorted(rng.randint(0, kind.total) for _ in range(kind.players - 1))
            parts = [b - a for a, b in zip([0, *cuts], [*cuts, kind.total], strict=True)]
            return tuple(part / 2 for part in parts)
        if kind.zero_sum and kind.players > 1:
            own = [rng.randint(-kind.steps, kind.steps) / 2 for _ in range(kind.players - 1)]
            return (*own, 0.0 - sum(own))
        low = -kind.steps if kind.zero_sum else 0
        return tuple((low + rng.randint(0, 2 * kind.steps)) / 2 for _ in range(kind.players))

    def _estimates(self, rng):
        payoffs = [0.75 * payoff + 0.0 for payoff in self._payoffs(rng)]
        if self.kind.zero_sum or self.kind.total is not None:
            return tuple(payoffs)
        return tuple(payoff + 0.1 for payoff in payoffs)

    def initial(self):
        return 0

    def to_move(self, state):
        return self.nodes[state].mover

    def actions(self, state):
        yield from range(len(self.nodes[state].children))

    def outcomes(self, state):
        yield from enumerate(self.nodes[state].chances)

    def result(self, state, action):
        return self.nodes[state].children[action]

    def utility(self, state, player):
        return self.nodes[state].payoffs[player]

    def evaluate(self, state, player):
        return self.nodes[state].estimates[player]

    def order(self, state, action):
        return self.nodes[state].orders[action]

    def parse_state(self, text):
        return int(text)


def payoffs_by_recursion(graph, wishes, state, depth=math.inf, known=None):
    """The payoffs if each seat takes the first of the moves that it likes best, or any with equal chances.

    `wishes` has for each seat what the payoffs are worth to it, or None if it moves at random.
    """
    known = {} if known is None else known
    if (state, depth) in known:
        return known[state, depth]
    node = graph.nodes[state]
    if not node.children:
        return node.payoffs
    if depth == 0:
        return node.estimates
    values = [payoffs_by_recursion(graph, wishes, child, depth - 1, known) for child in node.children]
    wish = None if node.mover == CHANCE else wishes[node.mover]
    if wish is not None:
        best = values[0]
        for value in values[1:]:
            if wish(value) > wish(best):
                best = value
    else:
        chances = node.chances if node.mover == CHANCE else [1 / len(values)] * len(values)
        best = (0.0,) * graph.players
        for chance, value in zip(chances, values, strict=True):
            best = tuple(total + chance * payoff for total, payoff in zip(best, value, strict=True))
    known[state, depth] = best
    return best


def for_itself(seat):
    return lambda payoffs: payoffs[seat]


def together(seats, sign=1):
    return lambda payoffs: sign * sum(payoffs[seat] for seat in seats)
