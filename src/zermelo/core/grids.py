"""Boards of squares as text: a letter for each square, the rows from the top, then the side to move.

    ppp/.../PPP w        the rows from the top, with slashes between them, and the side to move

Games keep their pieces in 64-bit words, one bit for each square. How squares are numbered is up to the game: `squares`
lists them in the order in which they are read, from the top left, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.core.errors import BadPosition
from zermelo.core.game import Game
from zermelo.core.picture import Piece
from zermelo.kernel import U64, bit

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EMPTY = "."


def squares_from_top(rows: int, cols: int) -> list[int]:
    """The squares row by row from the top left; a square is row * cols + col, from the lower left."""
    return [row * cols + col for row in reversed(range(rows)) for col in range(cols)]


def square_name(square: int, cols: int) -> str:
    """`b2`: the column's letter and the row's number; a square is row * cols + col."""
    return LETTERS[square % cols] + str(square // cols + 1)


def row_numbers(rows: int) -> tuple[str, ...]:
    """The labels of the rows, from the top."""
    return tuple(str(row) for row in range(rows, 0, -1))


def pieces_on(squares: Iterable[int], boards: Sequence[U64], pieces: Sequence[Piece]) -> tuple[Piece | None, ...]:
    """The symbol of each square; `boards` has the squares of each piece."""
    owners = list(zip(boards, pieces, strict=True))
    return tuple(next((piece for board, piece in owners if board & bit(square)), None) for square in squares)


def write_rows(cells: Sequence[Piece | None], cols: int) -> str:
    """The cells, from the top left, as rows of letters: `ppp/.../PPP`."""
    letters = "".join(piece.symbol if piece else EMPTY for piece in cells)
    return "/".join(letters[start : start + cols] for start in range(0, len(letters), cols))


def read_rows(game: Game, text: str, rows: int, cols: int, sides: str, hint: str = "") -> tuple[str, int]:
    """The letters of all squares, from the top left, and the number of the side to move.

    BadPosition, which shows the start and then the hint, if the text does not have these rows and one of the sides.
    """
    board, _, side = text.strip().partition(" ")
    found = board.split("/")
    if len(found) != rows or any(len(row) != cols for row in found) or len(side) != 1 or side not in sides:
        start = game.format_state(game.initial())
        raise BadPosition(f"{text!r} is not a position of {game}; the start is {start!r}{hint}")
    return "".join(found), sides.index(side)


def read_boards(
    text: str, letters: str, squares: Iterable[int], symbols: str, legend: str, empty: str = EMPTY
) -> tuple[U64, ...]:
    """The squares of each symbol; BadPosition, with the legend `a pawn; use P ...`, for any other letter."""
    if set(letters) - {*symbols, empty}:
        raise BadPosition(f"{text!r} has a letter that is not {legend}")
    places = list(zip(letters, squares, strict=True))
    return tuple(U64(sum(1 << square for letter, square in places if letter == symbol)) for symbol in symbols)
