"""Progress reports of a search in the format of Leela Zero and KataGo: all moves in one line.

    info move D4 visits 1200 winrate 0.5312 lcb 0.5021 order 0 pv D4 C6 E5 info move E5 ...

`lz-` commands report hundredths of a percent, `kata-` commands numbers from 0 to 1. The win rate of a game with
margins, or of a search that evaluates positions, is the value as a share of the scale.
"""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.game import Game

SURE = 1.96
"""Standard errors between the mean and the lower confidence bound."""


def report_line(game: Game, found: Analysis, most: int, is_fine: bool) -> str:
    """One line with the best moves that were searched; `is_fine` for numbers in KataGo's format."""
    looked_at = [move for move in found.moves if math.isfinite(move.value[found.to_move])]
    return " ".join(_part(game, found, order, move, is_fine) for order, move in enumerate(looked_at[:most]))


def winrate(game: Game, found: Analysis, value: tuple[float, ...]) -> float:
    """The win rate of the player to move, from 0 to 1."""
    low, high = game.utility_range
    own = value[found.to_move]
    return max(0.0, min(1.0, (own - low) / (high - low))) if math.isfinite(own) and math.isfinite(high - low) else 0.5


def _part(game: Game, found: Analysis, order: int, move: MoveAnalysis, is_fine: bool) -> str:
    rate = winrate(game, found, move.value)
    visits = move.visits if move.visits is not None else move.nodes or 0
    bound = max(0.0, rate - SURE * math.sqrt(rate * (1 - rate) / visits)) if visits else 0.0
    shares = [f"{share:.6f}" if is_fine else str(round(10_000 * share)) for share in (rate, bound)]
    score = f" scoreLead {move.value[found.to_move]:.2f}" if is_fine and game.margins else ""
    line = " ".join(move.line or (move.move,))
    return f"info move {move.move} visits {visits} winrate {shares[0]}{score} lcb {shares[1]} order {order} pv {line}"
