"""Why a move is a good one, in a few words for a person who asked for a hint."""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.game import Game
from zermelo.core.winning_chances import expectation
from zermelo.draw.analyses import sort_moves
from zermelo.draw.numerals import count_noun
from zermelo.draw.value_texts import format_short, is_decided

CLEARLY = 0.7
"""An advantage of this many units, such as pawns, is named."""


def reason(analysis: Analysis, game: Game) -> str:
    """What the best move does: `wins in 3 moves`, `best of 20 moves: 58 % instead of 41 %`; "" if nothing is known.

    It continues a sentence that begins with the move.
    """
    if analysis.best is None or not analysis.moves:
        return ""
    mover = max(analysis.to_move, 0)
    best, *others = sort_moves(analysis)
    if not others:
        return "the only move"
    if not math.isfinite(best.value[mover]):
        return ""
    if is_decided(game) and (decided := _proved(analysis, game, best, others, mover)):
        return decided
    return _compared(analysis, game, best, others, mover)


def _proved(analysis: Analysis, game: Game, best: MoveAnalysis, others: list[MoveAnalysis], mover: int) -> str:
    """What is proved of the best move; "" if its result is not."""
    own, middle = best.value[mover], game.middle()
    if best.kind in ("exact", "lower") and own > middle:
        if game.margins:
            return f"wins by {'at least ' if best.kind == 'lower' else ''}{own - middle:g}"
        return f"wins{_soon(analysis, best)}"
    if best.kind in ("exact", "upper") and own < middle:
        return "every move loses against perfect play; this one makes it hardest"
    if best.kind != "exact":
        return ""
    losing = sum(move.kind in ("exact", "upper") and move.value[mover] < middle for move in others)
    if losing == len(others):
        return "keeps the draw; every other move loses"
    if losing:
        return f"keeps the draw; {count_noun(losing, 'other move loses', 'other moves lose')}"
    return "leads to a draw, as every good move does"


def _soon(analysis: Analysis, best: MoveAnalysis) -> str:
    """How many of the mover's own moves it takes to win."""
    distance, kind = best.distance, best.distance_kind
    if distance is None:
        distance, kind = analysis.distance, analysis.distance_kind
    if distance is None:
        return ", whatever the other side does"
    own = (distance + 1) // 2
    if own <= 1:
        return " at once"
    return f" in {'at most ' if kind == 'upper' else ''}{own} moves"


def _compared(analysis: Analysis, game: Game, best: MoveAnalysis, others: list[MoveAnalysis], mover: int) -> str:
    """The best move beside the next best one."""
    known = [move for move in others if math.isfinite(move.value[mover])]
    count = f"of {len(others) + 1} moves"
    if not known:
        return f"best {count}"
    second = max(known, key=lambda move: move.value[mover])
    gap = (best.value[mover] - second.value[mover]) / game.unit
    if game.unit != 1 and game.unit_name and not analysis.is_simulated and gap >= CLEARLY and second.kind == "estimate":
        return f"{gap:.1f} {game.unit_name} better than any other move"
    own, other = (_text(analysis, game, move, mover) for move in (best, second))
    unit = f" {game.unit_name}" if game.unit_name and not own.endswith("%") else ""
    if own == other or gap <= 0:
        return f"one of the best {count}: {own}{unit}"
    bound = "at most " if second.kind == "upper" else ""
    return f"best {count}: {own}{unit} instead of {bound}{other}"


def _text(analysis: Analysis, game: Game, move: MoveAnalysis, mover: int) -> str:
    """What the mover can expect: a share of the winning chances where two play, else the value."""
    is_duel = game.players == 2 and game.zero_sum and not game.margins
    share = expectation(analysis, move.value, move.kind, game, mover) if is_duel else None
    return format_short(analysis, move.value, move.kind, game) if share is None else f"{100 * share:.0f} %"
