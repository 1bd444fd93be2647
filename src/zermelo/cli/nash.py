"""`zermelo nash`: equilibria of a game in normal form, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from zermelo.cli.request import print_json
from zermelo.cli.terminal import style
from zermelo.core.errors import Refused, UsageError
from zermelo.core.numerals import exact_text
from zermelo.equilibrium.bimatrix import Equilibria, Equilibrium, all_equilibria
from zermelo.equilibrium.commitment import stackelberg
from zermelo.equilibrium.correlated import correlated_equilibrium
from zermelo.equilibrium.dominance import Elimination, eliminate
from zermelo.equilibrium.quantal import logit_equilibrium
from zermelo.games import find
from zermelo.games.matrix import Matrix, NormalForm

Answer = dict[str, Any]
PLACES = 6
"""Decimal places of probabilities that are not exact."""


def show_nash(spec: str, notion: str, leader: int, precision: float, as_json: bool) -> None:
    form = read_form(spec)
    answer, lines = NOTIONS[notion](form, leader, precision)
    if as_json:
        print_json({"game": spec, "notion": notion, "seats": list(seats_of(form)), **answer})
        return
    for line in lines:
        print(line)


def read_form(spec: str) -> NormalForm:
    """The table that the argument names: a matrix game, a file, or just the table."""
    name = spec.partition(":")[0]
    if name == "matrix":
        game = find(spec)
    elif name.endswith(".nfg") or set(spec) <= set("0123456789.,;/+-eE \t"):
        game = find(f"matrix:{spec}")
    else:
        raise UsageError(
            f"nash needs a game in normal form: matrix:chicken, a table such as '3,3 0,5; 5,0 1,1', "
            f"or a file of Gambit that ends in .nfg, not {spec}"
        )
    assert isinstance(game, Matrix)
    return game.form


def seats_of(form: NormalForm) -> tuple[str, ...]:
    if form.seats:
        return form.seats
    return ("Rows", "Columns") if form.players == 2 else tuple(f"Player {n + 1}" for n in range(form.players))


# -- the notions: an answer for programs, and lines for people ---------------------------------------------


def nash(form: NormalForm, leader: int, precision: float) -> tuple[Answer, list[str]]:
    """All equilibria of a game for two; of a game for more, those in pure actions."""
    if form.players != 2:
        return pure(form)
    found = all_equilibria(form)
    left, steps = eliminate(form)
    answer = {
        "equilibria": [equilibrium_json(form, one) for one in found.extreme],
        "components": [list(component) for component in found.components],
        "is_finite": found.is_finite,
        "dominated": [elimination_json(form, step) for step in steps],
        "value": None if form.constant_sum() is None else exact_text(found.extreme[0].payoffs[0]),
    }
    return answer, [*heading(form, found), *elimination_lines(form, steps, left), "", *equilibrium_lines(form, found)]


def pure(form: NormalForm) -> tuple[Answer, list[str]]:
    profiles = form.pure_equilibria()
    answer = {
        "equilibria": [
            {"actions": [names[one] for names, one in zip(form.actions, profile, strict=True)]}
            | {"payoffs": list(map(exact_text, form.payoffs(profile)))}
            for profile in profiles
        ]
    }
    count = f"{len(profiles)} equilibri{'um' if len(profiles) == 1 else 'a'} in pure actions"
    lines = [f"{count}; equilibria in mixed actions are found for two players"]
    for profile in profiles:
        names = [names[one] for names, one in zip(form.actions, profile, strict=True)]
        lines.append(f"  {', '.join(names)}: {payoff_text(form.payoffs(profile))}")
    return answer, lines


def correlated(form: NormalForm, leader: int, precision: float, coarse: bool = False) -> tuple[Answer, list[str]]:
    """The correlated equilibrium with the largest sum of payoffs."""
    found = correlated_equilibrium(form, coarse=coarse)
    rows = [
        ([names[one] for names, one in zip(form.actions, profile, strict=True)], weight)
        for profile, weight in found.distribution.items()
    ]
    answer = {
        "distribution": [{"actions": names, "probability": exact_text(weight)} for names, weight in rows],
        "payoffs": list(map(exact_text, found.payoffs)),
    }
    kind = "coarse correlated" if coarse else "correlated"
    lines = [f"the {kind} equilibrium with the largest sum of payoffs: {payoff_text(found.payoffs)}", ""]
    lines += [f"  {exact_text(weight):>8}  {', '.join(names)}" for names, weight in rows]
    return answer, lines


def coarse(form: NormalForm, leader: int, precision: float) -> tuple[Answer, list[str]]:
    return correlated(form, leader, precision, coarse=True)


def commitment(form: NormalForm, leader: int, precision: float) -> tuple[Answer, list[str]]:
    """The best mixed action to commit to."""
    require_two(form, "a leader and a follower")
    found = stackelberg(form, leader - 1)
    names, answers = form.actions[found.leader], form.actions[1 - found.leader]
    seats = seats_of(form)
    answer = {
        "leader": seats[found.leader],
        "mixed": dict(zip(names, map(exact_text, found.mixed), strict=True)),
        "answer": answers[found.answer],
        "payoffs": list(map(exact_text, found.payoffs)),
    }
    lines = [
        f"{seats[found.leader]} commits to {mixed_text(names, found.mixed)}",
        f"{seats[1 - found.leader]} answers {answers[found.answer]}",
        payoff_text(found.payoffs),
    ]
    return answer, lines


def quantal(form: NormalForm, leader: int, precision: float) -> tuple[Answer, list[str]]:
    """The logit equilibrium at a precision."""
    found = logit_equilibrium(form, precision)
    mixed = [
        dict(zip(names, (round(float(weight), PLACES) for weight in weights), strict=True))
        for names, weights in zip(form.actions, found.strategies, strict=True)
    ]
    lines = [f"logit quantal response at precision {found.precision:g}, rounded"]
    for seat, weights in zip(seats_of(form), mixed, strict=True):
        lines.append(f"  {seat}: " + ", ".join(f"{name} {weight:.4f}" for name, weight in weights.items()))
    return {"precision": found.precision, "strategies": mixed}, lines


Notion = Callable[[NormalForm, int, float], tuple[Answer, list[str]]]
NOTIONS: dict[str, Notion] = {
    "nash": nash,
    "correlated": correlated,
    "coarse": coarse,
    "commitment": commitment,
    "quantal": quantal,
}


def require_two(form: NormalForm, roles: str) -> None:
    if form.players != 2:
        raise Refused(f"{roles} need a game for two; this one has {form.players} players")


# -- text ------------------------------------------------------------------------------------------------


def heading(form: NormalForm, found: Equilibria) -> list[str]:
    count = len(found.extreme)
    if found.is_finite:
        text = "one equilibrium" if count == 1 else f"{count} equilibria"
    else:
        parts = len(found.components)
        components = f"{parts} component{'s' * (parts != 1)}"
        text = f"infinitely many equilibria: mixtures of these {count} extreme ones, in {components}"
    if form.constant_sum() == 0:
        text += f"; the game is worth {exact_text(found.extreme[0].payoffs[0])} to {seats_of(form)[0]}"
    return [style(text, "1")]


def equilibrium_lines(form: NormalForm, found: Equilibria) -> list[str]:
    rows = []
    for number, one in enumerate(found.extreme, 1):
        mixed = [mixed_text(names, weights) for names, weights in zip(form.actions, one.strategies, strict=True)]
        rows.append((str(number), *mixed, payoff_text(one.payoffs)))
    header = ("", *seats_of(form), "payoffs")
    wide = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip() for row in (header, *rows)
    ]


def elimination_lines(form: NormalForm, steps: Sequence[Elimination], left: NormalForm) -> Iterable[str]:
    for step in steps:
        names = form.actions[step.player]
        by = mixed_text(names, step.by)
        yield f"{names[step.action]} of {seats_of(form)[step.player]} is dominated by {by}"
    if steps:
        rows, cols = left.sizes
        yield f"{rows} x {cols} actions are left"


def mixed_text(names: Sequence[str], weights: Sequence[Fraction]) -> str:
    """A mixed action: `1/3 dare, 2/3 swerve`, or just `dare`."""
    played = [(name, weight) for name, weight in zip(names, weights, strict=True) if weight]
    if len(played) == 1:
        return played[0][0]
    return ", ".join(f"{exact_text(weight)} {name}" for name, weight in played)


def payoff_text(payoffs: Sequence[Fraction]) -> str:
    return ", ".join(map(exact_text, payoffs))


def equilibrium_json(form: NormalForm, one: Equilibrium) -> Answer:
    strategies = [
        dict(zip(names, map(exact_text, weights), strict=True))
        for names, weights in zip(form.actions, one.strategies, strict=True)
    ]
    return {"strategies": strategies, "payoffs": list(map(exact_text, one.payoffs))}


def elimination_json(form: NormalForm, step: Elimination) -> Answer:
    names = form.actions[step.player]
    by = {name: exact_text(weight) for name, weight in zip(names, step.by, strict=True) if weight}
    return {"seat": seats_of(form)[step.player], "action": names[step.action], "by": by}
