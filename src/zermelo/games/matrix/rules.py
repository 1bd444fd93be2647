"""A matrix game: every player chooses once, all at the same time.

             rock  paper  scissors      a cell has the first player's payoff in a zero-sum game, and the payoffs
    rock       0    -1       1          of all players, set off by commas, in any other
    paper      1     0      -1
    scissors  -1     1       0          matrix:0 -1 1; 1 0 -1; -1 1 0

A table is typed in as text (`zermelo.games.matrix.normal_form`), read from a file of Gambit (`.nfg`), or one of the
examples by name: `matrix:rock-paper-scissors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.numerals import exact_text
from zermelo.core.picture import Table, Text, Touches
from zermelo.core.simultaneous import Simultaneous
from zermelo.games.matrix.examples import EXAMPLES, example
from zermelo.games.matrix.nfg import read_nfg
from zermelo.games.matrix.normal_form import NormalForm, read_normal_form, write_normal_form
from zermelo.kernel import Reals

NOT_PLAYED = -1
DEFAULT = "rock-paper-scissors"


class Matrix(Simultaneous):
    """Choose a row or a column, all at once; the cell has the payoffs."""

    name = "matrix"
    title = "Matrix Game"
    option_labels = {"text": "table as text"}
    margins = True
    runtime = ("table", "utility_range")
    not_compiled = (*Simultaneous.not_compiled, "text", "form", "zero_sum", "max_payoff_sum", "seats", "full_title")
    perft_table = {"": (3, 9, 0)}

    def __init__(self, text: str = DEFAULT) -> None:
        self.form = example(text) if text in EXAMPLES else read_normal_form(text)
        self.text = text
        self.describe()

    def describe(self) -> None:
        """Set what follows from the table."""
        form = self.form
        self.players = form.players
        self.sizes = form.sizes
        self.zero_sum = form.players > 1 and form.constant_sum() == 0
        self.seats = form.seats or (("Rows", "Columns") if form.players == 2 else ())
        payoffs = [float(payoff) for cell in form.cells for payoff in cell]
        low, high = min(payoffs), max(payoffs)
        self.utility_range = (low, high) if low < high else (low - 1, high + 1)
        self.max_payoff_sum = max(float(sum(cell)) for cell in form.cells)
        self.table = Reals.allocate(len(payoffs))
        for place, payoff in enumerate(payoffs):
            self.table[place] = payoff

    @classmethod
    def of(cls, form: NormalForm, text: str = "") -> Matrix:
        """The game of a table; `text` is what `matrix:` is followed by in its name."""
        found = object.__new__(cls)
        found.form, found.text = form, text or write_normal_form(form)
        found.describe()
        return found

    @classmethod
    def from_spec(cls, rest: str) -> Matrix:
        """The game of the text after `matrix:`: an example, a table, or a file that ends in .nfg."""
        if not rest.endswith(".nfg"):
            return cls(rest.removeprefix("text="))
        try:
            text = Path(rest).expanduser().read_text(encoding="utf-8-sig")
        except OSError as error:
            raise UsageError(f"{rest} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{rest} is not a text; a file of Gambit is written in UTF-8") from None
        try:
            return cls.of(read_nfg(text), rest)
        except UsageError as error:
            raise UsageError(f"{rest}: {error}") from None

    # -- the rules: a situation is the number of a cell, or NOT_PLAYED ------------------------------------

    def start(self) -> int:
        return NOT_PLAYED

    def choices(self, situation: int, player: int) -> Iterator[int]:
        for choice in range(self.sizes[player]):  # noqa: UP028, a kernel has no yield from
            yield choice

    def outcome(self, situation: int, chosen: tuple[int, ...]) -> int:
        cell = 0
        for player in range(self.players):
            cell = cell * self.sizes[player] + chosen[player]
        return cell

    def is_decided(self, situation: int) -> bool:
        return situation != NOT_PLAYED

    def payoff(self, situation: int, player: int) -> float:
        return self.table[situation * self.players + player]

    def middle(self) -> float:
        """No position recurs, so no draw is paid; one compiled search serves tables that are zero-sum and others."""
        return self.middle_of_range()

    # -- notation ----------------------------------------------------------------------------------

    def format_choice(self, situation: int, player: int, choice: int) -> str:
        """The name of the action, with hyphens for blanks and commas."""
        return "-".join(self.form.actions[player][choice].replace(",", " ").split()) or str(choice + 1)

    def format_situation(self, situation: int) -> str:
        """`start`, or what all have chosen: `rock paper`."""
        if situation == NOT_PLAYED:
            return "start"
        choices = enumerate(self.profile(situation))
        return " ".join(self.format_choice(situation, player, choice) for player, choice in choices)

    def parse_situation(self, text: str) -> int:
        if text == "start":
            return NOT_PLAYED
        known = {self.format_situation(cell): cell for cell in range(len(self.form.cells))}
        if text not in known:
            raise BadPosition(f"{text!r} is not a position of {self}; write start, or what all have chosen")
        return known[text]

    def profile(self, situation: int) -> tuple[int, ...]:
        """The actions that lead to a cell."""
        found = []
        for size in reversed(self.sizes):
            situation, action = divmod(situation, size)
            found.append(action)
        return tuple(reversed(found))

    def spec(self) -> str:
        return self.name if self.text == DEFAULT else f"{self.name}:{self.text}"

    def __repr__(self) -> str:
        return f"Matrix.from_spec({self.text!r})"

    def full_title(self) -> str:
        return f"{self.title} ({self.form.title})" if self.form.title else self.title

    # -- picture -----------------------------------------------------------------------------------

    def scene(self, seen: int, player: int, moves: Touches) -> Table | Text:
        """The table; the row or column of a choice is what the player touches."""
        caption = "" if seen == NOT_PLAYED else f"played: {self.format_situation(seen)}"
        if self.players != 2:
            return Text(f"{self.players} players", moves, caption)
        rows, cols = self.form.actions
        payoffs = [[self.form.payoffs((row, col)) for col in range(len(cols))] for row in range(len(rows))]
        texts = [[",".join(map(exact_text, cell[:1] if self.zero_sum else cell)) for cell in line] for line in payoffs]
        touches = dict(moves)
        if player in (0, 1):
            names = [self.format_choice(seen, player, choice) for choice in range(len(self.form.actions[player]))]
            before = len(rows) * player
            touches = {name: (before + names.index(name),) for name in moves}
        marked = () if seen == NOT_PLAYED else (self.outcome_cell(seen),)
        return Table(rows, cols, tuple(map(tuple, texts)), touches=touches, marked=marked, caption=caption)

    def outcome_cell(self, seen: int) -> tuple[int, int]:
        """The row and the column that were chosen."""
        row, col = self.profile(seen)
        return row, col
