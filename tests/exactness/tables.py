"""Equilibria of a table, by brute force in fractions: all supports of the same size, and the definition itself."""

import itertools
from fractions import Fraction

from exactness.claims import Contradiction

Cells = list[list[tuple[Fraction, Fraction]]]
Mixed = tuple[Fraction, ...]


def check_equilibria(cells: Cells, answer: dict) -> None:
    """Raise Contradiction if an answer of `zermelo nash` names a false equilibrium, or misses one."""
    found = [tuple(_mixed(strategy) for strategy in one["strategies"]) for one in answer["equilibria"]]
    for (x, y), one in zip(found, answer["equilibria"], strict=True):
        gains = gains_of(cells, x, y)
        if any(gains):
            raise Contradiction(
                f"equilibrium: by leaving {_text(x)} against {_text(y)} the players gain {_text(gains)}"
            )
        payoffs = tuple(Fraction(payoff) for payoff in one["payoffs"])
        if payoffs != payoffs_of(cells, x, y):
            raise Contradiction(f"payoffs: {_text(x)} against {_text(y)} get {_text(payoffs_of(cells, x, y))}")
    for x, y in isolated(cells):
        if (x, y) not in found:
            raise Contradiction(f"missing: {_text(x)} against {_text(y)} is an equilibrium")
    if answer["is_finite"] and len(found) % 2 == 0 and not is_degenerate(cells):
        raise Contradiction(f"number: {len(found)} equilibria of a game that is not degenerate")
    if not found:
        raise Contradiction("missing: every table has an equilibrium")


def _mixed(strategy: dict[str, str]) -> Mixed:
    mixed = tuple(Fraction(share) for share in strategy.values())
    if sum(mixed) != 1 or min(mixed) < 0:
        raise Contradiction(f"strategy: {_text(mixed)} are no probabilities")
    return mixed


def payoffs_of(cells: Cells, x: Mixed, y: Mixed) -> tuple[Fraction, Fraction]:
    rows, cols = range(len(x)), range(len(y))
    first, second = (sum(x[i] * y[j] * cells[i][j][player] for i in rows for j in cols) for player in (0, 1))
    return first, second


def gains_of(cells: Cells, x: Mixed, y: Mixed) -> tuple[Fraction, Fraction]:
    """What each player gains by the best move instead of the mixed one."""
    rows, cols, now = range(len(x)), range(len(y)), payoffs_of(cells, x, y)
    first = max(sum(y[j] * cells[i][j][0] for j in cols) for i in rows)
    second = max(sum(x[i] * cells[i][j][1] for i in rows) for j in cols)
    return first - now[0], second - now[1]


def isolated(cells: Cells):
    """The equilibria whose supports have one size and determine them: all of them, if the game is not degenerate."""
    rows, cols = len(cells), len(cells[0])
    for size in range(1, min(rows, cols) + 1):
        for own in itertools.combinations(range(rows), size):
            for other in itertools.combinations(range(cols), size):
                y = _indifferent([[cells[i][j][0] for j in other] for i in own], other, cols)
                x = _indifferent([[cells[i][j][1] for i in own] for j in other], own, rows)
                if x and y and gains_of(cells, x, y) == (0, 0):
                    yield x, y


def _indifferent(matrix: list[list[Fraction]], places: tuple[int, ...], length: int) -> Mixed | None:
    """The only positive weights for which all rows are worth the same."""
    size = len(matrix)
    system = [[*row, Fraction(-1), Fraction(0)] for row in matrix]
    system.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for column in range(size + 1):
        pivot = next((row for row in range(column, size + 1) if system[row][column]), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        system[column] = [entry / system[column][column] for entry in system[column]]
        for row in range(size + 1):
            if row != column:
                factor = system[row][column]
                system[row] = [entry - factor * above for entry, above in zip(system[row], system[column], strict=True)]
    weights = [row[-1] for row in system[:size]]
    if min(weights) <= 0:
        return None
    full = [Fraction(0)] * length
    for place, weight in zip(places, weights, strict=True):
        full[place] = weight
    return tuple(full)


def is_degenerate(cells: Cells) -> bool:
    """Whether a pure move has several best responses: a simple sign; other degenerate games count as not degenerate."""
    by_row = [[pair[1] for pair in row] for row in cells]
    by_column = [[row[j][0] for row in cells] for j in range(len(cells[0]))]
    return any(line.count(max(line)) > 1 for line in (*by_row, *by_column))


def _text(numbers) -> str:
    return f"({', '.join(map(str, numbers))})"
