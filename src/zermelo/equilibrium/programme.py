"""Equilibria of two-player zero-sum games as linear programmes, and their values as exact fractions.

The first player's plan x and a value v for each information set of the second are the variables:

    maximise    what sequence 0 of the second player leaves      payoffs(0) + sum of v below it
    subject to  v of a set <= payoffs(k) + sum of v below k      for each sequence k of the second player
                the moves of a set sum to the sequence above it  for each set of the first

where payoffs(k) is what the first player wins at the ends of sequence k against x. The dual solution is the second
player's plan.   [Koller, Megiddo & von Stengel 1996]

HiGHS finds an optimal basis in floating-point numbers. The linear equations of the basis have whole coefficients, so
their solution is rational: it is refined with exact residuals until the fractions show [Wan 2006]. Both plans are then
verified in whole numbers: they are plans, and what the best responses leave is equal. That proves the value, whatever
HiGHS did. Without HiGHS, the simplex method in fractions solves small games.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np

from zermelo.choice.linear_programme import maximise
from zermelo.core.errors import Refused
from zermelo.core.extras import require_extra
from zermelo.equilibrium.flatten import SequenceForm, simple_fraction
from zermelo.equilibrium.stopping import IsStopped, check
from zermelo.equilibrium.symmetry import Quotient, quotient
from zermelo.equilibrium.treeplex import Figures, Indices, Treeplex

MOST_SEQUENCES = 200
"""Forms with more sequences of a player need HiGHS."""
LARGEST_SCALE = 1 << 40
LARGEST_SUM = 1 << 62
LARGEST_ROUNDED = 1 << 30
"""Payoffs that are not simple fractions are rounded to this many steps."""
SMALLEST = 1e-290
"""Payoffs below this are rounded to 0."""
PATIENCE = 1
"""Pivots for each row and column before the interior point method takes over."""
STEP = 24
"""Bits gained by each refinement."""
MOST_BITS = 1 << 14
ROUNDING = 4
"""Units in the last place."""

in_solver = threading.Event()
"""Set while HiGHS runs: a process that ends now aborts, because HiGHS does not survive the end of its thread."""

Plan = tuple[list[int], int]
"""Numerators by sequence, and one denominator."""


@dataclass(frozen=True)
class Optimum:
    """The solution of a form: exact, if the value is a fraction."""

    value: Fraction | float
    plans: tuple[Figures, Figures]
    """The plan of each player in the full form."""

    @property
    def is_exact(self) -> bool:
        return isinstance(self.value, Fraction)


def solve_form(form: SequenceForm, shrink: bool = True, is_stopped: IsStopped | None = None) -> Optimum:
    """The value and equilibrium plans of a two-player zero-sum form; exact if it can be verified."""
    small = quotient(form) if shrink else None
    whole = None if small is None else small.form
    scaled = scale_payoffs(form)
    programme = make_programme(form if whole is None else whole, scaled[1] if scaled else rough_scale(form))
    if has_solver():
        floating, basis = run_solver(programme, is_stopped)
        if scaled is None:
            return estimate(form, small, floating)
        exact = refine(programme, basis, is_stopped)
        found = None if exact is None else certify(form, small, scaled, exact)
        return estimate(form, small, floating) if found is None else found
    if max(tree.sequences for tree in (form if whole is None else whole).trees) > MOST_SEQUENCES:
        require_extra("lp", "a linear programme of this size")
    plans = run_simplex(programme)
    found = certify(form, small, scaled, plans) if scaled else None
    return estimate(form, small, (in_floats(plans[0]), in_floats(plans[1]))) if found is None else found


def has_solver() -> bool:
    return find_spec("highspy") is not None


# -- payoffs as whole numbers ------------------------------------------------------------------------------


def scale_payoffs(form: SequenceForm) -> tuple[list[int], int] | None:
    """The payoffs of the cells times a whole number, as whole numbers; None if those of the ends are not fractions.

    The payoffs of single ends are read, because a sum hides what is small beside the rest.
    """
    different, place = np.unique(form.parts, return_inverse=True)
    if not len(different):
        return None
    fractions = [simple_fraction(value) for value in different.tolist()]
    known = [fraction for fraction in fractions if fraction is not None]
    if len(known) < len(fractions):
        return None
    scale = math.lcm(*(fraction.denominator for fraction in known))
    whole = [int(fraction * scale) for fraction in known]
    if scale > LARGEST_SCALE or max(map(abs, whole)) * len(place) >= LARGEST_SUM:
        return None
    cells: list[int] = np.add.reduceat(np.array(whole, np.int64)[place], form.starts).tolist()
    return cells, scale


def rough_scale(form: SequenceForm) -> float:
    """What makes payoffs that are not simple fractions large enough to be rounded to whole numbers."""
    return float(LARGEST_ROUNDED / max(np.abs(form.payoffs[0]).max(initial=0), SMALLEST))


# -- the programme -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Programme:
    """The linear programme of a form; payoffs and values are multiplied by `scale`."""

    form: SequenceForm
    scale: float
    row: Indices
    column: Indices
    entry: Indices
    goal: Indices
    limit: Indices
    """The right sides; rows before `equations` are inequalities, at most this, the others equations."""
    equations: int

    @property
    def plans(self) -> int:
        """The number of variables that are the first player's plan; the values follow."""
        return self.form.trees[0].sequences

    @property
    def rows(self) -> int:
        return len(self.limit)


