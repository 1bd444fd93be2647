"""Kalah: sow a pit of yours around the board; the seeds in your store at the end are yours.

           F  E  D  C  B  A
        +--------------------+      South starts and sees the board like this. Seeds go round
        |  4  4  4  4  4  4  |      counter-clockwise and pass by the other side's store.
      0 |                    | 0
        |  4  4  4  4  4  4  |      A move is a pit, from 0; states are seen by the side to move.
        +--------------------+      The places of a sowing are the own pits, the own store and the
           a  b  c  d  e  f         pits of the other side, numbered on from the own first pit.

Designed by William Julius Champion around 1940; solved for up to six pits with five seeds each by Geoffrey Irving,
Jeroen Donkers and Jos Uiterwijk ("Solving Kalah", ICGA Journal 23, 2000).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid
from zermelo.games.mancala.pits import (
    SOUTH,
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

INFINITE = float("inf")


@state
class Position(NamedTuple):
    mine: U64
    """The pits and the store of the side to move."""
    theirs: U64
    player: int


class Kalah(Game):
    """Sow seeds into pits and your store; a last seed there moves again, one into an empty pit captures."""

    name = "kalah"
    option_labels = {
        "holes": "pits on a side",
        "seeds": "seeds in a pit",
        "empty_capture": "capture without seeds opposite",
    }
    seats = ("South", "North")
    unit_name, margins = "seeds", True
    perft_table = {"": (6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490)}

    def __init__(self, holes: int = 6, seeds: int = 4, empty_capture: bool = False) -> None:
        check_size("kalah", holes, seeds)
        self.holes, self.seeds, self.empty_capture = holes, seeds, empty_capture
        self.places = 2 * holes + 1
        self.pits = bit(8 * holes) - U64(1)
        self.tops = ones(holes) << 7
        self.distances = U64(sum((holes - pit) << 8 * pit for pit in range(holes)))
        self.all_seeds = 2 * holes * seeds
        self.utility_range = (-self.all_seeds, self.all_seeds)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        side = ones(self.holes) * U64(self.seeds)
        return Position(side, side, SOUTH)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """A pit that is not empty, the one nearest to the store first."""
        pits = filled_pits(state.mine, self.holes)
        while pits:
            pit = msb(pits) >> 3
            yield pit
            pits ^= bit(8 * pit + 7)

    def count(self, state: Position) -> int:
        return 0 if self.is_terminal(state) else popcount(filled_pits(state.mine, self.holes))

    def result(self, state: Position, action: int) -> Position:
        """A last seed in the store gives another move; one in an own pit that was empty captures what is opposite."""
        mine, theirs, last = self.sow(state, action)
        if last == self.holes:
            return Position(mine, theirs, state.player)
        if last < self.holes:
            opposite = self.holes - 1 - last
            captured = self.captured(mine, theirs, last)
            if captured > 0:
                mine = mine - bit(8 * last) + (U64(captured) << (8 * self.holes))
                theirs &= ~(U64(0xFF) << (8 * opposite))
        return Position(theirs, mine, 1 - state.player)

    def sow(self, state: Position, action: int) -> tuple[U64, U64, int]:
        """Both sides after a pit was sown, and the place of the last seed."""
        holes, seeds = self.holes, seeds_in(state.mine, action)
        laps, end = U64(seeds // self.places), action + seeds % self.places
        mine = (state.mine & ~(U64(0xFF) << (8 * action))) + laps * ones(holes + 1)
        mine += ones(min(end, holes) + 1) - ones(action + 1)
        theirs = state.theirs + laps * ones(holes) + ones(min(max(end - holes, 0), holes))
        if end < self.places:
            return mine, theirs, end
        return mine + ones(end - self.places + 1), theirs, end - self.places

    def captured(self, mine: U64, theirs: U64, last: int) -> int:
        """The number of seeds that a last seed in this own pit captures, itself included."""
        if seeds_in(mine, last) != 1:
            return 0
        opposite = seeds_in(theirs, self.holes - 1 - last)
        return opposite + 1 if opposite > 0 or self.empty_capture else 0

    def is_terminal(self, state: Position) -> bool:
        """One side has nothing left to sow."""
        return not (state.mine & self.pits) or not (state.theirs & self.pits)

    def utility(self, state: Position, player: int) -> int:
        """The margin in seeds; those that are left in the pits belong to their side."""
        margin = seeds_of(state.mine) - seeds_of(state.theirs)
        return margin if player == state.player else -margin

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The margin that is likely: that of the stores, of pits that can be sown, and of seeds at both ends."""
        lead = self.promise(state.mine) - self.promise(state.theirs)
        most = self.all_seeds - 2 * seeds_in(state.theirs, self.holes) - 1
        least = 2 * seeds_in(state.mine, self.holes) - self.all_seeds + 1
        lead = max(least, min(most, lead))
        return lead if player == state.player else -lead

    def promise(self, side: U64) -> float:
        """What a side may hope for; the weights fit the results of a search that played six thousand games with itself.

        Seeds in the first pit are hard to capture, those in the last one are a move away from the store.
        """
        ends = seeds_in(side, 0) + seeds_in(side, self.holes - 1)
        return seeds_in(side, self.holes) + 1.7 * popcount(filled_pits(side, self.holes)) + 0.4 * ends

    def is_noisy(self, state: Position, action: int) -> bool:
        """Another move, or a capture."""
        return self.prize(state, action) > 0

    def gain(self, state: Position, action: int) -> float:
        """The number of captured seeds; infinite if the move gives another turn."""
        prize = self.prize(state, action)
        return INFINITE if prize > self.all_seeds else prize

    def prize(self, state: Position, action: int) -> int:
        """The number of captured seeds, or more than all seeds for a move that gives another turn."""
        mine, theirs, last = self.sow(state, action)
        if last == self.holes:
            return self.all_seeds + 1
        return self.captured(mine, theirs, last) if last < self.holes else 0

    def order(self, state: Position, action: int) -> float:
        """Another move, the pit nearest to the store first; then what comes into the store, less what the reply has."""
        mine, theirs, last = self.sow(state, action)
        if last == self.holes:
            return self.all_seeds + 1 + action
        guess = (
            seeds_in(mine, self.holes) - seeds_in(state.mine, self.holes) - popcount(self.pits_reaching_store(theirs))
        )
        return guess + self.captured(mine, theirs, last) if last < self.holes else guess

    def key(self, state: Position) -> U64:
        """A sum of products with odd factors, mixed."""
        word = state.mine * U64(0x9E3779B97F4A7C15) + state.theirs * U64(0xD1B54A32D192ED03)
        return mix(word + U64(state.player))

    def bank(self, state: Position, player: int) -> int:
        """The margin of the stores."""
        margin = seeds_in(state.mine, self.holes) - seeds_in(state.theirs, self.holes)
        return margin if player == state.player else -margin

    def without_bank(self, state: Position) -> Position:
        """With empty stores."""
        return Position(state.mine & self.pits, state.theirs & self.pits, state.player)

    def bounds(self, state: Position, player: int) -> tuple[int, int]:
        """Seeds in a store stay there, and every pit that just reaches the store puts one more there."""
        mine = seeds_in(state.mine, self.holes) + popcount(self.pits_reaching_store(state.mine))
        low = 2 * mine - self.all_seeds
        high = self.all_seeds - 2 * seeds_in(state.theirs, self.holes)
        return (low, high) if player == state.player else (-high, -low)

    def pits_reaching_store(self, side: U64) -> U64:
        """The highest bit of the byte of every pit whose last seed falls into the store.

        A sowing changes no pit before its own, so that all of them can be played, the nearest to the store first.
        """
        return ~filled_pits((side ^ self.distances) & self.pits, self.holes) & self.tops

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """A letter, small for South and large for North."""
        return pit_name(state.player, action)

    def format_state(self, state: Position) -> str:
        """Pits and store of South, of North, and the side to move: `4-4-4-4-4-4:0 4-4-4-4-4-4:0 s`."""
        return write_board(*self.sides(state), self.holes, state.player)

    def parse_state(self, text: str) -> Position:
        south, north, player = read_board(text, str(self), self.format_state(self.initial()))
        return Position(south, north, player) if player == SOUTH else Position(north, south, player)

    def sides(self, state: Position) -> tuple[U64, U64]:
        """The seeds of South and of North."""
        return (state.mine, state.theirs) if state.player == SOUTH else (state.theirs, state.mine)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        moves = {self.format_action(state, action): action for action in sorted(legal_actions(self, state))}
        return board_picture(*self.sides(state), self.holes, moves, state.player)
