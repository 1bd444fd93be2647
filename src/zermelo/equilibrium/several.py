"""Any number of players and any payoffs: best responses, and regret minimisation as a heuristic.

With more than two players, or payoffs that do not cancel, regret minimisation need not approach an equilibrium, so its
result is reported with its NashConv: what all players together could gain by deviating alone.
"""

from __future__ import annotations

import numpy as np

from zermelo.equilibrium.arrays import contents, keep, shared
from zermelo.equilibrium.flatten import SequenceForm
from zermelo.equilibrium.public import make_payoffs, one_lane, single_lane
from zermelo.equilibrium.regret import VARIANTS, check_variant, discount, make_side
from zermelo.equilibrium.treeplex import (
    Figures,
    Lanes,
    Side,
    answer,
    answer_strategies,
    average_plan,
    make_plan,
    respond,
)
from zermelo.kernel import Numbers, Reals, Record, kernel, pointer

PLAIN = Lanes(1, False)


class Ends(Record):
    """The cells of a form: a row of sequences and a row of payoffs for each player."""

    count: int
    players: int
    sequences: Numbers = pointer(Numbers)
    payoffs: Reals = pointer(Reals)
    plans: Numbers = pointer(Numbers)
    """The address of each player's plan."""

    def plan_of(self, player: int) -> Reals:
        """The plan of a player: a probability for each sequence."""
        return Reals(self.plans[player])


@kernel
def gradient_of(ends: Ends, player: int, side: Side) -> float:
    """What the ends after each sequence of a player are worth against the plans of the others; the value."""
    count, sequences, payoffs = ends.count, ends.sequences, ends.payoffs
    gradient, plan = side.gradient, side.plan
    for sequence in range(side.nodes):
        gradient[sequence] = 0.0
    value = 0.0
    for end in range(count):
        worth = payoffs[player * count + end]
        for other in range(ends.players):
            if other != player:
                worth *= ends.plan_of(other)[sequences[other * count + end]]
        own = sequences[player * count + end]
        gradient[own] += worth
        value += worth * plan[own]
    return value


class Table:
    """The sequence form of a game as the kernels see it, with a strategy for each player; at first the uniform one."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.sides = [make_side(tree, single_lane(tree), 1) for tree in form.trees]
        payoffs = (
            form.payoffs if len(form.payoffs) == len(form.trees) else np.stack([form.payoffs[0], -form.payoffs[0]])
        )
        self.ends = Ends.allocate()
        self.ends.count, self.ends.players = form.sequences.shape[1], len(form.trees)
        plans = np.array([side.plan.address for side in self.sides], np.int64)
        keep(self.ends, sequences=form.sequences, payoffs=payoffs, plans=plans)
        is_matrix = len(form.trees) == 2 and len(form.payoffs) == 1
        self.matrix = make_payoffs(one_lane(form)) if is_matrix else None
        """The payoffs sorted for sweeps, if two players share them."""

    def set_strategies(self, strategies: list[Figures]) -> None:
        for side, strategy in zip(self.sides, strategies, strict=True):
            keep(side, strategy=np.array(strategy, float))

    def make_plans(self) -> None:
        for side in self.sides:
            make_plan.run(PLAIN, side, 0.0)

    def judge(self) -> tuple[list[float], list[float]]:
        """The value of the present plans for each player, and of each player's best response to them."""
        values, best = [], []
        for player, side in enumerate(self.sides):
            values.append(gradient_of.run(self.ends, player, side))
            best.append(answer.run(PLAIN, side))
        return values, best

    def judge_strategies(self) -> tuple[list[float], list[float]]:
        """The same for the present strategies; one call of a kernel if two players share the payoffs."""
        if self.matrix is None:
            self.make_plans()
            return self.judge()
        (first, second), results = self.sides, np.zeros(3)
        answer_strategies.run(PLAIN, self.matrix, first, second, shared(results))
        mine, theirs, value = results.tolist()
        return [value, -value], [mine, theirs]

    def best_response(self, player: int) -> tuple[float, Figures]:
        """The best response to the present plans of the others: its value, and its pure strategy."""
        side = self.sides[player]
        gradient_of.run(self.ends, player, side)
        value = answer.run(PLAIN, side)
        strategy = contents(side.gradient, side.nodes)
        strategy[0] = 1.0
        return value, strategy


class SeveralMinimiser(Table):
    """Regret minimisation for any number of players, who update in turn."""

    def __init__(self, form: SequenceForm, variant: str = "cfr+") -> None:
        check_variant(variant, several=True)
        super().__init__(form)
        self.variant, self.iterations = VARIANTS[variant], 0
        self.make_plans()

    def run(self, iterations: int) -> None:
        how = self.variant
        for _ in range(iterations):
            plus, minus = discount(how.alpha, self.iterations), discount(how.beta, self.iterations)
            self.iterations += 1
            for player, side in enumerate(self.sides):
                gradient_of.run(self.ends, player, side)
                respond.run(PLAIN, side, plus, minus, how.predicts)
                make_plan.run(PLAIN, side, float(self.iterations) ** how.gamma)

    @property
    def exploitability(self) -> float:
        """What a player gains by answering the averages of the others best, on average over the players."""
        values, best = self.judge()
        return (sum(best) - sum(values)) / len(values)

    def strategies(self) -> list[Figures]:
        """The average strategy of each player."""
        return [
            tree.strategy(contents(side.average, side.nodes))
            for tree, side in zip(self.form.trees, self.sides, strict=True)
        ]

    def judge(self) -> tuple[list[float], list[float]]:
        """The same for the average strategies."""
        for side in self.sides:
            average_plan.run(PLAIN, side)
        found = super().judge()
        self.make_plans()
        return found
