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
from zermelo.core.picture import Grid, Piece
from zermelo.core.referee import Referee
from zermelo.games.othello_notation import PASS, is_transcript, play_transcript
from zermelo.kernel import U64, bit, bits, lsb, mix, msb, popcount, state

BLACK, WHITE = 0, 1
DISCS = (Piece("X", BLACK), Piece("O", WHITE))
COLUMNS = "abcdefgh"
ALIKE = 20
"""With more discs than this, positions are hardly ever each other's mirror images, and nobody looks."""
CORNER_FIRST, ODD_FIRST, REPLY = 4.0, 2.0, 2.0
NEAR = 5
"""With so few empty squares, moves are ordered by parity alone."""


@state
class Position(NamedTuple):
    mine: U64
    """The discs of the side to move."""
    theirs: U64
    moves: U64
    """Where the side to move can place a disc. It follows from the discs; everything begins by asking for it."""
    player: int


class Othello(Game):
    """Discs enclosed in a line are turned over; who cannot enclose any passes; most discs win when nobody can.

    The payoff is the margin in discs. With `empties`, empty squares count for the winner, as in tournaments. Without
    `margin`, a win is 1 and a draw 0.
    """

    name = "othello"
    seats = ("Black", "White")
    perft_table = {"": (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571056)}

    def __init__(self, size: int = 8, margin: bool = True, empties: bool = False) -> None:
        if size not in (4, 6, 8):
            raise UsageError(f"othello is played on boards of size 4, 6 or 8, not {size}")
        self.size, self.margin, self.empties = size, margin, empties
        self.squares = size * size
        self.board = U64((1 << self.squares) - 1)
        top, left = (1 << size) - 1, sum(1 << row * size for row in range(size))
        self.left = U64(left)
        self.not_left = self.board & ~self.left
        self.not_right = self.board & ~(self.left << (size - 1))
        self.sides = U64(left | left << (size - 1))
        self.rims = U64(top | top << (self.squares - size))
        self.inner = self.board & ~self.sides
        self.corners = self.sides & self.rims
        self.quarter = U64(sum(((1 << size // 2) - 1) << row * size for row in range(size // 2)))
        steps = (1, size - 1, size, size + 1)
        # The rays from square 0 upwards and from square 63 downwards; shifted, they start anywhere.
        self.upwards = tuple(U64(sum(1 << i * step for i in range(1, size))) for step in steps)
        self.downwards = tuple(U64(sum(1 << (63 - i * step) for i in range(1, size))) for step in steps)
        most = self.squares if margin else 1
        self.utility_range = (-most, most)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        middle = self.squares // 2 + self.size // 2
        black = bit(middle - self.size) | bit(middle - 1)
        white = bit(middle - self.size - 1) | bit(middle)
        return self.position(black, white, BLACK)

    def position(self, mine: U64, theirs: U64, player: int) -> Position:
        return Position(mine, theirs, self.moves_of(mine, theirs), player)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """The squares where a disc encloses others; a pass if there is none."""
        if state.moves:
            for square in bits(state.moves):  # noqa: UP028 - `yield from` does not compile
                yield square
        else:
            yield self.squares

    def result(self, state: Position, action: int) -> Position:
        mine, theirs = state.mine, state.theirs
        if action != self.squares:
            turned = self.turned(mine, theirs, action)
            mine, theirs = mine | turned | bit(action), theirs ^ turned
        return self.position(theirs, mine, 1 - state.player)

    def count(self, state: Position) -> int:
        if state.moves:
            return popcount(state.moves)
        return 0 if self.is_terminal(state) else 1

    def is_terminal(self, state: Position) -> bool:
        """Neither side can move; a full board is one case of it."""
        return not state.moves and not self.moves_of(state.theirs, state.mine)

    def utility(self, state: Position, player: int) -> int:
        mine, theirs = popcount(state.mine), popcount(state.theirs)
        lead = self.payoff(mine - theirs, self.squares - mine - theirs)
        return lead if player == state.player else -lead

    def payoff(self, lead: int, empty: int) -> int:
        """What a lead of so many discs counts at the end."""
        sign = (lead > 0) - (lead < 0)
        if not self.margin:
            return sign
        return lead + sign * empty if self.empties else lead

    def moves_of(self, mine: U64, theirs: U64) -> U64:
        """The empty squares at the other end of a line of theirs that starts beside one of mine.

        Lines across and aslant stop at the sides: the next square up or down the word is at the other side.
        """
        inner, size = theirs & self.inner, self.size
        across, down = beyond(mine, inner, 1), beyond(mine, theirs, size)
        found = across | down | beyond(mine, inner, size - 1) | beyond(mine, inner, size + 1)
        return found & self.board & ~(mine | theirs)

    def turned(self, mine: U64, theirs: U64, square: int) -> U64:
        """The discs that a disc of mine on this square encloses, in eight directions."""
        inner, back = theirs & self.inner, 63 - square
        across, rising, down, falling = self.upwards
        found = turned_up(mine, inner, across << square) | turned_up(mine, inner, rising << square)
        found |= turned_up(mine, theirs, down << square) | turned_up(mine, inner, falling << square)
        across, rising, down, falling = self.downwards
        found |= turned_down(mine, inner, across >> back) | turned_down(mine, inner, rising >> back)
        found |= turned_down(mine, theirs, down >> back) | turned_down(mine, inner, falling >> back)
        return found

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        lead = self.estimate(state)
        return lead if player == state.player else -lead

    def estimate(self, state: Position) -> float:
        mine, theirs = state.mine, state.theirs
        empty = self.board & ~(mine | theirs)
        mobility = popcount(state.moves) - popcount(self.moves_of(theirs, mine))
        border = self.beside(empty)
        frontier = popcount(mine & border) - popcount(theirs & border)
        corners = popcount(mine & self.corners) - popcount(theirs & self.corners)
        open_corners = empty & self.corners
        crosses = self.aslant(open_corners)
        flanks = self.beside(open_corners) & ~crosses
        x = popcount(mine & crosses) - popcount(theirs & crosses)
        c = popcount(mine & flanks) - popcount(theirs & flanks)
        stable = popcount(self.stable(mine, theirs)) - popcount(self.stable(theirs, mine))
        return 1.5 * mobility - 0.4 * frontier + 8.0 * corners - 5.0 * x - 2.0 * c + 1.5 * stable

    def beside(self, squares: U64) -> U64:
        """These squares and their neighbours."""
        wide = squares | (squares & self.not_right) << 1 | (squares & self.not_left) >> 1
        return (wide | wide << self.size | wide >> self.size) & self.board

    def aslant(self, squares: U64) -> U64:
        """The diagonal neighbours of these squares."""
        wide = (squares & self.not_right) << 1 | (squares & self.not_left) >> 1
        return (wide << self.size | wide >> self.size) & self.board

    def is_noisy(self, state: Position, action: int) -> bool:
        """It takes a corner, which is never lost again."""
        return action != self.squares and bool(bit(action) & self.corners)

    def order(self, state: Position, action: int) -> float:
        if action == self.squares:
            return 0.0
        square, empty = bit(action), self.board & ~(state.mine | state.theirs)
        worth = 0.0
        if square & self.corners:
            worth += CORNER_FIRST
        if popcount(empty & self.quarter_of(action)) & 1:
            worth += ODD_FIRST
        if popcount(empty) > NEAR:
            turned = self.turned(state.mine, state.theirs, action)
            replies = self.moves_of(state.theirs ^ turned, state.mine | turned | square)
            worth -= REPLY * (popcount(replies) + 2 * popcount(replies & self.corners))
        return worth

    def quarter_of(self, square: int) -> U64:
        """The quarter of the board that a square lies in."""
        half, row, col = self.size // 2, square // self.size, square % self.size
        return self.quarter << ((row // half * self.size + col // half) * half)

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Stable discs stay, so they bound the margin from both sides; the very last move is counted out."""
        low, high = self.bounds_of_mover(state)
        return (low, high) if player == state.player else (-high, -low)

    def bounds_of_mover(self, state: Position) -> tuple[int, int]:
        mine = popcount(state.mine)
        if state.moves and mine + popcount(state.theirs) == self.squares - 1:
            mine += 1 + popcount(self.turned(state.mine, state.theirs, lsb(state.moves)))
            value = self.payoff(2 * mine - self.squares, 0)
            return value, value
        return self.least(state.mine, state.theirs), -self.least(state.theirs, state.mine)

    def least(self, mine: U64, theirs: U64) -> int:
        """The worst that can come of a position for the owner of `mine`."""
        lead = 2 * popcount(self.stable(mine, theirs)) - self.squares
        return lead if self.margin else (lead > 0) - (lead < 0)

    def stable(self, mine: U64, theirs: U64) -> U64:
        """Discs of mine that can never be turned again; not all of them, and none as long as I have no corner.

        Along each of the four directions a stable disc has the edge or another stable disc beside it, or stands in a
        line without an empty square.
        """
        if not mine & self.corners:
            return U64(0)
        empty, size = self.board & ~(mine | theirs), self.size
        across = self.sides | ~(empty | within(empty, self.inner, 1))
        down = self.rims | ~(empty | within(empty, self.board, size))
        edge = self.sides | self.rims
        rising = edge | ~(empty | within(empty, self.inner, size - 1))
        falling = edge | ~(empty | within(empty, self.inner, size + 1))
        found, more = U64(0), mine & self.corners
        while more != found:
            found = more
            more = mine & (across | found << 1 | found >> 1) & (down | found << size | found >> size)
            more &= rising | found << (size - 1) | found >> (size - 1)
            more &= falling | found << (size + 1) | found >> (size + 1)
        return found

    def key(self, state: Position) -> U64:
        """The discs and the player."""
        return mix(state.mine) ^ state.theirs ^ (U64(0) - U64(state.player))

    def canonical(self, state: Position) -> Position:
        """The four turns of the board and their mirror images are alike; looked at while there are few discs."""
        mine, theirs = state.mine, state.theirs
        if popcount(mine | theirs) > ALIKE:
            return state
        best_mine, best_theirs = mine, theirs
        for step in range(7):
            if step % 2:
                mine, theirs = self.transposed(mine), self.transposed(theirs)
            else:
                mine, theirs = self.mirrored(mine), self.mirrored(theirs)
            if mine < best_mine or (mine == best_mine and theirs < best_theirs):
                best_mine, best_theirs = mine, theirs
        return self.position(best_mine, best_theirs, state.player)

    def mirrored(self, discs: U64) -> U64:
        """Left and right exchanged."""
        left, found = self.left, U64(0)
        for col in range(self.size):
            found |= ((discs >> col) & left) << (self.size - 1 - col)
        return found

    def transposed(self, discs: U64) -> U64:
        """Rows and columns exchanged."""
        found = U64(0)
        for square in bits(discs):
            found |= bit(square % self.size * self.size + square // self.size)
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The square, `f5`, or `pass`."""
        return PASS if action == self.squares else COLUMNS[action % self.size] + str(action // self.size + 1)

    def format_state(self, state: Position) -> str:
        """The squares from a1, row by row, and the side to move, as in OBF files: `---OX------XO--- X`."""
        symbols = (disc.symbol if disc else "-" for disc in self.cells(state))
        return "".join(symbols) + " " + DISCS[state.player].symbol

    def parse_state(self, text: str) -> Position:
        """A board as `format_state` writes it, with or without the scores of an OBF file, or a transcript: `f5d6c3`."""
        text = text.partition(";")[0].strip()
        if is_transcript(text):
            return self.played(text)
        board, _, side = text.partition(" ")
        if len(board) != self.squares or side not in ("X", "O"):
            start = self.initial()
            first = self.format_action(start, lsb(start.moves))
            raise BadPosition(
                f"{text!r} is no {self} position; the start is {self.format_state(start)!r}, "
                f"and squares played from there, such as {first!r}, are understood too"
            )
        if set(board) - set("XO-"):
            raise BadPosition(f"{text!r} has a letter that is no disc; use X for Black, O for White and - for empty")
        black, white = (U64(sum(1 << i for i, cell in enumerate(board) if cell == disc.symbol)) for disc in DISCS)
        start = self.initial()
        if (start.mine | start.theirs) & ~(black | white):
            raise BadPosition(f"{text!r} cannot be: the four squares in the middle are never empty")
        return self.position(black, white, BLACK) if side == "X" else self.position(white, black, WHITE)

    def played(self, transcript: str) -> Position:
        """The position after these squares, from the start."""
        referee = Referee(self)
        try:
            play_transcript(referee, transcript)
        except IllegalMove as error:
            raise BadPosition(f"{transcript!r} cannot be: {error}") from None
        found: Position = referee.state
        return found

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        black, white = (popcount(discs) for discs in self.discs_of(state))
        return Grid(
            self.size,
            self.size,
            tuple(self.cells(state)),
            row_labels=tuple(str(row) for row in range(1, self.size + 1)),
            col_labels=tuple(COLUMNS[: self.size]),
            touches={
                self.format_action(state, action): (action,) if action < self.squares else ()
                for action in legal_actions(self, state)
            },
            caption=f"Black {black}, White {white}",
        )

    def cells(self, state: Position) -> list[Piece | None]:
        """What lies on each square."""
        owners = list(zip(self.discs_of(state), DISCS, strict=True))
        return [next((disc for discs, disc in owners if discs & bit(square)), None) for square in range(self.squares)]

    def discs_of(self, state: Position) -> tuple[U64, U64]:
        """Those of Black and those of White."""
        return (state.mine, state.theirs) if state.player == BLACK else (state.theirs, state.mine)


def beyond(mine: U64, theirs: U64, step: int) -> U64:
    """The squares next after runs of theirs that start next to one of mine, both ways along one direction.

    Runs grow by one, then one, then two and two: to six, and no line has more between two ends.
    """
    up, down = theirs & (mine << step), theirs & (mine >> step)
    up |= theirs & (up << step)
    down |= theirs & (down >> step)
    pairs = theirs & (theirs << step)
    others = pairs >> step
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    return up << step | down >> step


def within(ends: U64, inner: U64, step: int) -> U64:
    """The inner squares on the same line as one of the ends."""
    up, down = inner & (ends << step), inner & (ends >> step)
    up |= inner & (up << step)
    down |= inner & (down >> step)
    pairs = inner & (inner << step)
    others = pairs >> step
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    return up | down


def turned_up(mine: U64, theirs: U64, ray: U64) -> U64:
    """Theirs on a ray upwards as far as the first of mine; none if something else comes first.

    Adding 1 carries through all that is not on the ray, and through theirs on it, to the first square of another kind.
    """
    end = ((theirs | ~ray) + U64(1)) & ray & mine
    return (end - U64(end != U64(0))) & ray


def turned_down(mine: U64, theirs: U64, ray: U64) -> U64:
    """The same downwards, where no carry leads."""
    end = bit(msb((ray & ~theirs) | U64(1))) & ray & mine
    return (-end & ray) ^ end