def make_programme(form: SequenceForm, scale: float) -> Programme:
    """Rows: the second player's sequences from 1 on, then the first player's empty sequence and sets."""
    first, second = form.trees
    plans, last = first.sequences, second.sequences - 1
    payoffs = np.rint(form.payoffs[0] * scale).astype(np.int64)
    x, k = form.sequences
    goal = np.zeros(plans + second.sets, np.int64)
    np.add.at(goal, x[k == 0], payoffs[k == 0])
    goal[plans:][second.parent == 0] += 1
    inner = np.flatnonzero(second.parent > 0)
    moves = np.arange(1, plans)
    sequences = np.arange(1, second.sequences)
    sets, owners = np.arange(first.sets), first.owners()[1:]
    parts = [
        (k[k > 0] - 1, x[k > 0], -payoffs[k > 0]),
        (sequences - 1, plans + second.owners()[1:], second.copies[1:]),
        (second.parent[inner] - 1, plans + inner, -np.ones(len(inner))),
        (np.array([last]), np.array([0]), np.array([1])),
        (last + 1 + owners, moves, first.copies[1:]),
        (last + 1 + sets, first.parent, -np.ones(first.sets)),
    ]
    row, column, entry = (np.concatenate([part[at] for part in parts]).astype(np.int64) for at in range(3))
    limit = np.zeros(last + 1 + first.sets, np.int64)
    limit[last] = 1
    return Programme(form, scale, row, column, entry, goal, limit, last)


def run_solver(programme: Programme, is_stopped: IsStopped | None = None) -> tuple[tuple[Figures, Figures], Any]:
    """Both plans in floating-point numbers, and HiGHS with its optimal basis.

    The simplex method is the fastest, but if many of its pivots change nothing, as in phantom games, it hardly ends.
    Then the interior point method finds an optimum, and crossover a basis.
    """
    import highspy

    order = np.lexsort((programme.row, programme.column))
    columns, rows, infinity = len(programme.goal), programme.rows, highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, rows
    model.col_cost_ = -programme.goal.astype(float)
    model.col_lower_ = np.where(np.arange(columns) < programme.plans, 0.0, -infinity)
    model.col_upper_ = np.full(columns, infinity)
    model.row_lower_ = np.where(np.arange(rows) < programme.equations, -infinity, programme.limit)
    model.row_upper_ = programme.limit.astype(float)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(programme.column[order], np.arange(columns + 1)).astype(np.int32)
    model.a_matrix_.index_ = programme.row[order].astype(np.int32)
    model.a_matrix_.value_ = programme.entry[order].astype(float)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("solver", "simplex")
    solver.setOptionValue("simplex_iteration_limit", PATIENCE * (columns + rows))
    solver.passModel(model)
    _run(solver, is_stopped)
    if solver.getModelStatus() == highspy.HighsModelStatus.kIterationLimit:
        solver.clearSolver()
        solver.setOptionValue("solver", "ipm")
        solver.setOptionValue("simplex_iteration_limit", highspy.kHighsIInf)
        _run(solver, is_stopped)
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise Refused(f"HiGHS did not solve the programme: {solver.modelStatusToString(solver.getModelStatus())}")
    solution = solver.getSolution()
    mine = np.maximum(np.array(solution.col_value[: programme.plans]), 0)
    theirs = np.ones(programme.form.trees[1].sequences)
    theirs[1:] = np.abs(np.array(solution.row_dual[: programme.equations]))
    return (mine, theirs), solver


