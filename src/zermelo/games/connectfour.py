"""Connect Four: drop stones into columns; four of yours in a line win.

    6 | . . . . . . .        a column takes rows + 1 bits of a word, from the bottom; the top
    5 | . . . . . . .        one is never set, so that no line runs on into the next column:
    4 | . . . . . . .
    3 | . . . O . . .            6 13 20 27 34 41 48     never set
    2 | . . . X . . .            5 12 19 26 33 40 47     row 6
    1 | . . X X O . .            .  .  .  .  .  .  .
        1 2 3 4 5 6 7            0  7 14 21 28 35 42     row 1

A move is a column, counted from 0 here and from 1 in notation. X starts. States are seen by the side to move.

Sold by Milton Bradley since 1974; solved by James D. Allen and by Victor Allis in October 1988.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.grids import pieces_on, read_boards, read_rows, write_rows
from zermelo.core.picture import Grid, Piece
from zermelo.kernel import U64, bit, bits, drop, popcount, state

STONES = (Piece("X", 0), Piece("O", 1))
COLUMNS = "123456789abcdefghijklmnopqrstuvw"
FEW = 9
"""With at most this many free squares, plain search is faster than a transposition table."""


@state
class Position(NamedTuple):
    mine: U64
    """The stones of the side to move."""
    filled: U64
    """The stones of both; their number gives the side to move."""


class ConnectFour(Game):
    """Stones fall to the lowest free square of a column; four in a line win, a full board without is a draw.

    A win counts 1. `scored`, it counts the stones the winner has not played yet, and one more: the sooner
    the better, on the scale of Pascal Pons' solver.
    """

    name = "connect-four"
    option_labels = {"cols": "columns", "scored": "quicker wins count more"}
    seats = ("X", "O")
    perft_table = {"": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646)}

    def __init__(self, cols: int = 7, rows: int = 6, scored: bool = False) -> None:
        if cols < 1 or rows < 1 or cols * (rows + 1) > 64:
            raise UsageError(
                f"connect-four needs a column and a row and cols * (rows + 1) <= 64, not cols={cols}, rows={rows}"
            )
        self.cols, self.rows, self.scored = cols, rows, scored
        self.height = rows + 1
        self.cells = cols * rows
        self.column = U64((1 << rows) - 1)
        self.bottom = U64(sum(1 << col * self.height for col in range(cols)))
        self.board = self.bottom * self.column
        # Squares with an even number of squares above: if the free squares are filled in pairs, the second ones.
        self.seconds = U64(sum(int(self.bottom) << row for row in range(rows - 1, -1, -2)))
        self.centre = (cols - 1) // 2
        self.outwards = -1 if cols % 2 else 1
        # Up, diagonally down, across and diagonally up; less than four columns have room for the first only.
        self.is_wide = cols >= 4
        self.steps = (1, rows, rows + 1, rows + 2) if self.is_wide else (1,)
        self.all_fours = self.open_fours(self.board)
        best = max(self.win_value(7), 1) if scored else 1
        self.utility_range = (-best, best)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(U64(0), U64(0))

    def to_move(self, state: Position) -> int:
        return popcount(state.filled) & 1

    def actions(self, state: Position) -> Iterator[int]:
        """The columns that are not full, from the centre outwards."""
        for step in range(self.cols):
            col = self.centre + (self.outwards if step % 2 else -self.outwards) * ((step + 1) // 2)
            if not state.filled & bit(col * self.height + self.rows - 1):
                yield col

    def result(self, state: Position, action: int) -> Position:
        """Adding 1 at the foot of a column carries to its lowest free square."""
        filled = state.filled | (state.filled + bit(action * self.height))
        return Position(state.mine ^ state.filled, filled)

    def is_terminal(self, state: Position) -> bool:
        return state.filled == self.board or self.has_line(state.mine ^ state.filled)

    def utility(self, state: Position, player: int) -> int:
        """Only the player who just moved can have won."""
        if not self.has_line(state.mine ^ state.filled):
            return 0
        worth = self.win_value(popcount(state.filled)) if self.scored else 1
        return -worth if player == self.to_move(state) else worth

    def win_value(self, ply: int) -> int:
        """The value of a win with stone number `ply`: the winner's remaining stones plus one."""
        return (self.cells - ply) // 2 + 1

    def has_line(self, stones: U64) -> bool:
        found = fours(stones, 1)
        if self.is_wide:
            found |= fours(stones, self.rows) | fours(stones, self.rows + 1) | fours(stones, self.rows + 2)
        return found != U64(0)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """Fours that are still open, and four for every square that wins at once; mine minus theirs, as a share."""
        theirs = state.mine ^ state.filled
        lead = self.open_fours(self.board ^ theirs) - self.open_fours(self.board ^ state.mine)
        mine_wins, their_wins = self.winning_squares(state.mine), self.winning_squares(theirs)
        lead += 4 * (popcount(mine_wins & ~state.filled) - popcount(their_wins & ~state.filled))
        share = self.utility_range[1] * lead / (self.all_fours + 4 * self.cells + 1)
        return share if player == self.to_move(state) else -share

    def open_fours(self, squares: U64) -> int:
        """The number of fours within these squares."""
        count = 0
        for step in self.steps:
            count += popcount(fours(squares, step))
        return count

    def winning_squares(self, stones: U64) -> U64:
        """The squares where one more stone makes four; occupied squares may be among them."""
        found = (stones << 1) & (stones << 2) & (stones << 3)
        if self.is_wide:
            found |= completing_squares(stones, self.rows)
            found |= completing_squares(stones, self.rows + 1)
            found |= completing_squares(stones, self.rows + 2)
        return found & self.board

    def is_noisy(self, state: Position, action: int) -> bool:
        """Whether the move wins, or stops the opponent from winning there."""
        wins = self.winning_squares(state.mine) | self.winning_squares(state.mine ^ state.filled)
        return bool(wins & self.landing(state, action))

    def landing(self, state: Position, action: int) -> U64:
        """The square a stone dropped into this column falls to."""
        return (state.filled + bit(action * self.height)) & (self.column << (action * self.height))

    def order(self, state: Position, action: int) -> float:
        """Wins and what stops one; what leaves two ways to win; most squares to win on, unless one is given away.

        A square above one where the opponent wins does not count: the game ends below it.
        """
        landing = self.landing(state, action)
        filled = state.filled | landing
        before, wins = self.winning_squares(state.mine), self.winning_squares(state.mine | landing) & ~filled
        their_wins = self.winning_squares(state.mine ^ state.filled)
        found = self.cols * popcount(wins & ~((their_wins & ~filled) << 1)) - abs(2 * action - self.cols + 1)
        playable = wins & (filled + self.bottom)
        if drop(playable) | (wins & (playable << 1)):  # the opponent cannot stop both
            found += self.cols * self.cells
        if landing & (before >> 1):  # the opponent stops it with the next stone
            found -= 2 * self.cols
        if landing & (before | their_wins):
            found += 2 * self.cols * self.cells
        return found

    def key(self, state: Position) -> U64:
        """Different for different states, and never 0.

        In every column the side's own stones stand below a 1 that marks the lowest free square.
        """
        return state.mine + state.filled + self.bottom

    def canonical(self, state: Position) -> Position:
        """Left and right are alike."""
        twin = Position(self.mirror(state.mine), self.mirror(state.filled))
        return twin if self.key(twin) < self.key(state) else state

    def mirror(self, stones: U64) -> U64:
        found = U64(0)
        for col in range(self.cols):
            column = (stones >> (col * self.height)) & self.column
            found |= column << ((self.cols - 1 - col) * self.height)
        return found

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Exact at the end, before a win and before a loss that nothing stops; otherwise what time is left for.

        And what is certain if one side answers every stone of the other.
        """
        low, high = self.bounds_of_mover(state)
        return (low, high) if player == self.to_move(state) else (-high, -low)

    def bounds_of_mover(self, state: Position) -> tuple[int, int]:
        if self.is_terminal(state):
            value = self.utility(state, self.to_move(state))
            return value, value
        ply = popcount(state.filled)
        if self.wins_at_once(state):
            return self.most(ply + 1), self.most(ply + 1)
        if not self.safe_squares(state):
            return -self.most(ply + 2), -self.most(ply + 2)
        low, high = -self.most(ply + 4), self.most(ply + 3)
        theirs, free = state.mine ^ state.filled, self.board ^ state.filled
        if not self.has_line(state.mine | free):  # no four is open any more
            high = min(high, 0)
        if not self.has_line(theirs | free):
            low = max(low, 0)
        odd = self.landings(state) & self.seconds
        count = popcount(odd)
        if count == 0 or count == 2:
            high = min(high, self.most_if_answered(state.mine, theirs, free, odd))
        elif count == 1 or count == 3:  # with a stone there, the side to move is the one who answers
            for square in bits(odd):
                stone = bit(square)
                low = max(low, -self.most_if_answered(theirs, state.mine | stone, free ^ stone, odd ^ stone))
        return low, high

    def most_if_answered(self, mine: U64, theirs: U64, free: U64, odd: U64) -> int:
        """The most that the side to move can get if the opponent answers every stone with one in the same column.

        `odd` are the landing squares of the columns with an odd number of free squares, none or two of them; a stone
        on one is answered on the other. `cells` if the side to move may make four all the same.
        [the rules "claimeven" and "baseinverse" of Victor Allis, 1988]
        """
        one, other = odd ^ drop(odd), drop(odd)
        firsts, seconds = free & ~self.seconds, (free & self.seconds) ^ odd
        if self.has_line(mine | firsts | one) or (other and self.has_line(mine | firsts | other)):
            return self.cells
        if self.has_line(theirs | seconds | one) and (not other or self.has_line(theirs | seconds | other)):
            return -self.most(self.cells)
        return 0

    def landings(self, state: Position) -> U64:
        """The lowest free square of every column that is not full."""
        return (state.filled + self.bottom) & self.board

    def wins_at_once(self, state: Position) -> U64:
        """The squares on which the side to move makes four with its next stone."""
        return self.landings(state) & self.winning_squares(state.mine)

    def safe_squares(self, state: Position) -> U64:
        """The squares where the side to move does not lose to the next stone.

        The one square that the opponent threatens, if there is one; never below a square where the opponent wins.
        """
        landings, their_wins = self.landings(state), self.winning_squares(state.mine ^ state.filled)
        forced = landings & their_wins
        if forced:
            landings = forced if popcount(forced) == 1 else U64(0)
        return landings & ~(their_wins >> 1)

    def candidates(self, state: Position) -> Iterator[int]:
        """A win at once; otherwise what does not lose at once; otherwise anything, for it loses as soon."""
        squares = self.wins_at_once(state)
        if not squares:
            squares = self.safe_squares(state)
        if not squares:
            squares = self.landings(state)
        for square in bits(squares):
            yield square // self.height

    def is_nearly_over(self, state: Position) -> bool:
        return popcount(state.filled) >= self.cells - FEW

    def most(self, ply: int) -> int:
        """The most that the player of stone number `ply` can win with it or a later one.

        A player needs four stones to win, and the fourth is number 7 or 8.
        """
        if ply > self.cells:
            return 0
        return max(self.win_value(max(ply, 8 - ply % 2)), 0) if self.scored else 1

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The column, from 1; after 9 come the letters."""
        return COLUMNS[action]

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `......./......./......./......./...O.../...X... x`."""
        return f"{write_rows(self.stones_on_board(state), self.cols)} {'xo'[self.to_move(state)]}"

    def parse_state(self, text: str) -> Position:
        """A board as `format_state` writes it, or the columns that were played from the start: `4453`."""
        text = text.strip()
        if not set(text) & set("./ "):
            return self.position_after(text)
        hint = ", and columns played from there, such as '11', are understood too"
        letters, player = read_rows(self, text, self.rows, self.cols, "xo", hint)
        legend = "a stone; use X, O and . for empty"
        crosses, noughts = read_boards(text, letters, self.squares_from_top(), "XO", legend)
        self.refuse_impossible(crosses, noughts, player, text)
        return Position((crosses, noughts)[player], crosses | noughts)

    def position_after(self, columns: str) -> Position:
        """The position after these columns, from the start."""
        found = self.initial()
        for number, name in enumerate(columns, 1):
            col = COLUMNS[: self.cols].find(name)
            if col < 0:
                raise BadPosition(
                    f"{columns!r} names a column {name!r} that is not there; they are 1 to {COLUMNS[self.cols - 1]}"
                )
            if self.is_terminal(found):
                raise BadPosition(f"{columns!r} goes on after the end: the game is over after {number - 1} moves")
            if col not in self.actions(found):
                raise BadPosition(f"{columns!r} is impossible: column {name} is full before move {number}")
            found = self.result(found, col)
        return found

    def refuse_impossible(self, crosses: U64, noughts: U64, player: int, text: str) -> None:
        """BadPosition for stones that hang in the air, did not take turns, or came after the end.

        Whether the stones of each column can be interleaved in turns is not examined.
        """
        filled, ahead = crosses | noughts, popcount(crosses) - popcount(noughts)
        if (filled + self.bottom) & filled:
            raise BadPosition(
                f"{text!r} is impossible: a stone hangs in the air; stones fall to the lowest free square"
            )
        if ahead not in (0, 1):
            raise BadPosition(
                f"{text!r} is impossible: it has {popcount(crosses)} X and {popcount(noughts)} O, "
                "but X starts and the players take turns"
            )
        if player != ahead:
            raise BadPosition(
                f"{text!r} is impossible: with {popcount(crosses)} X and {popcount(noughts)} O "
                f"it is the turn of {'xo'[ahead]}"
            )
        mine, last = (crosses, noughts) if player == 0 else (noughts, crosses)
        if self.has_line(mine):
            raise BadPosition(f"{text!r} is impossible: the side to move already has four, so the game was over before")
        tops = last & ((filled + self.bottom) >> 1)
        if self.has_line(last) and all(self.has_line(last ^ bit(top)) for top in bits(tops)):
            raise BadPosition(f"{text!r} is impossible: no last move on top of a column made all these fours")

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        lowest = {col: popcount((state.filled >> (col * self.height)) & self.column) for col in range(self.cols)}
        winning = self.winning_stones(state.mine ^ state.filled)
        return Grid(
            self.rows,
            self.cols,
            self.stones_on_board(state),
            col_labels=tuple(COLUMNS[: self.cols]),
            falling=True,
            touches={
                self.format_action(state, col): ((self.rows - 1 - lowest[col]) * self.cols + col,)
                for col in sorted(legal_actions(self, state))
            },
            marked=tuple(cell for cell, square in enumerate(self.squares_from_top()) if winning & bit(square)),
            colours=("red", "gold"),
            material="plastic",
        )

    def squares_from_top(self) -> list[int]:
        """The squares row by row, from the top left."""
        return [col * self.height + row for row in reversed(range(self.rows)) for col in range(self.cols)]

    def stones_on_board(self, state: Position) -> tuple[Piece | None, ...]:
        """The stones, from the top left."""
        mover = self.to_move(state)
        stones = (state.mine, state.mine ^ state.filled)
        return pieces_on(self.squares_from_top(), stones, (STONES[mover], STONES[1 - mover]))

    def winning_stones(self, stones: U64) -> U64:
        """The stones that are part of a four."""
        found = U64(0)
        for step in self.steps:
            for i in range(4):
                found |= fours(stones, step) << (i * step)
        return found


def fours(squares: U64, step: int) -> U64:
    """The first squares of the fours, each `step` bits from the last, that lie wholly within `squares`."""
    pairs = squares & (squares >> step)
    return pairs & (pairs >> (2 * step))


def completing_squares(stones: U64, step: int) -> U64:
    """The squares that make four with three of `stones`, each `step` bits from the next."""
    before = (stones << step) & (stones << (2 * step))
    after = (stones >> step) & (stones >> (2 * step))
    return (before & ((stones << (3 * step)) | (stones >> step))) | (
        after & ((stones >> (3 * step)) | (stones << step))
    )
