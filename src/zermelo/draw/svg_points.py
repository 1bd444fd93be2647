"""Boards of points as SVG: holes joined by lines, and pegs in the colours of the players."""

from __future__ import annotations

from zermelo.core.picture import Piece, Points
from zermelo.draw.markup import Markup, element, label
from zermelo.draw.palette import owner_name

STEP, DOWN = 30, 26
"""The distances of neighbours in a row, and of rows, so that all six neighbours in a star are equally far."""


def points_parts(points: Points, margin: float) -> tuple[float, float, list[Markup]]:
    """The width, height and parts of the picture."""
    words = [(x, y) for x, y, _ in points.labels]
    xs, ys = zip(*points.places, *words, strict=True) if points.places else ((0.0,), (0.0,))
    left, top = margin + 0.5 * STEP - STEP * min(xs), margin + 0.5 * STEP - DOWN * min(ys)
    at = [(left + STEP * x, top + DOWN * y) for x, y in points.places]
    outline = "".join(f"M{at[a][0]:g} {at[a][1]:g}L{at[b][0]:g} {at[b][1]:g}" for a, b in points.links)
    parts = []
    if outline:
        parts = [element("path", class_="surface", d=outline), element("path", class_="light", d=outline)]
    for number, ((x, y), piece) in enumerate(zip(at, points.cells, strict=True)):
        hole = element("circle", class_="marked" if number in points.marked else "light", cx=x, cy=y, r=8)
        parts.append(element("g", hole, _peg(piece, x, y), class_="cell", data_cell=number))
    for x, y, word in points.labels:
        parts.append(label(left + STEP * x, top + DOWN * y + 4, word, "muted small"))
    return left + STEP * (max(xs) + 0.5) + margin, top + DOWN * max(ys) + 0.5 * STEP + margin, parts


def _peg(piece: Piece | None, x: float, y: float) -> Markup:
    """A disc of the owner's colour with the piece's sign."""
    if piece is None:
        return Markup()
    owner = owner_name(piece.owner)
    disc = element("circle", class_=f"owner-{owner} peg", cx=x, cy=y, r=11)
    sign = label(x, y + 4, piece.symbol, f"small strong on-{owner}")
    return element("g", element("title", piece.name), disc, sign)
