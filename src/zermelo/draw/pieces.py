"""The outlines of pieces, centred in a cell of 48: chessmen, draughtsmen, marks and stones."""

from __future__ import annotations

import math
from collections.abc import Callable

from zermelo.core.picture import Piece
from zermelo.draw.markup import Markup, element, label, lines


def shape_of(piece: Piece, owner: str) -> Markup | None:
    """The drawing of a piece; None if it has none."""
    if piece.name in PITS:
        return _pit(int(piece.symbol), owner)
    draw = KINGS.get(piece.symbol.lower()) if piece.name == "king" else SHAPES.get(piece.name)
    return None if draw is None else draw(owner)


def disc(owner: str, radius: float = 17) -> Markup:
    return element("circle", class_=f"owner-{owner}", r=radius)


def _cross(owner: str) -> Markup:
    return element("path", class_=f"thick owner-{owner}", d="M-13 -13L13 13M13 -13L-13 13")


def _ring(owner: str) -> Markup:
    return element("circle", class_=f"thick owner-{owner}", r=14)


def _outline(owner: str, outline: str) -> Markup:
    return element("path", class_=f"owner-{owner}", d=outline, stroke_linejoin="round")


def _triangle(owner: str) -> Markup:
    return _outline(owner, "M0 -16L17 13H-17Z")


# -- chessmen --------------------------------------------------------------------------------------


def _pawn(owner: str) -> Markup:
    """A head, a waist and a foot."""
    return _outline(owner, "M-12 17C-12 10 -5 9 -4 -1H-7V-4H-4.5A7.5 7.5 0 1 1 4.5 -4H7V-1H4C5 9 12 10 12 17Z")


def _rook(owner: str) -> Markup:
    return _outline(owner, "M-13 17V13H-10L-8.5 -5H-12V-16H-7V-12H-2.5V-16H2.5V-12H7V-16H12V-5H8.5L10 13H13V17Z")


def _knight(owner: str) -> Markup:
    """A horse that looks to the left, with an eye."""
    nose = "M-10 17C-10 8 -1 7 -2 -1C-5 0 -8 5 -11 4C-14 3 -14 0 -12 -3"
    mane = "C-10 -8 -7 -12 -3 -13L-2 -17L2 -13.5C11 -12 13 -2 12 17Z"
    return lines(_outline(owner, nose + mane), element("circle", class_=f"on-{owner}", cx=-3.5, cy=-7.5, r=1.6))


def _bishop(owner: str) -> Markup:
    """A mitre with a cross on it."""
    mitre = "M-13 17C-12 12 -5 14 -5 10C-11 5 -8 -5 -2 -11A3.2 3.2 0 1 1 2 -11C8 -5 11 5 5 10C5 14 12 12 13 17Z"
    sign = "M-1 -5H1V-2H4V0H1V5H-1V0H-4V-2H-1Z"
    return lines(_outline(owner, mitre), element("path", class_=f"on-{owner}", d=sign))


def _queen(owner: str) -> Markup:
    """A crown of five points."""
    crown = "M-11 17L-10 12L-9 9L-15 -8L-7.5 2L-7 -12L-2 1L0 -14L2 1L7 -12L7.5 2L15 -8L9 9L10 12L11 17Z"
    tips = "".join(f"M{x - 2} {y}A2 2 0 1 1 {x + 2} {y}A2 2 0 1 1 {x - 2} {y}Z" for x, y in QUEENS_TIPS)
    return _outline(owner, crown + tips)


QUEENS_TIPS = ((-15, -9), (-7, -13), (0, -15), (7, -13), (15, -9))


def _king(owner: str) -> Markup:
    """A crown with a cross above it."""
    crown = "M-11 17L-10 12L-9 10C-17 4 -14 -7 -7 -7C-3 -7 -1 -4 0 -1C1 -4 3 -7 7 -7C14 -7 17 4 9 10L10 12L11 17Z"
    cross = "M-1.5 -3V-10H-5V-13H-1.5V-17H1.5V-13H5V-10H1.5V-3Z"
    return _outline(owner, crown + cross)


# -- draughtsmen -----------------------------------------------------------------------------------


def _man(owner: str) -> Markup:
    """A disc with a groove."""
    groove = element("circle", class_=f"rim-{owner}", r=11, fill="none", stroke_width=1.5, opacity=0.5)
    return lines(disc(owner), groove)


def _crown(owner: str) -> Markup:
    crown = element("path", class_=f"on-{owner}", d="M-9 7L-10 -6L-4.5 0L0 -8L4.5 0L10 -6L9 7Z")
    return lines(disc(owner), crown)


# -- seeds -----------------------------------------------------------------------------------------


def _pit(seeds: int, owner: str) -> Markup:
    """A hollow with its seeds, laid like those of a sunflower, and their number."""
    size = min(5.2, 12.5 / math.sqrt(max(seeds, 1)))
    drawn = []
    for number in range(min(seeds, MOST_SEEDS)):
        far, turn = 1.15 * size * math.sqrt(number + 0.4), 2.4 * number
        x, y = 2 + far * math.cos(turn), 3 + far * math.sin(turn)
        drawn.append(element("circle", class_=f"owner-{owner}", cx=x, cy=y, r=0.8 * size))
    hollow = element("rect", class_="plain", x=-22, y=-22, width=44, height=44, rx=10)
    return lines(hollow, *drawn, label(-18, -10, str(seeds), "small strong", "start"))


PITS = ("seeds", "store")
MOST_SEEDS = 80
"""Maximum number of seeds drawn; more could not be distinguished."""

SHAPES: dict[str, Callable[[str], Markup]] = {
    "stone": disc,
    "cross": _cross,
    "ring": _ring,
    "pawn": _pawn,
    "triangle": _triangle,
    "rook": _rook,
    "knight": _knight,
    "bishop": _bishop,
    "queen": _queen,
    "man": _man,
}
KINGS: dict[str, Callable[[str], Markup]] = {"k": _king, "b": _crown, "w": _crown}
"""A king in chess is called K; kings in draughts are called by their colour."""
