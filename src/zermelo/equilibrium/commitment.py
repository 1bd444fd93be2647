"""Stackelberg games: the leader commits to a mixed action, and the follower sees it before answering.

For each answer of the follower, a linear programme finds the leader's best mixed action to which it is a best response;
the best of them is the leader's [Conitzer & Sandholm 2006]. The follower breaks ties for the leader.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.choice.linear_programme import maximise
from zermelo.games.matrix.normal_form import Mixed, NormalForm


@dataclass(frozen=True)
class Commitment:
    """The leader's mixed action, the follower's answer, and the payoffs of both, in the order of the seats."""

    leader: int
    mixed: Mixed
    answer: int
    payoffs: tuple[Fraction, ...]


def stackelberg(game: NormalForm, leader: int = 0) -> Commitment:
    """The best mixed action to commit to, in fractions."""
    gains, costs = game.own_matrix(leader), _rows_of_leader(game, leader)
    shift = 1 - min(map(min, gains))
    found: tuple[Fraction, list[Fraction], int] | None = None
    for answer in range(game.sizes[1 - leader]):
        rows = [
            [row[other] - row[answer] for row in costs] for other in range(game.sizes[1 - leader]) if other != answer
        ]
        rows.append([Fraction(1)] * len(gains))
        goal = [row[answer] + shift for row in gains]
        best, _ = maximise(goal, rows, [Fraction(0)] * (len(rows) - 1) + [Fraction(1)])
        value = sum((weight * gain for weight, gain in zip(best, goal, strict=True)), Fraction(0))
        # A value of 0 belongs to no mixed action: the answer is never a best response.
        if value > 0 and (found is None or value > found[0]):
            found = value, best, answer
    assert found is not None, "some answer is a best response"
    _, mixed, answer = found
    pure = tuple(Fraction(int(other == answer)) for other in range(game.sizes[1 - leader]))
    pair = (tuple(mixed), pure) if leader == 0 else (pure, tuple(mixed))
    return Commitment(leader, tuple(mixed), answer, game.expected(pair))


def _rows_of_leader(game: NormalForm, leader: int) -> tuple[tuple[Fraction, ...], ...]:
    """The follower's payoffs, with a row for each action of the leader."""
    found = game.matrix(1 - leader)
    return found if leader == 0 else tuple(zip(*found, strict=True))
