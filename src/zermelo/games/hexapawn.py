"""Hexapawn: pawns only; reach the far side, or leave your opponent no move.

    3 | p p p        a square is row * cols + col: a1 is 0, b1 is 1;
    2 | . . .        a move is from * squares + to;
    1 | P P P        White (P) starts and moves up, Black (p) moves down
        a b c

Invented by Martin Gardner (Scientific American, March 1962).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.grids import (
    LETTERS,
    pieces_on,
    read_boards,
    read_rows,
    row_numbers,
    square_name,
    squares_from_top,
    write_rows,
)
from zermelo.core.picture import Grid, Piece
from zermelo.kernel import U64, bit, bits, popcount, state

WHITE, BLACK = 0, 1
PAWNS = (Piece("P", WHITE, "pawn"), Piece("p", BLACK, "pawn"))


@state
class Position(NamedTuple):
    """Pawns by colour, not by the side to move."""

    white: U64
    black: U64
    player: int


class Hexapawn(Game):
    """Pawns step forward and capture diagonally forward; who reaches the far side or blocks the other wins."""

    name = "hexapawn"
    option_labels = {"cols": "columns"}
    seats = ("White", "Black")
    perft_table = {"": (3, 10, 28, 56, 70, 64, 20, 0)}

    def __init__(self, rows: int = 3, cols: int = 3) -> None:
        if rows < 3 or not 1 <= cols <= 26 or rows * cols > 64:
            raise UsageError(
                f"hexapawn has 3 rows or more, 1 to 26 columns and at most 64 squares, not {rows} x {cols}"
            )
        self.rows, self.cols = rows, cols
        self.squares = rows * cols
        self.bottom = U64((1 << cols) - 1)
        self.top = self.bottom << (self.squares - cols)
        self.board = U64((1 << self.squares) - 1)
        self.left = U64(sum(1 << row * cols for row in range(rows)))
        self.not_left = self.board & ~self.left
        self.not_right = self.board & ~(self.left << (cols - 1))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.bottom, self.top, WHITE)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Diagonally onto an enemy pawn, or forward onto an empty square."""
        if state.player == WHITE:
            mine, theirs, forward = state.white, state.black, self.cols
        else:
            mine, theirs, forward = state.black, state.white, -self.cols
        for to in bits(shift(mine & self.not_left, forward - 1) & theirs):
            yield (to - forward + 1) * self.squares + to
        for to in bits(shift(mine & self.not_right, forward + 1) & theirs):
            yield (to - forward - 1) * self.squares + to
        for to in bits(shift(mine, forward) & self.board & ~(mine | theirs)):
            yield (to - forward) * self.squares + to

    def result(self, state: Position, action: int) -> Position:
        step = bit(action // self.squares) | bit(action % self.squares)
        if state.player == WHITE:
            return Position(state.white ^ step, state.black & ~step, BLACK)
        return Position(state.white & ~step, state.black ^ step, WHITE)

    def is_terminal(self, state: Position) -> bool:
        if self.has_arrived(state):
            return True
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state: Position, player: int) -> int:
        """At the end it is always the loser's turn."""
        return -1 if player == state.player else 1

    def has_arrived(self, state: Position) -> bool:
        """A pawn stands on the far side, so the player who just moved has won."""
        return bool((state.white & self.top) | (state.black & self.bottom))

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """Pawns ahead, as a share of all pawns."""
        lead = (popcount(state.white) - popcount(state.black)) / (2 * self.cols)
        return lead if player == WHITE else -lead

    def order(self, state: Position, action: int) -> float:
        """The move that comes closest to the far side."""
        row = action % self.squares // self.cols
        return row if state.player == WHITE else self.rows - 1 - row

    def canonical(self, state: Position) -> Position:
        """Left and right are alike."""
        white, black = self.mirror(state.white), self.mirror(state.black)
        if white < state.white or (white == state.white and black < state.black):
            return Position(white, black, state.player)
        return state

    def mirror(self, pawns: U64) -> U64:
        found = U64(0)
        for col in range(self.cols):
            found |= ((pawns >> col) & self.left) << (self.cols - 1 - col)
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The squares from and to: `a1a2`, also for captures."""
        return square_name(action // self.squares, self.cols) + square_name(action % self.squares, self.cols)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `ppp/.../PPP w`."""
        return f"{write_rows(self.cells(state), self.cols)} {'wb'[state.player]}"

    def parse_state(self, text: str) -> Position:
        letters, player = read_rows(self, text, self.rows, self.cols, "wb")
        legend = "a pawn; use P for White, p for Black and . for empty"
        white, black = read_boards(text, letters, squares_from_top(self.rows, self.cols), "Pp", legend)
        found = Position(white, black, player)
        if white & self.top and black & self.bottom:
            raise BadPosition(f"{text!r} is impossible: only one side can have reached the far row")
        if (white & self.top and found.player == WHITE) or (black & self.bottom and found.player == BLACK):
            raise BadPosition(f"{text!r} is impossible: the side to move has already reached the far row")
        return found

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        place = {square: cell for cell, square in enumerate(squares_from_top(self.rows, self.cols))}
        return Grid(
            self.rows,
            self.cols,
            self.cells(state),
            row_labels=row_numbers(self.rows),
            col_labels=tuple(LETTERS[: self.cols]),
            touches={
                self.format_action(state, action): (place[action // self.squares], place[action % self.squares])
                for action in legal_actions(self, state)
            },
            chequered=True,
            colours=("white", "black"),
            material="wood",
            facing=True,
        )

    def cells(self, state: Position) -> tuple[Piece | None, ...]:
        """The pawns, from the top left."""
        return pieces_on(squares_from_top(self.rows, self.cols), (state.white, state.black), PAWNS)


def shift(pawns: U64, step: int) -> U64:
    """Every pawn moved by `step` squares, up if positive."""
    return pawns << step if step >= 0 else pawns >> -step
