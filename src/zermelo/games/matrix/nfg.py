"""Gambit's files of games in normal form, `.nfg`: the form with payoffs and the form with outcomes.

    NFG 1 R "Prisoner's dilemma" { "Ann" "Bob" } { 2 2 }
    3 3 5 0 0 5 1 1                      the payoffs of all players, the first player's action changing fastest

[Gambit, "Format of the .nfg file"]
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

from zermelo.core.gambit import GambitReader, quoted
from zermelo.core.numerals import exact_text, number_of
from zermelo.games.matrix.normal_form import MOST_CELLS, NormalForm, numbered


def read_nfg(text: str) -> NormalForm:
    """The game of a file; UsageError says what is wrong with it."""
    return _Reader(text).game()


def write_nfg(game: NormalForm) -> str:
    """The file of a game, in the form with payoffs; `read_nfg` gives the same game back."""
    seats = game.seats or tuple(f"Player {number}" for number in numbered(game.players))
    actions = " ".join("{ " + " ".join(map(quoted, names)) + " }" for names in game.actions)
    lines = [f"NFG 1 R {quoted(game.title)} {{ {' '.join(map(quoted, seats))} }}", f"{{ {actions} }}", '""', ""]
    lines += [" ".join(map(exact_text, game.payoffs(profile))) for profile in _contingencies(game.sizes)]
    return "\n".join(lines) + "\n"


class _Reader(GambitReader):
    def game(self) -> NormalForm:
        head = [self.take() for _ in range(3)]
        if [head[0].upper(), head[1]] != ["NFG", "1"] or head[2] not in ("R", "D"):
            self.fail('a file of a game in normal form begins with NFG 1 R "title"')
        title = self.text()
        seats = self.texts()
        actions = self.actions(len(seats))
        if (self.next() or "").startswith('"'):
            self.take()  # a comment
        size = math.prod(map(len, actions))
        if size > MOST_CELLS:
            self.fail(f"a game in normal form has at most {MOST_CELLS} cells here, not {size}")
        listed = self.by_outcomes(size, len(seats)) if self.next() == "{" else self.by_payoffs(size, len(seats))
        if self.next() is not None:
            self.fail(f"{self.next()} is too much: the file has payoffs for {size} profiles")
        by_profile = dict(zip(_contingencies(tuple(map(len, actions))), listed, strict=True))
        cells = tuple(by_profile[profile] for profile in product(*(range(len(names)) for names in actions)))
        return NormalForm(actions, cells, seats, title)

    def actions(self, players: int) -> tuple[tuple[str, ...], ...]:
        """The numbers of actions, or their names."""
        self.expect("{")
        found: list[tuple[str, ...]] = []
        while self.next() != "}":
            found.append(self.texts() if self.next() == "{" else numbered(self.count()))
        self.take()
        if len(found) != players:
            self.fail(f"the file names {players} players, but actions of {len(found)}")
        return tuple(found)

    def by_payoffs(self, size: int, players: int) -> list[tuple[Fraction, ...]]:
        return [tuple(number_of(self.take()) for _ in range(players)) for _ in range(size)]

    def by_outcomes(self, size: int, players: int) -> list[tuple[Fraction, ...]]:
        """The outcomes with their payoffs, then the number of an outcome for each profile; 0 pays nothing."""
        self.expect("{")
        outcomes = [(Fraction(0),) * players]
        while self.next() != "}":
            self.expect("{")
            self.text()
            payoffs = []
            while self.next() != "}":
                if self.next() == ",":
                    self.take()
                else:
                    payoffs.append(number_of(self.take()))
            self.take()
            if len(payoffs) != players:
                self.fail(f"an outcome has {players} payoffs, not {len(payoffs)}")
            outcomes.append(tuple(payoffs))
        self.take()
        numbers = [self.count() for _ in range(size)]
        if max(numbers, default=0) >= len(outcomes):
            self.fail(f"there is no outcome {max(numbers)}; the file has {len(outcomes) - 1}")
        return [outcomes[number] for number in numbers]


def _contingencies(sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All profiles, the first player's action changing fastest."""
    return [tuple(reversed(profile)) for profile in product(*map(range, reversed(sizes)))]
