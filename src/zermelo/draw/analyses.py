"""An `Analysis` as text and HTML: the answer, a table of the moves, the line, the effort.

Signs distinguish a proof from an estimate: `= 1` is exact, `≥ 1` and `≤ 1` are proven bounds, `~ 0.3` is an estimate.
"""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis
from zermelo.core.game import CHANCE, Game
from zermelo.core.numerals import error_text, number_text
from zermelo.draw.markup import Markup, clean, element, lines
from zermelo.draw.numerals import SIGNS, count_noun, share_text, value_text

WIDTH = 80
LEAST_SHARE, ROUNDING = 0.0005, 1e-12
"""Probabilities below this are not named, and an exploitability below this comes from rounding."""
PROOFS: dict[Kind, str] = {
    "exact": "proved",
    "lower": "proved to be at least this",
    "upper": "proved to be at most this",
    "estimate": "an estimate",
}


def analysis_text(analysis: Analysis, game: Game | None) -> str:
    """The analysis as plain text; long lines of play end in `…` at 80 columns."""
    rows = [*_heading(analysis, game), *_table(analysis, game)]
    if analysis.line:
        rows += ["", _clip(f"line: {' '.join(analysis.line)}")]
    rows += ["", *filter(None, [effort(analysis)]), *analysis.notes]
    return "\n".join(clean(row).rstrip() for row in rows).rstrip()


def analysis_html(analysis: Analysis, game: Game | None = None) -> str:
    """The analysis as a fragment of HTML, for notebooks and pages; `game` gives the names of the players."""
    rows = [element("tr", *(element("th", name, scope="col") for name in ("move", "value", "effort", "then")))]
    for move in sort_moves(analysis):
        cells = (move.move, format_value(analysis, move.value, move.kind, game), _work(move), _continuation(move))
        best = {"class_": "best"} if move.move == analysis.best else {}
        rows.append(element("tr", *(element("td", cell or "–") for cell in cells), **best))
    parts = [element("p", row) for row in _heading(analysis, game)]
    if analysis.moves:
        parts.append(element("table", lines(*rows)))
    if analysis.line:
        parts.append(element("p", f"line: {' '.join(analysis.line)}"))
    parts += [element("p", row, class_="effort") for row in (effort(analysis), *analysis.notes) if row]
    return element("div", Markup(f"\n{lines(element('style', Markup(STYLE)), *parts)}\n"), class_="zermelo-analysis")


def sort_moves(analysis: Analysis) -> list[MoveAnalysis]:
    """The moves by their value for the player to move, the best move first.

    Of simulated games the mean of a few says little: the more a move was tried the better it seemed, so visits come
    first, and last what is proved to be the worst.
    """
    mover = _viewer(analysis)
    worst = min((move.value[mover] for move in analysis.moves if math.isfinite(move.value[mover])), default=0.0)

    def rank(move: MoveAnalysis) -> tuple[bool, bool, int, float]:
        is_lost = move.kind in ("exact", "upper") and move.value[mover] <= worst
        return move.move != analysis.best, is_lost, -(move.visits or 0), -move.value[mover]

    if any(move.probability is not None for move in analysis.moves):
        return list(analysis.moves)
    return sorted(analysis.moves, key=rank)


def format_value(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game | None) -> str:
    """A value with its sign: the mover's if the other player's is its negative, else one number for each player.

    An estimate is in the unit that the players count in, such as pawns, if that is not the unit of the payoffs; in per
    cent if it comes from simulated games that are won or lost.
    """
    if kind == "estimate" and is_chance_to_win(analysis, game):
        return f"~ {chance_text(value[_viewer(analysis)])}"
    if game is not None and game.unit != 1 and kind == "estimate":
        value = tuple(round(one / game.unit, 2) for one in value)
    shown = value[_viewer(analysis)] if _is_opposed(analysis) else value
    return value_text(shown, kind) if SIGNS[kind] else f"= {value_text(shown)}"


def is_chance_to_win(analysis: Analysis, game: Game | None) -> bool:
    """Whether estimates are the share of simulated games won, with half for a draw."""
    is_won_or_lost = game is not None and game.players == 2 and game.utility_range == (-1, 1) and not game.margins
    return analysis.is_simulated and is_won_or_lost and _is_opposed(analysis)


def chance_text(value: float) -> str:
    return f"{50 + 50 * value:.1f} %" if math.isfinite(value) else "?"


def effort(analysis: Analysis) -> str:
    """`12,345 nodes · 0.31 s · 39,800 nodes/s · depth 9 · stopped by time`."""
    stats = analysis.stats
    words = (("node", "nodes"), ("simulation", "simulations"))
    parts = [count_noun(int(stats[many]), one, many) for one, many in words if stats.get(many) is not None]
    if stats.get("seconds") is not None:
        parts.append(f"{number_text(stats['seconds'])} s")
    if stats.get("nodes_per_second") is not None:
        parts.append(f"{count_noun(round(stats['nodes_per_second']), 'node', 'nodes')}/s")
    if stats.get("depth") is not None:
        parts.append(f"depth {stats['depth']}")
    if analysis.stopped != "done":
        parts.append(f"stopped by {analysis.stopped}")
    return " · ".join(parts)


