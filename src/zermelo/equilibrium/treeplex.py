"""What a player can do in a game with hidden information: information sets, sequences, plans, best responses.

A sequence is the player's last information set with the move made there; sequence 0 is empty. A plan gives each
sequence the probability that the player's own choices allow it; the strategies of a player are a polytope of plans, the
treeplex. Payoffs are linear in each player's plan, so everything here is a sweep over arrays: plans from the top,
values and best responses from the bottom.   [Koller, Megiddo & von Stengel 1996; Hoda, Gilpin, Pena & Sandholm 2010]

The kernels never see a game. They run on units and lanes: a unit is `width` information sets with the same shape, one
in each lane, that are told apart by what the player holds; node n of lane l is entry n * width + l. With width 1 a unit
is an information set and a node is a sequence. Several information sets or moves that are alike may be represented by
one; then `copies` has the number of such moves in each set, and gradients are sums over all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.kernel import Numbers, Reals, Record, Static, kernel, pointer

LEAST = 1e-290
"""Regrets that sum to less count as none: the reciprocal of their sum may be infinite."""
Indices = NDArray[np.int64]
Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Treeplex:
    """The information sets of one player, parents first."""

    first: Indices
    """The sequence of the first move of each set; the others follow."""
    count: Indices
    """The number of moves in each set."""
    parent: Indices
    """The player's last sequence before each set."""
    copies: Figures
    """How many moves each sequence represents."""
    keys: NDArray[np.uint64]
    """What identifies each set: a hash of the views and moves of the player."""

    @property
    def sets(self) -> int:
        return len(self.first)

    @property
    def sequences(self) -> int:
        return len(self.copies)

    def owners(self) -> Indices:
        """The set of each sequence; -1 for the empty one."""
        found = np.full(self.sequences, -1)
        found[1:] = np.repeat(np.arange(self.sets), self.count)
        return found

    def uniform(self) -> Figures:
        """The strategy that makes all moves of a set equally likely."""
        found = np.ones(self.sequences)
        if self.sets:
            found[1:] = np.repeat(1 / np.add.reduceat(self.copies[1:], self.first - 1), self.count)
        return found

    def plan(self, strategy: Figures) -> Figures:
        """The probability of each sequence."""
        found = np.ones(self.sequences)
        for first, count, parent in zip(self.first.tolist(), self.count.tolist(), self.parent.tolist(), strict=True):
            found[first : first + count] = found[parent] * strategy[first : first + count]
        return found

    def strategy(self, plan: Figures) -> Figures:
        """The probability of each move in its set, from a plan of any scale; equal where the plan never comes."""
        above = np.full(self.sequences, plan[0])
        above[1:] = np.repeat(plan[self.parent], self.count)
        return np.where(above > 0, plan / np.where(above > 0, above, 1), self.uniform())


class Lanes(Static):
    """Constants of the machine code: the number of lanes, and whether a move can stand for several."""

    def __init__(self, width: int, merges: bool) -> None:
        self.width, self.merges = width, merges

    def copies(self, side: Side, entry: int) -> float:
        """How many moves of a set the entry stands for."""
        return side.copies[entry] if self.merges else 1.0


class Side(Record):
    """One player's units and the work space of the sweeps, entries by node and lane."""

    units: int
    nodes: int
    first: Numbers = pointer(Numbers)
    count: Numbers = pointer(Numbers)
    parent: Numbers = pointer(Numbers)
    copies: Reals = pointer(Reals)
    strategy: Reals = pointer(Reals)
    regret: Reals = pointer(Reals)
    average: Reals = pointer(Reals)
    plan: Reals = pointer(Reals)
    gradient: Reals = pointer(Reals)


class Payoffs(Record):
    """What the first player wins, in blocks: a node of each player, and a payoff for each pair of their lanes.

    The blocks are sorted by the first player's node. Payoffs include the probability of chance.
    """

    rows: int
    start: Numbers = pointer(Numbers)
    """The first block of each node of the first player, and the end."""
    other: Numbers = pointer(Numbers)
    """The second player's node of each block."""
    values: Reals = pointer(Reals)
    """`width` rows of `width` payoffs for each block."""


# -- sweeps ------------------------------------------------------------------------------------------------
# Arrays are named before a loop: an address in a record would be read again after every store.


@kernel
def make_plan(lanes: Lanes, side: Side, weight: float) -> None:
    """The plan of the strategy; `weight` times the plan before is added to the average."""
    width, strategy, plan, average = lanes.width, side.strategy, side.plan, side.average
    first, count, parent = side.first, side.count, side.parent
    for lane in range(width):
        average[lane] += weight * plan[lane]
        plan[lane] = 1.0
    for unit in range(side.units):
        above, begin = parent[unit] * width, first[unit]
        for node in range(begin, begin + count[unit]):
            for lane in range(width):
                entry = node * width + lane
                average[entry] += weight * plan[entry]
                plan[entry] = plan[above + lane] * strategy[entry]


@kernel
def average_plan(lanes: Lanes, side: Side) -> None:
    """The plan of the average strategy; it overwrites the present plan."""
    width = lanes.width
    for node in range(side.nodes):
        for lane in range(width):
            total = side.average[lane]
            share = side.average[node * width + lane] / total if total > 0.0 else 0.0
            side.plan[node * width + lane] = share


