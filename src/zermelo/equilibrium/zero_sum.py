"""Zero-sum games in normal form: saddle points, and the value by an exact linear programme [von Neumann 1928]."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.choice.linear_programme import maximise
from zermelo.games.matrix.normal_form import Matrix, Mixed, Profile


@dataclass(frozen=True)
class MatrixSolution:
    """The value of a matrix game, and a mixed action for each player that secures it."""

    value: Fraction
    """The first player's mean payoff; the second gets the opposite."""
    strategies: tuple[Mixed, Mixed]


def solve_matrix(matrix: Matrix) -> MatrixSolution:
    """The value of a zero-sum game and an optimal mixed action for each player, in fractions.

    The solution proves itself: against the first player's action each column costs at least the value, and against
    the second player's each row earns at most the value.
    """
    shift = 1 - min(map(min, matrix))
    raised = [[entry + shift for entry in row] for row in matrix]
    columns, prices = maximise([Fraction(1)] * len(matrix[0]), raised, [Fraction(1)] * len(matrix))
    value = 1 / sum(columns, Fraction(0))
    first = tuple(price * value for price in prices)
    second = tuple(weight * value for weight in columns)
    return MatrixSolution(value - shift, (first, second))


def saddle_points(matrix: Matrix) -> list[Profile]:
    """The cells that are smallest in their row and largest in their column: equilibria in pure actions."""
    lows = [min(row) for row in matrix]
    highs = [max(column) for column in zip(*matrix, strict=True)]
    return [(i, j) for i, row in enumerate(matrix) for j, entry in enumerate(row) if entry == lows[i] == highs[j]]
