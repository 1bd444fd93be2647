"""Fictitious play: answer best to what the other has played so far.

In a zero-sum game the frequencies of the actions approach an equilibrium, slowly.   [Brown 1951; Robinson 1951]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.textbook.matrix_games import Payoffs, action_values, for_columns


@dataclass(frozen=True)
class Round:
    """A round of fictitious play, one entry for each player."""

    actions: tuple[int, int]
    counts: tuple[tuple[int, ...], ...]
    """How often each action has been played so far, this round included."""
    frequencies: tuple[tuple[float, ...], ...]
    values: tuple[float, float]
    """What each player's best response to the other's frequencies wins. In a zero-sum game the value is at most the
    first and at least minus the second."""


def fictitious_play(first: Payoffs, second: Payoffs | None = None, rounds: int = 100) -> Iterator[Round]:
    """The rounds of two players who choose at once; in the first round, the first actions.

    `first` has a row for each action of the first player; `second`, the payoffs of the second player, a row for each
    action of theirs. Without it the game is zero-sum.
    """
    payoffs = (first, for_columns(first) if second is None else second)
    counts = [[0] * len(own) for own in payoffs]
    actions = (0, 0)
    for number in range(1, rounds + 1):
        for player in (0, 1):
            counts[player][actions[player]] += 1
        frequencies = [[count / number for count in own] for own in counts]
        values = [action_values(payoffs[player], frequencies[1 - player]) for player in (0, 1)]
        best = (max(values[0]), max(values[1]))
        yield Round(actions, tuple(map(tuple, counts)), tuple(map(tuple, frequencies)), best)
        actions = (values[0].index(best[0]), values[1].index(best[1]))
