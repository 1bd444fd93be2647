"""Boards for the terminal.

  ┌─────────┐
3 │ ·  p  p │      an empty cell is a dot;
2 │[P] P  · │      brackets mark the winning cells;
1 │ ·  ·  P │      a caption stands below
  └─────────┘
    a  b  c
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.core.numerals import number_text
from zermelo.core.picture import Grid, Panel, Picture, Piece, Piles, Text
from zermelo.draw.markup import clean

ACCENTS = ("36", "33", "35", "32")
"""ANSI colours of the players: cyan, yellow, magenta, green."""
MOST_COUNTERS = 40
BAR = 30

Paint = Callable[[str, str], str]


def board_text(picture: Picture, color: bool = False) -> str:
    """The picture in plain characters; with `color`, the owners' pieces in ANSI colours and marked cells bold."""
    paint = _ansi if color else _bare
    if isinstance(picture, Grid):
        rows = _grid(picture, paint)
    elif isinstance(picture, Piles):
        rows = _piles(picture, paint)
    elif isinstance(picture, Panel):
        rows = _panel(picture, paint)
    else:
        rows = _text(picture)
    caption = [clean(picture.caption)] if picture.caption else []
    return "\n".join(row.rstrip() for row in rows + caption)


def _grid(grid: Grid, paint: Paint) -> list[str]:
    symbols = [clean(piece.symbol) if piece else "·" for piece in grid.cells]
    names = [clean(name) for name in grid.col_labels]
    width = max([3, *(len(symbol) + 2 for symbol in symbols), *(len(name) + 1 for name in names)])
    sides = [clean(name) for name in grid.row_labels] or [""] * grid.rows
    margin = max(map(len, sides))
    indent = " " * (margin + 1 if margin else 0)

    def cell(number: int) -> str:
        if number not in grid.marked:
            return _painted(symbols[number].center(width), grid.cells[number], paint)
        return _painted(f"[{symbols[number]}]".center(width), grid.cells[number], paint, "1")

    rows = [f"{indent}┌{'─' * (width * grid.cols)}┐"]
    for row, side in enumerate(sides):
        cells = "".join(cell(row * grid.cols + col) for col in range(grid.cols))
        rows.append(f"{f'{side:>{margin}} ' if margin else ''}│{cells}│")
    rows.append(f"{indent}└{'─' * (width * grid.cols)}┘")
    if names:
        rows.append(f"{indent} {''.join(name.center(width) for name in names)}")
    return rows


def _painted(text: str, piece: Piece | None, paint: Paint, style: str = "") -> str:
    codes = [code for code in (style, _accent(piece.owner) if piece else "") if code]
    return paint(text, ";".join(codes)) if codes else text


def _accent(owner: int) -> str:
    return ACCENTS[owner % len(ACCENTS)] if owner >= 0 else ""


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
