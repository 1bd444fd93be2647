"""An `Analysis` for the page: its own keys, with every value also as text and as a chance to win."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.game import Game
from zermelo.draw.analyses import PROOFS, format_value, sort_moves, to_the_end
from zermelo.draw.numerals import SIGNS
from zermelo.draw.wording import capitalise
from zermelo.web.messages import Judgement

STEEP = 4.0
"""An advantage of this many units, such as pawns, counts as odds of ten to one."""
SHARES = 16
"""In a game that is paid by margin, one unit is the whole scale divided by this."""


def describe_analysis(analysis: Analysis, game: Game) -> dict[str, Any]:
    """The analysis as JSON with texts and winning chances, the best move first."""
    first = replace(analysis, to_move=0)
    found = analysis.to_json()
    found["headline"], found["about"] = verdict(analysis, game)
    found["chance"] = winning_chance(analysis, analysis.value, analysis.kind, game)
    found["first"] = format_with_unit(first, analysis.value, analysis.kind, game)
    found["short"] = format_short(first, analysis.value, analysis.kind, game)
    moves = []
    for move in sort_moves(analysis):
        one = move.to_json()
        one["text"] = format_with_unit(analysis, move.value, move.kind, game)
        one["short"] = format_short(analysis, move.value, move.kind, game)
        one["chance"] = winning_chance(analysis, move.value, move.kind, game)
        moves.append(one)
    found["moves"] = moves
    return found


def verdict(analysis: Analysis, game: Game) -> tuple[str, str]:
    """The headline of the analysis, and the small print below it."""
    about = PROOFS[analysis.kind] + to_the_end(analysis)
    own, middle = analysis.value[0], game.middle()
    if analysis.kind == "exact" and _is_decided(game) and (game.margins or own in (*game.utility_range, middle)):
        winner, points = (0, own) if own > middle else (1, analysis.value[1])
        by = f" by {points:g}" if game.margins else ""
        return "A draw" if own == middle else f"{capitalise(game.seat(winner))} wins{by}", about
    text = format_with_unit(analysis, analysis.value, analysis.kind, game)
    return text, f"for {game.seat(max(analysis.to_move, 0))}, {about}"


def format_with_unit(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> str:
    """The mover's value with its sign and its unit: `~ 0.34 pawns`, `~ 50.4 %`, `= 1`, `≥ 3`.

    With dice a proven value is a percentage as well: `= 53.1 %`.
    """
    own = value[max(analysis.to_move, 0)]
    if math.isfinite(own) and (kind == "estimate" or game.chance) and _is_share(analysis, game):
        return f"{SIGNS[kind] or '= '}{_per_cent(own, game)} %"
    unit = f" {game.unit_name}" if kind == "estimate" and game.unit_name and math.isfinite(own) else ""
    return format_value(analysis, value, kind, game) + unit


def format_short(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> str:
    """The mover's value in a few characters: `win`, `47.1%`, `≥3`, `0.34`; "" if it is unknown.

    An estimate has no sign here: the page draws it in another style.
    """
    own, (low, high) = value[max(analysis.to_move, 0)], game.utility_range
    if not math.isfinite(own):
        return ""
    ends = {low: "loss", (low + high) / 2: "draw", high: "win"}
    if _is_decided(game) and not game.margins and kind == "exact" and own in ends:
        return ends[own]
    sign = SIGNS[kind].strip() if kind != "estimate" else ""
    if _is_share(analysis, game):
        return f"{sign}{_per_cent(own, game)}%"
    counted = own / game.unit if kind == "estimate" else own
    digits = 0 if abs(counted) >= 100 else 1 if abs(counted) >= 10 else 2
    text = f"{counted:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text and kind != "estimate" else text
    return sign + ("0" if float(text) == 0 else text.replace("-", "−"))


def _is_duel(game: Game) -> bool:
    return game.players == 2 and game.zero_sum


def _is_decided(game: Game) -> bool:
    """Whether best play leads to a win, a loss or a draw: two players, zero-sum, no dice."""
    return _is_duel(game) and not game.chance


def _is_share(analysis: Analysis, game: Game) -> bool:
    """Whether a value is a share of won games, with a draw as half a win.

    Not if estimates have another unit, such as pawns; the results of simulations are wins and losses in any case.
    """
    ends = (0, 1) if game.players == 1 else (-1, 1)
    is_won_or_lost = (game.players == 1 or _is_duel(game)) and game.utility_range == ends
    return is_won_or_lost and not game.margins and (game.unit == 1 or analysis.is_simulated)


def _per_cent(own: float, game: Game) -> str:
    low, high = game.utility_range
    return f"{100 * (own - low) / (high - low):.1f}"


def summarise(found: dict[str, Any]) -> Judgement:
    """The part of an analysis that is stored with its node."""
    return Judgement(
        value=found["value"],
        kind=found["kind"],
        text=found["first"],
        short=found["short"],
        chance=found["chance"],
        best=found["best"],
        depth=found["stats"].get("depth"),
    )


def judge_payoffs(game: Game, payoffs: tuple[float, ...]) -> Judgement:
    """The judgement of a position where the game is over."""
    end = Analysis(game.spec(), "", 0, "", payoffs, "exact")
    return Judgement(
        value=list(payoffs),
        kind="exact",
        text=format_with_unit(end, payoffs, "exact", game),
        short=format_short(end, payoffs, "exact", game),
        chance=winning_chance(end, payoffs, "exact", game),
        best=None,
        depth=None,
    )


def winning_chance(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> float | None:
    """The first player's chances from 0 to 1; None if they are unknown, or the game is not for one or two opponents.

    A proven value and the mean of simulated games are used as they are; an estimate is converted by its unit.
    """
    if game.players > 2 or not all(map(math.isfinite, value)):
        return None
    low, high = game.utility_range
    if game.players == 2 and not game.zero_sum:
        return None
    own, middle = value[0], game.middle()
    if game.players == 1:
        return min(1.0, max(0.0, (own - low) / (high - low)))
    if kind != "estimate" and game.margins and not game.chance:
        return 0.5 if own == middle else float(own > middle)
    if kind != "estimate" or not (game.margins or game.unit != 1):
        return min(1.0, max(0.0, (own - low) / (high - low)))
    if analysis.is_simulated and not game.margins:
        return min(1.0, max(0.0, (own - low) / (high - low)))
    unit = game.unit if game.unit != 1 else (high - low) / SHARES
    return 1 / (1 + 10 ** (-(own - middle) / (STEEP * unit)))
