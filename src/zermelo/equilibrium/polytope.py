"""The vertices of a best-response polytope, by pivoting in whole numbers.

The polytope of one player is {x >= 0 : rows · x <= 1} with positive rows: x, divided by its sum, is a mixed action, and
a tight row is a best response to it. Pivots keep all numbers whole: the tableau is that of the basis times its
determinant [Bareiss 1968]. The lexicographic rule makes every pivot unique, also in degenerate games.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from zermelo.games.matrix.normal_form import Matrix


class Tableau:
    """rows · x + slack = 1 in whole numbers; variables 0 ... size-1 are x, the following are the slacks.

    A row is multiplied by its denominators, and its slack with it.
    """

    def __init__(self, matrix: Matrix) -> None:
        self.size, self.count = len(matrix[0]), len(matrix)
        self.rows = []
        for number, row in enumerate(matrix):
            scale = math.lcm(*(entry.denominator for entry in row))
            slacks = (int(number == other) for other in range(self.count))
            self.rows.append([*(int(entry * scale) for entry in row), *slacks, scale])
        self.basis = list(range(self.size, self.size + self.count))
        self.determinant = 1

    def copy(self) -> Tableau:
        found = object.__new__(Tableau)
        found.size, found.count = self.size, self.count
        found.rows, found.basis, found.determinant = (
            [list(row) for row in self.rows],
            list(self.basis),
            self.determinant,
        )
        return found

    def leaving(self, entering: int) -> int:
        """The row that limits the entering variable: the smallest ratio, ties by the columns of the slacks."""
        columns = [self.size + self.count, *range(self.size, self.size + self.count)]
        left = [number for number in range(self.count) if self.rows[number][entering] > 0]
        for column in columns:
            if len(left) == 1:
                break
            best = min(Fraction(self.rows[number][column], self.rows[number][entering]) for number in left)
            left = [n for n in left if Fraction(self.rows[n][column], self.rows[n][entering]) == best]
        return left[0]

    def pivot(self, entering: int) -> int:
        """Let a variable enter the basis; the variable that leaves it."""
        number = self.leaving(entering)
        pivot_row, base = self.rows[number], self.rows[number][entering]
        for other, row in enumerate(self.rows):
            if other != number:
                factor = row[entering]
                self.rows[other] = [
                    (base * entry - factor * above) // self.determinant
                    for entry, above in zip(row, pivot_row, strict=True)
                ]
        self.determinant = base
        leaving, self.basis[number] = self.basis[number], entering
        return leaving

    def values(self) -> list[Fraction]:
        """The values of all variables, x and slacks; a slack is in units of its row."""
        found = [Fraction(0)] * (self.size + self.count)
        for variable, row in zip(self.basis, self.rows, strict=True):
            found[variable] = Fraction(row[-1], self.determinant)
        return found


def vertices(matrix: Matrix, most: int) -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """All vertices x of {x >= 0 : rows · x <= 1}, each once, with its tight constraints as bits.

    Bit i says that x[i] is 0, bit size + j that row j is tight. The walk visits the feasible bases of the
    lexicographically perturbed polytope, whose graph is connected; more than `most` bases are an OverflowError.
    """
    start = Tableau(matrix)
    seen = {frozenset(start.basis)}
    found: set[tuple[Fraction, ...]] = set()
    waiting = [start]
    while waiting:
        tableau = waiting.pop()
        values = tableau.values()
        x = tuple(values[: tableau.size])
        if x not in found:
            found.add(x)
            yield x, sum(1 << number for number, value in enumerate(values) if value == 0)
        for entering in set(range(tableau.size + tableau.count)) - set(tableau.basis):
            leaving = tableau.basis[tableau.leaving(entering)]
            key = frozenset(tableau.basis) - {leaving} | {entering}
            if key not in seen:
                if len(seen) >= most:
                    raise OverflowError
                seen.add(key)
                following = tableau.copy()
                following.pivot(entering)
                waiting.append(following)
