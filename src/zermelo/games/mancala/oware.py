"""Oware, by the rules of abapa: sow a house of yours; twos and threes that you make on the other side are yours.

           F  E  D  C  B  A
        +--------------------+      South starts and sees the board like this. Seeds go round
        |  4  4  4  4  4  4  |      counter-clockwise; captured seeds leave the board.
      0 |                    | 0
        |  4  4  4  4  4  4  |      A move is a house, from 0; states are seen by the side to move.
        +--------------------+      The places of a sowing are the own houses and then those of the
           a  b  c  d  e  f         other side, numbered on from the own first house.

John Romein and Henri Bal computed all positions of awari, which ends a little differently: with best play it is a draw
("Solving Awari with Parallel Retrograde Analysis", IEEE Computer 36, 2003).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition
from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid
from zermelo.games.mancala.pits import (
    SOUTH,
    at_least,
    board_picture,
    check_size,
    filled_pits,
    ones,
    pit_name,
    read_board,
    seeds_in,
    seeds_of,
    write_board,
)
from zermelo.kernel import U64, bit, mix, msb, popcount, state

QUIET_PLIES = 100
"""The game ends after this many moves without a capture, because seeds may go round for ever."""


@state
class Position(NamedTuple):
    mine: U64
    """The houses of the side to move, and what it has captured."""
    theirs: U64
    player: int
    quiet: int
    """Plies since a capture."""


class Oware(Game):
    """Sow seeds; a last seed that makes two or three in an enemy house captures them, and so on backwards.

    The payoff is the margin in seeds. Without `margin`, a win is 1 and a draw 0, and the game ends once a side has
    more than half.
    """

    name = "oware"
    option_labels = {"houses": "houses on a side", "seeds": "seeds in a house", "margin": "the margin counts"}
    seats = ("South", "North")
    unit_name = "seeds"
    perft_table = {"": (6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872)}

    def __init__(self, houses: int = 6, seeds: int = 4, margin: bool = True) -> None:
        check_size("oware", houses, seeds)
        self.houses, self.seeds, self.margin = houses, seeds, margin
        self.margins = margin
        self.all_seeds, self.half = 2 * houses * seeds, houses * seeds
        self.board = bit(8 * houses) - U64(1)
        most = self.all_seeds if margin else 1
        self.utility_range = (-most, most)
        self.unit = 1.0 if margin else 1 / self.all_seeds

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        side = ones(self.houses) * U64(self.seeds)
        return Position(side, side, SOUTH, 0)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """A house that is not empty; if the other side has no seeds, one that gives it some."""
        houses = self.playable(state)
        while houses:
            house = msb(houses) >> 3
            yield house
            houses ^= bit(8 * house + 7)

    def count(self, state: Position) -> int:
        return 0 if self.is_terminal(state) else popcount(self.playable(state))

    def playable(self, state: Position) -> U64:
        """The highest bit of the byte of every house that may be sown."""
        if state.theirs & self.board:
            return filled_pits(state.mine, self.houses)
        found = U64(0)
        for house in range(self.houses):
            if seeds_in(state.mine, house) >= self.houses - house:
                found |= bit(8 * house + 7)
        return found

    def result(self, state: Position, action: int) -> Position:
        mine, theirs, taken = self.sow(state, action)
        quiet = 0 if taken else state.quiet + 1
        return Position(theirs ^ taken, mine + (U64(seeds_of(taken)) << (8 * self.houses)), 1 - state.player, quiet)

    def sow(self, state: Position, action: int) -> tuple[U64, U64, U64]:
        """Both sides after a house was sown, which is passed by, and what is captured of the other side's seeds."""
        houses, seeds = self.houses, seeds_in(state.mine, action)
        lap = 2 * houses - 1
        laps, end = U64((seeds - 1) // lap), action + 1 + (seeds - 1) % lap
        mine = (state.mine & ~(U64(0xFF) << (8 * action))) + laps * (ones(houses) ^ bit(8 * action))
        mine += ones(min(end + 1, houses)) - ones(action + 1)
        theirs = state.theirs + laps * ones(houses) + ones(min(max(end + 1 - houses, 0), houses))
        if end >= 2 * houses:
            return mine + ones(end + 1 - 2 * houses), theirs, U64(0)
        return mine, theirs, self.captured(theirs, end - houses)

    def captured(self, theirs: U64, house: int) -> U64:
        """Twos and threes from the last seed's house backwards; nothing if that were all the other side has."""
        taken = U64(0)
        while house >= 0 and 2 <= seeds_in(theirs, house) <= 3:
            taken |= theirs & (U64(0xFF) << (8 * house))
            house -= 1
        return taken if taken != theirs & self.board else U64(0)

    def is_terminal(self, state: Position) -> bool:
        """The side to move has no move, or nothing was captured for long; without `margin`, a side has most seeds."""
        if state.quiet >= QUIET_PLIES or not self.playable(state):
            return True
        captured = max(seeds_in(state.mine, self.houses), seeds_in(state.theirs, self.houses))
        return not self.margin and captured > self.half

    def utility(self, state: Position, player: int) -> int:
        """Seeds that are left on the board belong to their side."""
        margin = self.payoff(seeds_of(state.mine) - seeds_of(state.theirs))
        return margin if player == state.player else -margin

    def payoff(self, margin: int) -> int:
        return margin if self.margin else (margin > 0) - (margin < 0)

    def repetition_key(self, state: Position) -> Position:
        """Without the clock of the quiet plies."""
        return Position(state.mine, state.theirs, state.player, 0)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The margin that is likely: that of what is captured, and of houses that are not easily captured."""
        lead = self.promise(state.mine) - self.promise(state.theirs)
        most = max(0, self.all_seeds - 2 * seeds_in(state.theirs, self.houses) - 1)
        least = min(0, 2 * seeds_in(state.mine, self.houses) - self.all_seeds + 1)
        lead = self.scale(max(least, min(most, lead)))
        return lead if player == state.player else -lead

    def promise(self, side: U64) -> float:
        """What a side may hope for; the weights fit the results of a search that played two thousand games with itself.

        Small houses can be captured, empty ones cannot be sown, and one with more than a lap cannot be reached.
        """
        houses = self.houses
        small = 0.7 * popcount(at_least(side, houses, 1)) + 0.3 * popcount(at_least(side, houses, 2))
        large = 0.4 * popcount(at_least(side, houses, 3)) + 1.5 * popcount(at_least(side, houses, 2 * houses))
        return seeds_in(side, houses) + small + large

    def scale(self, lead: float) -> float:
        """A lead in seeds on the scale of `utility`."""
        return self.unit * lead

    def is_noisy(self, state: Position, action: int) -> bool:
        """A capture."""
        _, _, taken = self.sow(state, action)
        return bool(taken)

    def gain(self, state: Position, action: int) -> float:
        """The number of captured seeds."""
        _, _, taken = self.sow(state, action)
        return self.scale(seeds_of(taken))

    def order(self, state: Position, action: int) -> float:
        """The largest capture."""
        _, _, taken = self.sow(state, action)
        return seeds_of(taken)

    def key(self, state: Position) -> U64:
        """A sum of products with odd factors, mixed; the clock is part of it, because it decides how games end."""
        word = state.mine * U64(0x9E3779B97F4A7C15) + state.theirs * U64(0xD1B54A32D192ED03)
        return mix(word + U64(2 * state.quiet + state.player) * U64(0x8CB92BA72F3D8DD7))

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Bounds from the captured seeds, which stay captured."""
        low = self.payoff(2 * seeds_in(state.mine, self.houses) - self.all_seeds)
        high = self.payoff(self.all_seeds - 2 * seeds_in(state.theirs, self.houses))
        return (low, high) if player == state.player else (-high, -low)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """A letter, small for South and large for North."""
        return pit_name(state.player, action)

    def format_state(self, state: Position) -> str:
        """Houses and captured seeds of South and North, the side to move, and the quiet plies if there are any.

        The start is `4-4-4-4-4-4:0 4-4-4-4-4-4:0 s`.
        """
        board = write_board(*self.sides(state), self.houses, state.player)
        return f"{board} {state.quiet}" if state.quiet else board

    def parse_state(self, text: str) -> Position:
        *board, last = text.split() or [""]
        quiet = int(last) if board and last.isdecimal() and last.isascii() else 0
        south, north, player = read_board(
            " ".join(board) if quiet else text, str(self), self.format_state(self.initial())
        )
        if quiet > QUIET_PLIES:
            raise BadPosition(f"{text!r} is impossible: after {QUIET_PLIES} plies without a capture the game is over")
        return Position(south, north, player, quiet) if player == SOUTH else Position(north, south, player, quiet)

    def sides(self, state: Position) -> tuple[U64, U64]:
        """The seeds of South and of North."""
        return (state.mine, state.theirs) if state.player == SOUTH else (state.theirs, state.mine)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        moves = {self.format_action(state, action): action for action in sorted(legal_actions(self, state))}
        return board_picture(*self.sides(state), self.houses, moves, state.player)
