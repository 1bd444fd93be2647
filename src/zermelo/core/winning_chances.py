"""Values as chances to win, so that mistakes of all games can be compared."""

from __future__ import annotations

import math

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.game import Game

STEEP = 4.0
"""An advantage of this many units, such as pawns, counts as odds of ten to one."""
SHARES = 16
"""In a game that is paid by margin, one unit is the whole scale divided by this."""


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
        return _share(own, low, high)
    low, high = max(low, -high), min(high, -low)  # the other player's payoff is within the range too
    if kind != "estimate" and game.margins and not game.chance:
        return 0.5 if own == middle else float(own > middle)
    if kind != "estimate" or not (game.margins or game.unit != 1):
        return _share(own, low, high)
    if analysis.is_simulated and not game.margins:
        return _share(own, low, high)
    unit = game.unit if game.unit != 1 else (high - low) / SHARES or 1.0
    return 1 / (1 + 10 ** (-(own - middle) / (STEEP * unit)))


def _share(own: float, low: float, high: float) -> float:
    """How far a payoff is up the scale, from 0 to 1."""
    return min(1.0, max(0.0, (own - low) / (high - low))) if high > low else 0.5


def expectation(analysis: Analysis, value: tuple[float, ...], kind: Kind, game: Game, player: int) -> float | None:
    """What a player can expect, from 0 to 1: the chances to win, or a share of the scale; None if it is unknown.

    The scale counts in games for more than two, and in those that are not zero-sum.
    """
    if (first := winning_chance(analysis, value, kind, game)) is not None:
        return first if player == 0 else 1 - first
    (low, high), own = game.utility_range, value[player]
    if not all(map(math.isfinite, (low, high, own))):
        return None
    return _share(own, low, high)