def _heading(analysis: Analysis, game: Game | None) -> list[str]:
    """The question and the answer."""
    asked = (analysis.game, analysis.position, f"{_seat(analysis.to_move, game)} to move")
    if mixture := mixture_text(analysis):
        drawn = "" if mixture == analysis.best else f"; drawn: {analysis.best}"
        return [" · ".join(filter(None, asked)), f"{analysis.agent}: {mixture}{drawn}{_how_near(analysis)}"]
    answer = f"best {analysis.best}; " if analysis.best is not None else ""
    answer += f"value {format_value(analysis, analysis.value, analysis.kind, game)}"
    if game is not None and game.unit_name and analysis.kind == "estimate" and not is_chance_to_win(analysis, game):
        answer += f" {game.unit_name}"
    if _is_opposed(analysis):
        answer += f" for {_seat(_viewer(analysis), game)}"
    answer += f", {PROOFS[analysis.kind]}"
    if analysis.error:
        answer += f" to within {error_text(analysis.error)}"
    answer += to_the_end(analysis)
    return [" · ".join(filter(None, asked)), f"{analysis.agent}: {answer}"]


def mixture_text(analysis: Analysis) -> str:
    """`check 66.7 %, bet 33.3 %`, or just `check`; empty if the answer is not a mixed strategy."""
    played = [(move.move, move.probability) for move in analysis.moves if move.probability]
    if not played:
        return ""
    played.sort(key=lambda one: -one[1])
    named = [(move, share) for move, share in played if share >= LEAST_SHARE]
    return named[0][0] if len(named) == 1 else ", ".join(f"{move} {share_text(share)}" for move, share in named)


def _how_near(analysis: Analysis) -> str:
    """How near a mixed strategy is to an equilibrium."""
    gain = analysis.exploitability
    return "" if gain is None else f"; exploitability {'0' if gain < ROUNDING else f'{gain:.2g}'}"


def to_the_end(answer: Analysis) -> str:
    """The distance to the end, if one is proved: `; 8 plies to the end`, `; at most 8 plies to the end`."""
    return f"{in_plies(answer, ';')} to the end" if answer.distance is not None else ""


def in_plies(answer: Analysis, before: str = " in") -> str:
    """The distance within a sentence: ` in 8 plies`, ` in at most 8 plies`."""
    if answer.distance is None:
        return ""
    at_most = " at most" if answer.distance_kind == "upper" else ""
    return f"{before}{at_most} {answer.distance} {'ply' if answer.distance == 1 else 'plies'}"


def _seat(player: int, game: Game | None) -> str:
    if game is not None:
        return game.seat(player)
    return "chance" if player == CHANCE else f"player {player + 1}"


def _table(analysis: Analysis, game: Game | None) -> list[str]:
    if not analysis.moves:
        return []
    moves = sort_moves(analysis)
    values = [_table_value(analysis, move, game) for move in moves]
    works = [_work(move) for move in moves]
    wide = [max(map(len, column)) for column in ([move.move for move in moves], values, works)]
    rows = [""]
    for move, value, work in zip(moves, values, works, strict=True):
        mark = "*" if move.move == analysis.best else " "
        row = f"{mark} {move.move:<{wide[0]}}  {value:<{wide[1]}}  {work:>{wide[2]}}  {_continuation(move)}"
        rows.append(_clip(row))
    return rows


def _table_value(analysis: Analysis, move: MoveAnalysis, game: Game | None) -> str:
    """The value of a move; nothing if it has a probability instead."""
    is_unknown = move.probability is not None and not math.isfinite(move.value[_viewer(analysis)])
    return "" if is_unknown else format_value(analysis, move.value, move.kind, game)


def _work(move: MoveAnalysis) -> str:
    """The effort spent on the move, or how likely it is to be played."""
    if move.probability is not None:
        return share_text(move.probability)
    if move.visits is not None:
        return count_noun(move.visits, "visit", "visits")
    parts = [f"depth {move.depth}"] if move.depth is not None else []
    if move.nodes is not None:
        parts.append(count_noun(move.nodes, "node", "nodes"))
    return ", ".join(parts)


def _continuation(move: MoveAnalysis) -> str:
    """The line after the move."""
    rest = move.line[1:] if move.line[:1] == (move.move,) else move.line
    return " ".join(rest)


def _viewer(analysis: Analysis) -> int:
    """The player whose value is shown: the mover; the first player if dice are to be rolled."""
    return max(analysis.to_move, 0)


def _is_opposed(analysis: Analysis) -> bool:
    """Whether there are two players whose values cancel."""
    values = [analysis.value, *(move.value for move in analysis.moves)]
    return all(len(value) == 2 and math.isclose(value[0], -value[1], abs_tol=1e-9) for value in values)


def _clip(row: str) -> str:
    return row if len(row) <= WIDTH else row[: WIDTH - 1] + "…"


STYLE = """
.zermelo-analysis { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
.zermelo-analysis p { margin: 0.3em 0 }
.zermelo-analysis td, .zermelo-analysis th { padding: 0.15em 0.9em 0.15em 0; text-align: left }
.zermelo-analysis .best { color: #0a66c2; font-weight: 600 }
.zermelo-analysis .effort { opacity: 0.7 }
@media (prefers-color-scheme: dark) { .zermelo-analysis .best { color: #66b2ff } }
"""
