"""2048: push all tiles to one side; equal tiles that meet merge, and a new tile appears.

    4 |    2    .    .    .        a move is UP, RIGHT, DOWN or LEFT;
    3 |    4    2    .    .        an outcome is 2 * cell, or 2 * cell + 1 if the new tile is a 4;
    2 |   16    8    2    .        a cell is row * 4 + col, from the upper left, on boards of any size
    1 |  512   64   16    2
           a    b    c    d

Invented by Gabriele Cirulli (2014). The score is the sum of all tiles that were made by merging. With a target the
payoff is 1 for reaching it and 0 otherwise; without one it is the score when no move is left.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Grid, Piece
from zermelo.games.game2048.board import (
    HIGHEST,
    ONES,
    SIDE,
    Slides,
    flip,
    has_rank,
    mirror,
    rank_at,
    tiles_of,
    transpose,
)
from zermelo.games.game2048.evaluation import Promise, chain
from zermelo.kernel import U64, bits, draw_below, nth_bit, popcount, state

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")
HOPES = 73_000.0
"""The points that a search of a few plies makes on the full board."""
LOOSE, TIGHT = 2.0, -6.0
"""Added to the logarithm of the odds that the board promises; TIGHT if the target takes all cells there are."""


@state
class Position(NamedTuple):
    board: U64
    """Four bits for each cell: see `board`."""
    score: int
    tiles_to_come: int
    """The number of tiles that chance places before the player moves: two at the start, one after each move."""


class Game2048(Game):
    """One player pushes numbered tiles, equal ones merge, and chance adds a 2 or a 4 after every move."""

    name = "2048"
    title = "2048"
    option_labels = {"cols": "columns", "target": "tile to reach", "four": "chance of a new 4"}
    players = 1
    zero_sum = False
    chance = True
    perft_table = {"": (32, 960, 3584, 101120, 375072, 10091584, 37405888)}

    def __init__(self, rows: int = 4, cols: int = 4, target: int = 2048, four: float = 0.1) -> None:
        if not (2 <= rows <= SIDE and 2 <= cols <= SIDE):
            raise UsageError(f"2048 is played on 2 to 4 rows and 2 to 4 columns, not {rows} x {cols}")
        if not 0 <= four <= 1:
            raise UsageError(f"the new tile of 2048 is a 4 with a probability from 0 to 1, not {four}")
        self.highest = min(rows * cols + (four > 0), HIGHEST)
        if target and (target.bit_count() != 1 or not 8 <= target <= 1 << self.highest):
            raise UsageError(
                f"the target of 2048 on {rows} x {cols} is a power of two from 8 to {1 << self.highest}, "
                f"or 0 to play on; not {target}"
            )
        self.rows, self.cols, self.target, self.four = rows, cols, target, float(four)
        self.target_rank = target.bit_length() - 1
        self.cells = lowest_bits(rows, cols)
        self.pairs_across = lowest_bits(rows, cols - 1)
        self.pairs_down = lowest_bits(rows - 1, cols)
        self.spare_cols = 4 * (SIDE - cols)
        self.spare_rows = 4 * SIDE * (SIDE - rows)
        self.slides = Slides()
        self.promise = Promise(rows, cols)
        self.hopes = HOPES * (rows * cols / SIDE**2) ** 5
        self.full = chain(self.highest)
        self.nearly = chain(self.target_rank - 1)
        self.room = TIGHT if self.target_rank > rows * cols else LOOSE
        self.most = most_points(rows * cols, self.highest)
        self.utility_range = (0.0, 1.0) if target else (0.0, float(self.most))
        self.margins = target == 0

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(U64(0), 0, 2)

    def to_move(self, state: Position) -> int:
        return CHANCE if state.tiles_to_come > 0 else 0

    def actions(self, state: Position) -> Iterator[int]:
        """Every direction in which something moves."""
        if state.tiles_to_come > 0:
            for outcome, _ in self.outcomes(state):
                yield outcome
        else:
            for direction in bits(self.directions(state.board)):  # noqa: UP028 - `yield from` does not compile
                yield direction

    def directions(self, board: U64) -> U64:
        """A bit for each direction in which a tile can step onto an empty cell or onto its equal."""
        tiles = tiles_of(board)
        gaps = self.cells & ~tiles
        across = tiles & self.pairs_across & ~tiles_of(board ^ board >> 4)
        down = tiles & self.pairs_down & ~tiles_of(board ^ board >> 16)
        if self.highest == HIGHEST:
            across &= ~full_cells(board)
            down &= ~full_cells(board)
        found = U64(0)
        if down | gaps & tiles >> 16:
            found |= U64(1 << UP)
        if across | tiles & self.pairs_across & gaps >> 4:
            found |= U64(1 << RIGHT)
        if down | tiles & gaps >> 16:
            found |= U64(1 << DOWN)
        if across | gaps & self.pairs_across & tiles >> 4:
            found |= U64(1 << LEFT)
        return found

    def outcomes(self, state: Position) -> Iterator[tuple[int, float]]:
        """A 2 or a 4 on any empty cell, all cells alike."""
        gaps = self.cells & ~tiles_of(state.board)
        share = 1 / popcount(gaps)
        for place in bits(gaps):
            if self.four < 1:
                yield place >> 1, share * (1 - self.four)
            if self.four > 0:
                yield (place >> 1) + 1, share * self.four

    def result(self, state: Position, action: int) -> Position:
        """Push all tiles, or place the new one."""
        if state.tiles_to_come > 0:
            tile = U64(1 + (action & 1)) << 4 * (action >> 1)
            return Position(state.board | tile, state.score, state.tiles_to_come - 1)
        board, points = self.push(state.board, action)
        return Position(board, state.score + points, 1)

    def push(self, board: U64, direction: int) -> tuple[U64, int]:
        """The board after a push, and its points. A merged tile does not merge again in the same push."""
        if direction == LEFT:
            return self.slides.push_left(board)
        if direction == RIGHT:
            board, points = self.slides.push_left(mirror(board))
            return mirror(board) >> self.spare_cols, points
        if direction == UP:
            board, points = self.slides.push_left(transpose(board))
            return transpose(board), points
        board, points = self.slides.push_left(transpose(flip(board)))
        return flip(transpose(board)) >> self.spare_rows, points

    def is_terminal(self, state: Position) -> bool:
        """The target is reached, or nothing moves."""
        if self.target > 0 and has_rank(state.board, self.target_rank):
            return True
        return state.tiles_to_come == 0 and self.directions(state.board) == U64(0)

    def utility(self, state: Position, player: int) -> float:
        if self.target > 0:
            return 1.0 if has_rank(state.board, self.target_rank) else 0.0
        return float(state.score)

    def count(self, state: Position) -> int:
        if self.is_terminal(state):
            return 0
        if state.tiles_to_come == 0:
            return popcount(self.directions(state.board))
        gaps = popcount(self.cells & ~tiles_of(state.board))
        return 2 * gaps if 0 < self.four < 1 else gaps

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The chance to reach the target; or the score, and points hoped for, fewer as the board promises less."""
        promise = self.promise.of(state.board)
        if self.target > 0:
            return 1 / (1 + math.exp(-self.room - (promise + self.nearly) / (self.nearly / 6 + 2)))
        return state.score + self.hopes * math.exp(3 * promise / self.full)

    def order(self, state: Position, action: int) -> float:
        """The evaluation of the board after the push."""
        return self.promise.of(self.push(state.board, action)[0])

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any direction in which something moves."""
        directions = self.directions(state.board)
        return nth_bit(directions, draw_below(luck, popcount(directions)))

    def bank(self, state: Position, player: int) -> float:
        """Points that were made stay, and nothing depends on them."""
        return 0.0 if self.target > 0 else float(state.score)

    def without_bank(self, state: Position) -> Position:
        return Position(state.board, 0, state.tiles_to_come)

    def canonical(self, state: Position) -> Position:
        """The least of the turned and mirrored boards; on the way to a target the score counts for nothing."""
        board = self.least_mirror(state.board)
        if self.rows == self.cols:
            board = min(board, self.least_mirror(transpose(state.board)))
        return Position(board, 0 if self.target > 0 else state.score, state.tiles_to_come)

    def least_mirror(self, board: U64) -> U64:
        across = mirror(board) >> self.spare_cols
        found = min(board, across)
        found = min(found, flip(board) >> self.spare_rows)
        return min(found, flip(across) >> self.spare_rows)

    def bounds(self, state: Position, player: int) -> tuple[float, float]:
        """The score never falls."""
        return (0.0, 1.0) if self.target > 0 else (float(state.score), float(self.most))

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`up`, `right`, `down` or `left`; a new tile and its cell: `2@b3`."""
        if state.tiles_to_come == 0:
            return DIRECTIONS[action]
        return f"{2 + 2 * (action & 1)}@{self.cell_name(action >> 1)}"

    def parse_action(self, state: Position, text: str) -> int:
        """A direction may be cut down to its first letter."""
        wanted = text.strip().lower()
        if state.tiles_to_come == 0 and len(wanted) == 1:
            wanted = next((direction for direction in DIRECTIONS if direction[0] == wanted), wanted)
        try:
            found: int = super().parse_action(state, wanted)
        except IllegalMove:
            super().parse_action(state, text)  # complains in the person's own words
            raise
        return found

    def cell_name(self, cell: int) -> str:
        return "abcd"[cell % SIDE] + str(self.rows - cell // SIDE)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the score, `.,2/4,.  0`; then the tiles still to come: `.,./.,. 0 +2`."""
        rows = [
            ",".join(str(1 << rank) if rank else "." for rank in row) for row in self.ranks_from_the_top(state.board)
        ]
        text = f"{'/'.join(rows)} {state.score}"
        return f"{text} +{state.tiles_to_come}" if state.tiles_to_come else text

    def parse_state(self, text: str) -> Position:
        """The score may be left out: then all tiles were made of twos."""
        match = re.fullmatch(r"([\d.,/]+)(?: (\d{1,8}))?(?: \+([12]))?", text.strip(), re.ASCII)
        rows = [row.split(",") for row in match[1].split("/")] if match else []
        if not match or len(rows) != self.rows or any(len(row) != self.cols for row in rows):
            raise BadPosition(
                f"{text!r} is not a position of {self}; write the rows from the top and the score, "
                f"as in {self.format_state(Position(U64(0x12), 0, 0))!r}"
            )
        board = 0
        for row, tiles in enumerate(rows):
            for col, tile in enumerate(tiles):
                if tile != "." and not (tile.isdecimal() and 2 <= int(tile) <= 1 << self.highest and is_power(tile)):
                    raise BadPosition(
                        f"{text!r} has a cell {tile!r}; a tile is a power of two from 2 to {1 << self.highest}, "
                        "and . is an empty cell"
                    )
                board |= (int(tile).bit_length() - 1 if tile != "." else 0) << 4 * (SIDE * row + col)
        score = self.all_points(U64(board)) if match[2] is None else int(match[2])
        found = Position(U64(board), score, int(match[3] or 0))
        if sentence := self.impossible(found):
            raise BadPosition(f"{text!r} is impossible: {sentence}")
        return found

    def impossible(self, state: Position) -> str:
        """Why no game can reach the position, as far as simple tests show; "" if they find nothing."""
        ranks = [rank for row in self.ranks_from_the_top(state.board) for rank in row if rank]
        is_full = len(ranks) == self.rows * self.cols
        if (state.tiles_to_come == 2) != (not ranks) or (state.tiles_to_come == 0 and len(ranks) < 2):
            return "two tiles come (+2) onto the empty board, and the player moves when there are two or more"
        if state.tiles_to_come == 1 and is_full:
            return "there is no room for the tile to come"
        if self.target and max(ranks, default=0) > self.target_rank:
            return f"a game to {self.target} ends with that tile"
        if self.target and self.target_rank in ranks and state.tiles_to_come == 0:
            return f"a game to {self.target} ends before the next tile comes (+1)"
        most = self.all_points(state.board)
        fours, rest = divmod(most - state.score, 4)
        if rest or not 0 <= 4 * fours <= sum(1 << rank for rank in ranks) or (fours and self.four == 0):
            return f"these tiles make {most} points, less 4 for each 4 that chance placed, not {state.score}"
        return ""

    def all_points(self, board: U64) -> int:
        """The score if chance had placed no 4."""
        return sum((rank - 1) << rank for row in self.ranks_from_the_top(board) for rank in row if rank)

    def ranks_from_the_top(self, board: U64) -> list[list[int]]:
        return [[rank_at(board, SIDE * row + col) for col in range(self.cols)] for row in range(self.rows)]

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        ranks = [rank for row in self.ranks_from_the_top(state.board) for rank in row]
        moves = list(legal_actions(self, state))
        return Grid(
            self.rows,
            self.cols,
            tuple(Piece(str(1 << rank), 0, f"tile-{1 << rank}") if rank else None for rank in ranks),
            row_labels=tuple(str(row) for row in range(self.rows, 0, -1)),
            col_labels=tuple("abcd"[: self.cols]),
            touches={self.format_action(state, action): self.touched_cells(state, action) for action in moves},
            marked=tuple(place for place, rank in enumerate(ranks) if self.target and rank == self.target_rank),
            caption=f"score {state.score}",
        )

    def touched_cells(self, state: Position, action: int) -> tuple[int, ...]:
        """The cell of a new tile; a direction touches none."""
        if state.tiles_to_come == 0:
            return ()
        row, col = divmod(action >> 1, SIDE)
        return (row * self.cols + col,)


def lowest_bits(rows: int, cols: int) -> U64:
    """The lowest bit of each cell in the upper left corner."""
    return U64(sum(1 << 4 * (SIDE * row + col) for row in range(rows) for col in range(cols)))


def full_cells(board: U64) -> U64:
    """The lowest bit of each cell with the greatest tile."""
    board &= board >> 2
    return board & board >> 1 & ONES


def most_points(cells: int, highest: int) -> int:
    """An upper limit of the score: the greatest tile possible on each cell that is left, all made of twos."""
    ranks = [min(left + 1, highest) for left in range(1, cells + 1)]
    return sum((rank - 1) << rank for rank in ranks)


def is_power(number: str) -> bool:
    return int(number).bit_count() == 1
