"""Mazes: walls as lines from cell to cell, and the characters between them.

╭───────────╮      a wall cell is joined to the wall cells beside it, except inside thick walls,
│ · · < · G │      so that a block of them shows its outline only; in the terminal a cell is
│ · □ · ──╴ │      two characters wide
╰───────────╯
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.core.picture import Grid, Piece
from zermelo.draw.markup import Markup, clean, element, lines
from zermelo.draw.palette import PALETTE

CELL = 24
MOST_LISTED = 4
"""Maximum number of pieces of a kind that are listed; of more, only the number is given."""
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
JOINTS = "□╵╶╰╷│╭├╴╯─┴╮┤┬┼"
"""The wall's character by the sum of the directions in which it continues."""
ANSI = {
    "wall": "34",
    "capsule": "1",
    "pacman": "1;33",
    "ghost 1": "1;31",
    "ghost 2": "1;35",
    "ghost 3": "1;36",
    "ghost 4": "1;38;5;208",
    "scared": "97;44",
}
BACKGROUND, WALL, PELLET, SCARED = "#10131a", "#3d5afe", "#ffcc99", "#2b4bff"
PACMAN = PALETTE["gold"].dark.fill
GHOSTS = {
    f"ghost {number}": PALETTE[colour].dark.fill for number, colour in enumerate(("red", "pink", "cyan", "orange"), 1)
}


def joints(grid: Grid) -> dict[int, int]:
    """For each wall cell the sum of the directions in which the wall continues; without cells inside thick walls."""
    walls, cols = set(grid.walls), grid.cols
    found = dict.fromkeys(grid.walls, 0)
    for cell in grid.walls:
        row, col = divmod(cell, cols)
        beyond = cell + 1
        if col + 1 < cols and beyond in walls:
            sides = (cell - cols, beyond - cols, cell + cols, beyond + cols)
            if row in (0, grid.rows - 1) or not walls.issuperset(sides):
                found[cell] += EAST
                found[beyond] += WEST
        below = cell + cols
        if below in walls:
            sides = (cell - 1, below - 1, cell + 1, below + 1)
            if col in (0, cols - 1) or not walls.issuperset(sides):
                found[cell] += SOUTH
                found[below] += NORTH
    return {
        cell: joint
        for cell, joint in found.items()
        if joint or not walls.issuperset((cell - cols, cell + 1, cell + cols, cell - 1))
    }


# -- the terminal --------------------------------------------------------------------------------------


def maze_text(grid: Grid, paint: Callable[[str, str], str]) -> list[str]:
    """The maze in characters, row by row."""
    walls = joints(grid)

    def shown(cell: int) -> str:
        if cell in walls:
            return paint(JOINTS[walls[cell]] + ("─" if walls[cell] & EAST else " "), ANSI["wall"])
        piece = grid.cells[cell]
        if piece is None:
            return "  "
        code = "7" if cell in grid.marked else ANSI.get(piece.name) or ANSI.get(piece.name.partition(" ")[0], "")
        symbol = clean(piece.symbol)
        return f"{paint(symbol, code) if code else symbol} "

    return ["".join(map(shown, range(row * grid.cols, (row + 1) * grid.cols))) for row in range(grid.rows)]


# -- SVG -----------------------------------------------------------------------------------------------


