"""Neutral descriptions of boards, which games provide and the terminal and the page draw.

A picture's `touches` maps the notation of each legal move to the cells it touches, in the order of clicks: (from, to),
or the one cell that is filled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Touches: TypeAlias = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Piece:
    """A stone, pawn or counter."""

    symbol: str
    """For the terminal: one character, or a number (the seeds in a pit)."""
    owner: int
    """The player it belongs to; -1 for none."""
    name: str = "stone"
    """The shape to draw: stone, cross, ring, pawn, triangle, tile-8 ..."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """What all pictures may say about their looks, by keyword."""

    colours: tuple[str, ...] = ()
    """The colours of the players: white, black, blue, red, green, purple, gold, pink, cyan, orange.

    By default those after which the seats are named. The others get the usual ones that are left: blue, black, red,
    green, purple, gold."""
    material: Literal["", "wood", "cloth", "plastic"] = ""
    """What the board is made of on the page; figures are neutral."""
    facing: bool = False
    """Whether the players sit opposite each other: the page then turns the board for a person in the second seat."""


@dataclass(frozen=True)
class Grid(Look):
    """A board of rows and columns; cell 0 is the top left one, row by row."""

    rows: int
    cols: int
    cells: tuple[Piece | None, ...]
    row_labels: tuple[str, ...] = ()
    """From the top; empty for none."""
    col_labels: tuple[str, ...] = ()
    """From the left; empty for none."""
    touches: Touches = field(default_factory=dict)
    marked: tuple[int, ...] = ()
    """Cells to highlight, such as the winning line."""
    chequered: bool = False
    names: tuple[str, ...] = ()
    """Names of the cells if rows and columns do not give them, with "" for unused cells; empty for none."""
    on_lines: bool = False
    """Whether pieces stand on the crossings of lines, as in Go."""
    stars: tuple[int, ...] = ()
    """Cells with a dot while they are empty, such as star points."""
    walls: tuple[int, ...] = ()
    """Cells that are walls; a grid with walls is drawn as a maze."""
    falling: bool = False
    """Whether stones fall to the lowest free cell of a column: drawn as a rack whose columns can be clicked."""
    caption: str = ""


@dataclass(frozen=True)
class Points(Look):
    """Places anywhere on the paper, joined by lines: stars, triangles, maps; cell k is place k."""

    places: tuple[tuple[float, float], ...]
    """How far to the right and how far down, where 1 is about the distance between neighbours."""
    cells: tuple[Piece | None, ...]
    links: tuple[tuple[int, int], ...] = ()
    """Pairs of places to join by a line."""
    labels: tuple[tuple[float, float, str], ...] = ()
    """Words beside the places: how far to the right, how far down, and the word."""
    touches: Touches = field(default_factory=dict)
    marked: tuple[int, ...] = ()
    """Cells to highlight, such as a won corner."""
    caption: str = ""


@dataclass(frozen=True)
class Piles(Look):
    """Heaps of counters; cell k is heap k."""

    sizes: tuple[int, ...]
    labels: tuple[str, ...]
    touches: Touches = field(default_factory=dict)
    caption: str = ""


@dataclass(frozen=True)
class Panel(Look):
    """Labelled numbers: scores, a turn total, a die. `goal` gives bars their full length."""

    rows: tuple[tuple[str, float], ...]
    goal: float | None = None
    touches: Touches = field(default_factory=dict)
    caption: str = ""
    owners: tuple[int, ...] = ()
    """The player whose number each row shows, for the colour of its bar; empty for one colour."""


@dataclass(frozen=True)
class Tables(Look):
    """A board of points round which the checkers of two players run, as in backgammon, with bar, trays, dice and cube.

    Cell k is point k + 1, as the first player counts: from the lower right to the left and back above. Behind the
    points come the bars of the two players, then the trays of what they have borne off.
    """

    points: tuple[tuple[int, int], ...]
    """Of each point the owner, or -1, and the number of checkers."""
    bar: tuple[int, int]
    off: tuple[int, int]
    symbols: tuple[str, str]
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The lines shown about each player: the name, then the pips and so on."""
    dice: tuple[int, ...] = ()
    roller: int = -1
    """Whose dice they are; -1 if one die belongs to each, or there are none."""
    cube: int = 0
    """The number on the doubling cube; 0 for none."""
    cube_owner: int = -1
    touches: Touches = field(default_factory=dict)
    caption: str = ""

    @property
    def cells(self) -> int:
        return len(self.points) + 4


@dataclass(frozen=True)
class Card:
    """A face-up card; a domino or any other token is a card with words on it."""

    rank: str
    suit: str = ""
    """♠, ♥, ♦ or ♣, any other sign, or nothing."""


@dataclass(frozen=True)
class Hand:
    """Cards that belong together: a player's, or those on the table."""

    name: str
    """The label: a player's name, or "table"."""
    cards: tuple[Card | None, ...] = ()
    """The cards; None is a face-down card, whose identity the picture does not contain."""
    owner: int = -1
    """The player it belongs to; -1 for none."""
    numbers: tuple[tuple[str, float], ...] = ()
    """Labelled numbers beside it: chips, a pot, a score."""


@dataclass(frozen=True)
class Hands(Look):
    """Hands of cards one below the other; the cells are their cards, hand by hand."""

    hands: tuple[Hand, ...]
    dice: bool = field(default=False, kw_only=True)
    """Whether the cards are dice, with their numbers as ranks; those that no player may see are under a cup."""
    turn: int = -1
    """The player whose turn it is; -1 for none."""
    touches: Touches = field(default_factory=dict)
    marked: tuple[int, ...] = ()
    """Cells to highlight, such as the winning cards."""
    caption: str = ""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The card in each cell."""
        return tuple(card for hand in self.hands for card in hand.cards)


@dataclass(frozen=True)
class Table(Look):
    """A table with a name for each row and each column, such as payoffs; cells are the rows, then the columns."""

    rows: tuple[str, ...]
    cols: tuple[str, ...]
    entries: tuple[tuple[str, ...], ...]
    """The words in each row, column by column."""
    touches: Touches = field(default_factory=dict)
    marked: tuple[tuple[int, int], ...] = ()
    """Entries to highlight, by row and column, such as the outcome."""
    caption: str = ""


@dataclass(frozen=True)
class TreeNode:
    """A node of a game tree, and the branch that leads to it."""

    kind: Literal["max", "min", "chance", "end"]
    parent: int = -1
    """The number of the node above, which is smaller than its own; -1 for the root."""
    move: str = ""
    """The branch that leads here."""
    probability: float | None = None
    """Of that branch, where dice decide."""
    player: int = -1
    """Who moves here; -1 for dice and at an end."""
    value: float | tuple[float, ...] | None = None
    """The payoff of a leaf, elsewhere an estimate: for the first of two opponents, or for each player; or None."""


@dataclass(frozen=True)
class Branches(Look):
    """A game tree and the game's place in it; cell k is node k."""

    nodes: tuple[TreeNode, ...]
    at: int = 0
    touches: Touches = field(default_factory=dict)
    """A move touches the node it leads to."""
    caption: str = ""


@dataclass(frozen=True)
class Text(Look):
    """A position as plain text."""

    text: str
    touches: Touches = field(default_factory=dict)
    caption: str = ""


Picture: TypeAlias = Grid | Points | Piles | Panel | Tables | Table | Hands | Branches | Text
