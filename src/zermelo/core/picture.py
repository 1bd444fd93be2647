"""Neutral board descriptions: a game says what is where, the terminal and the page draw it.

A picture's `touches` maps the notation of each legal move to the cells it touches, in the order a
person would click them: (from, to), or the one cell that is filled.
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


@dataclass(frozen=True)
class Grid:
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
    """Cells to stress: the winning line."""
    chequered: bool = False
    names: tuple[str, ...] = ()
    """Names of the cells if rows and columns do not give them, with "" for unused cells; empty for none."""
    on_lines: bool = False
    """Pieces stand where lines cross, as in Go, and not in squares."""
    stars: tuple[int, ...] = ()
    """Cells with a dot to guide the eye, as long as they are empty."""
    walls: tuple[int, ...] = ()
    """Cells that are walls; a grid with walls is drawn as a maze."""
    falling: bool = False
    """Stones fall to the lowest free cell of a column: drawn as a rack, and its whole column means a cell."""
    caption: str = ""


@dataclass(frozen=True)
class Points:
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
    """Cells to stress: the corner that is won."""
    caption: str = ""


@dataclass(frozen=True)
class Piles:
    """Heaps of counters; cell k is heap k."""

    sizes: tuple[int, ...]
    labels: tuple[str, ...]
    touches: Touches = field(default_factory=dict)
    caption: str = ""


@dataclass(frozen=True)
class Panel:
    """Labelled numbers: scores, a turn total, a die. `goal` gives bars their full length."""

    rows: tuple[tuple[str, float], ...]
    goal: float | None = None
    touches: Touches = field(default_factory=dict)
    caption: str = ""
    owners: tuple[int, ...] = ()
    """The player whose number each row shows, for the colour of its bar; empty for one colour."""


@dataclass(frozen=True)
class Tables:
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
    """A card that is seen from its face; a domino or any other token is a card with words on it."""

    rank: str
    suit: str = ""
    """♠, ♥, ♦ or ♣, any other sign, or nothing."""


@dataclass(frozen=True)
class Hand:
    """Cards that lie together: a player's, or those on the table."""

    name: str
    """What stands beside it: a player's name, "table"."""
    cards: tuple[Card | None, ...] = ()
    """None is a card that lies face down; the picture does not know which it is."""
    owner: int = -1
    """The player it belongs to; -1 for none."""
    numbers: tuple[tuple[str, float], ...] = ()
    """What goes with it, labelled: chips, a pot, a score."""


@dataclass(frozen=True)
class Hands:
    """Hands of cards one below the other; the cells are their cards, hand by hand."""

    hands: tuple[Hand, ...]
    turn: int = -1
    """The player whose turn it is; -1 for none."""
    touches: Touches = field(default_factory=dict)
    marked: tuple[int, ...] = ()
    """Cells to stress: the cards that win."""
    caption: str = ""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """What lies in each cell."""
        return tuple(card for hand in self.hands for card in hand.cards)


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
    """What an end pays, elsewhere an estimate: to the first of two opponents, or to each player; None for nothing."""


@dataclass(frozen=True)
class Branches:
    """A game tree, and where in it the game is; cell k is node k."""

    nodes: tuple[TreeNode, ...]
    at: int = 0
    touches: Touches = field(default_factory=dict)
    """A move touches the node it leads to."""
    caption: str = ""


@dataclass(frozen=True)
class Text:
    """A position that is only words."""

    text: str
    touches: Touches = field(default_factory=dict)
    caption: str = ""


Picture: TypeAlias = Grid | Points | Piles | Panel | Tables | Hands | Branches | Text
