"""Counterfactual regret minimisation: both players learn from what they regret not to have done.

In a two-player zero-sum game the average strategies approach an equilibrium. All variants are one update: old regrets
are discounted, the new ones added, and the next strategy is proportional to the positive regrets. Players update in
turn, the first one first.

| variant | old positive regrets of iteration t | old negative ones | weight in the average |
|---|---|---|---|
| cfr [Zinkevich et al. 2007] | kept | kept | 1 |
| cfr+ [Tammelin 2014] | kept | forgotten | t |
| lcfr [Brown & Sandholm 2019] | t / (t + 1) | t / (t + 1) | t |
| dcfr [Brown & Sandholm 2019] | t^1.5 / (t^1.5 + 1) | 1/2 | t^2 |
| pcfr+ [Farina, Kroer & Sandholm 2021] | kept; the last regret is expected to come again | forgotten | t^2 |
| cfr-br [Johanson et al. 2012] | kept; against a best response | kept | 1 |
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from zermelo.core.errors import UsageError
from zermelo.core.game import suggest
from zermelo.equilibrium.arrays import contents, keep, shared, size
from zermelo.equilibrium.flatten import SequenceForm
from zermelo.equilibrium.public import Units, lay_out, make_payoffs, one_lane
from zermelo.equilibrium.symmetry import WORTH, Quotient, quotient
from zermelo.equilibrium.treeplex import (
    Figures,
    Lanes,
    Payoffs,
    Side,
    Treeplex,
    answer,
    answer_plans,
    average_plan,
    first_gradient,
    follow_answer,
    make_plan,
    respond,
    second_gradient,
)
from zermelo.kernel import Reals, Record, kernel


@dataclass(frozen=True)
class Variant:
    """The exponents of a variant: the discount of regrets is t^a / (t^a + 1), the weight of a strategy t^gamma."""

    alpha: float
    beta: float
    gamma: float
    predicts: bool = False
    against_answers: bool = False


KEPT, FORGOTTEN = math.inf, -math.inf
VARIANTS = {
    "cfr": Variant(KEPT, KEPT, 0),
    "cfr+": Variant(KEPT, FORGOTTEN, 1),
    "lcfr": Variant(1, 1, 1),
    "dcfr": Variant(1.5, 0, 2),
    "pcfr+": Variant(KEPT, FORGOTTEN, 2, predicts=True),
    "cfr-br": Variant(KEPT, KEPT, 0, against_answers=True),
}


def check_variant(variant: str, several: bool = False) -> None:
    """UsageError if there is no such variant, or it does not fit more than two opponents."""
    fitting = [name for name, how in VARIANTS.items() if not (several and how.against_answers)]
    if variant not in fitting:
        where = " for several players" if several else ""
        raise UsageError(f"there is no variant {variant!r} of regret minimisation{where}; {suggest(fitting, '')}")


class Schedule(Record):
    """A variant for the kernels."""

    alpha: float
    beta: float
    gamma: float
    predicts: bool


@kernel
def discount(exponent: float, iteration: int) -> float:
    """The share of old regrets that is kept after this many iterations."""
    if math.isinf(exponent):
        return 1.0 if exponent > 0.0 else 0.0
    power: float = float(iteration) ** exponent
    return power / (power + 1.0)


@kernel
def iterate(
    lanes: Lanes, payoffs: Payoffs, first: Side, second: Side, schedule: Schedule, begin: int, end: int
) -> None:
    """Iterations from `begin` to before `end`, counted from 1; both present plans are those of the strategies."""
    for iteration in range(begin, end):
        plus, minus = discount(schedule.alpha, iteration - 1), discount(schedule.beta, iteration - 1)
        weight = float(iteration) ** schedule.gamma
        first_gradient(lanes, payoffs, first, second)
        respond(lanes, first, plus, minus, schedule.predicts)
        make_plan(lanes, first, weight)
        second_gradient(lanes, payoffs, second, first)
        respond(lanes, second, plus, minus, schedule.predicts)
        make_plan(lanes, second, weight)


@kernel
def iterate_against_answers(lanes: Lanes, payoffs: Payoffs, first: Side, second: Side, begin: int, end: int) -> None:
    """The same, but each player learns against the best response to their own strategy."""
    for _ in range(begin, end):
        second_gradient(lanes, payoffs, second, first)
        answer(lanes, second)
        follow_answer(lanes, second)
        first_gradient(lanes, payoffs, first, second)
        respond(lanes, first, 1.0, 1.0, False)
        make_plan(lanes, second, 0.0)
        make_plan(lanes, first, 1.0)
        first_gradient(lanes, payoffs, first, second)
        answer(lanes, first)
        follow_answer(lanes, first)
        second_gradient(lanes, payoffs, second, first)
        respond(lanes, second, 1.0, 1.0, False)
        make_plan(lanes, second, 1.0)
        make_plan(lanes, first, 0.0)


@kernel
def judge(lanes: Lanes, payoffs: Payoffs, first: Side, second: Side, results: Reals) -> None:
    """What the best responses to the average strategies win, and what these win against each other."""
    average_plan(lanes, first)
    average_plan(lanes, second)
    answer_plans(lanes, payoffs, first, second, results)
    make_plan(lanes, first, 0.0)
    make_plan(lanes, second, 0.0)


# -- the solver --------------------------------------------------------------------------------------------


class RegretMinimiser:
    """A variant on the sequence form of a two-player zero-sum game, as far as it has run."""

    def __init__(self, form: SequenceForm, variant: str = "cfr+", shrink: bool = True) -> None:
        """With `shrink`, what is alike becomes one, and hands become lanes; neither changes the iterates."""
        check_variant(variant)
        self.form, self.variant = form, VARIANTS[variant]
        self.quotient: Quotient | None = quotient(form, WORTH) if shrink else None
        self.small = form if self.quotient is None else self.quotient.form
        self.layout = lay_out(self.small) if shrink else one_lane(self.small)
        self.lanes = Lanes(self.layout.width, any((tree.copies != 1).any() for tree in self.small.trees))
        width, (first, second) = self.layout.width, self.layout.units
        self.sides = make_side(self.small.trees[0], first, width), make_side(self.small.trees[1], second, width)
        self.payoffs = make_payoffs(self.layout)
        self.schedule = make_schedule(self.variant)
        self.iterations = 0
        for side in self.sides:
            make_plan.run(self.lanes, side, 0.0)

    def run(self, iterations: int) -> None:
        (first, second), begin = self.sides, self.iterations + 1
        if self.variant.against_answers:
            iterate_against_answers.run(self.lanes, self.payoffs, first, second, begin, begin + iterations)
        else:
            iterate.run(self.lanes, self.payoffs, first, second, self.schedule, begin, begin + iterations)
        self.iterations += iterations

    def judge(self) -> tuple[float, float, float]:
        """What the best response of each player to the averages wins, and what the first player's average wins."""
        (first, second), results = self.sides, np.zeros(3)
        judge.run(self.lanes, self.payoffs, first, second, shared(results))
        return float(results[0]), float(results[1]), float(results[2])

    @property
    def exploitability(self) -> float:
        """What a player who answers best gains over the equilibrium, on average over the seats."""
        first, second, _ = self.judge()
        return (first + second) / 2

    def bytes(self) -> int:
        """The size of all arrays that iterations read and write."""
        return sum(size(record) for record in (*self.sides, self.payoffs))

    def strategies(self) -> tuple[Figures, Figures]:
        """The average strategy of each player: a probability for each sequence of the full form."""
        found = []
        for player, (side, units) in enumerate(zip(self.sides, self.layout.units, strict=True)):
            average = contents(side.average, units.nodes * self.layout.width)[units.place]
            strategy = self.small.trees[player].strategy(average)
            found.append(strategy if self.quotient is None else self.quotient.lift(player, strategy))
        return found[0], found[1]


def make_side(tree: Treeplex, units: Units, width: int) -> Side:
    """A player's work space, with the uniform strategy; lanes without a set have one, too, which pays nothing."""
    side = Side.allocate()
    entries = units.nodes * width
    copies, strategy = np.ones(entries), np.ones(entries)
    strategy[width:] = np.repeat(1 / np.maximum(units.count, 1), units.count * width)
    copies[units.place], strategy[units.place] = tree.copies, tree.uniform()
    side.units, side.nodes = len(units.first), units.nodes
    keep(side, first=units.first, count=units.count, parent=units.parent, copies=copies, strategy=strategy)
    for name in ("regret", "average", "plan", "gradient"):
        keep(side, **{name: np.zeros(entries)})
    return side


def make_schedule(variant: Variant) -> Schedule:
    schedule = Schedule.allocate()
    schedule.alpha, schedule.beta, schedule.gamma = variant.alpha, variant.beta, variant.gamma
    schedule.predicts = variant.predicts
    return schedule
