"""Boards for the terminal.

  ┌─────────┐
3 │ ·  p  p │      an empty cell is a dot, a plus if it is a star, or its name;
2 │[P] P  · │      brackets mark the winning cells;
1 │(·) · (P)│      round ones the last move, which is underlined where there is colour;
  └─────────┘      a caption stands below
    a  b  c
"""

from __future__ import annotations

import math
from collections.abc import Callable

from zermelo.core.numerals import number_text
from zermelo.core.picture import Branches, Card, Grid, Hands, Panel, Picture, Piece, Piles, Points, Table, Tables, Text
from zermelo.core.referee import Referee
from zermelo.draw.markup import clean
from zermelo.draw.mazes import maze_text
from zermelo.draw.terminal_trees import branches_text

ACCENTS = ("36", "33", "35", "32", "34", "31")
"""ANSI colours of the players: cyan, yellow, magenta, green, blue, red."""
TILES = ("37", "93", "33", "32", "92", "36", "96", "34", "94", "35", "95")
"""ANSI colours of the tiles 2, 4, 8 ... 2048 and more."""
MOST_COUNTERS = 40
STACK = 5
"""Maximum number of checkers drawn on a point; of more, the number is shown."""
BAR = 30

Paint = Callable[[str, str], str]


def last_cells(referee: Referee) -> tuple[int, ...]:
    """The cells that the last move touched; none at the start, or if the picture lacks them."""
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
    elif isinstance(picture, Points):
        rows = _points(picture, paint, last, color)
    elif isinstance(picture, Piles):
        rows = _piles(picture, paint)
    elif isinstance(picture, Panel):
        rows = _panel(picture, paint)
    elif isinstance(picture, Tables):
        rows = _tables(picture, paint, last)
    elif isinstance(picture, Table):
        rows = _table(picture, paint, last)
    elif isinstance(picture, Hands):
        rows = _hands(picture, paint, last, color)
    elif isinstance(picture, Branches):
        rows = branches_text(picture, paint)
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
            return _paint(f"[{symbol}]".center(width), piece, paint, "1")
        if number in last and not color:
            return f"({symbol})".center(width)
        if number in last:
            before, _, after = symbol.center(width).partition(symbol)
            return f"{before}{_paint(symbol, piece, paint, '4')}{after}"
        return _paint(symbol.center(width), piece, paint, "" if piece or not grid.names else "2")

    rows = [f"{indent}┌{'─' * (width * grid.cols)}┐"]
    for row, side in enumerate(sides):
        cells = "".join(cell(row * grid.cols + col) for col in range(grid.cols))
        rows.append(f"{f'{side:>{margin}} ' if margin else ''}│{cells}│")
    rows.append(f"{indent}└{'─' * (width * grid.cols)}┘")
    if names:
        rows.append(f"{indent} {''.join(name.center(width) for name in names)}")
    return rows


def _points(points: Points, paint: Paint, last: tuple[int, ...], color: bool) -> list[str]:
    """One line for each unit down, two letters for each unit to the right; lines between places are left out."""
    words = [(x, y, clean(word)) for x, y, word in points.labels]
    left = math.floor(
        min([2 * x for x, _ in points.places] + [2 * x - len(word) / 2 for x, _, word in words], default=0)
    )
    top = min([y for _, y in points.places] + [y for _, y, _ in words], default=0)
    canvas: dict[tuple[int, int], str] = {}

    def put(x: float, y: float, text: str, piece: Piece | None = None, style: str = "") -> None:
        """The text with its middle at a point, letter by letter."""
        start = math.ceil(2 * x - left - (len(text) - 1) / 2) + 1
        for column, letter in enumerate(text, start):
            canvas[round(y - top), column] = _paint(letter, piece, paint, style)

    for x, y, word in words:
        put(x, y, word, style="2")
    for number, ((x, y), piece) in enumerate(zip(points.places, points.cells, strict=True)):
        symbol = clean(piece.symbol) if piece else "·"
        if number in points.marked:
            put(x, y, f"[{symbol}]", piece, "1")
        elif number in last and not color:
            put(x, y, f"({symbol})")
        else:
            put(x, y, symbol, piece, "4" if number in last else "")
    lowest = max((line for line, _ in canvas), default=0)
    widths = {line: max((column for row, column in canvas if row == line), default=-1) for line in range(lowest + 1)}
    return ["".join(canvas.get((line, column), " ") for column in range(widths[line] + 1)) for line in widths]


def _paint(text: str, piece: Piece | None, paint: Paint, style: str = "") -> str:
    codes = [code for code in (style, _accent(piece) if piece else "") if code]
    return paint(text, ";".join(codes)) if codes else text


def _accent(piece: Piece) -> str:
    if rank := tile_rank(piece):
        return TILES[min(rank, len(TILES)) - 1]
    return ACCENTS[piece.owner % len(ACCENTS)] if piece.owner >= 0 else ""


def tile_rank(piece: Piece) -> int:
    """The binary logarithm of a tile's number, which is in its name, such as `tile-8`; 0 if it is not a tile."""
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
    for row, (name, text, (_, number)) in enumerate(zip(labels, numbers, panel.rows, strict=True)):
        filled = round(BAR * share(number, panel.goal))
        accent = ACCENTS[panel.owners[row] % len(ACCENTS) if panel.owners else 0]
        bar = f"{paint('█' * filled, accent) if filled else ''}{'░' * (BAR - filled)}  " if panel.goal else ""
        rows.append(f"{name:<{margin}}  {bar}{text:>{width}}")
    return rows


def share(number: float, goal: float | None) -> float:
    """The filled share of the bar, from 0 to 1."""
    return min(1.0, max(0.0, number / goal)) if goal else 0.0


