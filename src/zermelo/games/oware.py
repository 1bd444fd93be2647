"""Oware, by the rules of abapa: sow a house of yours; twos and threes that you make on the other side are yours.

           F  E  D  C  B  A
        +--------------------+      South starts and sees the board like this. Seeds go round
        |  4  4  4  4  4  4  |      counter-clockwise; captured seeds leave the board.
      0 |                    | 0
        |  4  4  4  4  4  4  |      A move is a house, from 0; states are seen by the side to move.
        +--------------------+      The places of a sowing are the own houses and then those of the
           a  b  c  d  e  f         other side, numbered on from the own first house.

Awari, which differs only in how odd games end, was solved by John Romein and Henri Bal: with best play it is a draw ("Solving
Awari with Parallel Retrograde Analysis", IEEE Computer 36, 2003).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid
from zermelo.core.repetition import Repetition
from zermelo.games.mancala import (
    SOUTH,
    board_picture,
    check_size,
    filled,
    ones,
    pit_name,
    read_board,
    seeds_in,
    seeds_of,
    write_board,
)
from zermelo.kernel import U64, bit, mix, msb, popcount, state


@state
class Position(NamedTuple):
    mine: U64
    """The houses of the side to move, and what it has captured."""
    theirs: U64
    player: int


class Oware(Game):
    """Sow seeds; a last seed that makes two or three in an enemy house captures them, and so on backwards."""

    name = "oware"
    seats = ("South", "North")
    repetition = Repetition.DRAW_AT_TWO
    perft_table = {"": (6,)}

    def __init__(self, houses: int = 6, seeds: int = 4) -> None:
        check_size("oware", houses, seeds)
        self.houses, self.seeds = houses, seeds
        self.half = houses * seeds
        self.board = bit(8 * houses) - U64(1)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        side = ones(self.houses) * U64(self.seeds)
        return Position(side, side, SOUTH)

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
            return filled(state.mine, self.houses)
        found = U64(0)
        for house in range(self.houses):
            if seeds_in(state.mine, house) >= self.houses - house:
                found |= bit(8 * house + 7)
        return found

    def result(self, state: Position, action: int) -> Position:
        mine, theirs, taken = self.sown(state, action)
        return Position(theirs ^ taken, mine + (U64(seeds_of(taken)) << (8 * self.houses)), 1 - state.player)

    def sown(self, state: Position, action: int) -> tuple[U64, U64, U64]:
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
        """A side has captured more than half, or the side to move has no move."""
        if max(seeds_in(state.mine, self.houses), seeds_in(state.theirs, self.houses)) > self.half:
            return True
        return not self.playable(state)

    def utility(self, state: Position, player: int) -> int:
        """More seeds win; those that are left on the board belong to their side."""
        margin = seeds_of(state.mine) - seeds_of(state.theirs)
        won = 1 if margin > 0 else -1 if margin < 0 else 0
        return won if player == state.player else -won

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        lead = seeds_in(state.mine, self.houses) - seeds_in(state.theirs, self.houses)
        share = lead / (abs(lead) + self.half / 4)
        return share if player == state.player else -share

    def is_noisy(self, state: Position, action: int) -> bool:
        """A capture."""
        _, _, taken = self.sown(state, action)
        return bool(taken)

    def order(self, state: Position, action: int) -> float:
        """The largest capture."""
        _, _, taken = self.sown(state, action)
        return seeds_of(taken)

    def key(self, state: Position) -> U64:
        """A sum of products with odd factors, mixed."""
        word = state.mine * U64(0x9E3779B97F4A7C15) + state.theirs * U64(0xD1B54A32D192ED03)
        return mix(word + U64(state.player))

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Who has captured half cannot lose."""
        low = 0 if seeds_in(state.mine, self.houses) >= self.half else -1
        high = 0 if seeds_in(state.theirs, self.houses) >= self.half else 1
        return (low, high) if player == state.player else (-high, -low)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """A letter, small for South and large for North."""
        return pit_name(state.player, action)

    def format_state(self, state: Position) -> str:
        """Houses and captured seeds of South, of North, and the side to move: `4-4-4-4-4-4:0 4-4-4-4-4-4:0 s`."""
        return write_board(*self.sides(state), self.houses, state.player)

    def parse_state(self, text: str) -> Position:
        south, north, player = read_board(text, str(self), self.format_state(self.initial()))
        return Position(south, north, player) if player == SOUTH else Position(north, south, player)

    def sides(self, state: Position) -> tuple[U64, U64]:
        """South's and North's."""
        return (state.mine, state.theirs) if state.player == SOUTH else (state.theirs, state.mine)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        moves = {self.format_action(state, action): action for action in sorted(legal_actions(self, state))}
        return board_picture(*self.sides(state), self.houses, moves, state.player)