def _run(solver: Any, is_stopped: IsStopped | None) -> None:
    """Run HiGHS; Halted if it is stopped."""
    if is_stopped is not None:
        for callback in (solver.cbSimplexInterrupt, solver.cbIpmInterrupt):
            callback += lambda event: event.interrupt() if is_stopped() else None
    check(is_stopped, "the programme")
    in_solver.set()
    try:
        solver.run()
    finally:
        in_solver.clear()
    solver.clearCallbacks()
    check(is_stopped, "the programme")


def run_simplex(programme: Programme) -> tuple[Plan, Plan]:
    """Both plans by the simplex method in fractions.

    Equations are pairs of inequalities, and a value is the difference of two numbers of at least 0. So that the root
    has the whole probability, it earns more than any payoff can cost.
    """
    plans, columns = programme.plans, len(programme.goal)
    values = columns - plans
    table = [[0] * (columns + values) for _ in range(programme.rows)]
    for row, column, entry in zip(
        programme.row.tolist(), programme.column.tolist(), programme.entry.tolist(), strict=True
    ):
        table[row][column] += entry
        if column >= plans:
            table[row][column + values] -= entry
    goal = [*programme.goal.tolist(), *(-programme.goal[plans:]).tolist()]
    goal[0] += 1 + int(np.abs(np.rint(programme.form.payoffs[0] * programme.scale)).sum())
    equations = table[programme.equations :]
    rows = [*table, *([-entry for entry in row] for row in equations[1:])]
    limits = [*programme.limit.tolist(), *(0 for _ in equations[1:])]
    best, prices = maximise(goal, rows, limits)
    return common(best[:plans]), common([Fraction(1), *prices[: programme.equations]])


def in_floats(plan: Plan) -> Figures:
    """A plan in floating-point numbers."""
    numerators, denominator = plan
    return np.array([numerator / denominator for numerator in numerators])


def common(fractions: Sequence[Fraction]) -> Plan:
    """Numerators over one denominator."""
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * denominator) for fraction in fractions], denominator


# -- from a basis to fractions -----------------------------------------------------------------------------


def refine(programme: Programme, solver: Any, is_stopped: IsStopped | None = None) -> tuple[Plan, Plan] | None:
    """Both plans of the solver's basis as fractions; None if they do not show."""
    _, basic = solver.getBasicVariables()
    place = np.full(len(programme.goal), -1)
    place[basic[basic >= 0]] = np.flatnonzero(basic >= 0)
    used = place[programme.column] >= 0
    slack = np.flatnonzero(basic < 0)
    row = np.concatenate([programme.row[used], -1 - basic[slack]])
    column = np.concatenate([place[programme.column[used]], slack])
    entry = np.concatenate([programme.entry[used], np.ones(len(slack), np.int64)])
    cost = np.where(basic >= 0, programme.goal[np.maximum(basic, 0)], 0)

    def solve_rows(side: Figures) -> Figures:
        check(is_stopped, "the programme")
        found: Figures = solver.getBasisSolve(side)[1]
        return found

    def solve_columns(side: Figures) -> Figures:
        check(is_stopped, "the programme")
        found: Figures = solver.getBasisTransposeSolve(side)[1]
        return found

    primal = rational_solution(row, column, entry, programme.limit, solve_rows)
    dual = rational_solution(column, row, entry, cost, solve_columns)
    if primal is None or dual is None:
        return None
    (found, denominator), (prices, scale) = primal, dual
    mine = [0] * programme.plans
    for variable, numerator in zip(basic.tolist(), found, strict=True):
        if 0 <= variable < programme.plans:
            mine[variable] = numerator
    return (mine, denominator), ([scale, *prices[: programme.equations]], scale)


def rational_solution(row: Indices, column: Indices, entry: Indices, side: Indices, solve: Any) -> Plan | None:
    """The solution of equations with whole coefficients, refined until the fractions fulfil them.

    Each step solves for what is left in floating-point numbers, keeps STEP bits, and computes exactly what is left.
    """
    order = np.argsort(row, kind="stable")
    row, column, entry = row[order], column[order], entry[order]
    start = np.searchsorted(row, np.arange(len(side)))
    known, bits, rest, goal = [0] * len(side), 0, side.astype(np.int64), 4 * STEP
    while bits < MOST_BITS:
        more = np.rint(solve(rest.astype(float)) * float(1 << STEP))
        if not np.abs(more).max(initial=0) < 2.0**62:
            return None
        part = more.astype(np.int64)
        known = [(before << STEP) + add for before, add in zip(known, part.tolist(), strict=True)]
        bits += STEP
        rest = (rest << STEP) - np.add.reduceat(entry * part[column], start)
        if np.abs(rest).max(initial=0) >= 1 << 36:
            return None
        if bits >= goal:
            found = fractions_near(known, bits)
            if found is not None and fulfils(row, column, entry, side, found):
                return found
            goal = 2 * bits
    return None


