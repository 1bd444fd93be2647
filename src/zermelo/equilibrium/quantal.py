"""Quantal response equilibria: players choose better actions more often, not always [McKelvey & Palfrey 1995].

In the logit form an action is played in proportion to exp(precision · its mean payoff). At precision 0 all actions are
equally likely; the path that starts there leads to an equilibrium of Nash as the precision grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.core.errors import UsageError
from zermelo.games.matrix.normal_form import NormalForm

Vector = NDArray[np.float64]
FIRST_STEP, SMALLEST_STEP, LARGEST_STEP = 0.03, 1e-6, 0.3
NEWTON_STEPS, TOLERANCE = 12, 1e-11
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Quantal:
    """A point on the path: the precision and a mixed action for each player."""

    precision: float
    strategies: tuple[Vector, ...]


def logit_path(game: NormalForm, precision: float) -> Iterator[Quantal]:
    """The points of the principal branch from precision 0 up to `precision`, by a predictor and Newton's method.

    The path may turn back for a while, so it is followed by its length and not by the precision [Turocy 2005].
    """
    if not 0 <= precision < np.inf:
        raise UsageError(f"a precision is a number of 0 or more, not {precision}")
    size = sum(game.sizes)
    point = np.zeros(size + 1)  # logarithms of the probabilities, then the precision
    point[:size] = np.concatenate([np.full(count, -np.log(count)) for count in game.sizes])
    tangent = _tangent(game, point, np.eye(size + 1)[-1])
    step = FIRST_STEP
    yield _quantal(game, point)
    for _ in range(MOST_STEPS):
        found = _correct(game, point + step * tangent, tangent)
        if found is None:
            step /= 2
            if step < SMALLEST_STEP:
                return
            continue
        if found[-1] >= precision:
            yield _quantal(game, _at_precision(game, point, found, precision))
            return
        tangent = _tangent(game, found, tangent)
        point = found
        step = min(step * 1.5, LARGEST_STEP)
        yield _quantal(game, point)


def logit_equilibrium(game: NormalForm, precision: float) -> Quantal:
    """The end of the principal branch at this precision."""
    *_, last = logit_path(game, precision)
    return last


def _quantal(game: NormalForm, point: Vector) -> Quantal:
    return Quantal(float(point[-1]), tuple(np.exp(part) for part in _split(game, point)))


def _split(game: NormalForm, point: Vector) -> list[Vector]:
    return np.split(point[: sum(game.sizes)], np.cumsum(game.sizes)[:-1])


def _residual(game: NormalForm, point: Vector) -> Vector:
    """For each player: the probabilities sum to 1, and log ratios are precision times differences of payoffs."""
    logs, precision = _split(game, point), point[-1]
    found = []
    for player, (own, means) in enumerate(zip(logs, _answers(game, logs), strict=True)):
        del player
        found.append([np.exp(own).sum() - 1])
        found.append(own[1:] - own[0] - precision * (means[1:] - means[0]))
    return np.concatenate(found)


def _answers(game: NormalForm, logs: list[Vector]) -> list[Vector]:
    """The mean payoff of each action against the others' mixed actions."""
    table = _table(game)
    found = []
    for player in range(game.players):
        means = table[..., player]
        for other in reversed(range(game.players)):
            if other != player:
                means = np.moveaxis(means, other, -1) @ np.exp(logs[other])
        found.append(means)
    return found


def _table(game: NormalForm) -> Vector:
    return np.array([[float(payoff) for payoff in cell] for cell in game.cells]).reshape(*game.sizes, game.players)


def _jacobian(game: NormalForm, point: Vector) -> Vector:
    """By central differences: games in normal form are small, and Newton's method corrects the rest."""
    size = len(point)
    found = np.empty((size - 1, size))
    for column in range(size):
        shift = np.zeros(size)
        shift[column] = 1e-6 * max(1.0, abs(point[column]))
        found[:, column] = (_residual(game, point + shift) - _residual(game, point - shift)) / (2 * shift[column])
    return found


def _tangent(game: NormalForm, point: Vector, before: Vector) -> Vector:
    """The direction of the path, of length 1, that goes on from the direction before."""
    _, _, basis = np.linalg.svd(_jacobian(game, point))
    found: Vector = basis[-1]
    return found if found @ before >= 0 else -found


def _correct(game: NormalForm, point: Vector, tangent: Vector) -> Vector | None:
    """The point of the path near the predicted one, in the plane across the tangent; None if Newton's method fails."""
    found = point.copy()
    for _ in range(NEWTON_STEPS):
        residual = np.append(_residual(game, found), tangent @ (found - point))
        if not np.all(np.isfinite(residual)):
            return None
        if np.abs(residual).max() < TOLERANCE:
            return found
        matrix = np.vstack([_jacobian(game, found), tangent])
        try:
            found = found - np.linalg.solve(matrix, residual)
        except np.linalg.LinAlgError:
            return None
    return None


def _at_precision(game: NormalForm, before: Vector, after: Vector, precision: float) -> Vector:
    """The point of the path between two of its points with exactly this precision."""
    share = (precision - before[-1]) / (after[-1] - before[-1])
    found = _correct(game, before + share * (after - before), np.eye(len(before))[-1])
    return after if found is None else found
