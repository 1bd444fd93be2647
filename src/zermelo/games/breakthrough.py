"""Breakthrough: step forward, capture diagonally forward; the first to reach the far row wins.

    8 | p p p p p p p p        a square is row * cols + col: a1 is 0, b1 is 1;
    7 | p p p p p p p p        a move is from * squares + to;
    6 | . . . . . . . .        White (P) starts and moves up, Black (p) moves down
    5 | . . . . . . . .
    4 | . . . . . . . .
    3 | . . . . . . . .
    2 | P P P P P P P P
    1 | P P P P P P P P
        a b c d e f g h

Invented by Dan Troyka in 2000; it won the 8x8 Game Design Competition of 2001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid, Piece
from zermelo.kernel import U64, bit, bits, lsb, mix, msb, popcount, state

WHITE, BLACK = 0, 1
PIECES = (Piece("P", WHITE, "pawn"), Piece("p", BLACK, "pawn"))
COLUMNS = "abcdefghijklmnop"
PIECE, ADVANCED, GUARD, BACKED, LOOSE, TEMPO, FULL = 1.0, 1.5, 0.2, 0.1, 0.4, 0.1, 8.0


@state
class Position(NamedTuple):
    white: U64
    black: U64
    player: int


class Breakthrough(Game):
    """Pieces step forward or diagonally forward and capture diagonally only; the first on the far row wins.

    Who has lost all pieces has lost, too. There is always a move and never a draw.
    """

    name = "breakthrough"
    seats = ("White", "Black")
    perft_table = {"": (22, 484, 11132, 256036, 6182818, 149264638)}

    def __init__(self, rows: int = 8, cols: int = 8) -> None:
        if rows < 4 or not 2 <= cols <= 16 or rows * cols > 64:
            raise UsageError(
                f"breakthrough has 4 rows or more, 2 to 16 columns and at most 64 squares, not {rows} x {cols}"
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
        return Position(self.bottom | self.bottom << self.cols, self.top | self.top >> self.cols, WHITE)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Diagonally forward onto a square that is not one's own, or straight forward onto an empty one."""
        if state.player == WHITE:
            mine, forward = state.white, self.cols
        else:
            mine, forward = state.black, -self.cols
        for to in bits(shifted(mine & self.not_left, forward - 1) & self.board & ~mine):
            yield (to - forward + 1) * self.squares + to
        for to in bits(shifted(mine & self.not_right, forward + 1) & self.board & ~mine):
            yield (to - forward - 1) * self.squares + to
        for to in bits(shifted(mine, forward) & self.board & ~(state.white | state.black)):
            yield (to - forward) * self.squares + to

    def count(self, state: Position) -> int:
        if self.is_terminal(state):
            return 0
        if state.player == WHITE:
            mine, forward = state.white, self.cols
        else:
            mine, forward = state.black, -self.cols
        left = shifted(mine & self.not_left, forward - 1) & ~mine
        right = shifted(mine & self.not_right, forward + 1) & ~mine
        straight = shifted(mine, forward) & ~(state.white | state.black)
        return popcount(left & self.board) + popcount(right & self.board) + popcount(straight & self.board)

    def result(self, state: Position, action: int) -> Position:
        step = bit(action // self.squares) | bit(action % self.squares)
        if state.player == WHITE:
            return Position(state.white ^ step, state.black & ~step, BLACK)
        return Position(state.white & ~step, state.black ^ step, WHITE)

    def is_terminal(self, state: Position) -> bool:
        """A piece has reached the far row, or one side has none left."""
        arrived = (state.white & self.top) | (state.black & self.bottom)
        return bool(arrived) or not state.white or not state.black

    def utility(self, state: Position, player: int) -> int:
        """At the end it is always the loser's turn."""
        return -1 if player == state.player else 1

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """Pieces, how far they have come and how well they stand, white minus black; 1 or -1 where a race is won."""
        winner = self.race(state)
        if winner >= 0:
            return 1.0 if winner == player else -1.0
        lead = self.advance(state) + self.shape(state) + (TEMPO if state.player == WHITE else -TEMPO)
        share = lead / (abs(lead) + FULL)
        return share if player == WHITE else -share

    def advance(self, state: Position) -> float:
        """A piece counts 1, and more the nearer it is to the far row; the back row counts for keeping guard."""
        lead = 0.0
        for row in range(self.rows):
            way = row / (self.rows - 1)
            worth = PIECE + ADVANCED * way * way if row else PIECE + GUARD
            mine = popcount(state.white & (self.bottom << (row * self.cols)))
            theirs = popcount(state.black & (self.top >> (row * self.cols)))
            lead += worth * (mine - theirs)
        return lead

    def shape(self, state: Position) -> float:
        """Pieces that others stand behind, minus pieces that can be taken for nothing."""
        white_takes, black_takes = self.above(state.white), self.below(state.black)
        backed = popcount(state.white & white_takes) - popcount(state.black & black_takes)
        loose = popcount(state.white & black_takes & ~white_takes) - popcount(state.black & white_takes & ~black_takes)
        return BACKED * backed - LOOSE * loose

    def above(self, pieces: U64) -> U64:
        """The squares diagonally above these pieces."""
        return ((pieces & self.not_left) << (self.cols - 1) | (pieces & self.not_right) << (self.cols + 1)) & self.board

    def below(self, pieces: U64) -> U64:
        """The squares diagonally below these pieces."""
        return (pieces & self.not_right) >> (self.cols - 1) | (pieces & self.not_left) >> (self.cols + 1)

    def is_noisy(self, state: Position, action: int) -> bool:
        """It captures, or reaches the far row."""
        to = bit(action % self.squares)
        return bool(to & (state.white | state.black | self.top | self.bottom))

    def order(self, state: Position, action: int) -> float:
        """The far row, then captures of the most advanced, then moves that come far; last those that give away."""
        to, row = bit(action % self.squares), action % self.squares // self.cols
        if state.player == WHITE:
            mine, theirs, way = state.white ^ bit(action // self.squares), state.black, row
            backed, taken = to & self.above(mine), to & self.below(theirs)
        else:
            mine, theirs, way = state.black ^ bit(action // self.squares), state.white, self.rows - 1 - row
            backed, taken = to & self.below(mine), to & self.above(theirs)
        if way == self.rows - 1:
            return 4.0 * self.rows
        if to & theirs:
            return 3.0 * self.rows - way
        return float(way - self.rows if taken and not backed else way)

    def key(self, state: Position) -> U64:
        return mix(state.white) ^ state.black ^ (U64(0) - U64(state.player))

    def canonical(self, state: Position) -> Position:
        """Left and right are alike."""
        white, black = self.mirrored(state.white), self.mirrored(state.black)
        if white < state.white or (white == state.white and black < state.black):
            return Position(white, black, state.player)
        return state

    def mirrored(self, pieces: U64) -> U64:
        found = U64(0)
        for col in range(self.cols):
            found |= ((pieces >> col) & self.left) << (self.cols - 1 - col)
        return found

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Decided where a runner gets through: nobody can catch it, and nobody is faster."""
        winner = self.race(state)
        if winner < 0:
            return -1, 1
        return (1, 1) if winner == player else (-1, -1)

    def race(self, state: Position) -> int:
        """The player who wins by running straight on with one piece, whatever the other does; -1 if nobody surely does.

        With both sides running, the side to move wins if it has no more steps to go than the other.
        """
        if self.is_terminal(state):
            return 1 - state.player
        white_steps, black_steps = self.rows - 1 - msb(state.white) // self.cols, lsb(state.black) // self.cols
        white_first = state.player == WHITE
        if white_steps < black_steps or (white_steps == black_steps and white_first):
            most = black_steps - (not white_first)
            near = self.board << ((self.rows - 1 - most) * self.cols)
            free = state.white & near & ~self.caught_below(state.black, 0 if white_first else 1)
            return WHITE if free else -1
        most = white_steps - white_first
        near = self.board >> ((self.rows - 1 - most) * self.cols)
        free = state.black & near & ~self.caught_above(state.white, 1 if white_first else 0)
        return BLACK if free else -1

    def caught_below(self, black: U64, tempo: int) -> U64:
        """The squares from where a white runner does not get past all black pieces; `tempo`: Black is to move.

        A runner and a piece that many rows ahead meet half-way, and each step on the way the piece can come one
        column nearer.
        """
        reach, found = black, U64(0)
        for ahead in range(1, self.rows):
            reach >>= self.cols
            if (ahead + tempo) % 2 == 0:
                reach |= (reach & self.not_left) >> 1 | (reach & self.not_right) << 1
            found |= reach
        return found

    def caught_above(self, white: U64, tempo: int) -> U64:
        """The same for a black runner and white pieces."""
        reach, found = white, U64(0)
        for ahead in range(1, self.rows):
            reach = (reach << self.cols) & self.board
            if (ahead + tempo) % 2 == 0:
                reach |= (reach & self.not_left) >> 1 | (reach & self.not_right) << 1
            found |= reach
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """From and to: `a2a3`, and captures alike."""
        return self.square_name(action // self.squares) + self.square_name(action % self.squares)

    def square_name(self, square: int) -> str:
        return COLUMNS[square % self.cols] + str(square // self.cols + 1)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `ppp/ppp/.../PPP/PPP w`."""
        cells = [self.piece_on(state, square) for square in range(self.squares)]
        symbols = [piece.symbol if piece else "." for piece in cells]
        rows = ["".join(symbols[row * self.cols : (row + 1) * self.cols]) for row in reversed(range(self.rows))]
        return "/".join(rows) + " " + "wb"[state.player]

    def parse_state(self, text: str) -> Position:
        board, _, side = text.strip().partition(" ")
        rows = board.split("/")
        if len(rows) != self.rows or any(len(row) != self.cols for row in rows) or side not in ("w", "b"):
            raise BadPosition(f"{text!r} is no {self} position; the start is {self.format_state(self.initial())!r}")
        cells = "".join(reversed(rows))
        if set(cells) - set("Pp."):
            raise BadPosition(f"{text!r} has a letter that is no piece; use P for White, p for Black and . for empty")
        white, black = (U64(sum(1 << i for i, cell in enumerate(cells) if cell == piece)) for piece in "Pp")
        found = Position(white, black, "wb".index(side))
        self.refuse_impossible(found, text)
        return found

    def refuse_impossible(self, state: Position, text: str) -> None:
        """BadPosition for too many pieces, or for play that went on after the end."""
        if max(popcount(state.white), popcount(state.black)) > 2 * self.cols:
            raise BadPosition(f"{text!r} cannot be: a side has {2 * self.cols} pieces at most")
        if not state.white | state.black:
            raise BadPosition(f"{text!r} cannot be: only one side can have lost all its pieces")
        if state.white & self.top and state.black & self.bottom:
            raise BadPosition(f"{text!r} cannot be: only one side can have reached the far row")
        white_won, black_won = state.white & self.top or not state.black, state.black & self.bottom or not state.white
        if (white_won and state.player == WHITE) or (black_won and state.player == BLACK):
            raise BadPosition(f"{text!r} cannot be: the side to move has already won")

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        order = [row * self.cols + col for row in reversed(range(self.rows)) for col in range(self.cols)]
        place = {square: cell for cell, square in enumerate(order)}
        return Grid(
            self.rows,
            self.cols,
            tuple(self.piece_on(state, square) for square in order),
            row_labels=tuple(str(row) for row in range(self.rows, 0, -1)),
            col_labels=tuple(COLUMNS[: self.cols]),
            touches={
                self.format_action(state, action): (place[action // self.squares], place[action % self.squares])
                for action in legal_actions(self, state)
            },
            chequered=True,
        )

    def piece_on(self, state: Position, square: int) -> Piece | None:
        for pieces, piece in zip((state.white, state.black), PIECES, strict=True):
            if pieces & bit(square):
                return piece
        return None


def shifted(pieces: U64, step: int) -> U64:
    """Every piece moved by `step` squares, up if positive."""
    return pieces << step if step >= 0 else pieces >> -step