def fractions_near(numerators: list[int], bits: int) -> Plan | None:
    """Fractions with one denominator, each within rounding of its number / 2^bits; None if that is too large."""
    denominator, half = 1, 1 << (bits - 1)
    for numerator in numerators:
        value = numerator * denominator
        if abs((value + half) % (1 << bits) - half) > ROUNDING * denominator:
            denominator *= simplest_denominator(value, bits, math.isqrt((1 << bits - 3) // denominator))
            if denominator * denominator >= half:
                return None
    return [(numerator * denominator + half) >> bits for numerator in numerators], denominator


def simplest_denominator(numerator: int, bits: int, most: int) -> int:
    """The denominator of the last convergent of numerator / 2^bits that is not larger than `most`."""
    dividend, divisor, before, now = numerator, 1 << bits, 1, 0
    while divisor:
        factor, rest = divmod(dividend, divisor)
        dividend, divisor = divisor, rest
        before, now = now, factor * now + before
        if now > most:
            return before
    return now


def fulfils(row: Indices, column: Indices, entry: Indices, side: Indices, found: Plan) -> bool:
    """Whether the fractions solve the equations, in whole numbers."""
    numerators, denominator = found
    left = [-limit * denominator for limit in side.tolist()]
    for at, variable, factor in zip(row.tolist(), column.tolist(), entry.tolist(), strict=True):
        left[at] += factor * numerators[variable]
    return not any(left)


# -- certificates ------------------------------------------------------------------------------------------


def certify(
    form: SequenceForm, small: Quotient | None, scaled: tuple[list[int], int], plans: tuple[Plan, Plan]
) -> Optimum | None:
    """The value, proved by both plans in the full form; None if they do not prove it."""
    payoffs, scale = scaled
    full: list[Plan] = [
        plan if small is None else ([plan[0][each] for each in small.classes[player].tolist()], plan[1])
        for player, plan in enumerate(plans)
    ]
    if not all(is_plan(tree, plan) for tree, plan in zip(form.trees, full, strict=True)):
        return None
    x, k = (row.tolist() for row in form.sequences)
    against_first, against_second = [0] * form.trees[1].sequences, [0] * form.trees[0].sequences
    mine, theirs = full[0][0], full[1][0]
    for first, second, payoff in zip(x, k, payoffs, strict=True):
        against_first[second] -= payoff * mine[first]
        against_second[first] += payoff * theirs[second]
    least = Fraction(-best_response(form.trees[1], against_first), scale * full[0][1])
    most = Fraction(best_response(form.trees[0], against_second), scale * full[1][1])
    if least != most:
        return None
    return Optimum(least, (in_floats(full[0]), in_floats(full[1])))


def is_plan(tree: Treeplex, plan: Plan) -> bool:
    """Whether the moves of each set sum to the sequence above it, and nothing is negative."""
    numerators, denominator = plan
    if numerators[0] != denominator or min(numerators) < 0:
        return False
    sets = zip(tree.first.tolist(), tree.count.tolist(), tree.parent.tolist(), strict=True)
    return all(sum(numerators[first : first + count]) == numerators[parent] for first, count, parent in sets)


def best_response(tree: Treeplex, gradient: list[int]) -> int:
    """The value of the best response to a gradient in whole numbers."""
    values = gradient.copy()
    sets = zip(tree.first.tolist(), tree.count.tolist(), tree.parent.tolist(), strict=True)
    for first, count, parent in reversed(list(sets)):
        values[parent] += max(values[first : first + count])
    return values[0]


def estimate(form: SequenceForm, small: Quotient | None, plans: tuple[Figures, Figures]) -> Optimum:
    """The solution in floating-point numbers."""
    full = [plan if small is None else plan[small.classes[player]] for player, plan in enumerate(plans)]
    repaired = [tree.plan(tree.strategy(plan)) for tree, plan in zip(form.trees, full, strict=True)]
    x, k = form.sequences
    value = float((repaired[0][x] * form.payoffs[0] * repaired[1][k]).sum())
    return Optimum(value, (repaired[0], repaired[1]))
