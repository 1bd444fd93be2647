"""Linear programmes, solved exactly: the simplex method in fractions.

The rule of the smallest index [Bland 1977] ensures termination.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def maximise(
    goal: Sequence[Fraction | int], rows: Sequence[Sequence[Fraction | int]], limits: Sequence[Fraction | int]
) -> tuple[list[Fraction], list[Fraction]]:
    """The x >= 0 with rows · x <= limits that maximises goal · x, and the price of each row.

    Limits are 0 or more, and the goal is bounded. The prices y >= 0 prove that x is best: rows' · y >= goal
    and limits · y = goal · x.
    """
    size, count = len(goal), len(rows)
    table = [
        [Fraction(entry) for entry in (*row, *(int(i == j) for j in range(count)), limit)]
        for i, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    price = [Fraction(-entry) for entry in goal] + [Fraction(0)] * (count + 1)
    basis = list(range(size, size + count))
    while (column := next((j for j in range(size + count) if price[j] < 0), None)) is not None:
        rising = [i for i in range(count) if table[i][column] > 0]
        pivot = min(rising, key=lambda i: (table[i][-1] / table[i][column], basis[i]))
        basis[pivot] = column
        table[pivot] = [entry / table[pivot][column] for entry in table[pivot]]
        for row in (*(table[i] for i in range(count) if i != pivot), price):
            factor = row[column]
            if factor:
                row[:] = [entry - factor * base for entry, base in zip(row, table[pivot], strict=True)]
    best = [Fraction(0)] * (size + count)
    for row, variable in zip(table, basis, strict=True):
        best[variable] = row[-1]
    return best[:size], price[size:-1]