def maze_svg(grid: Grid, margin: float) -> tuple[float, float, list[Markup]]:
    """Width, height and parts of the maze with a margin around it."""
    width, height = grid.cols * CELL, grid.rows * CELL
    corners = [(margin + cell % grid.cols * CELL, margin + cell // grid.cols * CELL) for cell in range(len(grid.cells))]
    parts = [element("rect", x=margin, y=margin, width=width, height=height, rx=8, fill=BACKGROUND)]
    outline = "".join(_wall(*corners[cell], joint) for cell, joint in joints(grid).items())
    for colour, thickness in ((WALL, 10), (BACKGROUND, 6)):  # what is left of the first is a line on both sides
        parts.append(
            element("path", d=outline, fill="none", stroke=colour, stroke_width=thickness, stroke_linecap="round")
        )
    for cell in sorted(set(range(len(grid.cells))) - set(grid.walls)):
        x, y = corners[cell]
        square = element("rect", x=x, y=y, width=CELL, height=CELL, fill="transparent")
        mark = element("circle", cx=x + CELL / 2, cy=y + CELL / 2, r=CELL / 2, fill=PACMAN)
        shown = (square, mark if cell in grid.marked else Markup(), _inhabitant(grid.cells[cell], x, y))
        parts.append(element("g", *shown, class_="cell", data_cell=cell))
    return width + 2 * margin, height + 2 * margin, parts


def describe_maze(grid: Grid) -> str:
    """The places of the characters, and the numbers of everything else."""
    found: dict[str, list[int]] = {}
    for cell, piece in enumerate(grid.cells):
        if piece is not None:
            found.setdefault(piece.name, []).append(cell)
    parts = []
    for name, cells in found.items():
        places = [f"row {cell // grid.cols + 1} column {cell % grid.cols + 1}" for cell in cells]
        parts.append(f"{name}: {', '.join(places) if len(places) <= MOST_LISTED else len(places)}")
    return "; ".join(parts)


def _wall(x: float, y: float, joint: int) -> str:
    """The line through the cell with its corner at (x, y); bends are round."""
    half = CELL / 2
    ends = {NORTH: (x + half, y), EAST: (x + CELL, y + half), SOUTH: (x + half, y + CELL), WEST: (x, y + half)}
    middle = f"{x + half:g} {y + half:g}"
    met = [f"{ends[way][0]:g} {ends[way][1]:g}" for way in ends if joint & way]
    if joint in (NORTH + EAST, EAST + SOUTH, SOUTH + WEST, NORTH + WEST):
        return f"M{met[0]}Q{middle} {met[1]}"
    return "".join(f"M{middle}L{end}" for end in met or [middle])


def _inhabitant(piece: Piece | None, x: float, y: float) -> Markup:
    """The character in the cell with its corner at (x, y)."""
    if piece is None:
        return Markup()
    kind, _, rest = piece.name.partition(" ")
    if kind == "food":
        shape = element("circle", r=2.5, fill=PELLET)
    elif kind == "capsule":
        shape = element("circle", r=6.5, fill=PELLET)
    elif kind == "pacman":
        turn = {"north": 270, "south": 90, "west": 180}.get(rest, 0)
        shape = element("path", d="M0 0L8.2 -5.7A10 10 0 1 0 8.2 5.7Z", fill=PACMAN, transform=f"rotate({turn})")
    elif kind in ("ghost", "scared"):
        shape = _ghost(GHOSTS.get(piece.name, SCARED))
    else:
        shape = lines(element("circle", r=9, fill=PELLET), element("text", piece.symbol, y=5, class_="middle strong"))
    middle = f"translate({x + CELL / 2:g} {y + CELL / 2:g})"
    return element("g", element("title", piece.name), shape, transform=middle)


def _ghost(colour: str) -> Markup:
    """A ghost: a dome with a wavy skirt; a scared ghost looks different."""
    body = element("path", d="M-9 9V-1A9 9 0 0 1 9 -1V9L6 6.5L3 9L0 6.5L-3 9L-6 6.5Z", fill=colour)
    if colour == SCARED:
        eyes = [element("circle", cx=x, cy=-2, r=1.6, fill=PELLET) for x in (-3.5, 3.5)]
        mouth = element("path", d="M-5.5 4L-3.7 2.5L-1.8 4L0 2.5L1.8 4L3.7 2.5L5.5 4", fill="none", stroke=PELLET)
        return lines(body, *eyes, mouth)
    eyes = [element("circle", cx=x, cy=-2, r=2.8, fill="#ffffff") for x in (-3.5, 3.5)]
    pupils = [element("circle", cx=x, cy=-2, r=1.4, fill="#16204d") for x in (-3, 4)]
    return lines(body, *eyes, *pupils)
