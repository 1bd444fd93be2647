"""An `Analysis` for the page: its own keys, with every value also as text and as a chance to win."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.winning_chances import winning_chance
from zermelo.draw.analyses import PROOFS, sort_moves, to_the_end
from zermelo.draw.value_texts import format_short, format_with_unit, is_decided
from zermelo.draw.wording import capitalise
from zermelo.web.hints import reason
from zermelo.web.messages import Judgement

LONGEST_LINE = 8
"""Moves of the best line that are stored with a node: enough to see why a move is better."""


def describe_analysis(analysis: Analysis, game: Game) -> dict[str, Any]:
    """The analysis as JSON with texts and winning chances, the best move first."""
    first = replace(analysis, to_move=0)
    found = analysis.to_json()
    found["headline"], found["about"] = verdict(analysis, game)
    found["chance"] = winning_chance(analysis, analysis.value, analysis.kind, game)
    found["first"] = format_with_unit(first, analysis.value, analysis.kind, game)
    found["short"] = format_short(first, analysis.value, analysis.kind, game)
    found["why"] = reason(analysis, game)
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
    if analysis.kind == "exact" and is_decided(game) and (game.margins or own in (*game.utility_range, middle)):
        winner, points = (0, own) if own > middle else (1, analysis.value[1])
        by = f" by {points:g}" if game.margins else ""
        return "A draw" if own == middle else f"{capitalise(game.seat(winner))} wins{by}", about
    text = format_with_unit(analysis, analysis.value, analysis.kind, game)
    return text, f"for {game.seat(max(analysis.to_move, 0))}, {about}"


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
        line=found["line"][:LONGEST_LINE],
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