def _tables(tables: Tables, paint: Paint, last: tuple[int, ...]) -> list[str]:
    half, quarter = len(tables.points) // 2, len(tables.points) // 4
    upper, lower = range(half, 2 * half), range(half - 1, -1, -1)

    def numbers(points: range) -> str:
        names = [f"{point + 1:>2}{'<' if point in last else ' '}" for point in points]
        return f" {''.join(names[:quarter])}     {''.join(names[quarter:])}"

    def row(points: range, level: int, player: int) -> str:
        cells = [_checkers(tables, paint, *tables.points[point], level, "·") for point in points]
        bar = _checkers(tables, paint, player, tables.bar[player], STACK - 1 - level, " ")
        return f"│{''.join(cells[:quarter])}│{bar}│{''.join(cells[quarter:])}│"

    bottom, top = (_prepend_symbol(symbol, words) for symbol, words in zip(tables.symbols, tables.sides, strict=True))
    rule = "─" * (3 * quarter)
    rows = [numbers(upper), f"┌{rule}┬───┬{rule}┐"]
    rows += [f"{row(upper, level, 0)}  {clean(_line(top, level))}" for level in range(STACK)]
    rows.append(_middle(tables, 3 * quarter))
    rows += [
        f"{row(lower, level, 1)}  {clean(_line(bottom, len(bottom) - 1 - level))}" for level in reversed(range(STACK))
    ]
    return [*rows, f"└{rule}┴───┴{rule}┘", numbers(lower)]


def _checkers(tables: Tables, paint: Paint, owner: int, many: int, level: int, empty: str) -> str:
    """The character of a stack at a level, counted from the edge of the board."""
    if level >= many:
        return f" {empty if level == 0 else ' '} "
    symbol = str(many) if many > STACK and level == STACK - 1 else clean(tables.symbols[owner])
    return _paint(f"{symbol:>2} ", Piece(symbol, owner), paint)


def _middle(tables: Tables, width: int) -> str:
    """The dice, each player's to the right or left, and the cube."""
    dice = " ".join(f"[{die}]" for die in tables.dice)
    left, right = ("", dice) if tables.roller != 1 else (dice, "")
    cube = f"  cube {tables.cube}" if tables.cube else ""
    return f"│{left:^{width}}│   │{right:^{width}}│{cube}{_whose(tables)}"


def _whose(tables: Tables) -> str:
    return f" {clean(tables.symbols[tables.cube_owner])}" if tables.cube and tables.cube_owner >= 0 else ""


def _prepend_symbol(symbol: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The player's name after the sign of their checkers."""
    return (f"{symbol} {words[0]}", *words[1:]) if words else ()


def _line(words: tuple[str, ...], number: int) -> str:
    return words[number] if 0 <= number < len(words) else ""


def _table(table: Table, paint: Paint, last: tuple[int, ...]) -> list[str]:
    """The names of the columns, then a line for each row; brackets mark entries."""
    words = [
        [f"[{clean(text)}]" if (row, col) in table.marked else clean(text) for col, text in enumerate(entries)]
        for row, entries in enumerate(table.entries)
    ]
    names = [clean(name) for name in table.cols]
    widths = [max(map(len, [name, *(entries[col] for entries in words)])) for col, name in enumerate(names)]
    margin = max((len(clean(name)) for name in table.rows), default=0)

    def named(text: str, number: int) -> str:
        return paint(text, "4") if number in last else text

    head = "  ".join(
        " " * (width - len(name)) + named(name, len(table.rows) + col)
        for col, (name, width) in enumerate(zip(names, widths, strict=True))
    )
    rows = [" " * margin + "  " + head]
    for row, (name, entries) in enumerate(zip(table.rows, words, strict=True)):
        cells = "  ".join(text.rjust(width) for text, width in zip(entries, widths, strict=True))
        rows.append(named(clean(name), row) + " " * (margin - len(clean(name))) + "  " + cells)
    return rows


def _hands(hands: Hands, paint: Paint, last: tuple[int, ...], color: bool) -> list[str]:
    """A line for each hand: its owner, its cards, its numbers; an arrow shows the player to move."""
    symbols = [_card(card) for card in hands.cards]
    width = max([3, *(len(symbol) + 2 for symbol in symbols)])
    margin = max((len(clean(hand.name)) for hand in hands.hands), default=0)
    longest = max((len(hand.cards) for hand in hands.hands), default=0)
    rows, cell = [], 0
    for hand in hands.hands:
        owned = Piece("", hand.owner)
        shown = ""
        for number in range(cell, cell + len(hand.cards)):
            symbol = symbols[number]
            if number in hands.marked:
                shown += paint(f"[{symbol}]".center(width), "1")
            elif number in last and not color:
                shown += f"({symbol})".center(width)
            else:
                before, _, after = symbol.center(width).partition(symbol)
                shown += f"{before}{_paint(symbol, owned, paint, '4' if number in last else '')}{after}"
        shown += " " * width * (longest - len(hand.cards))
        cell += len(hand.cards)
        arrow = "▸" if hand.owner >= 0 and hand.owner == hands.turn else " "
        numbers = "   ".join(f"{clean(name)} {number_text(number)}" for name, number in hand.numbers)
        rows.append(f"{arrow} {_paint(f'{clean(hand.name):<{margin}}', owned, paint)} {shown}  {numbers}")
    return rows


def _card(card: Card | None) -> str:
    """Rank and suit; of a card that lies face down, its back."""
    return "▒" if card is None else clean(card.rank + card.suit) or " "


def _text(picture: Text) -> list[str]:
    return [clean(line) for line in picture.text.split("\n")]


def _bare(text: str, _codes: str) -> str:
    return text


def _ansi(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"
