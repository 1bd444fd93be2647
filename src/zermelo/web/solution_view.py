"""A solved game for the page: the value, the curve, and the strategy as a table, with texts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.core.game import Game, has_one_value
from zermelo.draw import strategies
from zermelo.draw.numerals import count_noun, count_text, share_text
from zermelo.draw.strategies import LONGEST_FRACTION, METHOD_TITLES, proved_fractions
from zermelo.draw.svg_curves import Curve, curve_svg
from zermelo.draw.wording import capitalise
from zermelo.equilibrium.answers import Solution
from zermelo.equilibrium.decisions import Decision, Judge
from zermelo.equilibrium.flatten import SequenceForm

MOST_HISTORIES, MOST_SETS = 60_000, 1_000
"""How much of the strategy is shown at most."""
MOST_NAMED = 3
"""Bluffs that are named in words."""


def describe_curve(curve: Curve, beside: Sequence[Curve]) -> dict[str, Any]:
    """The exploitability by iterations so far, in a picture with the curves of other methods."""
    drawn = [one for one in (curve, *beside) if one.points]
    chart = curve_svg(drawn, "iterations", "exploitability", for_page=True) if drawn else ""
    return {"points": [list(point) for point in curve.points], "chart": chart}


def describe_solution(
    game: Game, solution: Solution, form: SequenceForm, curve: Curve, beside: Sequence[Curve], seconds: float
) -> dict[str, Any]:
    judge = Judge(game, solution.strategy, form)
    rows = judge.decisions(MOST_HISTORIES, MOST_SETS, with_bluffs=has_one_value(game))
    fractions = proved_fractions(solution, form)
    found = [row_of(row, fractions.get((row.player, row.key))) for row in rows]
    return {
        **describe_curve(curve, beside),
        "game": game.spec(),
        "title": game.full_title(),
        "seats": [capitalise(game.seat(player)) for player in range(game.players)],
        "method": METHOD_TITLES[solution.method],
        "kind": solution.kind,
        **value_texts(game, solution),
        "exploitability": solution.exploitability,
        "iterations": solution.iterations,
        "seconds": seconds,
        "sets": solution.sets,
        "rows": found,
        "sentences": sentences(game, rows, found),
    }


def value_texts(game: Game, solution: Solution) -> dict[str, str]:
    """The value as a headline, and what it says."""
    seat = capitalise(game.seat(0))
    unit = f" {game.unit_name}" if game.unit_name else ""
    if isinstance(solution.value, Fraction):
        fraction, near = str(solution.value).replace("-", "−"), rounded(float(solution.value))
        rest = f"; the payoffs sum to {solution.total}".replace("-", "−") if solution.total else ""
        if len(fraction) > LONGEST_FRACTION:
            about = f"{unit} on average for {seat}; proved to be exactly {fraction}{rest}"
            return {"value": near, "about": about.strip()}
        about = "" if fraction == near else f"= {near}"
        return {"value": fraction, "about": f"{about}{unit} on average for {seat}, proved{rest}".strip()}
    if has_one_value(game):
        return {
            "value": f"~ {rounded(solution.value[0])}",
            "about": f"{unit} on average for {seat}, an estimate".strip(),
        }
    texts = ", ".join(map(rounded, solution.value))
    return {"value": f"~ ({texts})", "about": "what the players win on average, an estimate"}


def rounded(value: float) -> str:
    """At most six decimals, with the sign of mathematics."""
    return strategies.rounded(value).replace("-", "−")


def spoken(view: str) -> str:
    """An information set in a sentence; a dash stands for no moves yet."""
    return view.removesuffix(" -")


def row_of(row: Decision, exact: list[Fraction] | None) -> dict[str, Any]:
    """An information set: its moves with probabilities, and what they are worth."""
    moves = []
    for number, (move, share) in enumerate(zip(row.moves, row.probabilities, strict=True)):
        moves.append(
            {
                "move": move,
                "probability": share,
                "text": share_text(share, exact[number] if exact else None),
                "worth": round(row.worth[number], 6) if row.worth else None,
                "is_bluff": row.bluffs[number],
            }
        )
    return {"player": row.player, "view": spoken(row.view), "reach": row.reach, "moves": moves}


def sentences(game: Game, rows: Sequence[Decision], texts: Sequence[dict[str, Any]]) -> list[str]:
    """The bluffs in words: `Player 2 bluffs with “J check”: bet, 1/3 of the time.`"""
    if not any(row.worth for row in rows) or not has_one_value(game):
        return []
    found = []
    bluffs = [
        (row, one)
        for row, text in zip(rows, texts, strict=True)
        for one in text["moves"]
        if one["is_bluff"] and row.reach > 0
    ]
    for row, one in bluffs[:MOST_NAMED]:
        seat = capitalise(game.seat(row.player))
        found.append(f"{seat} bluffs with “{spoken(row.view)}”: {one['move']}, {one['text']} of the time.")
    if len(bluffs) > MOST_NAMED:
        found.append(f"In all, {count_noun(len(bluffs), 'move is a bluff', 'moves are bluffs')}.")
    return found or [f"There is no bluff in the {count_text(len(rows))} information sets."]
