"""Tic-tac-toe on any board: be the first with k of your marks in a line.

    3 | . . O        a square is row * m + col: a1 is 0, b1 is 1;
    2 | . X .        a move is the square it marks;
    1 | X . .        X starts; lines run along rows, columns and diagonals
        a b c

The m,n,k-game: m columns, n rows, lines of k squares. 3,3,3 is tic-tac-toe.
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
from zermelo.kernel import U64, bit, bits, draw_below, nth_bit, popcount, state

CROSS, NOUGHT = 0, 1
MARKS = (Piece("X", CROSS, "cross"), Piece("O", NOUGHT, "ring"))


@state
class Position(NamedTuple):
    crosses: U64
    noughts: U64
    player: int


class TicTacToe(Game):
    """Players mark empty squares in turn; who has a line first wins, a full board without one is a draw."""

    name = "tic-tac-toe"
    title = "Tic-Tac-Toe"
    option_labels = {"m": "columns", "n": "rows", "k": "marks in a row to win"}
    seats = ("X", "O")
    perft_table = {"": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0)}

    def __init__(self, m: int = 3, n: int = 3, k: int = 3) -> None:
        if not 1 <= m <= 26 or n < 1 or m * n > 64:
            raise UsageError(f"tic-tac-toe has 1 to 26 columns and at most 64 squares, not m={m} by n={n}")
        if not 2 <= k <= max(m, n):
            raise UsageError(f"a line of k={k} does not do on a board of m={m} by n={n}; k goes from 2 to {max(m, n)}")
        self.m, self.n, self.k = m, n, k
        self.squares = m * n
        self.board = U64((1 << self.squares) - 1)
        self.bottom = U64((1 << m) - 1)
        self.left = U64(sum(1 << row * m for row in range(n)))
        self.diagonals = tuple(
            U64(sum(1 << row * m + row + shift for row in range(n) if row + shift < m)) for shift in range(m)
        )
        # One entry per direction in which a line fits: from a square to the next, and where lines begin.
        directions = ((1, 0), (0, 1), (1, 1), (-1, 1))
        begins = {across + up * m: self.begins(across, up) for across, up in directions if self.begins(across, up)}
        self.steps = tuple(begins)
        self.starts = tuple(U64(sum(1 << square for square in squares)) for squares in begins.values())
        lines = [{start + i * step for i in range(k)} for step, squares in begins.items() for start in squares]
        self.lines = len(lines)
        self.lines_through = tuple(sum(square in line for line in lines) for square in range(self.squares))

    def begins(self, across: int, up: int) -> list[int]:
        """The squares from which a line of k in this direction stays on the board."""
        return [
            row * self.m + col
            for row in range(self.n)
            for col in range(self.m)
            if 0 <= col + (self.k - 1) * across < self.m and row + (self.k - 1) * up < self.n
        ]

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(U64(0), U64(0), CROSS)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Any empty square."""
        for square in bits(self.board & ~(state.crosses | state.noughts)):  # noqa: UP028 - `yield from` does not compile
            yield square

    def result(self, state: Position, action: int) -> Position:
        if state.player == CROSS:
            return Position(state.crosses | bit(action), state.noughts, NOUGHT)
        return Position(state.crosses, state.noughts | bit(action), CROSS)

    def is_terminal(self, state: Position) -> bool:
        return (state.crosses | state.noughts) == self.board or self.has_line(self.last_marks(state))

    def utility(self, state: Position, player: int) -> int:
        if not self.has_line(self.last_marks(state)):
            return 0
        return -1 if player == state.player else 1

    def last_marks(self, state: Position) -> U64:
        """The marks of the player who just moved; only they can have made a line."""
        return state.noughts if state.player == CROSS else state.crosses

    def has_line(self, marks: U64) -> bool:
        found = U64(0)
        for direction in range(len(self.steps)):
            found |= self.lines_within(marks, direction)
        return found != U64(0)

    def lines_within(self, squares: U64, direction: int) -> U64:
        """The first squares of the lines in this direction that lie wholly within `squares`."""
        found = self.starts[direction]
        for i in range(self.k):
            found &= squares >> (i * self.steps[direction])
        return found

    # -- knowledge ---------------------------------------------------------------------------------

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any move, all equally likely, without a list of them."""
        empty = self.board & ~(state.crosses | state.noughts)
        return nth_bit(empty, draw_below(luck, popcount(empty)))

    def evaluate(self, state: Position, player: int) -> float:
        """The player's open lines minus the opponent's, as a share of all lines and one more."""
        return (self.open_lines(state, player) - self.open_lines(state, 1 - player)) / (self.lines + 1)

    def after_pass(self, state: Position) -> Position:
        return Position(state.crosses, state.noughts, 1 - state.player)

    def open_lines(self, state: Position, player: int) -> int:
        """The number of lines without a mark of the opponent."""
        theirs = state.noughts if player == CROSS else state.crosses
        count = 0
        for direction in range(len(self.steps)):
            count += popcount(self.lines_within(self.board & ~theirs, direction))
        return count

    def order(self, state: Position, action: int) -> float:
        """The square that lies on most lines."""
        return self.lines_through[action]

    def canonical(self, state: Position) -> Position:
        """Turned and mirrored boards are alike: eight of a square board, four of an oblong one.

        Two mirrors, taken in turn, run through all of them.
        """
        crosses, noughts = state.crosses, state.noughts
        least_crosses, least_noughts = crosses, noughts
        for i in range(7 if self.m == self.n else 3):
            if i % 2 == 0:
                crosses, noughts = self.mirror(crosses), self.mirror(noughts)
            elif self.m == self.n:
                crosses, noughts = self.transpose(crosses), self.transpose(noughts)
            else:
                crosses, noughts = self.upside_down(crosses), self.upside_down(noughts)
            if crosses < least_crosses or (crosses == least_crosses and noughts < least_noughts):
                least_crosses, least_noughts = crosses, noughts
        return Position(least_crosses, least_noughts, state.player)

    def mirror(self, marks: U64) -> U64:
        """Left and right exchanged, column by column."""
        found = U64(0)
        for col in range(self.m):
            found |= ((marks >> col) & self.left) << (self.m - 1 - col)
        return found

    def upside_down(self, marks: U64) -> U64:
        """Top and bottom exchanged, row by row."""
        found = U64(0)
        for row in range(self.n):
            found |= ((marks >> (row * self.m)) & self.bottom) << ((self.n - 1 - row) * self.m)
        return found

    def transpose(self, marks: U64) -> U64:
        """Rows and columns of a square board exchanged, diagonal by diagonal."""
        found = U64(0)
        for shift in range(self.m):
            step = shift * (self.m - 1)
            found |= (marks & self.diagonals[shift]) << step
            found |= (marks >> step) & self.diagonals[shift]
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The square: `b2`, with the columns lettered from the left and the rows numbered from the bottom."""
        return square_name(action, self.m)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `X.O/.X./..O x`."""
        return f"{write_rows(self.cells(state), self.m)} {'xo'[state.player]}"

    def parse_state(self, text: str) -> Position:
        letters, player = read_rows(self, text, self.n, self.m, "xo")
        legend = "a mark; use X, O and . for empty"
        crosses, noughts = read_boards(text, letters, squares_from_top(self.n, self.m), "XO", legend)
        found = Position(crosses, noughts, player)
        self.refuse_impossible(found, text)
        return found

    def refuse_impossible(self, position: Position, text: str) -> None:
        """BadPosition unless play from the start can lead here."""
        crosses, noughts = popcount(position.crosses), popcount(position.noughts)
        if crosses - noughts not in (0, 1):
            raise BadPosition(
                f"{text!r} is impossible: it has {crosses} X and {noughts} O, but X starts and the players take turns"
            )
        if position.player != crosses - noughts:
            raise BadPosition(
                f"{text!r} is impossible: with {crosses} X and {noughts} O it is the turn of {'xo'[crosses - noughts]}"
            )
        last = self.last_marks(position)
        if self.has_line(position.crosses ^ position.noughts ^ last):
            raise BadPosition(
                f"{text!r} is impossible: the side to move already has a line, so the game was over before"
            )
        if self.has_line(last) and all(self.has_line(last ^ bit(square)) for square in bits(last)):
            raise BadPosition(f"{text!r} is impossible: no single last move made all these lines")

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        place = {square: cell for cell, square in enumerate(squares_from_top(self.n, self.m))}
        return Grid(
            self.n,
            self.m,
            self.cells(state),
            row_labels=row_numbers(self.n),
            col_labels=tuple(LETTERS[: self.m]),
            touches={self.format_action(state, action): (place[action],) for action in legal_actions(self, state)},
            marked=tuple(sorted(place[square] for square in self.squares_in_lines(self.last_marks(state)))),
        )

    def cells(self, state: Position) -> tuple[Piece | None, ...]:
        """The marks, from the top left."""
        return pieces_on(squares_from_top(self.n, self.m), (state.crosses, state.noughts), MARKS)

    def squares_in_lines(self, marks: U64) -> set[int]:
        """The squares of all lines these marks make."""
        return {
            start + i * step
            for direction, step in enumerate(self.steps)
            for start in bits(self.lines_within(marks, direction))
            for i in range(self.k)
        }
