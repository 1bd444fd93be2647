"""One value for people: with its unit, in a few characters, or in words."""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.game import Game
from zermelo.draw.analyses import format_value, in_plies
from zermelo.draw.numerals import SIGNS


def format_with_unit(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> str:
    """The mover's value with its sign and its unit: `~ 0.34 pawns`, `~ 50.4 %`, `= 1`, `≥ 3`.

    With dice a proven value is a percentage as well: `= 53.1 %`. Estimates for many players that have a unit are
    those of the mover alone: `~ 767 points`.
    """
    own = value[max(analysis.to_move, 0)]
    if math.isfinite(own) and (kind == "estimate" or game.chance) and is_share(analysis, game):
        return f"{SIGNS[kind] or '= '}{_per_cent(own, game)} %"
    unit = f" {game.unit_name}" if kind == "estimate" and game.unit_name and math.isfinite(own) else ""
    if unit and len(value) > 2:
        return f"{SIGNS[kind]}{format_short(analysis, value, kind, game)}{unit}"
    return format_value(analysis, value, kind, game) + unit


def format_short(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game) -> str:
    """The mover's value in a few characters: `win`, `47.1%`, `≥3`, `0.34`; "" if it is unknown.

    An estimate has no sign here: the page draws it in another style.
    """
    own, (low, high) = value[max(analysis.to_move, 0)], game.utility_range
    if not math.isfinite(own):
        return ""
    ends = {low: "loss", game.middle(): "draw", high: "win"}
    if is_decided(game) and not game.margins and kind == "exact" and own in ends:
        return ends[own]
    sign = SIGNS[kind].strip() if kind != "estimate" else ""
    if is_share(analysis, game):
        return f"{sign}{_per_cent(own, game)}%"
    counted = own / game.unit if kind == "estimate" else own
    digits = 0 if abs(counted) >= 100 else 1 if abs(counted) >= 10 else 2
    text = f"{counted:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text and kind != "estimate" else text
    return sign + ("0" if float(text) == 0 else text.replace("-", "−"))


def _is_duel(game: Game) -> bool:
    return game.players == 2 and game.zero_sum


def is_decided(game: Game) -> bool:
    """Whether best play leads to a win, a loss or a draw: two players, zero-sum, no dice."""
    return _is_duel(game) and not game.chance


def is_share(analysis: Analysis, game: Game) -> bool:
    """Whether a value is a share of won games, with a draw as half a win.

    Not if estimates have another unit, such as pawns; the results of simulations are wins and losses in any case.
    """
    ends = (0, 1) if game.players == 1 else (-1, 1)
    is_won_or_lost = (game.players == 1 or _is_duel(game)) and game.utility_range == ends
    return is_won_or_lost and not game.margins and (game.unit == 1 or analysis.is_simulated)


def _per_cent(own: float, game: Game) -> str:
    low, high = game.utility_range
    return f"{100 * (own - low) / (high - low):.1f}"


def value_in_words(analysis: Analysis, game: Game) -> str:
    """The mover's value: `+0.34 pawns`, `50.4 %`, `a win in 5 plies (proved)`, `at least 3 (proved)`; in ASCII."""
    kind, own = analysis.kind, analysis.value[max(analysis.to_move, 0)]
    if not math.isfinite(own):
        return "an unknown value"
    low, high = game.utility_range
    ends = {low: "a loss", game.middle(): "a draw", high: "a win"}
    bound = {"lower": "at least ", "upper": "at most "}.get(kind, "")
    proved = "" if kind == "estimate" else " (proved)"
    is_mate = game.unit != 1 and own in game.utility_range  # seen by another program, which proves nothing
    is_end = is_mate or (kind != "estimate" and own in ends)
    if is_decided(game) and not game.margins and is_end:
        return f"{bound}{ends[own]}{in_plies(analysis) if own != game.middle() else ''}{proved}"
    if is_share(analysis, game) and (kind == "estimate" or game.chance):
        return f"{bound}{_per_cent(own, game)} %{proved}"
    counted = own / game.unit if kind == "estimate" else own
    sign = "+" if counted > 0 and low < 0 else ""
    text = f"{counted:.0f}" if abs(counted) >= 100 else f"{counted:.2f}"
    text = text.rstrip("0").rstrip(".") if "." in text and kind != "estimate" else text
    text = "0.00" if text == "-0.00" else text
    unit = f" {game.unit_name}" if game.unit_name and (kind == "estimate" or game.unit == 1) else ""
    return f"{bound}{sign}{text}{unit}{proved}"
