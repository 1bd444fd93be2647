"""The server's reports about a search: `info` lines, the best move, sentences."""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.referee import Referee
from zermelo.protocols.output import describe_error, one_line
from zermelo.protocols.uci.dialect import Dialect


def sentence(text: str) -> str:
    """A sentence as an `info string`."""
    return f"info string {one_line(text)}"


def complaint(error: BaseException) -> str:
    """An error as an `info string`."""
    return f"info string {describe_error(error)}"


def report_lines(found: Analysis, most: int, dialect: Dialect) -> list[str]:
    """One line for each of the best moves that have a value."""
    moves = [move for move in found.moves[:most] if math.isfinite(move.value[found.to_move])]
    return [_line(found, number, move, dialect) for number, move in enumerate(moves, 1)]


def final_lines(referee: Referee, dialect: Dialect) -> list[str]:
    """The report for a position where the game is over."""
    value = referee.utilities()[max(referee.to_move, 0)]
    return [f"info depth 0 score {dialect.score(value, 0)}"]


def move_words(found: Analysis, dialect: Dialect) -> str | None:
    """The best move and, if the line goes on, the reply to ponder on."""
    return " ponder ".join(dialect.write_line(found.notation, found.actions[:2])) or None


def _line(found: Analysis, number: int, move: MoveAnalysis, dialect: Dialect) -> str:
    stats, depth = found.stats, found.stats.get("depth", 0)
    deepest = max(depth, stats.get("deepest_ply", 0) + 1)
    score = dialect.score(move.value[found.to_move], move.distance)
    parts = [
        f"info depth {depth} seldepth {deepest} multipv {number} score {score}",
        f"nodes {stats.get('nodes', 0)} nps {stats.get('nodes_per_second', 0)}",
        f"hashfull {round(1000 * stats.get('table_fullness', 0))} time {round(1000 * stats.get('seconds', 0))}",
        f"pv {' '.join(dialect.write_line(found.notation, move.actions or (move.action,)))}",
    ]
    return " ".join(parts)
