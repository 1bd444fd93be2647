"""A strategy as text: the value, and the moves of each information set with their probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from zermelo.core.game import Game, has_one_value
from zermelo.draw.markup import clean
from zermelo.draw.numerals import count_noun, share_text
from zermelo.draw.wording import capitalise
from zermelo.equilibrium.answers import Solution
from zermelo.equilibrium.decisions import Decision, simple_fractions
from zermelo.equilibrium.flatten import SequenceForm

LONGEST_FRACTION = 16
"""Characters of a fraction in a sentence; longer ones follow the rounded number."""
METHOD_TITLES = {
    "auto": "CFR+, then the linear programme",
    "lp": "Linear programme",
    "stacked": "Backward induction over matrices",
    "cfr+": "CFR+",
    "cfr": "CFR",
    "pcfr+": "Predictive CFR+",
    "dcfr": "Discounted CFR",
    "lcfr": "Linear CFR",
    "cfr-br": "CFR against best responses",
    "mccfr": "External sampling",
    "outcome": "Outcome sampling",
}
LEAST_SHARE = 0.0005
"""Probabilities below this are not shown one by one."""
STOPS = {"done": "", "iterations": "stopped by iterations", "time": "stopped by time", "user": "stopped by user"}
Fractions = dict[tuple[int, int], list[Fraction]]
"""By player and information set."""


def solution_text(game: Game, solution: Solution, rows: Sequence[Decision], fractions: Fractions) -> str:
    """The value, the effort, and the rows of the strategy, player by player in the order of play."""
    lines = [f"{game.spec()}: {value_sentence(game, solution)}", effort_line(game, solution)]
    tables = {
        player: [(row.view, mixture_text(row, fractions.get((row.player, row.key))), reach_text(row)) for row in group]
        for player, group in groupby(sorted(rows, key=lambda row: row.player), lambda row: row.player)
    }
    wide = [max((len(line[column]) for table in tables.values() for line in table), default=0) for column in range(2)]
    for player, table in tables.items():
        lines += ["", capitalise(game.seat(player))]
        lines += [f"  {view:<{wide[0]}}  {mixture:<{wide[1]}}  {reach}" for view, mixture, reach in table]
    if len(rows) < solution.sets:
        lines += ["", f"{count_noun(len(rows), 'information set', 'information sets')} of {solution.sets:,} are shown"]
    return "\n".join(clean(line).rstrip() for line in lines)


def value_sentence(game: Game, solution: Solution) -> str:
    """`player 1 wins -1/18 chips on average (-0.055556), proved`."""
    unit = f" {game.unit_name}" if game.unit_name else ""
    if isinstance(solution.value, Fraction):
        fraction, near = str(solution.value), rounded(float(solution.value))
        rest = f"; the payoffs sum to {solution.total}" if solution.total else ""
        if fraction == near:
            return f"worth {fraction}{unit} to {game.seat(0)}, proved{rest}"
        if len(fraction) <= LONGEST_FRACTION:
            return f"worth {fraction}{unit} to {game.seat(0)} ({near}), proved{rest}"
        return f"worth {near}{unit} to {game.seat(0)}, proved to be exactly {fraction}{rest}"
    if has_one_value(game):
        return f"worth ~ {rounded(solution.value[0])}{unit} to {game.seat(0)}, an estimate"
    shares = ", ".join(f"{game.seat(player)} ~ {rounded(value)}" for player, value in enumerate(solution.value))
    return f"{shares}{unit}, an estimate"


def effort_line(game: Game, solution: Solution) -> str:
    """The method, its effort, and how far the strategy is from an equilibrium."""
    parts = [METHOD_TITLES.get(solution.method, solution.method)]
    if solution.iterations:
        parts.append(count_noun(solution.iterations, "iteration", "iterations"))
    sets = count_noun(solution.sets, "information set", "information sets")
    parts.append(f"{sets} in {count_noun(solution.buckets, 'bucket', 'buckets')}" if solution.buckets else sets)
    name, gain = "exploitability", solution.exploitability
    if solution.total is None:
        name, gain = "NashConv", solution.nash_conv
    text = "0" if solution.kind == "exact" else f"{gain:.2g}" if math.isfinite(gain) else "unknown"
    parts.append(f"{name} {text}")
    parts.append(f"{solution.seconds:.3g} s")
    return " · ".join(filter(None, (*parts, STOPS[solution.stopped])))


def mixture_text(row: Decision, exact: Sequence[Fraction] | None = None) -> str:
    """`check 2/3, bet 1/3 (bluff)`; moves that are never played are left out, those that hardly are are one item."""
    played, is_rest = [], False
    for number, (move, share) in enumerate(zip(row.moves, row.probabilities, strict=True)):
        if share >= LEAST_SHARE:
            text = share_text(share, exact[number] if exact else None)
            words = move if text == "100 %" or share == 1 else f"{move} {text}"
            played.append(f"{words} (bluff)" if row.bluffs[number] else words)
        is_rest = is_rest or 0 < share < LEAST_SHARE
    return ", ".join([*played, *["others ~0 %"] * is_rest])


def reach_text(row: Decision) -> str:
    """How often play comes to an information set."""
    return f"met in {share_text(row.reach, None)}" if row.reach > 0 else "never met"


def rounded(value: float) -> str:
    """At most six decimals."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def proved_fractions(solution: Solution, form: SequenceForm) -> Fractions:
    """The probabilities as simple fractions, if those are proved to be an equilibrium; otherwise none."""
    if not isinstance(solution.value, Fraction):
        return {}
    exact = simple_fractions(form, solution.strategy.by_sequence(form), solution.value)
    found = {}
    for player, (tree, shares) in enumerate(zip(form.trees, exact or (), strict=False)):
        for key, first, count in zip(tree.keys.tolist(), tree.first.tolist(), tree.count.tolist(), strict=True):
            found[player, int(key)] = shares[first : first + count]
    return found
