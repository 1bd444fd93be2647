"""Matrix games: two players choose at once, and a table has what the first one wins from the second.

A matrix is a list of rows, one for each action of the first player, who wants the payoff to be high; the second player
chooses the column and wants it to be low. In mixed actions every matrix game has a value.   [von Neumann 1928]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

Payoffs: TypeAlias = Sequence[Sequence[Any]]
"""A row for each own action, a column for each of the other player; ints, fractions or floats."""


def mean(shares: Sequence[Any], values: Sequence[Any]) -> Any:
    """The expected value."""
    return sum(share * value for share, value in zip(shares, values, strict=True))


def action_values(payoffs: Payoffs, other: Sequence[Any]) -> list[Any]:
    """What each action is worth against a mixed action of the other player."""
    return [mean(other, row) for row in payoffs]


def for_columns(matrix: Payoffs) -> Payoffs:
    """The game as the second player sees it: a row for each of their actions, and the opposite payoffs."""
    return [[-payoff for payoff in column] for column in zip(*matrix, strict=True)]


def maximin(matrix: Payoffs) -> Any:
    """What the first player can secure by a single action, even if the other knows it."""
    return max(min(row) for row in matrix)


def minimax_value(matrix: Payoffs) -> Any:
    """What the second player can hold the first to by a single action; equal to `maximin` at a saddle point."""
    return -maximin(for_columns(matrix))


def undominated(matrix: Payoffs) -> tuple[list[int], list[int]]:
    """The rows and columns that are left when dominated ones are removed, one after the other."""
    rows, columns = list(range(len(matrix))), list(range(len(matrix[0])))
    while True:
        left = [[matrix[row][column] for column in columns] for row in rows]
        if (worse := dominated(left)) is not None:
            del rows[worse]
        elif (worse := dominated(for_columns(left))) is not None:
            del columns[worse]
        else:
            return rows, columns


def dominated(payoffs: Payoffs) -> int | None:
    """A row that is worse than another one whatever the other player does."""
    for number, row in enumerate(payoffs):
        for other in payoffs:
            if all(better > worse for better, worse in zip(other, row, strict=True)):
                return number
    return None


def solve_matrix_game(matrix: Payoffs) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """The value, and an optimal mixed action of each player: each makes the other indifferent among what they use.

    Some square part of the matrix has the solution: its rows and columns are what the players use. [Shapley & Snow
    1950] A pair of mixed actions is optimal if no row is worth more than the value, and no column less.
    """
    table = [[Fraction(payoff) for payoff in row] for row in matrix]
    height, width = len(table), len(table[0])
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                part = [[table[row][column] for column in columns] for row in rows]
                first, second = indifferent(list(zip(*part, strict=True))), indifferent(part)
                if first is None or second is None:
                    continue
                one, other = spread(first, rows, height), spread(second, columns, width)
                value = mean(one, action_values(table, other))
                best, worst = max(action_values(table, other)), -max(action_values(for_columns(table), one))
                if best == value == worst:
                    return value, one, other
    raise AssertionError("every matrix game has a value")


def indifferent(rows: Payoffs) -> list[Fraction] | None:
    """The mixed action against which all rows of a square matrix are worth the same; None if there is not just one."""
    size = len(rows)
    equations = [[*row, Fraction(-1), Fraction(0)] for row in rows]  # a row is worth v
    equations.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])  # and the probabilities sum to 1
    for column in range(size + 1):
        pivot = next((line for line in equations[column:] if line[column] != 0), None)
        if pivot is None:
            return None
        equations.remove(pivot)
        pivot = [entry / pivot[column] for entry in pivot]
        equations = [
            [entry - line[column] * head for entry, head in zip(line, pivot, strict=True)] for line in equations
        ]
        equations.insert(column, pivot)
    shares = [line[-1] for line in equations[:size]]
    return shares if min(shares) >= 0 else None


def spread(shares: Sequence[Fraction], actions: Sequence[int], count: int) -> list[Fraction]:
    """The mixed action over all actions that plays these ones with these probabilities."""
    found = [Fraction(0)] * count
    for action, share in zip(actions, shares, strict=True):
        found[action] = share
    return found
