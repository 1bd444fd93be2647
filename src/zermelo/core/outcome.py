"""The result of a finished game in words."""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.core.referee import Referee


def describe_outcome(referee: Referee) -> str:
    """The result of a finished game: `White wins`, `a draw`, or the points of all players."""
    return describe_result(referee.game, referee.utilities())


def describe_result(game: Game, payoffs: tuple[float, ...]) -> str:
    """The result for these payoffs."""
    if game.players == 1:
        return f"{payoffs[0]:g} points"
    best = max(payoffs)
    winners = [player for player, payoff in enumerate(payoffs) if payoff == best]
    if len(winners) == game.players:
        return "a draw"
    points = "" if is_win_or_lose(game) else f" ({', '.join(f'{game.seat(p)} {v:g}' for p, v in enumerate(payoffs))})"
    if len(winners) == 1:
        return f"{game.seat(winners[0])} wins{points}"
    return f"{' and '.join(map(game.seat, winners))} share first place{points}"


def is_win_or_lose(game: Game) -> bool:
    return game.players == 2 and game.zero_sum and game.utility_range in ((-1, 1), (0, 1))
