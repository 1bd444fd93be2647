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
from zermelo.kernel import U64, bit, bits, draw_below, lsb, mix, msb, nth_bit, popcount, state

WHITE, BLACK = 0, 1
PIECES = (Piece("P", WHITE, "pawn"), Piece("p", BLACK, "pawn"))
PIECE, NEARER, SAFE, PAIR, SIDE, TEMPO = 1.3, (1.5, 1.7, 0.6, 0.1), 0.35, 0.4, 0.3, 0.1
"""Weights that won games of a search of three plies against itself with others.

NEARER is what each of the last steps before the far row adds to a piece, the last one first.
"""
SURE = 8.0
"""A lead that is half the way to a certain win."""
DECIDED = 0.99


@state
class Position(NamedTuple):
    """Pieces by colour, not by the side to move."""

    white: U64
    black: U64
    player: int


class Breakthrough(Game):
    """Pieces step forward or diagonally forward and capture diagonally only; the first on the far row wins.

    Who has lost all pieces has lost, too. There is always a move and never a draw.
    """

    name = "breakthrough"
    option_labels = {"cols": "columns"}
    seats = ("White", "Black")
    perft_table = {"": (22, 484, 11132, 256036, 6182818, 149264638)}
    unit, swing = PIECE / SURE, 2 / SURE

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
        self.before_bottom, self.before_top = self.bottom << cols, self.top >> cols
        self.left = U64(sum(1 << row * cols for row in range(rows)))
        self.not_left = self.board & ~self.left
        self.not_right = self.board & ~(self.left << (cols - 1))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.bottom | self.bottom << self.cols, self.top | self.top >> self.cols, WHITE)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Diagonally forward onto a square without an own piece, or straight forward onto an empty one."""
        return self.moves_onto(state, self.board)

    def moves_onto(self, state: Position, squares: U64) -> Iterator[int]:
        """The moves that end on one of these squares."""
        if state.player == WHITE:
            mine, forward = state.white, self.cols
        else:
            mine, forward = state.black, -self.cols
        for to in bits(shift(mine & self.not_left, forward - 1) & squares & ~mine):
            yield (to - forward + 1) * self.squares + to
        for to in bits(shift(mine & self.not_right, forward + 1) & squares & ~mine):
            yield (to - forward - 1) * self.squares + to
        for to in bits(shift(mine, forward) & squares & ~(state.white | state.black)):
            yield (to - forward) * self.squares + to

    def count(self, state: Position) -> int:
        if self.is_terminal(state):
            return 0
        left, right, straight = self.targets(state)
        return popcount(left) + popcount(right) + popcount(straight)

    def targets(self, state: Position) -> tuple[U64, U64, U64]:
        """The squares that the side to move can step to: to the left, to the right and straight forward."""
        empty = self.board & ~(state.white | state.black)
        if state.player == WHITE:
            mine, free = state.white, self.board & ~state.white
            left, right = (mine & self.not_left) << (self.cols - 1), (mine & self.not_right) << (self.cols + 1)
            return left & free, right & free, mine << self.cols & empty
        mine, free = state.black, self.board & ~state.black
        left, right = (mine & self.not_left) >> (self.cols + 1), (mine & self.not_right) >> (self.cols - 1)
        return left & free, right & free, mine >> self.cols & empty

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

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any move, all equally likely: the targets are counted, not listed."""
        left, right, straight = self.targets(state)
        lefts, rights = popcount(left), popcount(right)
        n = draw_below(luck, lefts + rights + popcount(straight))
        if n < lefts:
            targets, aside = left, -1
        elif n < lefts + rights:
            n, targets, aside = n - lefts, right, 1
        else:
            n, targets, aside = n - lefts - rights, straight, 0
        to = nth_bit(targets, n)
        forward = self.cols if state.player == WHITE else -self.cols
        return (to - forward - aside) * self.squares + to

    def evaluate(self, state: Position, player: int) -> float:
        """Material, advancement and structure of the pieces; nearly 1 or -1 if the game is decided."""
        winner = self.winner(state)
        if winner >= 0:
            return DECIDED if winner == player else -DECIDED
        lead = self.advance(state) + self.shape(state) + (TEMPO if state.player == WHITE else -TEMPO)
        share = DECIDED * lead / (abs(lead) + SURE)
        return share if player == WHITE else -share

    def advance(self, state: Position) -> float:
        """Pieces, and more for those that are few steps from the far row."""
        lead = PIECE * (popcount(state.white) - popcount(state.black))
        near_top, near_bottom = self.before_top, self.before_bottom
        for weight in NEARER:
            lead += weight * (popcount(state.white & near_top) - popcount(state.black & near_bottom))
            near_top, near_bottom = (
                near_top | near_top >> self.cols,
                (near_bottom | near_bottom << self.cols) & self.board,
            )
        return lead

    def shape(self, state: Position) -> float:
        """Safe steps and pieces side by side, minus pieces at the sides of the board, which have but one diagonal."""
        white, black = state.white, state.black
        white_takes, black_takes = self.above(white), self.below(black)
        white_steps = (white_takes | white << self.cols) & self.board & ~white & ~black_takes
        black_steps = (black_takes | black >> self.cols) & ~black & ~white_takes
        pairs = popcount(white & (white & self.not_right) << 1) - popcount(black & (black & self.not_right) << 1)
        sides = self.board & ~(self.not_left & self.not_right)
        at_sides = popcount(white & sides) - popcount(black & sides)
        return SAFE * (popcount(white_steps) - popcount(black_steps)) + PAIR * pairs - SIDE * at_sides

    def above(self, pieces: U64) -> U64:
        """The squares diagonally above these pieces."""
        return ((pieces & self.not_left) << (self.cols - 1) | (pieces & self.not_right) << (self.cols + 1)) & self.board

    def below(self, pieces: U64) -> U64:
        """The squares diagonally below these pieces."""
        return (pieces & self.not_right) >> (self.cols - 1) | (pieces & self.not_left) >> (self.cols + 1)

    def is_noisy(self, state: Position, action: int) -> bool:
        """Whether the move captures or comes within a step of the far row."""
        return bool(bit(action % self.squares) & self.noisy_squares(state))

    def noisy_actions(self, state: Position) -> Iterator[int]:
        return self.moves_onto(state, self.noisy_squares(state))

    def noisy_squares(self, state: Position) -> U64:
        if state.player == WHITE:
            return state.black | self.top | self.before_top
        return state.white | self.bottom | self.before_bottom

    def is_threatened(self, state: Position) -> bool:
        """The opponent is a step from the far row, and the mover is not."""
        if state.player == WHITE:
            return bool(state.black & self.before_bottom) and not state.white & self.before_top
        return bool(state.white & self.before_top) and not state.black & self.before_bottom

    def candidates(self, state: Position) -> Iterator[int]:
        """A step onto the far row wins; who is a step from losing captures, if that is possible."""
        if state.player == WHITE:
            wins, threats = state.white & self.before_top, state.black & self.before_bottom & self.above(state.white)
            return self.moves_onto(state, self.top if wins else threats if threats else self.board)
        wins, threats = state.black & self.before_bottom, state.white & self.before_top & self.below(state.black)
        return self.moves_onto(state, self.bottom if wins else threats if threats else self.board)

    def exchange(self, state: Position, action: int) -> float:
        """A piece for a capture, minus one if more enemies than friends attack that square."""
        theirs = state.black if state.player == WHITE else state.white
        won = 1 if bit(action % self.squares) & theirs else 0
        return self.unit * (won - self.is_gift(state, action))

    def is_gift(self, state: Position, action: int) -> bool:
        """The piece that moves can be taken, and there are not enough others to take back."""
        to, others = bit(action % self.squares), ~bit(action // self.squares)
        if state.player == WHITE:
            takers, friends = self.above(to) & state.black, self.below(to) & state.white & others
        else:
            takers, friends = self.below(to) & state.white, self.above(to) & state.black & others
        return popcount(takers) > popcount(friends)

    def gain(self, state: Position, action: int) -> float:
        """Two pieces, since an advanced one counts for more; within a step of an end of the board the game itself."""
        if bit(action % self.squares) & (self.top | self.bottom | self.before_top | self.before_bottom):
            return 2.0
        return 2 * self.unit

    def order(self, state: Position, action: int) -> float:
        """The far row; captures, of the most advanced first; moves that come far; last those that give a piece away."""
        row = action % self.squares // self.cols
        way, theirs = (row, state.black) if state.player == WHITE else (self.rows - 1 - row, state.white)
        if way == self.rows - 1:
            return 8.0 * self.rows
        worth = 2.0 * way
        if bit(action % self.squares) & theirs:
            worth = 6.0 * self.rows - 2.0 * way
        return worth - 4.0 * self.rows if self.is_gift(state, action) else worth

    def key(self, state: Position) -> U64:
        return mix(state.white) ^ state.black ^ (U64(0) - U64(state.player))

    def canonical(self, state: Position) -> Position:
        """Left and right are alike."""
        white, black = self.mirror(state.white), self.mirror(state.black)
        if white < state.white or (white == state.white and black < state.black):
            return Position(white, black, state.player)
        return state

    def mirror(self, pieces: U64) -> U64:
        found = U64(0)
        for col in range(self.cols):
            found |= ((pieces >> col) & self.left) << (self.cols - 1 - col)
        return found

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Decided where the winner is known."""
        winner = self.winner(state)
        if winner < 0:
            return -1, 1
        return (1, 1) if winner == player else (-1, -1)

    def winner(self, state: Position) -> int:
        """The player who surely wins; -1 where that is not known.

        The side to move if it is a step from the far row; otherwise the other, if it is and cannot be stopped by one
        capture; or who wins a race.
        """
        if self.is_terminal(state):
            return 1 - state.player
        if state.player == WHITE:
            wins, threats, takes = (
                state.white & self.before_top,
                state.black & self.before_bottom,
                self.above(state.white),
            )
        else:
            wins, threats, takes = (
                state.black & self.before_bottom,
                state.white & self.before_top,
                self.below(state.black),
            )
        if wins:
            return state.player
        if threats and (popcount(threats) > 1 or not threats & takes):
            return 1 - state.player
        return self.race(state)

    def race(self, state: Position) -> int:
        """The player who wins by running straight on with one piece against any defence; -1 if neither does.

        With both sides running, the side to move wins if it has no more steps to go than the other.
        """
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
        """The squares from and to: `a2a3`, also for captures."""
        return square_name(action // self.squares, self.cols) + square_name(action % self.squares, self.cols)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `ppp/ppp/.../PPP/PPP w`."""
        return f"{write_rows(self.cells(state), self.cols)} {'wb'[state.player]}"

    def parse_state(self, text: str) -> Position:
        letters, player = read_rows(self, text, self.rows, self.cols, "wb")
        legend = "a piece; use P for White, p for Black and . for empty"
        white, black = read_boards(text, letters, squares_from_top(self.rows, self.cols), "Pp", legend)
        found = Position(white, black, player)
        self.refuse_impossible(found, text)
        return found

    def refuse_impossible(self, state: Position, text: str) -> None:
        """BadPosition for too many pieces, or for play that went on after the end."""
        if max(popcount(state.white), popcount(state.black)) > 2 * self.cols:
            raise BadPosition(f"{text!r} is impossible: a side has {2 * self.cols} pieces at most")
        if not state.white | state.black:
            raise BadPosition(f"{text!r} is impossible: only one side can have lost all its pieces")
        if state.white & self.top and state.black & self.bottom:
            raise BadPosition(f"{text!r} is impossible: only one side can have reached the far row")
        white_won, black_won = state.white & self.top or not state.black, state.black & self.bottom or not state.white
        if (white_won and state.player == WHITE) or (black_won and state.player == BLACK):
            raise BadPosition(f"{text!r} is impossible: the side to move has already won")

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
        """The pieces, from the top left."""
        return pieces_on(squares_from_top(self.rows, self.cols), (state.white, state.black), PIECES)


def shift(pieces: U64, step: int) -> U64:
    """Every piece moved by `step` squares, up if positive."""
    return pieces << step if step >= 0 else pieces >> -step
