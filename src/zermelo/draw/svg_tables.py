"""A board of points as SVG: triangles, stacks of checkers, the bar, trays, dice and the doubling cube."""

from __future__ import annotations

from zermelo.core.picture import Tables
from zermelo.draw.markup import Markup, element, label, text_width

MARGIN = 14
LABELS = 20
POINT = 38
"""The width of a point, of the bar and of a tray."""
RADIUS = 16
STACK = 5
"""If there are more checkers than this on a point, their number is shown."""
DEPTH = 2 * RADIUS * STACK + 4
GAP = 52
"""The gap between the tips of the upper and the lower points, for dice."""
DIE = 30
DOTS = {
    1: "5",
    2: "19",
    3: "159",
    4: "1379",
    5: "13579",
    6: "134679",
}
"""The dots of a die among nine places, row by row."""


def tables_parts(tables: Tables) -> tuple[float, float, list[Markup]]:
    """The width, the height and the parts of the picture."""
    quarter, left, top = len(tables.points) // 4, MARGIN, MARGIN + LABELS
    width, height = (2 * quarter + 1) * POINT, 2 * DEPTH + GAP
    parts = [element("rect", class_="light", x=left, y=top, width=width, height=height, rx=3)]
    bar = left + quarter * POINT
    parts.append(element("rect", class_="dark", x=bar, y=top, width=POINT, height=height))
    parts += [_point(tables, number, left, top, height) for number in range(len(tables.points))]
    parts += [_on_the_bar(tables, player, bar + POINT / 2, top + height / 2) for player in (0, 1)]
    tray = left + width + 8
    parts += [_tray(tables, player, tray, top, height) for player in (0, 1)]
    middle = top + height / 2
    if tables.dice:
        centre = bar + POINT + quarter * POINT / 2 if tables.roller != 1 else left + quarter * POINT / 2
        begin = centre - (len(tables.dice) - 1) * (DIE + 8) / 2
        parts += [_die(face, begin + k * (DIE + 8), middle, tables.roller) for k, face in enumerate(tables.dice)]
    texts_left = tray + POINT + 10
    for player, (first, step) in enumerate(((top + height - 4, -1), (top + 15, 1))):
        rows = tables.sides[player] if step > 0 else tables.sides[player][::-1]
        for row, text in enumerate(rows):
            style = "strong" if text == tables.sides[player][0] else "muted"
            parts.append(label(texts_left, first + step * 20 * row, text, style, "start"))
    if tables.cube:
        parts.append(_cube(tables, texts_left + 17, middle + {0: 70, 1: -70}.get(tables.cube_owner, 0)))
    longest = max(text_width(text, 14) for side in tables.sides for text in side)
    return texts_left + max(longest, 40) + MARGIN, top + height + LABELS + MARGIN, parts


def _point(tables: Tables, number: int, left: float, top: float, height: float) -> Markup:
    """A triangle with its number and its checkers."""
    half, quarter = len(tables.points) // 2, len(tables.points) // 4
    column = number - half if number >= half else half - 1 - number
    x = left + (column + (column >= quarter)) * POINT
    edge, inward = (top, 1) if number >= half else (top + height, -1)
    tip = edge + inward * DEPTH
    outline = f"M{x + 2:g} {edge:g}H{x + POINT - 2:g}L{x + POINT / 2:g} {tip:g}Z"
    touched = element("rect", fill="transparent", x=x, y=min(edge, tip), width=POINT, height=DEPTH)
    owner, many = tables.points[number]
    return element(
        "g",
        touched,
        element("path", class_="dark" if column % 2 else "marked", d=outline),
        label(x + POINT / 2, edge + (-6 if inward > 0 else 15), str(number + 1), "muted small"),
        *_stack(owner, many, x + POINT / 2, edge + inward * RADIUS, inward),
        class_="cell",
        data_cell=number,
    )


def _stack(owner: int, many: int, x: float, y: float, inward: int) -> list[Markup]:
    """A stack of checkers; the last one shows the number if there are more."""
    shown = min(many, STACK)
    places = [y + inward * 2 * RADIUS * level for level in range(shown)]
    parts = [element("circle", class_=f"owner-{owner}", cx=x, cy=place, r=RADIUS - 1) for place in places]
    if many > shown:
        parts.append(label(x, places[-1] + 5, str(many), f"strong on-{owner}"))
    return parts


def _on_the_bar(tables: Tables, player: int, x: float, middle: float) -> Markup:
    """The checkers on the bar: those that enter above the middle, then the others."""
    inward = 1 if player else -1
    edge = middle + inward * GAP / 2
    y = edge if inward > 0 else edge - DEPTH
    touched = element("rect", fill="transparent", x=x - POINT / 2, y=y, width=POINT, height=DEPTH)
    checkers = _stack(player, tables.bar[player], x, edge + inward * RADIUS, inward)
    return element("g", touched, *checkers, class_="cell", data_cell=len(tables.points) + player)


def _tray(tables: Tables, player: int, x: float, top: float, height: float) -> Markup:
    """Checkers that were borne off, on their edges."""
    y = top if player else top + height - DEPTH
    parts = [element("rect", class_="light", x=x, y=y, width=POINT, height=DEPTH, rx=3)]
    thick = (DEPTH - 8) / 15
    for number in range(tables.off[player]):
        at = y + 4 + number * thick if player else y + DEPTH - 4 - (number + 1) * thick
        parts.append(
            element("rect", class_=f"owner-{player}", x=x + 4, y=at + 1, width=POINT - 8, height=thick - 2, rx=2)
        )
    return element("g", *parts, class_="cell", data_cell=len(tables.points) + 2 + player)


def _die(face: int, x: float, y: float, owner: int) -> Markup:
    dots = [
        element("circle", class_=f"on-{owner}" if owner >= 0 else "muted", cx=x + col * 8, cy=y + row * 8, r=2.8)
        for row in (-1, 0, 1)
        for col in (-1, 0, 1)
        if str(3 * row + col + 5) in DOTS[face]
    ]
    style = f"owner-{owner}" if owner >= 0 else "plain"
    side = element("rect", class_=style, x=x - DIE / 2, y=y - DIE / 2, width=DIE, height=DIE, rx=6)
    return element("g", element("title", str(face)), side, *dots)


def _cube(tables: Tables, x: float, y: float) -> Markup:
    side = element("rect", class_="plain", x=x - 17, y=y - 17, width=34, height=34, rx=5)
    return element("g", element("title", "cube"), side, label(x, y + 5, str(tables.cube), "strong"))
