"""Games in normal form: every player chooses one action, all at once, and each cell of a table has a payoff for each.

    3,3 0,5; 5,0 1,1          two players: a row for each action of the first, and a cell has both payoffs
    0 -1 1; 1 0 -1; -1 1 0    zero-sum: a cell has the first player's payoff

Payoffs are fractions, so all answers about these games are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from zermelo.core.errors import UsageError
from zermelo.core.numerals import exact_text, number_of

Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]
Mixed: TypeAlias = tuple[Fraction, ...]
"""A mixed action: the probability of each action of a player."""
Profile: TypeAlias = tuple[int, ...]
"""An action of each player."""
MOST_CELLS = 100_000


@dataclass(frozen=True)
class NormalForm:
    """The payoffs of all players for every profile of actions."""

    actions: tuple[tuple[str, ...], ...]
    """The names of each player's actions."""
    cells: tuple[tuple[Fraction, ...], ...]
    """The payoffs of all players, by profile; the last player's action changes fastest."""
    seats: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        if not self.actions or not all(self.actions):
            raise UsageError("each player of a game in normal form needs at least one action")
        size = math.prod(map(len, self.actions))
        if len(self.cells) != size:
            raise UsageError(f"the game has {size} profiles of actions, but payoffs for {len(self.cells)}")
        for cell in self.cells:
            if len(cell) != self.players:
                raise UsageError(f"each cell needs {self.players} payoffs, one for each player, not {len(cell)}")

    @classmethod
    def of_matrices(cls, first: Sequence[Sequence[Fraction]], second: Sequence[Sequence[Fraction]]) -> NormalForm:
        """A game for two players from one matrix of payoffs for each."""
        cells = tuple((a, b) for row, other in zip(first, second, strict=True) for a, b in zip(row, other, strict=True))
        return cls((numbered(len(first), "r"), numbered(len(first[0]), "c")), cells)

    @property
    def players(self) -> int:
        return len(self.actions)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of actions of each player."""
        return tuple(map(len, self.actions))

    def profiles(self) -> Iterator[Profile]:
        """All profiles, in the order of `cells`."""
        return product(*map(range, self.sizes))

    def payoffs(self, profile: Profile) -> tuple[Fraction, ...]:
        """The payoffs of all players."""
        place = 0
        for action, size in zip(profile, self.sizes, strict=True):
            place = place * size + action
        return self.cells[place]

    def matrix(self, player: int) -> Matrix:
        """A player's payoffs in a game for two, with a row for each action of the first player."""
        if self.players != 2:
            raise UsageError(f"a payoff matrix needs two players; this game has {self.players}")
        _, cols = self.sizes
        values = [cell[player] for cell in self.cells]
        return tuple(tuple(values[start : start + cols]) for start in range(0, len(values), cols))

    def own_matrix(self, player: int) -> Matrix:
        """The same with a row for each action of this player."""
        found = self.matrix(player)
        return found if player == 0 else transpose(found)

    def constant_sum(self) -> Fraction | None:
        """The sum of all payoffs if it is the same in every cell; otherwise None."""
        total = sum(self.cells[0])
        return Fraction(total) if all(sum(cell) == total for cell in self.cells) else None

    def expected(self, strategies: Sequence[Mixed]) -> tuple[Fraction, ...]:
        """The mean payoffs of all players if each plays a mixed action."""
        found = [Fraction(0)] * self.players
        for profile, cell in zip(self.profiles(), self.cells, strict=True):
            weight = math.prod(mixed[action] for mixed, action in zip(strategies, profile, strict=True))
            if weight:
                found = [total + weight * payoff for total, payoff in zip(found, cell, strict=True)]
        return tuple(found)

    def answers(self, strategies: Sequence[Mixed], player: int) -> tuple[Fraction, ...]:
        """The mean payoff of each action of one player against the others' mixed actions."""
        found = []
        for action in range(self.sizes[player]):
            pure = tuple(Fraction(int(other == action)) for other in range(self.sizes[player]))
            found.append(self.expected((*strategies[:player], pure, *strategies[player + 1 :]))[player])
        return tuple(found)

    def is_equilibrium(self, strategies: Sequence[Mixed]) -> bool:
        """Whether no player gains by another action: the definition of Nash [1950]."""
        payoffs = self.expected(strategies)
        return all(max(self.answers(strategies, player)) <= payoffs[player] for player in range(self.players))

    def pure_equilibria(self) -> list[Profile]:
        """The profiles in which no player gains by another action."""
        return [profile for profile in self.profiles() if self._is_stable(profile)]

    def _is_stable(self, profile: Profile) -> bool:
        own = self.payoffs(profile)
        for player, size in enumerate(self.sizes):
            for action in range(size):
                other = (*profile[:player], action, *profile[player + 1 :])
                if self.payoffs(other)[player] > own[player]:
                    return False
        return True


def numbered(size: int, letter: str = "") -> tuple[str, ...]:
    """Names for actions that have none: 1, 2, 3 ..., after a letter if there is one."""
    return tuple(f"{letter}{number + 1}" for number in range(size))


def transpose(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


# -- text ------------------------------------------------------------------------------------------------


def read_normal_form(text: str) -> NormalForm:
    """The game that a text describes: rows set off by semicolons, cells by blanks, payoffs in a cell by commas."""
    rows = [row.split() for row in text.strip().strip(";").split(";")]
    if not rows or not all(rows):
        raise UsageError(f"{text!r:.60} is not a game in normal form; an example is 3,3 0,5; 5,0 1,1")
    if len({len(row) for row in rows}) > 1:
        raise UsageError(f"all rows need the same number of cells, not {', '.join(str(len(row)) for row in rows)}")
    if len(rows) * len(rows[0]) > MOST_CELLS:
        raise UsageError(f"a game in normal form has at most {MOST_CELLS} cells here")
    cells = [tuple(map(number_of, cell.split(","))) for row in rows for cell in row]
    if all(len(cell) == 1 for cell in cells):
        cells = [(payoff, -payoff) for (payoff,) in cells]
    if any(len(cell) != 2 for cell in cells):
        raise UsageError("a cell has two payoffs, as in 3,0; or one, as in 3, if the game is zero-sum")
    return NormalForm((numbered(len(rows), "r"), numbered(len(rows[0]), "c")), tuple(cells))


def write_normal_form(game: NormalForm) -> str:
    """The text of a game for two; `read_normal_form` gives the same payoffs back."""
    is_short = game.constant_sum() == 0
    rows = []
    for row, other in zip(game.matrix(0), game.matrix(1), strict=True):
        cells = [
            exact_text(a) if is_short else f"{exact_text(a)},{exact_text(b)}" for a, b in zip(row, other, strict=True)
        ]
        rows.append(" ".join(cells))
    return "; ".join(rows)
