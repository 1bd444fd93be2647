"""Layouts of Pac-Man, in the text form that courses use.

    %%%%%%%      % wall      . food      o capsule      P Pac-Man
    %o..G.%      G or 1 to 4 a ghost; numbers say who moves first
    %.%%%.%      a blank is empty
    %..P..%
    %%%%%%%      the border is all wall

A cell is row * width + col, from the upper left corner. Cells that cannot be reached count as walls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import suggest

WALL, FOOD, CAPSULE, PACMAN, EMPTY = "%.oP "
GHOSTS = "G1234"
MOST_GHOSTS, MOST_CAPSULES, MOST_SQUARES = 4, 32, 1024
OWN = Path(__file__).parent / "layouts"
SUFFIX = ".lay"


@dataclass(frozen=True)
class Layout:
    """A maze with the start squares of all characters."""

    rows: tuple[str, ...]
    pacman: int
    ghosts: tuple[int, ...]
    """In the order in which they move."""
    food: tuple[int, ...]
    capsules: tuple[int, ...]
    squares: tuple[int, ...]
    """The cells that Pac-Man can reach."""

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def is_wall(self, cell: int) -> bool:
        return self.rows[cell // self.width][cell % self.width] == WALL


def layout_names() -> list[str]:
    """The layouts that come with the game, the smallest first."""
    sizes = {file.stem: file.stat().st_size for file in OWN.glob(f"*{SUFFIX}")}
    return sorted(sizes, key=lambda name: sizes[name])


def find_layout(name: str) -> Layout:
    """The layout of that name, or the one in that file."""
    own = OWN / f"{name}{SUFFIX}"
    file = own if name.isalnum() and own.is_file() else Path(name).expanduser()
    if not file.exists():
        raise UsageError(f"there is no layout {name!r}; {suggest(layout_names(), '')}, or a file such as mine{SUFFIX}")
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not a text; a layout is written with % . o P G and blanks") from None
    try:
        return read_layout(text)
    except RulesError as error:
        raise RulesError(f"{name}, {error}") from None


def read_layout(text: str) -> Layout:
    """A layout from its text; RulesError, with the line, if it cannot be played."""
    lines = [line.rstrip() for line in text.expandtabs().split("\n")]
    numbers = [number for number, line in enumerate(lines, 1) if line]
    if not numbers:
        raise RulesError("line 1: the layout is empty; the smallest one has three rows of walls, food and Pac-Man")
    first, last = numbers[0], numbers[-1]
    rows = tuple(lines[first - 1 : last])
    reader = _Reader(rows, first)
    reader.check_letters()
    reader.check_border()
    pacman = reader.only_pacman()
    squares = reader.reachable(pacman)
    food, capsules, ghosts = reader.cells(FOOD), reader.cells(CAPSULE), reader.ghosts()
    if not food:
        raise RulesError(f"line {first}: there is no food (.) in the layout, so the game would be over at once")
    reader.check_reached("food", food, squares)
    reader.check_reached("a capsule", capsules, squares)
    for cell in ghosts:
        if cell not in squares:
            raise RulesError(f"{reader.at(cell)}: this ghost is walled in; leave it a way to Pac-Man")
    if not reader.neighbours(pacman):
        raise RulesError(f"{reader.at(pacman)}: Pac-Man is walled in; leave a way out")
    for what, found, most in (
        ("ghosts", ghosts, MOST_GHOSTS),
        ("capsules", capsules, MOST_CAPSULES),
        ("squares", squares, MOST_SQUARES),
    ):
        if len(found) > most:
            raise RulesError(f"line {first}: the layout has {len(found)} {what}; there is room for {most}")
    return Layout(rows, pacman, ghosts, food, capsules, squares)


class _Reader:
    """The rows of a layout, and the number of the first one's line."""

    def __init__(self, rows: tuple[str, ...], first: int) -> None:
        self.rows, self.first, self.width = rows, first, len(rows[0])

    def at(self, cell: int) -> str:
        """`line 3, column 5`, from 1."""
        return f"line {self.first + cell // self.width}, column {cell % self.width + 1}"

    def check_letters(self) -> None:
        for number, row in enumerate(self.rows, self.first):
            for column, letter in enumerate(row, 1):
                if letter not in WALL + FOOD + CAPSULE + PACMAN + EMPTY + GHOSTS:
                    raise RulesError(
                        f"line {number}, column {column}: {letter!r} means nothing in a layout; "
                        "use % . o P G 1 2 3 4 and blanks"
                    )

    def check_border(self) -> None:
        for number, row in enumerate(self.rows, self.first):
            if len(row) != self.width:
                raise RulesError(
                    f"line {number}: this row is {len(row)} long and the first one {self.width}; "
                    "all rows must be equally long"
                )
            is_edge = number in (self.first, self.first + len(self.rows) - 1)
            if set(row if is_edge else row[0] + row[-1]) != {WALL}:
                raise RulesError(f"line {number}: the border is open here; a maze has walls (%) all round")

    def only_pacman(self) -> int:
        found = self.cells(PACMAN)
        if not found:
            raise RulesError(f"line {self.first}: there is no Pac-Man in the layout; put one P")
        if len(found) > 1:
            raise RulesError(f"{self.at(found[1])}: this is a second Pac-Man; a layout has one P")
        return found[0]

    def check_reached(self, what: str, cells: Iterable[int], squares: Iterable[int]) -> None:
        for cell in sorted(set(cells) - set(squares)):
            raise RulesError(f"{self.at(cell)}: Pac-Man cannot reach {what} here; open a way or take it out")

    def cells(self, letter: str) -> tuple[int, ...]:
        return tuple(cell for cell, found in enumerate("".join(self.rows)) if found == letter)

    def ghosts(self) -> tuple[int, ...]:
        """By their numbers; a G counts as a 1, and of equals the first to be read comes first."""
        letters = "".join(self.rows)
        cells = [cell for cell, letter in enumerate(letters) if letter in GHOSTS]
        return tuple(sorted(cells, key=lambda cell: max(1, GHOSTS.index(letters[cell]))))

    def neighbours(self, cell: int) -> list[int]:
        around = (cell - self.width, cell + self.width, cell + 1, cell - 1)
        return [other for other in around if self.rows[other // self.width][other % self.width] != WALL]

    def reachable(self, start: int) -> tuple[int, ...]:
        found = [start]
        seen = {start}
        for cell in found:
            new = [other for other in self.neighbours(cell) if other not in seen]
            seen.update(new)
            found += new
        return tuple(sorted(found))
