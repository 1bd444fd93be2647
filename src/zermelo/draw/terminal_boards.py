"""Boards for the terminal.

  ┌─────────┐
3 │ ·  p  p │      an empty cell is a dot, a plus if it is a star, or its name;
2 │[P] P  · │      brackets mark the winning cells;
1 │(·) · (P)│      round ones the last move, which is underlined where there is colour;
  └─────────┘      a caption stands below
    a  b  c
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.core.numerals import number_text
from zermelo.core.picture import Grid, Panel, Picture, Piece, Piles, Text
from zermelo.core.referee import Referee
from zermelo.draw.markup import clean
from zermelo.draw.mazes import maze_text

ACCENTS = ("36", "33", "35", "32")
"""ANSI colours of the players: cyan, yellow, magenta, green."""
TILES = ("37", "93", "33", "32", "92", "36", "96", "34", "94", "35", "95")
"""ANSI colours of tiles that count 2, 4, 8 ... 2048 and more."""
MOST_COUNTERS = 40
BAR = 30

Paint = Callable[[str, str], str]


def last_cells(referee: Referee) -> tuple[int, ...]:
    """The cells that the last move touched; none at the start, or where the picture does not tell."""
    if not referee.turns:
        return ()
    turn = referee.turns[-1]
    return referee.game.picture(turn.state).touches.get(turn.text, ())


def board_text(picture: Picture, color: bool = False, last: tuple[int, ...] = ()) -> str:
    """The picture in plain characters; with `color`, the owners' pieces in ANSI colours and marked cells bold.

    `last` are the cells of the last move, to be marked on a grid.
    """
    paint = _ansi if color else _bare
    if isinstance(picture, Grid):
        rows = _grid(picture, paint, last, color)
    elif isinstance(picture, Piles):
        rows = _piles(picture, paint)
    elif isinstance(picture, Panel):
        rows = _panel(picture, paint)
    else:
        rows = _text(picture)
    caption = [clean(picture.caption)] if picture.caption else []
    return "\n".join(row.rstrip() for row in rows + caption)


def _grid(grid: Grid, paint: Paint, last: tuple[int, ...], color: bool) -> list[str]:
    if grid.walls:
        return maze_text(grid, paint)
    plain = ["+" if number in grid.stars else "·" for number in range(len(grid.cells))]
    empty = [clean(name) or " " for name in grid.names] or plain
    symbols = [clean(piece.symbol) if piece else other for piece, other in zip(grid.cells, empty, strict=True)]
    names = [clean(name) for name in grid.col_labels]
    width = max([3, *(len(symbol) + 2 for symbol in symbols), *(len(name) + 1 for name in names)])
    sides = [clean(name) for name in grid.row_labels] or [""] * grid.rows
    margin = max(map(len, sides))
    indent = " " * (margin + 1 if margin else 0)

    def cell(number: int) -> str:
        symbol, piece = symbols[number], grid.cells[number]
        if number in grid.marked:
            return _painted(f"[{symbol}]".center(width), piece, paint, "1")
        if number in last and not color:
            return f"({symbol})".center(width)
        if number in last:
            before, _, after = symbol.center(width).partition(symbol)
            return f"{before}{_painted(symbol, piece, paint, '4')}{after}"
        return _painted(symbol.center(width), piece, paint, "" if piece or not grid.names else "2")

    rows = [f"{indent}┌{'─' * (width * grid.cols)}┐"]
    for row, side in enumerate(sides):
        cells = "".join(cell(row * grid.cols + col) for col in range(grid.cols))
        rows.append(f"{f'{side:>{margin}} ' if margin else ''}│{cells}│")
    rows.append(f"{indent}└{'─' * (width * grid.cols)}┘")
    if names:
        rows.append(f"{indent} {''.join(name.center(width) for name in names)}")
    return rows


def _painted(text: str, piece: Piece | None, paint: Paint, style: str = "") -> str:
    codes = [code for code in (style, _accent(piece) if piece else "") if code]
    return paint(text, ";".join(codes)) if codes else text


def _accent(piece: Piece) -> str:
    if rank := tile_rank(piece):
        return TILES[min(rank, len(TILES)) - 1]
    return ACCENTS[piece.owner % len(ACCENTS)] if piece.owner >= 0 else ""


def tile_rank(piece: Piece) -> int:
    """How often a tile, which is called `tile-8` after its number, doubled from 1; 0 if it is none."""
    count = piece.name.removeprefix("tile-")
    return int(count).bit_length() - 1 if count != piece.name else 0


def _piles(piles: Piles, paint: Paint) -> list[str]:
    labels = [clean(name) for name in piles.labels]
    margin = max(map(len, labels), default=0)
    rows = []
    for name, size in zip(labels, piles.sizes, strict=True):
        counters = "●" * min(size, MOST_COUNTERS) + ("…" if size > MOST_COUNTERS else "")
        rows.append(f"{name:>{margin}}  {paint(counters, ACCENTS[0]) + '  ' if counters else ''}{size}")
    return rows


def _panel(panel: Panel, paint: Paint) -> list[str]:
    labels = [clean(name) for name, _ in panel.rows]
    numbers = [number_text(number) for _, number in panel.rows]
    margin, width = max(map(len, labels), default=0), max(map(len, numbers), default=0)
    rows = []
    for name, text, (_, number) in zip(labels, numbers, panel.rows, strict=True):
        filled = round(BAR * share(number, panel.goal))
        bar = f"{paint('█' * filled, ACCENTS[0]) if filled else ''}{'░' * (BAR - filled)}  " if panel.goal else ""
        rows.append(f"{name:<{margin}}  {bar}{text:>{width}}")
    return rows


def share(number: float, goal: float | None) -> float:
    """How much of the bar is full, from 0 to 1."""
    return min(1.0, max(0.0, number / goal)) if goal else 0.0


def _text(picture: Text) -> list[str]:
    return [clean(line) for line in picture.text.split("\n")]


def _bare(text: str, _codes: str) -> str:
    return text


def _ansi(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"
