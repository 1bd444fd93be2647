"""Hex: link your two sides of the board with a chain of stones.

    a b c              a cell is row * cols + col, from the upper left corner: a1 is 0, b1 is 1;
     . R .  1          its neighbours are beside it, above it and above it to the right, below it and below it to
      B R .  2         the left: six of them;
       R . .  3        Red links top and bottom, Blue links left and right: here Red has won with b1-b2-a3

Stones are never moved or taken. When the board is full, exactly one player has linked, so there are no draws.
Invented by Piet Hein (1942) and by John Nash (1948), who proved that the first player can win.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.grids import LETTERS, read_rows
from zermelo.core.picture import Piece
from zermelo.core.picture import Points as Picture
from zermelo.core.point_sets import (
    Points,
    common,
    draw_from,
    has_point,
    is_any,
    places_of,
    points_of,
    shift_down,
    shift_up,
    size_of,
    union,
    with_point,
    without,
)
from zermelo.kernel import U64, draw_below, hash_numbers, lsb, state

RED, BLUE = 0, 1
STONES = (Piece("R", RED), Piece("B", BLUE))
MOST_SIZE = 19
SWAP = "swap"
TEMPO = 0.5
"""What the turn is worth, in stones."""


@state
class Position(NamedTuple):
    red: Points
    blue: Points
    red_linked: Points
    """The red stones that are linked with the top."""
    blue_linked: Points
    """The blue stones that are linked with the left side."""
    player: int


class Hex(Game):
    """Link your two sides of the board with a chain of stones; the opponent links the other two."""

    name = "hex"
    title = "Hex"
    option_labels = {"cols": "columns", "swap": "second player may take the first stone"}
    seats = ("Red", "Blue")
    perft_table = {"": (121, 14520, 1727880, 203889840)}

    def __init__(self, rows: int = 11, cols: int = 11, swap: bool = False) -> None:
        if not (1 <= rows <= MOST_SIZE and 1 <= cols <= MOST_SIZE and rows * cols > 1):
            raise UsageError(f"hex has 1 to {MOST_SIZE} rows and columns, not {rows} by {cols}")
        if swap and rows != cols:
            raise UsageError(f"a stone can be swapped on a square board only, not on {rows} by {cols} cells")
        self.rows, self.cols, self.swap = rows, cols, swap
        self.cells = rows * cols
        self.words = (self.cells + 63) // 64
        self.all, self.none = self.points(range(self.cells)), self.points(())
        self.top, self.bottom = self.points(range(cols)), self.points(range(self.cells - cols, self.cells))
        self.left = self.points(range(0, self.cells, cols))
        self.right = self.points(range(cols - 1, self.cells, cols))
        self.weights = tuple(self.weight(cell) for cell in range(self.cells))

    def points(self, places: range | tuple[int, ...]) -> Points:
        return points_of(places, self.words)

    def weight(self, cell: int) -> float:
        """1 in the middle of the board, 0 in the acute corners and beyond."""
        row, col = cell // self.cols - (self.rows - 1) / 2, cell % self.cols - (self.cols - 1) / 2
        return 1 - max(abs(row), abs(col), abs(row + col)) / (self.rows + self.cols)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.none, self.none, self.none, self.none, RED)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Any empty cell; or to take over the only stone."""
        free = self.free(state)
        for word in range(self.words):
            left = free[word]
            while left != U64(0):
                yield 64 * word + lsb(left)
                left &= left - U64(1)
        if self.may_swap(state):
            yield self.cells

    def result(self, state: Position, action: int) -> Position:
        if state.player == RED:
            red = with_point(state.red, action)
            linked = self.link(state.red_linked, red, action, self.top)
            return Position(red, state.blue, linked, state.blue_linked, BLUE)
        if action == self.cells:
            return self.swapped(state)
        blue = with_point(state.blue, action)
        linked = self.link(state.blue_linked, blue, action, self.left)
        return Position(state.red, blue, state.red_linked, linked, RED)

    def is_terminal(self, state: Position) -> bool:
        """Only the player who has just moved can have linked."""
        if state.player == BLUE:
            return is_any(common(state.red_linked, self.bottom))
        return is_any(common(state.blue_linked, self.right))

    def utility(self, state: Position, player: int) -> int:
        return -1 if player == state.player else 1

    def may_swap(self, state: Position) -> bool:
        return self.swap and state.player == BLUE and size_of(state.red) == 1 and not is_any(state.blue)

    def swapped(self, state: Position) -> Position:
        """The red stone becomes a blue one in the mirrored cell, in the same place for its new owner."""
        cell = 0
        for word in range(self.words):
            if state.red[word] != U64(0):
                cell = 64 * word + lsb(state.red[word])
        blue = with_point(self.none, cell % self.cols * self.cols + cell // self.cols)
        return Position(self.none, blue, self.none, common(blue, self.left), RED)

    def free(self, state: Position) -> Points:
        return without(without(self.all, state.red), state.blue)

    # -- links -------------------------------------------------------------------------------------

    def beside(self, cells: Points) -> Points:
        """All neighbours of these cells; some may be of the cells themselves."""
        found = union(shift_up(cells, self.cols), shift_down(cells, self.cols))
        if self.cols > 1:
            rightward, leftward = without(cells, self.right), without(cells, self.left)
            found = union(found, union(shift_up(rightward, 1), shift_down(leftward, 1)))
            found = union(found, union(shift_up(leftward, self.cols - 1), shift_down(rightward, self.cols - 1)))
        return common(found, self.all)

    def link(self, linked: Points, mine: Points, cell: int, side: Points) -> Points:
        """The stones linked with a side after a stone was set: nothing to fill unless it touches them or the side."""
        stone = with_point(self.none, cell)
        near = self.beside(stone)
        if not (has_point(side, cell) or is_any(common(near, linked))):
            return linked
        linked = union(linked, stone)
        return self.fill(linked, mine) if is_any(without(common(near, mine), linked)) else linked

    def fill(self, linked: Points, mine: Points) -> Points:
        """The linked stones and all to which they lead."""
        while True:
            more = union(linked, common(mine, self.beside(linked)))
            if more == linked:
                return linked
            linked = more

    # -- knowledge ---------------------------------------------------------------------------------

    def candidates(self, state: Position) -> Iterator[int]:
        """The cells that win at once, if there are any; else those where the opponent would win at once; else all."""
        own, other = state.player, 1 - state.player
        wanted = self.winning(state, own)
        if not is_any(wanted):
            wanted = self.winning(state, other)
        if not is_any(wanted):
            wanted = self.free(state)
        for word in range(self.words):
            left = wanted[word]
            while left != U64(0):
                yield 64 * word + lsb(left)
                left &= left - U64(1)
        if self.may_swap(state):
            yield self.cells

    def winning(self, state: Position, player: int) -> Points:
        """The empty cells where a stone of the player links both sides."""
        mine = state.red if player == RED else state.blue
        linked = state.red_linked if player == RED else state.blue_linked
        side = self.top if player == RED else self.left
        far = self.bottom if player == RED else self.right
        near_side = union(side, self.beside(linked))
        near_far = union(far, self.beside(self.fill(common(mine, far), mine)))
        return common(self.free(state), common(near_side, near_far))

    def evaluate(self, state: Position, player: int) -> float:
        """Who needs fewer stones to link, if the opponent does nothing."""
        lead = self.distance(state, BLUE) - self.distance(state, RED) + (TEMPO if state.player == RED else -TEMPO)
        found = lead / (self.rows + self.cols)
        return float(found if player == RED else -found)

    def distance(self, state: Position, player: int) -> int:
        """The number of stones that the player needs to link."""
        mine = state.red if player == RED else state.blue
        reached = state.red_linked if player == RED else state.blue_linked
        side = self.top if player == RED else self.left
        far = self.bottom if player == RED else self.right
        free, found = self.free(state), 0
        while not is_any(common(reached, far)):
            more = common(free, union(side, self.beside(reached)))
            more = without(more, reached)
            if not is_any(more):
                return self.rows if player == RED else self.cols  # the opponent has linked
            reached = self.fill(union(reached, more), mine)
            found += 1
        return found

    def after_pass(self, state: Position) -> Position:
        return Position(state.red, state.blue, state.red_linked, state.blue_linked, 1 - state.player)

    def order(self, state: Position, action: int) -> float:
        """The middle of the board."""
        return 1.0 if action == self.cells else self.weights[action]

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any move, all equally likely, without a list of them."""
        free = self.free(state)
        count = size_of(free)
        if self.may_swap(state) and draw_below(luck, count + 1) == count:
            return self.cells
        return draw_from(free, count, luck)

    def count(self, state: Position) -> int:
        if self.is_terminal(state):
            return 0
        return size_of(self.free(state)) + (1 if self.may_swap(state) else 0)

    def key(self, state: Position) -> U64:
        """The stones and the turn; the links follow from the stones."""
        return hash_numbers((state.red, state.blue, state.player))

    def canonical(self, state: Position) -> Position:
        """A board turned by half a turn is alike."""
        red, blue = self.turned(state.red), self.turned(state.blue)
        for i in range(self.words):
            if (red[i], blue[i]) != (state.red[i], state.blue[i]):
                is_less = red[i] < state.red[i] or (red[i] == state.red[i] and blue[i] < state.blue[i])
                return self.with_links(red, blue, state.player) if is_less else state
        return state

    def turned(self, cells: Points) -> Points:
        """Cell k as the last but k."""
        found = self.none
        for i in range(self.words):
            left = cells[i]
            while left != U64(0):
                found = with_point(found, self.cells - 1 - 64 * i - lsb(left))
                left &= left - U64(1)
        return found

    def with_links(self, red: Points, blue: Points, player: int) -> Position:
        """The position with these stones."""
        red_linked = self.fill(common(red, self.top), red)
        blue_linked = self.fill(common(blue, self.left), blue)
        return Position(red, blue, red_linked, blue_linked, player)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The cell, `b2`, with the columns lettered from the left and the rows numbered from the top; or `swap`."""
        return SWAP if action == self.cells else self.cell_name(action)

    def cell_name(self, cell: int) -> str:
        return LETTERS[cell % self.cols] + str(cell // self.cols + 1)

    def format_state(self, state: Position) -> str:
        """The rows from the top and the side to move: `.R./BR./... b`."""
        letters = "".join(stone.symbol if stone else "." for stone in self.stones(state))
        rows = [letters[start : start + self.cols] for start in range(0, self.cells, self.cols)]
        return f"{'/'.join(rows)} {'rb'[state.player]}"

    def parse_state(self, text: str) -> Position:
        letters, player = read_rows(self, text, self.rows, self.cols, "rb")
        if set(letters) - set("RB."):
            raise BadPosition(f"{text!r} has a letter that is not a stone; use R, B and . for empty")
        red, blue = (
            self.points(tuple(cell for cell, letter in enumerate(letters) if letter == symbol)) for symbol in "RB"
        )
        found = self.with_links(red, blue, player)
        self.refuse_impossible(found, text)
        return found

    def refuse_impossible(self, position: Position, text: str) -> None:
        """BadPosition unless play from the start can lead here."""
        red, blue = size_of(position.red), size_of(position.blue)
        possible = {(0, RED), (1, BLUE)} | ({(-1, RED), (0, BLUE)} if self.swap else set())
        if (red - blue, position.player) not in possible or (position.player == BLUE and red + blue == 0):
            raise BadPosition(
                f"{text!r} is impossible: with {red} R and {blue} B it is not the turn of {'rb'[position.player]}"
            )
        if self.is_terminal(position._replace(player=1 - position.player)):
            raise BadPosition(
                f"{text!r} is impossible: the side to move has linked already, so the game was over before"
            )
        last = position.blue if position.player == RED else position.red
        if self.is_terminal(position) and all(self.is_over_without(position, cell) for cell in places_of(last)):
            raise BadPosition(f"{text!r} is impossible: no single last stone linked the sides")

    def is_over_without(self, position: Position, cell: int) -> bool:
        stone = self.points((cell,))
        red, blue = without(position.red, stone), without(position.blue, stone)
        return self.is_terminal(self.with_links(red, blue, position.player))

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Picture:
        """The middles of the hexagons; each row is half a cell further to the right."""
        rows, cols = range(self.rows), range(self.cols)
        places = tuple((col + row / 2, float(row)) for row in rows for col in cols)
        right = [(cell, cell + 1) for cell in range(self.cells) if cell % self.cols < self.cols - 1]
        down = [(cell, cell + self.cols) for cell in range(self.cells - self.cols)]
        slant = [(cell, cell + self.cols - 1) for cell in range(self.cells - self.cols) if cell % self.cols]
        letters = [(col - 0.5, -1.0, LETTERS[col]) for col in cols]
        numbers = [(row / 2 - 1.0, float(row), str(row + 1)) for row in rows]
        cell_of = {self.format_action(state, action): action for action in legal_actions(self, state)}
        touches = {name: (cell,) if cell < self.cells else () for name, cell in cell_of.items()}
        return Picture(
            places,
            self.stones(state),
            (*right, *down, *slant),
            (*letters, *numbers),
            touches,
            marked=tuple(self.chain(state)) if self.is_terminal(state) else (),
            material="wood",
            caption=f"{self.seat(RED)} links top and bottom, {self.seat(BLUE)} left and right",
        )

    def stones(self, state: Position) -> tuple[Piece | None, ...]:
        owners = ((state.red, STONES[RED]), (state.blue, STONES[BLUE]))
        return tuple(
            next((stone for cells, stone in owners if has_point(cells, cell)), None) for cell in range(self.cells)
        )

    def chain(self, state: Position) -> Iterator[int]:
        """The stones of the winner that are linked with both sides."""
        is_red = state.player == BLUE
        linked = state.red_linked if is_red else state.blue_linked
        return places_of(self.fill(common(linked, self.bottom if is_red else self.right), linked))
