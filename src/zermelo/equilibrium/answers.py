"""The front door: solve a game, and judge a strategy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, has_one_value, knows, suggest
from zermelo.equilibrium import sampling
from zermelo.equilibrium.abstraction import Abstraction, abstraction
from zermelo.equilibrium.flatten import MOST_ENDS, SequenceForm, TooLarge, flatten
from zermelo.equilibrium.programme import MOST_SEQUENCES, has_solver, solve_form
from zermelo.equilibrium.regret import VARIANTS, RegretMinimiser
from zermelo.equilibrium.sampling import SamplingMinimiser
from zermelo.equilibrium.several import SeveralMinimiser, Table
from zermelo.equilibrium.stacked import sees_all, solve_stacked
from zermelo.equilibrium.stopping import IsStopped
from zermelo.equilibrium.strategy import Strategy
from zermelo.equilibrium.treeplex import Figures
from zermelo.games.library.resolve import game_of

Stopped: TypeAlias = Literal["done", "iterations", "time", "user"]
"""Why it ended: the value is proved or the exploitability is small enough, or a limit, or the caller stopped it."""
METHODS = ("auto", "lp", "stacked", *VARIANTS, *sampling.METHODS)
GOAL, SAMPLING_GOAL = 1e-6, 1e-2
"""The exploitability at which regret minimisation stops, and at which sampling does."""
MOST_ITERATIONS = 20_000
"""Without a limit, regret minimisation ends here where it need not converge."""
MOST_ENDS_UNFOLDED = 20_000
"""Games with simultaneous moves and at most this many ends get a strategy for each information set."""
MOST_ENDS_JUDGED = 1 << 21
"""The exploitability of sampled strategies is computed in games with at most this many ends."""
MOST_CELLS_LP = 200_000
"""`auto` takes the linear programme up to this size."""
CHECKS = 1.2
"""The exploitability is computed after each 20 percent more iterations."""
SLICE = 0.05
"""Seconds that a kernel runs at most, about, so that Ctrl-C is heard."""


@dataclass(frozen=True)
class Solution:
    """What solving a game has found."""

    game: str
    value: Fraction | tuple[float, ...]
    """For the first of two opponents, a fraction if it is proved; otherwise for each player."""
    kind: Literal["exact", "estimate"]
    exploitability: float
    """The mean gain of a player who answers best, over the seats; of an exact solution, 0 up to rounding; infinite if
    the game is too large to compute it."""
    method: str
    iterations: int
    sets: int
    seconds: float
    strategy: Strategy
    total: Fraction | None = None
    """What the payoffs of two opponents sum to; None if it is not always the same, or if there are more players."""
    buckets: int = 0
    """The number of information sets of the abstract game that was solved, if views share buckets."""
    stopped: Stopped = "done"

    @property
    def nash_conv(self) -> float:
        """What all players together gain by answering best."""
        return self.exploitability * len(self.strategy.keys)

    @property
    def values(self) -> tuple[float, ...]:
        """The value for each player."""
        if isinstance(self.value, Fraction):
            return float(self.value), float((self.total or 0) - self.value)
        return self.value


def solve(
    game: Game | str,
    method: str = "auto",
    *,
    to: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    on_progress: Callable[[int, float], None] | None = None,
    is_stopped: IsStopped | None = None,
) -> Solution:
    """An equilibrium of a game with two opponents; of other games, what regret minimisation reaches.

    Two players are opponents if their payoffs sum to the same number at all ends, as they do in a zero-sum game.

    `lp` is a linear programme, whose value is exact if it can be verified. `stacked` is backward induction over the
    matrices of simultaneous moves; its value is exact in small games. The others are variants of regret minimisation:
    they stop at an exploitability of `to`, after `iterations` or after `seconds`. Of these, `mccfr` and `outcome`
    sample the game, which need not fit into memory; `seed` is theirs. `auto` takes matrices where all is seen, or the
    linear programme if the game is small enough; it samples a game that is too large if there is a limit. If the
    players are not opponents, no variant need converge, so without `to` and limits it ends after 20,000 iterations.
    If the game has a `bucket`, the views of one are played alike: the abstract game is solved until its exploitability
    is `to`, and what is reported is measured in the full game. Samples and matrices know no buckets.
    `on_progress` gets iterations and exploitability. Once `is_stopped` returns True, regret minimisation ends with what
    it has found so far; before that, and in other methods, Halted is raised.
    """
    game = game_of(game)
    if method not in METHODS:
        raise UsageError(f"there is no method {method!r}; {suggest(METHODS, '')}")
    begin = time.perf_counter()
    is_sampled, is_limited = method in sampling.METHODS, iterations is not None or seconds is not None
    goal = to if to is not None else SAMPLING_GOAL if is_sampled else GOAL
    if (iterations is not None and iterations < 1) or (seconds is not None and seconds <= 0):
        raise UsageError("a number of iterations is 1 or more, and a time is more than 0 seconds")
    limit = Stop(goal, iterations, seconds, on_progress, is_stopped)
    if method == "stacked" or (method == "auto" and not is_limited and sees_all(game) and not knows(game, "bucket")):
        return solve_by_stacking(game, begin, is_stopped)
    try:
        form = flatten(game, MOST_ENDS_JUDGED if is_sampled else MOST_ENDS, is_stopped)
    except TooLarge as error:
        if not is_limited or not (is_sampled or method == "auto"):
            raise TooLarge(f"{error}; mccfr samples it, if you give it a number of iterations or a time") from None
        name = method if is_sampled else "mccfr"
        return replace(solve_by_sampling(game, None, name, seed, limit, begin), stopped=limit.reason)
    if is_sampled:
        return replace(solve_by_sampling(game, form, method, seed, limit, begin), stopped=limit.reason)
    if (abstract := abstraction(form)) is not None:
        if method == "auto":
            method = "lp" if not is_limited and suits_programme(abstract.form) else "cfr+"
        if not is_limited and to is None and form.total is None:
            limit.iterations = MOST_ITERATIONS
        return replace(solve_by_buckets(game, form, abstract, method, limit, begin), stopped=limit.reason)
    if method == "lp" or (method == "auto" and not is_limited and suits_programme(form)):
        return solve_by_programme(game, form, begin, is_stopped)
    variant = "cfr+" if method == "auto" else method
    if form.total is not None:
        return replace(solve_by_regret(game, form, variant, limit, begin), stopped=limit.reason)
    if not is_limited and to is None:
        limit.iterations = MOST_ITERATIONS
    return replace(solve_for_several(game, form, variant, limit, begin), stopped=limit.reason)


def suits_programme(form: SequenceForm) -> bool:
    """Whether `auto` takes the linear programme."""
    if form.total is None:
        return False
    size = max(tree.sequences for tree in form.trees)
    return form.sequences.shape[1] <= MOST_CELLS_LP if has_solver() else size <= MOST_SEQUENCES


def solve_by_programme(game: Game, form: SequenceForm, begin: float, is_stopped: IsStopped | None = None) -> Solution:
    require_opponents(game, form)
    found = solve_form(form, is_stopped=is_stopped)
    strategies = [tree.strategy(plan) for tree, plan in zip(form.trees, found.plans, strict=True)]
    table = Table(form)
    table.set_strategies(strategies)
    values, best = table.judge_strategies()
    gain = max(0.0, (sum(best) - sum(values)) / 2)
    value = found.value if isinstance(found.value, Fraction) else tuple(values)
    return _solution(game, form, value, gain, "lp", 0, begin, strategies)


def solve_by_regret(game: Game, form: SequenceForm, variant: str, limit: Stop, begin: float) -> Solution:
    minimiser = RegretMinimiser(form, variant)
    gain = limit.run(minimiser, lambda: minimiser.exploitability)
    _, _, value = minimiser.judge()
    strategies = list(minimiser.strategies())
    assert form.total is not None
    values = value, float(form.total) - value
    return _solution(game, form, values, gain, variant, minimiser.iterations, begin, strategies)


def solve_for_several(game: Game, form: SequenceForm, variant: str, limit: Stop, begin: float) -> Solution:
    minimiser = SeveralMinimiser(form, variant)
    gain = limit.run(minimiser, lambda: minimiser.exploitability)
    values, _ = minimiser.judge()
    strategies = minimiser.strategies()
    return _solution(game, form, tuple(values), gain, variant, minimiser.iterations, begin, strategies)


def solve_by_buckets(
    game: Game, form: SequenceForm, abstract: Abstraction, method: str, limit: Stop, begin: float
) -> Solution:
    """Solve the abstract game, and judge its strategies in the full one."""
    table, iterations = Table(form), 0

    def measure(strategies: Sequence[Figures]) -> float:
        table.set_strategies(abstract.lift(strategies))
        values, best = table.judge_strategies()
        return max(0.0, (sum(best) - sum(values)) / game.players)

    if method == "lp":
        require_opponents(game, form)
        plans = solve_form(abstract.form, is_stopped=limit.is_stopped).plans
        strategies = [tree.strategy(plan) for tree, plan in zip(abstract.form.trees, plans, strict=True)]
    else:
        kind = SeveralMinimiser if form.total is None else RegretMinimiser
        minimiser = kind(abstract.form, method)
        limit.run(minimiser, lambda: minimiser.exploitability, lambda: measure(minimiser.strategies()))
        strategies, iterations = list(minimiser.strategies()), minimiser.iterations
    gain = measure(strategies)
    values, _ = table.judge_strategies()
    found = _solution(game, form, tuple(values), gain, method, iterations, begin, abstract.lift(strategies))
    return replace(found, buckets=abstract.form.sets)


def require_opponents(game: Game, form: SequenceForm) -> None:
    """Refused for a game in which the first player's payoff does not determine the second's."""
    if form.total is None:
        raise Refused(
            f"a linear programme needs two players whose payoffs always sum to the same number; use cfr+ for {game}"
        )


def solve_by_stacking(game: Game, begin: float, is_stopped: IsStopped | None = None) -> Solution:
    """Backward induction over matrices; the strategy of a large game forgets earlier rounds."""
    found = solve_stacked(game, is_stopped)
    value = found.exact if found.exact is not None else ((found.low + found.high) / 2, -(found.low + found.high) / 2)
    kind: Literal["exact", "estimate"] = "exact" if isinstance(value, Fraction) else "estimate"
    strategy, gain, seconds = found.strategy, found.exploitability, time.perf_counter() - begin
    strategy.notes.update(method="stacked", iterations=0, kind=kind, exploitability=gain)
    strategy.notes["value"] = str(value) if isinstance(value, Fraction) else list(value)
    with suppress(TooLarge):
        strategy = strategy.unfolded(game, flatten(game, MOST_ENDS_UNFOLDED))
    sets = sum(len(keys) for keys in strategy.keys)
    return Solution(game.spec(), value, kind, gain, "stacked", 0, sets, seconds, strategy, Fraction(0))


def solve_by_sampling(
    game: Game, form: SequenceForm | None, method: str, seed: int, limit: Stop, begin: float
) -> Solution:
    """Sample the rules; without a form the exploitability is unknown."""
    minimiser = SamplingMinimiser(game, method, seed)
    table = None if form is None else Table(form)

    def judge() -> tuple[list[float], list[float]]:
        assert form is not None
        assert table is not None
        table.set_strategies(minimiser.strategy().by_sequence(form))
        return table.judge_strategies()

    def mean_gain() -> float:
        if table is None:
            return math.inf
        values, best = judge()
        return (sum(best) - sum(values)) / game.players

    gain = limit.run(minimiser, mean_gain)
    if form is not None:
        values, _ = judge()
        strategies = minimiser.strategy().by_sequence(form)
        return _solution(game, form, tuple(values), gain, method, minimiser.iterations, begin, strategies)
    found = minimiser.values()
    if has_one_value(game) and game.players == 2:
        found = (found[0] - found[1]) / 2, (found[1] - found[0]) / 2
    strategy = minimiser.strategy(kind="estimate", value=list(found))
    seconds, total = time.perf_counter() - begin, Fraction(0) if game.players == 2 and game.zero_sum else None
    return Solution(
        game.spec(), found, "estimate", gain, method, minimiser.iterations, minimiser.sets, seconds, strategy, total
    )


def _solution(
    game: Game, form: SequenceForm, value: Fraction | tuple[float, ...], gain: float, method: str, iterations: int,
    begin: float, strategies: list[Figures],
) -> Solution:  # fmt: skip
    kind: Literal["exact", "estimate"] = "exact" if isinstance(value, Fraction) else "estimate"
    notes = {
        "method": method,
        "iterations": iterations,
        "kind": kind,
        "value": str(value) if isinstance(value, Fraction) else list(value),
        "exploitability": gain,
    }
    strategy = Strategy.of(game, form, strategies, **notes)
    seconds = time.perf_counter() - begin
    return Solution(game.spec(), value, kind, gain, method, iterations, form.sets, seconds, strategy, form.total)


@dataclass
class Stop:
    """When regret minimisation is good enough, or has taken long enough."""

    to: float
    iterations: int | None
    seconds: float | None
    """From the second iteration on: the first one compiles."""
    on_progress: Callable[[int, float], None] | None
    is_stopped: Callable[[], bool] | None = None
    reason: Stopped = "done"
    deadline: float = math.inf

    def run(
        self,
        minimiser: RegretMinimiser | SeveralMinimiser | SamplingMinimiser,
        judge: Callable[[], float],
        measure: Callable[[], float] | None = None,
    ) -> float:
        """Iterate in growing steps; the exploitability at the end. If there is another to `measure`, it is shown."""
        goal, step = 8.0, 8
        minimiser.run(1)
        if self.seconds is not None:
            self.deadline = time.perf_counter() + self.seconds
        while True:
            while minimiser.iterations < goal and minimiser.iterations != self.iterations and not self.is_late():
                left = int(goal) - minimiser.iterations
                if self.iterations is not None:
                    left = min(left, self.iterations - minimiser.iterations)
                before = time.perf_counter()
                minimiser.run(max(1, min(step, left)))
                took = time.perf_counter() - before
                step = max(1, min(2 * step, int(step * SLICE / max(took, 1e-6))))
            gain = judge()
            if self.on_progress is not None:
                self.on_progress(minimiser.iterations, gain if measure is None else measure())
            if gain <= self.to:
                return gain
            if minimiser.iterations == self.iterations or self.is_late():
                self.reason = "iterations" if minimiser.iterations == self.iterations else self.reason
                return gain
            goal = max(goal * CHECKS, minimiser.iterations + 1)

    def is_late(self) -> bool:
        if self.is_stopped is not None and self.is_stopped():
            self.reason = "user"
        elif time.perf_counter() >= self.deadline:
            self.reason = "time"
        return self.reason != "done"


# -- judging a strategy ------------------------------------------------------------------------------------


def nash_conv(game: Game | str, strategy: Strategy | None = None) -> float:
    """What all players together gain by answering a strategy best; by default the uniform one."""
    game = game_of(game)
    values, best = _table(game, strategy).judge_strategies()
    return sum(best) - sum(values)


def exploitability(game: Game | str, strategy: Strategy | None = None) -> float:
    """NashConv divided by the number of players: between two opponents, 0 exactly at an equilibrium."""
    game = game_of(game)
    return nash_conv(game, strategy) / game.players


def best_response(game: Game | str, strategy: Strategy | None, player: int) -> tuple[float, Strategy]:
    """The best response of a player to the others: what it is worth, and the strategy with it in place."""
    game = game_of(game)
    if not 0 <= player < game.players:
        raise UsageError(f"{game} has players 0 to {game.players - 1}, not {player}")
    table = _table(game, strategy)
    table.make_plans()
    value, pure = table.best_response(player)
    strategies = _strategies(game, table, strategy)
    strategies[player] = pure
    return value, Strategy.of(game, table.form, strategies, method=f"best response of player {player + 1}")


def _table(game: Game, strategy: Strategy | None) -> Table:
    table = Table(flatten(game))
    table.set_strategies(_strategies(game, table, strategy))
    return table


def _strategies(game: Game, table: Table, strategy: Strategy | None) -> list[Figures]:
    if strategy is not None and strategy.forgets:
        strategy = strategy.unfolded(game, table.form)
    return [tree.uniform() for tree in table.form.trees] if strategy is None else strategy.by_sequence(table.form)
