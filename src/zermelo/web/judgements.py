"""An `Analysis` for the page: its own keys, with every value also as words and as a chance to win."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.game import Game
from zermelo.draw.analyses import ordered, told
from zermelo.draw.numerals import SIGNS
from zermelo.web.messages import Judgement

STEEP = 4.0
"""So many units ahead the chances are ten to one, as is said of pawns."""
SHARES = 16
"""Where a game is paid by margin: such a part of the whole scale counts as a unit."""


def judged(analysis: Analysis, game: Game) -> dict[str, Any]:
    """The analysis with words and chances, the best move first."""
    first = replace(analysis, to_move=0)
    found = analysis.to_json()
    found["text"] = told(analysis, analysis.value, analysis.kind, game)
    found["chance"] = chance(analysis, analysis.value, analysis.kind, game)
    found["first"] = told(first, analysis.value, analysis.kind, game)
    found["short"] = short(first, analysis.value, analysis.kind, game)
    found["unit"] = game.unit_name
    moves = []
    for move in ordered(analysis):
        one = move.to_json()
        one["text"] = told(analysis, move.value, move.kind, game)
        one["short"] = short(analysis, move.value, move.kind, game)
        one["chance"] = chance(analysis, move.value, move.kind, game)
        moves.append(one)
    found["moves"] = moves
    return found


def short(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> str:
    """The mover's value in a few letters: `win`, `~47%`, `≥3`, `~0.34`; nothing if it is not known."""
    own, (low, high) = value[max(analysis.to_move, 0)], game.utility_range
    if not math.isfinite(own):
        return ""
    is_duel = game.players == 2 and game.zero_sum and not game.margins
    ends = {low: "loss", (low + high) / 2: "draw", high: "win"}
    if is_duel and kind == "exact" and own in ends and not game.chance:
        return ends[own]
    if is_duel and game.unit == 1:
        return f"{SIGNS[kind].strip()}{100 * (own - low) / (high - low):.0f}%"
    counted = own / game.unit if kind == "estimate" else own
    digits = 0 if abs(counted) >= 100 else 1 if abs(counted) >= 10 else 2
    text = f"{counted:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return SIGNS[kind].strip() + ("0" if text == "-0" else text.replace("-", "−"))


def judgement(found: dict[str, Any]) -> Judgement:
    """What is remembered of it."""
    return Judgement(
        value=found["value"],
        kind=found["kind"],
        text=found["first"],
        short=found["short"],
        chance=found["chance"],
        best=found["best"],
        depth=found["stats"].get("depth"),
    )


def settled(game: Game, payoffs: tuple[float, ...]) -> Judgement:
    """What there is to say of a game that is over."""
    end = Analysis(game.spec(), "", 0, "", payoffs, "exact")
    return Judgement(
        value=list(payoffs),
        kind="exact",
        text=told(end, payoffs, "exact", game),
        short=short(end, payoffs, "exact", game),
        chance=chance(end, payoffs, "exact", game),
        best=None,
        depth=None,
    )


def chance(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> float | None:
    """The first player's prospects, from 0 to 1; None if nobody can say, or if not two oppose each other.

    A proven value and the mean of games that were played to the end are taken as they are; an estimate counts by
    what players count in.
    """
    if game.players > 2 or not all(map(math.isfinite, value)):
        return None
    low, high = game.utility_range
    if game.players == 2 and not game.zero_sum:
        return None
    own, middle = value[0], (low + high) / 2
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
