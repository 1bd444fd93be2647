"""Regret matching: play each action in proportion to how much you regret not having played it.

If both players of a zero-sum game do so, their average strategies approach an equilibrium; in any game the average
play approaches the coarse correlated equilibria.   [Hart & Mas-Colell 2000]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.textbook.matrix_games import Payoffs, action_values, for_columns, mean


def match_regrets(regrets: Sequence[float]) -> tuple[float, ...]:
    """Probabilities in proportion to the positive regrets; if none is positive, all are equal."""
    return in_proportion([max(regret, 0.0) for regret in regrets])


def in_proportion(weights: Sequence[float]) -> tuple[float, ...]:
    """Probabilities in proportion to weights; if all are 0, all are equal."""
    total = sum(weights)
    if total <= 0:
        return (1 / len(weights),) * len(weights)
    return tuple(weight / total for weight in weights)


@dataclass(frozen=True)
class Round:
    """A round of regret matching, one entry for each player."""

    strategies: tuple[tuple[float, ...], ...]
    """The strategies of this round."""
    regrets: tuple[tuple[float, ...], ...]
    """For each action, how much more it would have won than the strategies of all rounds so far."""
    averages: tuple[tuple[float, ...], ...]
    """The mean of the strategies of all rounds so far."""


def regret_matching(first: Payoffs, second: Payoffs | None = None, rounds: int = 100) -> Iterator[Round]:
    """The rounds of two players who choose at once.

    `first` has a row for each action of the first player; `second`, the payoffs of the second player, a row for each
    action of theirs. Without it the game is zero-sum.
    """
    payoffs = (first, for_columns(first) if second is None else second)
    regrets = [[0.0] * len(own) for own in payoffs]
    totals = [[0.0] * len(own) for own in payoffs]
    for number in range(1, rounds + 1):
        strategies = [match_regrets(own) for own in regrets]
        for player in (0, 1):
            values = action_values(payoffs[player], strategies[1 - player])
            value = mean(strategies[player], values)
            regrets[player] = [regret + each - value for regret, each in zip(regrets[player], values, strict=True)]
            totals[player] = [total + share for total, share in zip(totals[player], strategies[player], strict=True)]
        averages = tuple(tuple(total / number for total in own) for own in totals)
        yield Round(tuple(strategies), tuple(map(tuple, regrets)), averages)
