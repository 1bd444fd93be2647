"""Boards as SVG: squares, real shapes for pieces in the colours of the players, labels."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

from zermelo.core.numerals import number_text
from zermelo.core.picture import Branches, Grid, Hands, Panel, Picture, Piece, Piles, Points, Table, Tables
from zermelo.draw.markup import Markup, element, label, lines, svg, text_width
from zermelo.draw.mazes import describe_maze, maze_svg
from zermelo.draw.palette import colours_of, owner_name
from zermelo.draw.pieces import PITS, disc, shape_of
from zermelo.draw.svg_branches import branches_parts, describe_branches
from zermelo.draw.svg_hands import describe_hands, hands_parts
from zermelo.draw.svg_payoffs import describe_table, table_parts
from zermelo.draw.svg_pits import is_mancala, pits_parts
from zermelo.draw.svg_points import points_parts
from zermelo.draw.svg_tables import tables_parts
from zermelo.draw.terminal_boards import board_text, share, tile_rank

CELL = 48
RADIUS, HOLE = 17, 20
"""The radius of a stone on a square, and in a rack."""
FRAME = 7
"""The margin of a rack around its holes."""
MARGIN = 14
CAPTION = 24
BAR = 220
COUNTER = 20
MOST_COUNTERS = 30
HIGHEST_SHADE = 12
"""Tiles of 2^12 and more have the darkest colour."""


def board_svg(picture: Picture, seats: Sequence[str] = (), *, for_page: bool = False) -> str:
    """The picture as a separate SVG document, light or dark by the reader's setting.

    `seats` are the names of the players, whose colours they may say. For the page, its style sheet is left out.
    """
    if isinstance(picture, Grid):
        width, height, parts = _grid(picture)
        title = f"A board of {picture.rows} rows and {picture.cols} columns"
    elif isinstance(picture, Points):
        width, height, parts = points_parts(picture, MARGIN)
        title = f"A board of {len(picture.places)} places"
    elif isinstance(picture, Piles):
        width, height, parts = _piles(picture)
        title = f"{len(picture.sizes)} piles of counters"
    elif isinstance(picture, Panel):
        width, height, parts = _panel(picture)
        title = "A table of scores"
    elif isinstance(picture, Tables):
        width, height, parts = tables_parts(picture)
        title = f"A board of {len(picture.points)} points"
    elif isinstance(picture, Table):
        width, height, parts = table_parts(picture, MARGIN)
        title = f"A table of {len(picture.rows)} rows and {len(picture.cols)} columns"
    elif isinstance(picture, Hands):
        width, height, parts = hands_parts(picture, MARGIN)
        title = f"{len(picture.hands)} hands of cards"
    elif isinstance(picture, Branches):
        width, height, parts = branches_parts(picture)
        title = f"A game tree of {len(picture.nodes)} nodes"
    else:
        width, height, parts = _words(picture.text.split("\n"))
        title = "A position"
    width = max(width, text_width(picture.caption, 14) + 2 * MARGIN)
    if picture.caption:
        height += CAPTION
        parts.append(label(width / 2, height - MARGIN, picture.caption, "muted caption"))
    return svg(
        width,
        height,
        picture.caption or title,
        _describe(picture),
        *parts,
        colours=colours_of(picture, seats),
        material=picture.material if for_page else None,
        flips=isinstance(picture, Tables),
    )


def _describe(picture: Picture) -> str:
    """The picture in words, for screen readers."""
    if isinstance(picture, Grid):
        return _describe_grid(picture)
    if isinstance(picture, Table):
        return describe_table(picture)
    if isinstance(picture, Hands):
        return describe_hands(picture)
    if isinstance(picture, Branches):
        return describe_branches(picture)
    return "; ".join(board_text(picture).split("\n"))


# -- grids -----------------------------------------------------------------------------------------


def _grid(grid: Grid) -> tuple[float, float, list[Markup]]:
    if grid.walls:
        return maze_svg(grid, MARGIN)
    left = MARGIN + (max(text_width(name, 14) for name in grid.row_labels) + 8 if grid.row_labels else 0)
    if is_mancala(grid):
        return _mancala(grid, left)
    parts = _rack(grid, left) if grid.falling else _squares(grid, left)
    for row, name in enumerate(grid.row_labels):
        parts.append(label(left - 8, MARGIN + row * CELL + CELL / 2 + 5, name, "muted rank", "end"))
    bottom = MARGIN + grid.rows * CELL
    for col, name in enumerate(grid.col_labels):
        parts.append(label(left + col * CELL + CELL / 2, bottom + 20, name, "muted file"))
    return left + grid.cols * CELL + MARGIN, bottom + (22 if grid.col_labels else 0) + MARGIN, parts


def _mancala(grid: Grid, left: float) -> tuple[float, float, list[Markup]]:
    width, height, parts = pits_parts(grid, left, MARGIN)
    for row, name in enumerate(grid.row_labels):
        parts.append(label(left - 8, MARGIN + (row + 0.5) * height / 2 + 5, name, "muted rank", "end"))
    for col, name in enumerate(grid.col_labels):
        parts.append(label(left + (col + 0.5) * width / grid.cols, MARGIN + height + 20, name, "muted file"))
    return left + width + MARGIN, MARGIN + height + (22 if grid.col_labels else 0) + MARGIN, parts


def _squares(grid: Grid, left: float) -> list[Markup]:
    size = {"x": left, "y": MARGIN, "width": grid.cols * CELL, "height": grid.rows * CELL}
    parts = [element("rect", class_="surface", **size, rx=4)]
    if grid.on_lines:
        parts.append(element("path", class_="line", d=_crossings(grid, left)))
    for number, piece in enumerate(grid.cells):
        row, col = divmod(number, grid.cols)
        x, y = left + col * CELL, MARGIN + row * CELL
        look = {"fill": "transparent"} if grid.on_lines else {"class_": _square(grid, number)}
        square = element("rect", x=x, y=y, width=CELL, height=CELL, **look)
        star = _star(x, y) if number in grid.stars else Markup()
        parts.append(element("g", square, star, _piece(piece, x, y), class_="cell", data_cell=number))
    for number in grid.marked:
        row, col = divmod(number, grid.cols)
        x, y = left + col * CELL + 2, MARGIN + row * CELL + 2
        parts.append(element("rect", class_="line best", x=x, y=y, width=CELL - 4, height=CELL - 4, rx=4))
    return parts


def _rack(grid: Grid, left: float) -> list[Markup]:
    """An upright board with a round hole for each stone; winning stones have a ring."""
    width, height = grid.cols * CELL + 2 * FRAME, grid.rows * CELL + 2 * FRAME
    parts = [element("rect", class_="dark", x=left - FRAME, y=MARGIN - FRAME, width=width, height=height, rx=12)]
    for number, piece in enumerate(grid.cells):
        row, col = divmod(number, grid.cols)
        x, y = left + col * CELL, MARGIN + row * CELL
        touched = element("rect", fill="transparent", x=x, y=y, width=CELL, height=CELL)
        hole = element("path", class_="plain", d=_round(x + CELL / 2, y + CELL / 2, HOLE))
        groove = _groove(piece, x, y, number in grid.marked)
        stone = element("g", _piece(piece, x, y, HOLE), groove) if piece else Markup()
        parts.append(element("g", touched, hole, stone, class_="cell hole", data_cell=number))
    return parts


def _round(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g} {y:g}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 -{2 * radius} 0Z"


def _groove(piece: Piece | None, x: float, y: float, is_marked: bool) -> Markup:
    """The ring on a disc in the cell whose corner is (x, y), which distinguishes it from a hole; thick if it wins."""
    if piece is None:
        return Markup()
    owner = owner_name(piece.owner)
    is_disc = piece.name == "stone" or shape_of(piece, owner) is None
    look = {"stroke_width": 4.0} if is_marked else {"stroke_width": 1.5, "opacity": 0.5}
    middle = {"cx": x + CELL / 2, "cy": y + CELL / 2}
    if is_disc:
        return element("circle", class_=f"rim-{owner}", **middle, r=15, fill="none", **look)
    return element("circle", class_="line best", **middle, r=HOLE) if is_marked else Markup()


def _square(grid: Grid, number: int) -> str:
    """A chequered square; the left corner nearest to the first player is dark. Pits are hollows in one surface."""
    row, col = divmod(number, grid.cols)
    if any(piece is not None and piece.name in PITS for piece in grid.cells):
        return "surface"
    if number in grid.marked:
        return "marked"
    return "dark" if grid.chequered and (grid.rows - 1 - row + col) % 2 == 0 else "light"


def _crossings(grid: Grid, left: float) -> str:
    """The lines through the middles of all cells, from edge to edge."""
    half = CELL / 2
    right, bottom = left + (grid.cols - 1) * CELL + half, MARGIN + (grid.rows - 1) * CELL + half
    across = "".join(f"M{left + half:g} {MARGIN + row * CELL + half:g}H{right:g}" for row in range(grid.rows))
    down = "".join(f"M{left + col * CELL + half:g} {MARGIN + half:g}V{bottom:g}" for col in range(grid.cols))
    return across + down


def _star(x: float, y: float) -> Markup:
    return element("circle", class_="star", cx=x + CELL / 2, cy=y + CELL / 2, r=4)


def _piece(piece: Piece | None, x: float, y: float, radius: float = RADIUS) -> Markup:
    """The piece in the cell whose corner is (x, y); `radius` is that of a stone."""
    if piece is None:
        return Markup()
    owner = owner_name(piece.owner)
    known = disc(owner, radius) if piece.name == "stone" else shape_of(piece, owner)
    shape = disc(owner, radius) if known is None else known
    sign = label(0, 6, piece.symbol, f"strong on-{owner}") if known is None else Markup()
    if rank := tile_rank(piece):
        shape, sign = _tile(piece, rank)
    middle = f"translate({x + CELL / 2:g} {y + CELL / 2:g})"
    return element("g", element("title", piece.name), shape, sign, transform=middle)


def _tile(piece: Piece, rank: int) -> tuple[Markup, Markup]:
    """A tile from sand to wine, darker for larger numbers, and its number."""
    part = min(rank, HIGHEST_SHADE) / HIGHEST_SHADE
    red, green, blue = colorsys.hls_to_rgb(0.125 - 0.16 * part, 0.92 - 0.62 * part, 0.75)
    fill = f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
    shape = element("rect", x=-22, y=-22, width=44, height=44, rx=5, fill=fill)
    size = "strong small" if len(piece.symbol) > 4 else "strong"
    ink = "#ffffff" if part > 0.5 else "#1f2933"
    return shape, element("text", piece.symbol, x=0, y=5, class_=f"middle {size}", style=f"fill: {ink}")


def _describe_grid(grid: Grid) -> str:
    """The pieces on the board, row by row."""
    if grid.walls:
        return describe_maze(grid)
    rows = []
    for row in range(grid.rows):
        name = grid.row_labels[row] if grid.row_labels else str(row + 1)
        cells = grid.cells[row * grid.cols : (row + 1) * grid.cols]
        rows.append(f"row {name}: " + ", ".join(piece.symbol if piece else "empty" for piece in cells))
    marked = ", ".join(_cell_name(grid, number) for number in grid.marked)
    return "; ".join(rows) + (f"; marked: {marked}" if marked else "")


def _cell_name(grid: Grid, number: int) -> str:
    row, col = divmod(number, grid.cols)
    if grid.row_labels and grid.col_labels:
        return grid.col_labels[col] + grid.row_labels[row]
    return f"row {row + 1} column {col + 1}"


# -- piles, panels, words --------------------------------------------------------------------------


def _piles(piles: Piles) -> tuple[float, float, list[Markup]]:
    left = MARGIN + max((text_width(name, 14) for name in piles.labels), default=0) + 12
    longest = max((min(size, MOST_COUNTERS) for size in piles.sizes), default=0)
    parts = []
    for row, (name, size) in enumerate(zip(piles.labels, piles.sizes, strict=True)):
        y = MARGIN + row * 30 + 15
        shown = min(size, MOST_COUNTERS)
        counters = [element("circle", class_="owner-0", cx=left + (k + 0.5) * COUNTER, cy=y, r=8) for k in range(shown)]
        text = f"… {size}" if size > shown else str(size)
        sides = (
            label(left - 12, y + 5, name, "strong", "end"),
            label(left + shown * COUNTER + 6, y + 5, text, "muted", "start"),
        )
        parts.append(element("g", *sides, *counters, class_="pile", data_cell=row))
    return left + longest * COUNTER + 60 + MARGIN, 2 * MARGIN + 30 * len(piles.sizes), parts


def _panel(panel: Panel) -> tuple[float, float, list[Markup]]:
    left = MARGIN + max((text_width(name, 14) for name, _ in panel.rows), default=0) + 12
    numbers = [number_text(number) for _, number in panel.rows]
    bar = BAR + 10 if panel.goal else 0
    right = left + bar + max((text_width(text, 14) for text in numbers), default=0)
    parts = []
    for row, (text, (name, number)) in enumerate(zip(numbers, panel.rows, strict=True)):
        y = MARGIN + row * 28
        drawn = [label(MARGIN, y + 19, name, "", "start"), label(right, y + 19, text, "strong", "end")]
        if panel.goal:
            full = BAR * share(number, panel.goal)
            drawn.append(element("rect", class_="light", x=left, y=y + 8, width=BAR, height=12, rx=3))
            owner = owner_name(panel.owners[row]) if panel.owners else "0"
            drawn.append(element("rect", class_=f"owner-{owner}", x=left, y=y + 8, width=full, height=12, rx=3))
        parts.append(element("g", lines(*drawn), class_="row", data_cell=row))
    return right + MARGIN, 2 * MARGIN + 28 * len(panel.rows), parts


def _words(rows: list[str]) -> tuple[float, float, list[Markup]]:
    parts = [label(MARGIN, MARGIN + 15 + 20 * row, text, "mono", "start") for row, text in enumerate(rows)]
    width = max(text_width("n" * len(text), 14) for text in rows)
    return width + 2 * MARGIN, 2 * MARGIN + 20 * len(rows), parts
