"""Trio: Connect Four's younger sister for three; first to have three in a row takes all.

    . . . .         X, O and T move in turn and drop a stone into a column;
    . . . .         a move is the column from 0, written from 1;
    . T . .         a square is col * (rows + 1) + row from the bottom: the bit above
    X X O .         each column stays empty, so that lines do not run from column to column
    1 2 3 4

Three points are at stake: the winner has 3, a full board gives 1 to each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.grids import pieces_on, read_boards, read_rows, write_rows
from zermelo.core.picture import Grid, Piece
from zermelo.kernel import U64, bit, bits, popcount, replace_item, state

STONES = (Piece("X", 0, "disc"), Piece("O", 1, "disc"), Piece("T", 2, "disc"))


@state
class Position(NamedTuple):
    stones: tuple[U64, ...]
    """One word for each player."""
    ply: int


class Trio(Game):
    """Three players drop stones into columns; the first with a line of three takes all three points."""

    name = "trio"
    option_labels = {"cols": "columns", "line": "stones in a row to win"}
    players = 3
    zero_sum = False
    utility_range = (0, 3)
    max_payoff_sum = 3
    seats = ("X", "O", "T")
    perft_table = {"": (4, 16, 64, 256, 1020, 4020, 15540, 55156)}

    def __init__(self, cols: int = 4, rows: int = 4, line: int = 3) -> None:
        if not (1 <= cols <= 9 and rows >= 1 and cols * (rows + 1) <= 64):
            raise UsageError(f"trio has 1 to 9 columns and cols * (rows + 1) is at most 64, not {cols} x {rows}")
        if not 2 <= line <= max(cols, rows):
            raise UsageError(
                f"a line of {line} does not fit trio on {cols} x {rows}; it is 2 to {max(cols, rows)} long"
            )
        self.cols, self.rows, self.line = cols, rows, line
        self.height = rows + 1
        self.steps = (1, self.height, self.height + 1, self.height - 1)
        self.column = U64((1 << rows) - 1)
        self.board = U64(sum(int(self.column) << (col * self.height) for col in range(cols)))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position((U64(0), U64(0), U64(0)), 0)

    def to_move(self, state: Position) -> int:
        return state.ply % 3

    def actions(self, state: Position) -> Iterator[int]:
        """Any column that is not full."""
        free = self.board & ~self.occupied(state)
        for col in range(self.cols):
            if free & (self.column << (col * self.height)):
                yield col

    def result(self, state: Position, action: int) -> Position:
        """The stone falls onto the lowest free square."""
        column = self.column << (action * self.height)
        square = ((self.occupied(state) & column) + bit(action * self.height)) & column
        player = state.ply % 3
        return Position(replace_item(state.stones, player, state.stones[player] | square), state.ply + 1)

    def is_terminal(self, state: Position) -> bool:
        """Only the player who just moved can have made a line."""
        return state.ply == self.cols * self.rows or self.has_line(state.stones[(state.ply + 2) % 3])

    def utility(self, state: Position, player: int) -> int:
        last = (state.ply + 2) % 3
        if not self.has_line(state.stones[last]):
            return 1
        return 3 if player == last else 0

    def occupied(self, state: Position) -> U64:
        return state.stones[0] | state.stones[1] | state.stones[2]

    def has_line(self, stones: U64) -> bool:
        for step in self.steps:  # noqa: SIM110 - `any` does not compile
            if self.runs(stones, step):
                return True
        return False

    def runs(self, squares: U64, step: int) -> U64:
        """The squares where a line of `squares` in this direction begins."""
        for _ in range(self.line - 1):
            squares = squares & (squares >> step)
        return squares

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The share of the lines that are still open to the player, out of three points."""
        mine, everyone = 0, 0
        for other in range(3):
            count = self.open_lines(state, other)
            everyone += count
            if other == player:
                mine = count
        return 3 * mine / everyone if everyone > 0 else 1.0

    def open_lines(self, state: Position, player: int) -> int:
        """The number of lines without a stone of another player."""
        mine_or_free = state.stones[player] | (self.board & ~self.occupied(state))
        count = 0
        for step in self.steps:
            count += popcount(self.runs(mine_or_free, step))
        return count

    def order(self, state: Position, action: int) -> float:
        """The centre first."""
        return -abs(2 * action - self.cols + 1)

    def canonical(self, state: Position) -> Position:
        """Left and right are alike."""
        stones = state.stones
        mirror = (self.mirror(stones[0]), self.mirror(stones[1]), self.mirror(stones[2]))
        for player in range(3):
            if mirror[player] != stones[player]:
                return Position(mirror, state.ply) if mirror[player] < stones[player] else state
        return state

    def mirror(self, stones: U64) -> U64:
        found = U64(0)
        for col in range(self.cols):
            found |= ((stones >> (col * self.height)) & self.column) << ((self.cols - 1 - col) * self.height)
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The column, from 1."""
        return str(action + 1)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the player to move: `..../..../.T../XXO. X`."""
        return f"{write_rows(self.stones_on_board(state), self.cols)} {'XOT'[state.ply % 3]}"

    def parse_state(self, text: str) -> Position:
        letters, player = read_rows(self, text, self.rows, self.cols, "XOT")
        legend = "a stone; use X, O, T and . for empty"
        stones = read_boards(text, letters, self.squares_from_top(), "XOT", legend)
        filled = stones[0] | stones[1] | stones[2]
        if filled & ((self.board & ~filled) << 1):
            raise BadPosition(f"{text!r} is impossible: a stone hangs above an empty square")
        counts = [popcount(one) for one in stones]
        ply = sum(counts)
        if counts != [(ply + 2) // 3, (ply + 1) // 3, ply // 3]:
            raise BadPosition(f"{text!r} is impossible: X, O and T move in turn, so X has as many stones or one more")
        if player != ply % 3:
            raise BadPosition(f"{text!r} is impossible: after {ply} stones it is the turn of {'XOT'[ply % 3]}")
        found = Position(stones, ply)
        self.check_lines(found, text)
        return found

    def check_lines(self, state: Position, text: str) -> None:
        """BadPosition if a player had a line before the last stone, which lies on top of its column."""
        last = (state.ply + 2) % 3
        if any(self.has_line(state.stones[player]) for player in range(3) if player != last):
            raise BadPosition(f"{text!r} is impossible: the game was over before the last stone")
        occupied = self.occupied(state)
        tops = [bit(square) for square in bits(state.stones[last]) if not occupied & bit(square + 1)]
        if state.ply and all(self.has_line(state.stones[last] ^ top) for top in tops):
            raise BadPosition(
                f"{text!r} is impossible: no stone of {'XOT'[last]} on top of a column can be the last one"
            )

    def square(self, col: int, row: int) -> int:
        return col * self.height + row

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        occupied = self.occupied(state)
        landing = {
            col: sum(bool(occupied & bit(self.square(col, row))) for row in range(self.rows))
            for col in legal_actions(self, state)
        }
        return Grid(
            self.rows,
            self.cols,
            self.stones_on_board(state),
            col_labels=tuple("123456789"[: self.cols]),
            falling=True,
            touches={
                self.format_action(state, col): ((self.rows - 1 - row) * self.cols + col,)
                for col, row in landing.items()
            },
            marked=self.winning_cells(state),
            colours=("red", "gold", "black"),
            material="plastic",
        )

    def winning_cells(self, state: Position) -> tuple[int, ...]:
        """The cells of the picture that make up the winner's lines."""
        stones = state.stones[(state.ply + 2) % 3]
        squares = {
            start + number * step
            for step in self.steps
            for start in bits(self.runs(stones, step))
            for number in range(self.line)
        }
        return tuple(
            sorted((self.rows - 1 - square % self.height) * self.cols + square // self.height for square in squares)
        )

    def squares_from_top(self) -> list[int]:
        """The squares row by row, from the top left."""
        return [self.square(col, row) for row in reversed(range(self.rows)) for col in range(self.cols)]

    def stones_on_board(self, state: Position) -> tuple[Piece | None, ...]:
        """The stones, from the top left."""
        return pieces_on(self.squares_from_top(), state.stones, STONES)