@kernel
def first_gradient(lanes: Lanes, payoffs: Payoffs, me: Side, other: Side) -> None:
    """What the ends after each sequence of the first player are worth to them against the second player's plan."""
    width, values, node = lanes.width, payoffs.values, payoffs.other
    plan, gradient, start = other.plan, me.gradient, payoffs.start
    for row in range(payoffs.rows):
        here = row * width
        for lane in range(width):
            gradient[here + lane] = 0.0
        for block in range(start[row], start[row + 1]):
            at, there = block * width * width, node[block] * width
            for lane in range(width):
                total = gradient[here + lane]
                for hidden in range(width):
                    total += values[at + lane * width + hidden] * plan[there + hidden]
                gradient[here + lane] = total


@kernel
def second_gradient(lanes: Lanes, payoffs: Payoffs, me: Side, other: Side) -> None:
    """The same for the second player, whose payoffs are the opposite, against the first player's plan."""
    width, values, node = lanes.width, payoffs.values, payoffs.other
    plan, gradient, start = other.plan, me.gradient, payoffs.start
    for entry in range(me.nodes * width):
        gradient[entry] = 0.0
    for row in range(payoffs.rows):
        there = row * width
        for block in range(start[row], start[row + 1]):
            at, here = block * width * width, node[block] * width
            for lane in range(width):
                total = gradient[here + lane]
                for hidden in range(width):
                    total -= values[at + hidden * width + lane] * plan[there + hidden]
                gradient[here + lane] = total


@kernel
def answer(lanes: Lanes, side: Side) -> float:
    """The value of the best response to the gradient, which becomes the pure strategy that reaches it."""
    width, gradient = lanes.width, side.gradient
    first, count, parent = side.first, side.count, side.parent
    for unit in range(side.units - 1, -1, -1):
        above, begin = parent[unit] * width, first[unit]
        end = begin + count[unit]
        for lane in range(width):
            choice = begin * width + lane
            best = gradient[choice] / lanes.copies(side, choice)
            for node in range(begin, end):
                entry = node * width + lane
                value = gradient[entry] / lanes.copies(side, entry)
                gradient[entry] = 0.0
                if value > best:
                    best, choice = value, entry
            gradient[choice] = 1.0 / lanes.copies(side, choice)
            gradient[above + lane] += best
    total = 0.0
    for lane in range(width):
        total += gradient[lane]
    return total


@kernel
def answer_plans(lanes: Lanes, payoffs: Payoffs, first: Side, second: Side, results: Reals) -> None:
    """What the best responses of both players to the present plans win, and what these win for the first player."""
    first_gradient(lanes, payoffs, first, second)
    value = 0.0
    for entry in range(first.nodes * lanes.width):
        value += first.plan[entry] * first.gradient[entry]
    results[0] = answer(lanes, first)
    second_gradient(lanes, payoffs, second, first)
    results[1] = answer(lanes, second)
    results[2] = value


@kernel
def answer_strategies(lanes: Lanes, payoffs: Payoffs, first: Side, second: Side, results: Reals) -> None:
    """The same for the present strategies."""
    make_plan(lanes, first, 0.0)
    make_plan(lanes, second, 0.0)
    answer_plans(lanes, payoffs, first, second, results)


@kernel
def respond(lanes: Lanes, side: Side, plus: float, minus: float, predicts: bool) -> None:
    """Regret matching in all information sets, from the ends up, against the gradient, which is used up.

    Regrets that are positive are first multiplied by `plus`, negative ones by `minus`. With `predicts`, the regret of
    this iteration counts twice for the next strategy: it is expected to come again.
    """
    width, strategy, regrets, gradient = lanes.width, side.strategy, side.regret, side.gradient
    first, count, parent = side.first, side.count, side.parent
    for unit in range(side.units - 1, -1, -1):
        above, begin = parent[unit] * width, first[unit]
        end = begin + count[unit]
        for lane in range(width):
            value = 0.0
            for node in range(begin, end):
                entry = node * width + lane
                value += strategy[entry] * gradient[entry]
            total, moves = 0.0, 0.0
            for node in range(begin, end):
                entry = node * width + lane
                before, alike = regrets[entry], lanes.copies(side, entry)
                now = gradient[entry] - alike * value
                regret = (before * plus if before > 0.0 else before * minus) + now
                regrets[entry] = regret
                wish = max(regret, 0.0) + now if predicts else regret
                wish = max(wish, 0.0)
                strategy[entry] = wish / alike
                total += wish
                moves += alike
            if total > LEAST:
                scale = 1.0 / total
                for node in range(begin, end):
                    strategy[node * width + lane] *= scale
            else:
                for node in range(begin, end):
                    strategy[node * width + lane] = 1.0 / moves
            gradient[above + lane] += value


@kernel
def follow_answer(lanes: Lanes, side: Side) -> None:
    """The plan of the best response that `answer` has left in the gradient."""
    width, plan, gradient = lanes.width, side.plan, side.gradient
    for lane in range(width):
        plan[lane] = 1.0
    for unit in range(side.units):
        above, begin = side.parent[unit] * width, side.first[unit]
        for node in range(begin, begin + side.count[unit]):
            for lane in range(width):
                entry = node * width + lane
                plan[entry] = plan[above + lane] * gradient[entry]
