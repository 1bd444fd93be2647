"""A mancala board as SVG: two rows of round pits, a long store at each end, and the number of seeds beside each pit."""

from __future__ import annotations

import math

from zermelo.core.picture import Grid, Piece
from zermelo.draw.markup import Markup, element, label
from zermelo.draw.palette import owner_name
from zermelo.draw.pieces import MOST_SEEDS

WIDE, HIGH = 52, 75
"""The size of a pit with its number."""
RADIUS = 22
NUMBER = 17
"""The height of the number of seeds, at the outer edge of its row."""
SEED = 4.6
"""The radius of a seed; in crowded pits they are smaller."""


def is_mancala(grid: Grid) -> bool:
    """Whether a grid has two rows of pits between two stores."""
    if grid.rows != 2 or len(grid.cells) != 2 * grid.cols or grid.cols < 3:
        return False
    ends = (grid.cells[0], grid.cells[-1])
    unused = (grid.cells[grid.cols - 1], grid.cells[grid.cols])
    return all(piece is not None and piece.name == "store" for piece in ends) and unused == (None, None)


def pits_parts(grid: Grid, left: float, top: float) -> tuple[float, float, list[Markup]]:
    """The width, the height and the parts of the board."""
    width, height = grid.cols * WIDE, 2 * HIGH
    parts = [element("rect", class_="surface", x=left, y=top, width=width, height=height, rx=20)]
    for number, piece in enumerate(grid.cells):
        row, col = divmod(number, grid.cols)
        middle = left + (col + 0.5) * WIDE
        if number in (0, len(grid.cells) - 1):
            parts.append(_store(piece, number, middle, top))
        elif 0 < col < grid.cols - 1:
            parts.append(_pit(piece, number, middle, top, row))
    return width, height, parts


def _pit(piece: Piece | None, number: int, x: float, top: float, row: int) -> Markup:
    inner = NUMBER + RADIUS + 4
    y, at = (top + inner, top + NUMBER - 3) if row == 0 else (top + 2 * HIGH - inner, top + 2 * HIGH - 6)
    hollow = element("circle", class_="plain", cx=x, cy=y, r=RADIUS)
    if piece is None:
        return element("g", hollow, class_="cell pit", data_cell=number)
    count = label(x, at, piece.symbol, "small strong count")
    return element("g", hollow, _seeds(piece, x, y, 1), count, class_="cell pit", data_cell=number)


def _store(piece: Piece | None, number: int, x: float, top: float) -> Markup:
    """A store is as high as both rows; its number is at the end that is nearest to its player."""
    room = {"x": x - RADIUS, "y": top + 10, "width": 2 * RADIUS, "height": 2 * HIGH - 20, "rx": RADIUS}
    hollow = element("rect", class_="plain", **room)
    if piece is None:
        return element("g", hollow, class_="cell pit", data_cell=number)
    at = top + 31 if piece.owner else top + 2 * HIGH - 22
    count = label(x, at, piece.symbol, "strong count")
    seeds = _seeds(piece, x, top + HIGH + (8 if piece.owner else -8), 1.7)
    return element("g", hollow, seeds, count, class_="cell pit", data_cell=number)


def _seeds(piece: Piece, x: float, y: float, stretch: float) -> Markup:
    """The seeds, laid like those of a sunflower."""
    seeds = min(int(piece.symbol), MOST_SEEDS)
    size = min(SEED, 13.5 / math.sqrt(max(seeds, 1)))
    owner = owner_name(piece.owner)
    drawn = []
    for number in range(seeds):
        far, turn = 1.3 * size * math.sqrt(number + (0.4 if seeds > 1 else 0)), 2.4 * number
        place = {"cx": round(far * math.cos(turn), 2), "cy": round(stretch * far * math.sin(turn), 2)}
        drawn.append(element("circle", class_=f"owner-{owner}", **place, r=round(0.95 * size, 2)))
    return element("g", element("title", piece.name), *drawn, transform=f"translate({x:g} {y:g})")
