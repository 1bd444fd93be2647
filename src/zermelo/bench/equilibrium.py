"""Equilibria beside OpenSpiel: iterations of CFR+ per second, exploitabilities, linear programmes, flattening.

Times are processor times of one thread, in one run. Iterations are timed in turns, and the best run of each side
counts. Both sides start from the uniform strategy and must have the same exploitability after 1, 10 and 100 iterations.
OpenSpiel's CFRPlusSolver is written in C++. Times to an accuracy include flattening the rules, symmetry and lanes, but
not compilation; they and what OpenSpiel has no counterpart for are measured against a goal.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.bench.measurement import Measurement
from zermelo.bench.spiel import load
from zermelo.core.errors import RulesError
from zermelo.equilibrium.answers import solve
from zermelo.equilibrium.flatten import SequenceForm, flatten
from zermelo.equilibrium.regret import RegretMinimiser
from zermelo.equilibrium.sampling import SamplingMinimiser
from zermelo.equilibrium.several import Table
from zermelo.games import find

PEERS = ("open_spiel",)
ROUNDS = 3
SECONDS = 1.0
CHECKPOINTS = (1, 10, 100)
SIX_DIGITS = 1e-6
GOAL = "goal"
LARGE = "leduc:ranks=13,suits=4"
MILLION = 1e6


@dataclass(frozen=True)
class Pair:
    """The same game on both sides."""

    title: str
    ours: str
    theirs: str


LEDUC = Pair("Leduc", "leduc", "leduc_poker")
DICE = Pair("liar's dice", "liars-dice", "liars_dice")


@dataclass(frozen=True)
class Goal:
    """An exploitability, and the seconds in which a method should reach it."""

    pair: Pair
    method: str
    to: float
    seconds: float


GOALS = (
    Goal(LEDUC, "cfr+", 1e-3, 0.05),
    Goal(LEDUC, "pcfr+", 1e-6, 2.0),
    Goal(DICE, "dcfr", 1e-3, 0.5),
    Goal(LEDUC, "lp", 0.0, 0.5),
    Goal(DICE, "lp", 0.0, 10.0),
)


def measurements() -> Iterator[Measurement]:
    peer = load("pyspiel", "regret minimisation")
    for pair in (LEDUC, DICE):
        yield iteration_rate(pair, peer, SECONDS, ROUNDS)
        yield sampling_rate(pair, peer, SECONDS, ROUNDS)
    for pair in (LEDUC, DICE):
        yield from same_iterates(pair, peer)
    for pair in (LEDUC, DICE):
        yield exploitability_rate(pair, peer)
    for goal in GOALS:
        yield time_to(goal)
    yield flattening_rate(LARGE)
    yield memory_per_set(LEDUC)


# -- beside OpenSpiel --------------------------------------------------------------------------------------


def iteration_rate(pair: Pair, peer: Any, seconds: float, rounds: int) -> Measurement:
    """Iterations of CFR+ per second; each run takes about this many seconds."""
    minimiser, solver = RegretMinimiser(flatten(find(pair.ours))), peer.CFRPlusSolver(peer.load_game(pair.theirs))
    minimiser.run(1)  # compiles

    def run_theirs(iterations: int) -> None:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()

    ours = theirs = 0.0
    for _ in range(rounds):
        ours, theirs = max(ours, rate(minimiser.run, seconds)), max(theirs, rate(run_theirs, seconds))
    return Measurement(f"CFR+, {pair.title}", round(ours), round(theirs, 1), "OpenSpiel", ours / theirs, "iterations/s")


def sampling_rate(pair: Pair, peer: Any, seconds: float, rounds: int) -> Measurement:
    """Iterations of external sampling per second, one for each player, from the rules."""
    minimiser = SamplingMinimiser(find(pair.ours))
    solver = peer.ExternalSamplingMCCFRSolver(peer.load_game(pair.theirs), 1)
    minimiser.run(1)  # compiles

    def run_theirs(iterations: int) -> None:
        for _ in range(iterations):
            solver.run_iteration()

    ours = theirs = 0.0
    for _ in range(rounds):
        ours, theirs = max(ours, rate(minimiser.run, seconds)), max(theirs, rate(run_theirs, seconds))
    name = f"external sampling, {pair.title}"
    return Measurement(name, round(ours), round(theirs, 1), "OpenSpiel", ours / theirs, "iterations/s")


def rate(run: Callable[[int], None], seconds: float) -> float:
    """Iterations per second of processor time, by runs of growing length."""
    iterations, took = 1, 0.0
    while took < seconds / 2:
        iterations = max(iterations, min(8 * iterations, math.ceil(iterations * seconds / max(took, 1e-9))))
        took = duration(lambda: run(iterations))  # noqa: B023, it is called at once
    return iterations / took


def same_iterates(pair: Pair, peer: Any) -> Iterator[Measurement]:
    """Exploitabilities after the same numbers of iterations; RulesError if they differ in six digits."""
    theirs = peer.load_game(pair.theirs)
    minimiser, solver = RegretMinimiser(flatten(find(pair.ours))), peer.CFRPlusSolver(theirs)
    for before, iterations in zip((0, *CHECKPOINTS), CHECKPOINTS, strict=False):
        minimiser.run(iterations - before)
        for _ in range(before, iterations):
            solver.evaluate_and_update_policy()
        here, there = minimiser.exploitability, peer.exploitability(theirs, solver.average_policy())
        name = f"after {iterations} iterations, {pair.title}"
        if not math.isclose(here, there, rel_tol=SIX_DIGITS):
            raise RulesError(f"the exploitability {name} is {here}, but OpenSpiel's is {there}")
        yield Measurement(
            name, float(f"{here:.7g}"), float(f"{there:.7g}"), "OpenSpiel", there / here, "exploitability"
        )


def exploitability_rate(pair: Pair, peer: Any) -> Measurement:
    """The exact exploitability of the uniform strategy."""
    table = Table(flatten(find(pair.ours)))
    theirs = peer.load_game(pair.theirs)
    policy = peer.UniformRandomPolicy(theirs)

    def run(times: int) -> None:
        for _ in range(times):
            table.judge_strategies()

    run(1)  # compiles
    ours = 1 / rate(run, SECONDS / 4)
    there = duration(lambda: peer.exploitability(theirs, policy))
    ours, there = ours * MILLION, there * MILLION
    name = f"exploitability, {pair.title}"
    return Measurement(name, round(ours, 1), round(there), "OpenSpiel", there / ours, "µs")


# -- against a goal ----------------------------------------------------------------------------------------


def time_to(goal: Goal) -> Measurement:
    """From the rules to the accuracy, or to a proved fraction; the best of a few runs after the first one."""
    spec, seconds = goal.pair.ours, math.inf
    solve(spec, goal.method, to=math.inf)  # compiles
    for _ in range(ROUNDS):
        started = time.process_time()
        found = solve(spec, goal.method, to=goal.to)
        seconds = min(seconds, time.process_time() - started)
        if found.kind != "exact" and (goal.method == "lp" or found.exploitability > goal.to):
            raise RulesError(f"{goal.method} did not solve {spec}: it has an exploitability of {found.exploitability}")
    what = "the exact value" if goal.method == "lp" else f"{goal.to:.0e}"
    name = f"{goal.method} to {what}, {goal.pair.title}"
    return Measurement(name, round(1000 * seconds, 1), 1000 * goal.seconds, GOAL, goal.seconds / seconds, "ms")


def flattening_rate(spec: str) -> Measurement:
    game, forms = find(spec), list[SequenceForm]()
    forms.append(flatten(game))  # compiles
    seconds = min(duration(lambda: forms.append(flatten(game))) for _ in range(ROUNDS))
    ours = forms[0].histories / seconds / MILLION
    return Measurement(f"flattening, {spec}", round(ours, 1), 10.0, GOAL, ours / 10, "million histories/s")


def memory_per_set(pair: Pair) -> Measurement:
    """What regret minimisation stores, without merging what is alike."""
    form = flatten(find(pair.ours))
    ours = RegretMinimiser(form, shrink=False).bytes() / form.sets
    return Measurement(f"memory, {pair.title}", round(ours), 300.0, GOAL, 300 / ours, "bytes per information set")


def duration(run: Callable[[], object]) -> float:
    """Seconds of processor time."""
    started = time.process_time()
    run()
    return time.process_time() - started
