"""Equilibria of games for two in normal form, all of them or one, in exact arithmetic.

A pair of mixed actions is an equilibrium if every action is unplayed or a best response [Nash 1950]. The pairs of
vertices of the two best-response polytopes with this property are the extreme equilibria; all others are mixtures of
them [Winkels 1979]. Lemke-Howson paths find one equilibrium for each label that is dropped [Lemke & Howson 1964].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from zermelo.core.errors import Refused, UsageError
from zermelo.equilibrium.polytope import Tableau, vertices
from zermelo.games.matrix.normal_form import Matrix, Mixed, NormalForm, transpose

MOST_BASES = 200_000
"""About a minute of work for each player."""


@dataclass(frozen=True)
class Equilibrium:
    """A mixed action for each player, such that none gains by another."""

    strategies: tuple[Mixed, ...]
    payoffs: tuple[Fraction, ...]

    @classmethod
    def of(cls, game: NormalForm, *strategies: Mixed) -> Equilibrium:
        return cls(strategies, game.expected(strategies))

    @property
    def is_pure(self) -> bool:
        return all(max(mixed) == 1 for mixed in self.strategies)


@dataclass(frozen=True)
class Equilibria:
    """All extreme equilibria of a game; every other equilibrium is a mixture of those of one component."""

    extreme: tuple[Equilibrium, ...]
    components: tuple[tuple[int, ...], ...]
    """The extreme equilibria, by number, that share a component; a component of one is an isolated equilibrium."""

    @property
    def is_finite(self) -> bool:
        """Whether the game has only these equilibria."""
        return all(len(component) == 1 for component in self.components)


def all_equilibria(game: NormalForm) -> Equilibria:
    """All extreme equilibria of a game for two, ordered by their mixed actions from the first action to the last."""
    first, second = positive(game.matrix(0)), positive(game.matrix(1))
    rows, cols = game.sizes
    try:
        own = [(normalised(x), labels) for x, labels in vertices(transpose(second), MOST_BASES) if any(x)]
        other = [
            (normalised(y), swap_labels(labels, cols, rows)) for y, labels in vertices(first, MOST_BASES) if any(y)
        ]
    except OverflowError:
        raise Refused(f"{rows} x {cols} actions are too many to find all equilibria; Lemke-Howson finds one") from None
    complete = (1 << rows + cols) - 1
    by_labels: dict[int, list[Mixed]] = {}
    for y, labels in other:
        by_labels.setdefault(labels, []).append(y)
    pairs = [(x, y) for x, labels in own for found in by_labels if labels | found == complete for y in by_labels[found]]
    pairs.sort(reverse=True)
    return Equilibria(tuple(Equilibrium.of(game, x, y) for x, y in pairs), _components(pairs))


def lemke_howson(game: NormalForm, label: int = 0) -> Equilibrium:
    """The equilibrium at the end of the path that drops a label: an action of the first player, then of the second."""
    rows, cols = game.sizes
    if not 0 <= label < rows + cols:
        raise UsageError(f"a label is a number from 0 to {rows + cols - 1}, one for each action, not {label}")
    # The first tableau has the variables x, then a slack for each column; the second has y, then one for each row.
    tableaux = (Tableau(transpose(positive(game.matrix(1)))), Tableau(positive(game.matrix(0))))
    turn = 0 if label < rows else 1
    moved = label
    while True:
        # A label is the number of its variable in the first tableau; in the second x and y change places.
        entering = moved if turn == 0 else (moved - rows) % (rows + cols)
        leaving = tableaux[turn].pivot(entering)
        moved = leaving if turn == 0 else (leaving + rows) % (rows + cols)
        if moved == label:
            break
        turn = 1 - turn
    x, y = (normalised(tuple(tableau.values()[: tableau.size])) for tableau in tableaux)
    return Equilibrium.of(game, x, y)


def support_enumeration(game: NormalForm) -> Iterator[Equilibrium]:
    """The equilibria whose supports have equal size, support by support; all of them unless the game is degenerate."""
    first, second = game.matrix(0), transpose(game.matrix(1))
    for size in range(1, min(game.sizes) + 1):
        for rows in combinations(range(game.sizes[0]), size):
            for cols in combinations(range(game.sizes[1]), size):
                y = indifferent(first, rows, cols)
                x = indifferent(second, cols, rows)
                if x is not None and y is not None and game.is_equilibrium((x, y)):
                    yield Equilibrium.of(game, x, y)


def indifferent(matrix: Matrix, rows: tuple[int, ...], cols: tuple[int, ...]) -> Mixed | None:
    """Positive probabilities of the columns that make all rows equally good; None if there are none or too many."""
    size = len(rows)
    system = [[matrix[row][col] for col in cols] + [Fraction(-1), Fraction(0)] for row in rows]
    system.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    solution = _solve(system)
    if solution is None or min(solution[:size]) <= 0:
        return None
    found = [Fraction(0)] * len(matrix[0])
    for col, weight in zip(cols, solution, strict=False):
        found[col] = weight
    return tuple(found)


def positive(matrix: Matrix) -> Matrix:
    """The matrix with a constant added, so that all entries are 1 or more; equilibria stay the same."""
    shift = 1 - min(map(min, matrix))
    return tuple(tuple(entry + shift for entry in row) for row in matrix)


def normalised(weights: tuple[Fraction, ...]) -> Mixed:
    total = sum(weights, Fraction(0))
    return tuple(weight / total for weight in weights)


def swap_labels(labels: int, size: int, count: int) -> int:
    """Bits of the second polytope (columns, then rows) in the order of the first (rows, then columns)."""
    return labels >> size | (labels & (1 << size) - 1) << count


def _components(pairs: list[tuple[Mixed, Mixed]]) -> tuple[tuple[int, ...], ...]:
    """Extreme equilibria that share a mixed action are connected."""
    groups: list[set[int]] = []
    for side in (0, 1):
        by_mixed: dict[Mixed, set[int]] = {}
        for number, pair in enumerate(pairs):
            by_mixed.setdefault(pair[side], set()).add(number)
        groups.extend(by_mixed.values())
    found: list[set[int]] = []
    for group in groups:
        joined = set(group).union(*(component for component in found if component & group))
        found = [component for component in found if not component & group] + [joined]
    return tuple(sorted(tuple(sorted(component)) for component in found))


def _solve(system: list[list[Fraction]]) -> list[Fraction] | None:
    """The only solution of linear equations, given as rows with the right side last; None if it is not unique."""
    rows = [list(row) for row in system]
    for place in range(len(rows)):
        pivot = next((number for number in range(place, len(rows)) if rows[number][place]), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        base = rows[place][place]
        rows[place] = [entry / base for entry in rows[place]]
        for number, row in enumerate(rows):
            if number != place and row[place]:
                factor = row[place]
                rows[number] = [entry - factor * above for entry, above in zip(row, rows[place], strict=True)]
    return [row[-1] for row in rows]
