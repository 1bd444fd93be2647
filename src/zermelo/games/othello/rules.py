"""Othello: enclose a line of your opponent's discs between two of yours, and they become yours.

      a b c d e f g h
    1 . . . . . . . .        a square is row * size + col, from the top left: a1 is 0, b1 is 1, h8 is 63;
    2 . . . . . . . .        a move is the square that takes a disc, or the number of squares for a pass;
    3 . . . . . . . .
    4 . . . O X . . .        Black (X) starts;
    5 . . . X O . . .        states are seen by the side to move
    6 . . . . . . . .
    7 . . . . . . . .
    8 . . . . . . . .

Goro Hasegawa's rules of 1971, which fix the first four discs of Reversi (London, 1883).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.grids import LETTERS, pieces_on, read_boards, square_name
from zermelo.core.picture import Grid, Piece
from zermelo.core.referee import Referee
from zermelo.games.othello.board import Board
from zermelo.games.othello.evaluation import estimate
from zermelo.games.othello.notation import PASS, is_transcript, play_transcript
from zermelo.kernel import U64, bit, bits, draw_below, lsb, mix, nth_bit, popcount, state

BLACK, WHITE = 0, 1
DISCS = (Piece("X", BLACK), Piece("O", WHITE))
SWING = 8
"""Discs."""
ALIKE = 10
"""With more discs than this, symmetric positions are too rare to look for."""
CORNER, ODD, REPLY, LATER_REPLY = 1.5, 1.0, 2.0, 0.4
NEARLY_OVER = 7
"""With at most this many empty squares, plain search is faster than a transposition table."""
NEAR = 5
"""With at most this many empty squares, trying moves is faster than ordering them."""


@state
class Position(NamedTuple):
    mine: U64
    """The discs of the side to move."""
    theirs: U64
    moves: U64
    """The legal squares of the side to move; stored because all methods need them."""
    player: int


class Othello(Game):
    """A player who cannot enclose a disc passes; when neither can, the game is over and most discs win.

    The payoff is the margin in discs. With `empties`, empty squares count for the winner, as in tournaments. Without
    `margin`, a win is 1 and a draw 0.
    """

    name = "othello"
    option_labels = {
        "size": "board size",
        "margin": "the margin counts",
        "empties": "empty squares count for the winner",
    }
    seats = ("Black", "White")
    unit_name = "discs"
    perft_table = {"": (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571056)}

    def __init__(self, size: int = 8, margin: bool = True, empties: bool = False) -> None:
        if size not in (4, 6, 8):
            why = "; larger ones do not fit a word of 64 squares" if size > 8 else ""
            raise UsageError(f"othello is played on boards of size 4, 6 or 8, not {size}{why}")
        self.size, self.margin, self.empties = size, margin, empties
        self.board = Board(size)
        self.squares = self.board.squares
        most = self.squares if margin else 1
        self.utility_range = (-most, most)
        self.margins = margin
        self.unit = 1.0 if margin else 1 / self.squares
        self.swing = SWING * self.unit

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        middle = self.squares // 2 + self.size // 2
        black = bit(middle - self.size) | bit(middle - 1)
        white = bit(middle - self.size - 1) | bit(middle)
        return self.position(black, white, BLACK)

    def position(self, mine: U64, theirs: U64, player: int) -> Position:
        return Position(mine, theirs, self.board.moves_of(mine, theirs), player)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """The squares where a disc encloses others; a pass if there is no such square."""
        if state.moves:
            for square in bits(state.moves):  # noqa: UP028 - `yield from` does not compile
                yield square
        else:
            yield self.squares

    def result(self, state: Position, action: int) -> Position:
        mine, theirs = state.mine, state.theirs
        if action != self.squares:
            turned = self.board.flips(mine, theirs, action)
            mine, theirs = mine | turned | bit(action), theirs ^ turned
        return self.position(theirs, mine, 1 - state.player)

    def count(self, state: Position) -> int:
        if state.moves:
            return popcount(state.moves)
        return 0 if self.is_terminal(state) else 1

    def is_terminal(self, state: Position) -> bool:
        """Neither side can move; a full board is one case of it."""
        return not state.moves and not self.board.moves_of(state.theirs, state.mine)

    def utility(self, state: Position, player: int) -> int:
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        lead = self.payoff(mine - theirs, self.squares - mine - theirs)
        return lead if player == state.player else -lead

    def payoff(self, lead: int, empty: int) -> int:
        """The payoff of a lead of this many discs at the end."""
        sign = (lead > 0) - (lead < 0)
        if not self.margin:
            return sign
        return lead + sign * empty if self.empties else lead

    # -- knowledge ---------------------------------------------------------------------------------

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any move, all equally likely, without a list of them."""
        if state.moves:
            return nth_bit(state.moves, draw_below(luck, popcount(state.moves)))
        return self.squares

    def evaluate(self, state: Position, player: int) -> float:
        """The margin to be expected, from mobility, corners and stable discs; less than all squares."""
        lead = estimate(self.board, state.mine, state.theirs, state.moves)
        lead = self.unit * max(1.0 - self.squares, min(lead, self.squares - 1.0))
        return lead if player == state.player else -lead

    def is_noisy(self, state: Position, action: int) -> bool:
        """Whether the move takes a corner, which cannot be lost."""
        return action != self.squares and bool(bit(action) & self.board.corners)

    def noisy_actions(self, state: Position) -> Iterator[int]:
        for square in bits(state.moves & self.board.corners):  # noqa: UP028 - `yield from` does not compile
            yield square

    def is_nearly_over(self, state: Position) -> bool:
        return popcount(self.board.all & ~(state.mine | state.theirs)) <= NEARLY_OVER

    def order(self, state: Position, action: int) -> float:
        """Corners, parts of the board with an odd number of empty squares, and moves that leave few replies.

        Replies into corners count more. Near the end a closer look takes longer than the search.
        """
        if action == self.squares:
            return 0.0
        square, empty = bit(action), self.board.all & ~(state.mine | state.theirs)
        worth = ODD if popcount(empty & self.board.quarter_of(action)) & 1 else 0.0
        if square & self.board.corners:
            worth += CORNER
        if popcount(empty) > NEAR:
            turned = self.board.flips(state.mine, state.theirs, action)
            mine = state.mine | turned | square
            replies = self.board.moves_of(state.theirs ^ turned, mine)
            worth -= REPLY * (popcount(replies) + 2 * popcount(replies & self.board.corners))
            worth -= LATER_REPLY * popcount(self.board.beside(mine) & empty)
        return worth

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Bounds from the stable discs of both sides; exact if one square is empty."""
        low, high = self.bounds_of_mover(state)
        return (low, high) if player == state.player else (-high, -low)

    def bounds_of_mover(self, state: Position) -> tuple[int, int]:
        empty = self.board.all & ~(state.mine | state.theirs)
        left, most = popcount(empty), self.payoff(self.squares, 0)
        if left == 1:
            value = self.last_square(state.mine, state.theirs, lsb(empty))
            return value, value
        if left <= NEAR or not (state.mine | state.theirs) & self.board.corners:
            return -most, most
        lines = self.board.open_lines(empty)
        mine, theirs = popcount(self.board.stable(state.mine, lines)), popcount(self.board.stable(state.theirs, lines))
        return self.payoff(2 * mine - self.squares, 0), self.payoff(self.squares - 2 * theirs, 0)

    def last_square(self, mine: U64, theirs: U64, square: int) -> int:
        """The payoff when this square alone is empty: I take it, or else you do, or it stays empty."""
        others = self.squares - 1 - popcount(mine)
        turned = popcount(self.board.flips(mine, theirs, square))
        if turned:
            return self.payoff(self.squares - 2 * (others - turned), 0)
        turned = popcount(self.board.flips(theirs, mine, square))
        if turned:
            return self.payoff(self.squares - 2 * (others + turned + 1), 0)
        return self.payoff(self.squares - 1 - 2 * others, 1)

    def key(self, state: Position) -> U64:
        """The discs and the player."""
        return mix(state.mine) ^ state.theirs ^ (U64(0) - U64(state.player))

    def canonical(self, state: Position) -> Position:
        """The least of the eight rotations and reflections, used while there are few discs."""
        mine, theirs = state.mine, state.theirs
        if popcount(mine | theirs) > ALIKE:
            return state
        best_mine, best_theirs = mine, theirs
        for step in range(7):
            if step % 2:
                mine, theirs = self.transpose(mine), self.transpose(theirs)
            else:
                mine, theirs = self.mirror(mine), self.mirror(theirs)
            if mine < best_mine or (mine == best_mine and theirs < best_theirs):
                best_mine, best_theirs = mine, theirs
        return self.position(best_mine, best_theirs, state.player)

    def mirror(self, discs: U64) -> U64:
        """Left and right exchanged."""
        left, found = self.board.left, U64(0)
        for col in range(self.size):
            found |= ((discs >> col) & left) << (self.size - 1 - col)
        return found

    def transpose(self, discs: U64) -> U64:
        """Rows and columns exchanged."""
        found = U64(0)
        for square in bits(discs):
            found |= bit(square % self.size * self.size + square // self.size)
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The square, `f5`, or `pass`."""
        return PASS if action == self.squares else square_name(action, self.size)

    def format_state(self, state: Position) -> str:
        """The squares from a1, row by row, and the side to move, as in OBF files: `---OX------XO--- X`."""
        symbols = (disc.symbol if disc else "-" for disc in self.cells(state))
        return "".join(symbols) + " " + DISCS[state.player].symbol

    def parse_state(self, text: str) -> Position:
        """A board as `format_state` writes it, with or without the scores of an OBF file, or a transcript: `f5d6c3`."""
        text = text.partition(";")[0].strip()
        if is_transcript(text):
            return self.position_after(text)
        board, _, side = text.partition(" ")
        if len(board) != self.squares or side not in ("X", "O"):
            start = self.initial()
            first = self.format_action(start, lsb(start.moves))
            raise BadPosition(
                f"{text!r} is not a position of {self}; the start is {self.format_state(start)!r}, "
                f"and squares played from there, such as {first!r}, are understood too"
            )
        legend = "a disc; use X for Black, O for White and - for empty"
        black, white = read_boards(text, board, range(self.squares), "XO", legend, empty="-")
        start = self.initial()
        if (start.mine | start.theirs) & ~(black | white):
            raise BadPosition(f"{text!r} is impossible: the four squares in the middle are never empty")
        return self.position(black, white, BLACK) if side == "X" else self.position(white, black, WHITE)

    def position_after(self, transcript: str) -> Position:
        """The position after these squares, from the start."""
        referee = Referee(self)
        try:
            play_transcript(referee, transcript)
        except IllegalMove as error:
            raise BadPosition(f"{transcript!r} is impossible: {error}") from None
        found: Position = referee.state
        return found

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        black, white = (popcount(discs) for discs in self.discs_of(state))
        return Grid(
            self.size,
            self.size,
            self.cells(state),
            row_labels=tuple(str(row) for row in range(1, self.size + 1)),
            col_labels=tuple(LETTERS[: self.size]),
            touches={
                self.format_action(state, action): (action,) if action < self.squares else ()
                for action in legal_actions(self, state)
            },
            caption=f"Black {black}, White {white}",
            colours=("black", "white"),
            material="cloth",
            facing=True,
        )

    def cells(self, state: Position) -> tuple[Piece | None, ...]:
        """The disc on each square."""
        return pieces_on(range(self.squares), self.discs_of(state), DISCS)

    def discs_of(self, state: Position) -> tuple[U64, U64]:
        """The discs of Black and of White."""
        return (state.mine, state.theirs) if state.player == BLACK else (state.theirs, state.mine)
