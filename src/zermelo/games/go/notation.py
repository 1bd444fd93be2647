"""Go as text: points as in the protocol GTP, and positions.

    .../.X./... W        the rows from the top, black stones X, white ones O, and the side to move;
    ... B D4             the side to move must not take back at D4, which is a ko;
    ... B - 1            the other side has just passed

Columns have letters from the left, without an I, and rows have numbers from below.
"""

from __future__ import annotations

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.point_sets import Points, common, is_any, size_of, union, without
from zermelo.games.go.board import Board
from zermelo.games.go.position import BLACK, NOWHERE, WHITE, Position, stones_of

PASS = "pass"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
SIDES = {"B": BLACK, "W": WHITE}


# -- points --------------------------------------------------------------------------------------------


def column_names(size: int) -> str:
    return COLUMNS[:size]


def point_name(size: int, place: int) -> str:
    row, col = divmod(place, size + 1)
    return COLUMNS[col] + str(row + 1)


def point_named(size: int, name: str) -> int:
    """The point of the board with this name; BadPosition if the board does not have it."""
    col, row = COLUMNS[:size].find(name[:1].upper()), name[1:]
    if not name or col < 0 or not (row.isascii() and row.isdigit() and 1 <= int(row) <= size):
        raise BadPosition(
            f"{name!r} is not a point of this board; points are A1 to {COLUMNS[size - 1]}{size}, without an I"
        )
    return (int(row) - 1) * (size + 1) + col


def lines_of(size: int) -> tuple[int, int, int]:
    """The lines on which star points and handicap stones are: the low, the middle and the high one."""
    low = 3 if size >= 13 else 2
    return low, size // 2, size - 1 - low


def star_points(size: int) -> list[int]:
    """The points that boards have dots on."""
    low, middle, high = lines_of(size)
    corners = [(row, col) for row in (low, high) for col in (low, high)] if size >= 8 else []
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)] if size >= 15 and size % 2 else []
    centre = [(middle, middle)] if size % 2 and size >= 5 else []
    return sorted(row * (size + 1) + col for row, col in corners + sides + centre)


def handicap_points(size: int, stones: int) -> list[int]:
    """The points of handicap stones as GTP fixes them; UsageError if the board does not allow this many."""
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if stones and not 2 <= stones <= most:
        allowed = f"2 to {most} stones" if most else "none"
        raise UsageError(f"a handicap of {stones} cannot be given on a board of size {size}; it allows {allowed}")
    low, middle, high = lines_of(size)
    points = [(low, low), (high, high), (high, low), (low, high)]
    points += [(middle, low), (middle, high), (low, middle), (high, middle)]
    points = points[:stones] if stones < 5 or stones % 2 == 0 else points[: stones - 1] + [(middle, middle)]
    return [row * (size + 1) + col for row, col in points]


# -- positions -----------------------------------------------------------------------------------------


def rows_from_top(board: Board, black: Points, white: Points) -> list[str]:
    """The board as text, a letter for a point."""
    found = []
    for row in reversed(range(board.size)):
        points = [board.point(row * board.step + col) for col in range(board.size)]
        found.append(
            "".join("X" if is_any(common(p, black)) else "O" if is_any(common(p, white)) else "." for p in points)
        )
    return found


def write_position(board: Board, state: Position) -> str:
    text = "/".join(rows_from_top(board, *stones_of(state))) + " " + "BW"[state.player]
    if state.ko != NOWHERE or state.passes:
        text += " " + (point_name(board.size, state.ko) if state.ko != NOWHERE else "-")
    return text + (f" {state.passes}" if state.passes else "")


def read_position(board: Board, text: str) -> Position:
    """The position as `write_position` writes it; BadPosition if no game of Go has it."""
    rows, side, ko, passes, *more = [*text.split(), "", "", "", ""][: max(4, len(text.split()))]
    black, white = (_stones(board, rows, symbol) for symbol in "XO")
    ko, passes = ko or "-", passes or "0"
    if side.upper() not in SIDES or passes not in ("0", "1", "2") or more:
        raise BadPosition(f"{text!r} does not end as a position; after the rows comes B or W, such as {'... W'!r}")
    player = SIDES[side.upper()]
    mine, theirs = (black, white) if player == BLACK else (white, black)
    empty = board.empty(black, white)
    for stones in (black, white):
        if is_any(dead := board.captured(stones, empty, stones)):
            name = point_name(board.size, min(_places(board, dead)))
            raise BadPosition(f"{text!r} is impossible: the stones at {name} have no liberty, so they are taken")
    place = NOWHERE if ko == "-" else point_named(board.size, ko)
    if place != NOWHERE and (passes != "0" or not is_ko(board, mine, theirs, place)):
        raise BadPosition(f"{text!r} is impossible: there is no ko to take back at {ko}")
    return Position(mine, theirs, place, player, int(passes))


def is_ko(board: Board, mine: Points, theirs: Points, place: int) -> bool:
    """Whether a stone of mine on this empty point, in the midst of theirs, would take a single stone."""
    point = board.point(place)
    near, empty = board.beside(point), without(board.empty(mine, theirs), point)
    if is_any(without(near, theirs)) or is_any(common(point, union(mine, theirs))):
        return False
    return size_of(board.captured(theirs, empty, near)) == 1


def _stones(board: Board, text: str, symbol: str) -> Points:
    rows = text.split("/")
    if len(rows) != board.size or any(len(row) != board.size for row in rows) or set(text) - set("XO./"):
        start = "/".join(["." * board.size] * board.size)
        raise BadPosition(
            f"{text!r} is not a board of {board.size} rows and columns; the empty one is {start!r}, "
            "and stones are X and O"
        )
    return board.points(
        (board.size - 1 - row) * board.step + col
        for row, line in enumerate(rows)
        for col, found in enumerate(line)
        if found == symbol
    )


def _places(board: Board, points: Points) -> list[int]:
    return [place for place in range(board.size * board.step) if is_any(common(points, board.point(place)))]
