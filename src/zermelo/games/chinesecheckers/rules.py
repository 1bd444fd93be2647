"""Chinese checkers: be the first to bring all your pegs across the star, by steps and by chains of hops.

                        2                  q        players 1 to 6 sit clockwise, the first one in the south;
                       2 2                 p        each player plays for the corner opposite;
                      2 2 2                o        a move is from * holes + to, a pass is holes * holes;
                     2 2 2 2               n        holes are numbered row by row from the top
            . . . . . . . . . . . . .      m
             . . . . . . . . . . . .       l        holes are called by their row, from below, and their number
              . . . . . . . . . . .        k        in the row, from the left: a1 is the southern tip
               . . . . . . . . . .         j
                . . . . . . . . .          i
               . . . . . . . . . .         h
              . . . . . . . . . . .        g
             . . . . . . . . . . . .       f
            . . . . . . . . . . . . .      e
                     1 1 1 1               d
                      1 1 1                c
                       1 1                 b
                        1                  a

Published in Germany as Stern-Halma in 1892, after George Monks' Halma.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Piece, Points
from zermelo.games.chinesecheckers.race import LEAST_SPREAD, SPREAD, TEMPO, Race
from zermelo.games.chinesecheckers.star import (
    CORNERS,
    Holes,
    Star,
    corners,
    has,
    hole_names,
    holes_of,
    links,
    nth_hole,
    only,
    places,
    row_widths,
    rows_of,
    size_of,
)
from zermelo.kernel import U64, bits, draw_below, mix, replace_item, state

SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The corners where players start, clockwise from the south."""
NO_PLAYER = -1
UNLIKELY = 1e-4
"""The smallest chance to win that a player has, relative to that of the leader."""
DRAWS = 8
"""Moves that a playout draws; it makes the best of them."""


@state
class Position(NamedTuple):
    pegs: tuple[U64, ...]
    """Two words for each player: the holes up to 63, and the others."""
    player: int
    ply: int


class ChineseCheckers(Game):
    """Two, three, four or six players race their pegs to the opposite corner of a star, hopping over each other."""

    name = "chinese-checkers"
    option_labels = {
        "size": "holes on the side of a corner",
        "trespass": "pegs may stop in other corners",
        "leave": "pegs may leave the goal",
        "rounds": "longest game in rounds",
    }
    runtime = ("rounds",)
    """A longer or shorter game need not be compiled again."""
    perft_table = {"": (14, 196, 4760, 115600, 3188520)}

    def __init__(
        self, players: int = 2, size: int = 4, trespass: bool = True, leave: bool = False, rounds: int = 200
    ) -> None:
        if players not in SEATS:
            raise UsageError(f"chinese-checkers is played by 2, 3, 4 or 6 players, not {players}")
        if not 1 <= size <= 4:
            raise UsageError(f"the corners of chinese-checkers have a side of 1 to 4 holes, not {size}")
        if rounds < 1:
            raise UsageError(f"a game of chinese-checkers is broken off after 1 round or more, not {rounds}")
        self.players, self.size, self.trespass, self.leave, self.rounds = players, size, trespass, leave, rounds
        self.star = Star(size)
        self.holes = self.star.holes
        self.pass_move = self.holes * self.holes
        self.pegs = size * (size + 1) // 2
        triangles = [holes_of(corner) for corner in corners(size)]
        opposite = CORNERS // 2
        self.homes = tuple(word for seat in SEATS[players] for word in triangles[seat])
        self.goals = tuple(word for seat in SEATS[players] for word in triangles[(seat + opposite) % CORNERS])
        self.stops = tuple(word for seat in SEATS[players] for word in self.stops_from(seat))
        self.race = Race(size, SEATS[players])
        self.utility_range = (-1.0, players - 1.0)

    def stops_from(self, seat: int) -> Holes:
        """The holes where pegs from this corner may end a move."""
        closed = () if self.trespass else tuple(corner for corner in range(CORNERS) if (corner - seat) % 3)
        low, high = holes_of(hole for corner in closed for hole in corners(self.size)[corner])
        return self.star.low & ~low, self.star.high & ~high

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.homes, 0, 0)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Every hole that a peg can reach, once, by any way; a pass only if there is no move."""
        taken_low, taken_high = self.occupied(state)
        is_stuck = True
        for word in range(2):
            for place in bits(state.pegs[2 * state.player + word]):
                peg = 64 * word + place
                low, high = self.destinations(state.player, peg, taken_low, taken_high)
                for to in bits(low):
                    is_stuck = False
                    yield peg * self.holes + to
                for to in bits(high):
                    is_stuck = False
                    yield peg * self.holes + 64 + to
        if is_stuck:
            yield self.pass_move

    def count(self, state: Position) -> int:
        if self.is_terminal(state):
            return 0
        taken_low, taken_high = self.occupied(state)
        total = 0
        for word in range(2):
            for place in bits(state.pegs[2 * state.player + word]):
                low, high = self.destinations(state.player, 64 * word + place, taken_low, taken_high)
                total += size_of(low, high)
        return max(total, 1)

    def occupied(self, state: Position) -> Holes:
        """The holes with a peg."""
        low, high = state.pegs[0], state.pegs[1]
        for player in range(1, self.players):
            low |= state.pegs[2 * player]
            high |= state.pegs[2 * player + 1]
        return low, high

    def destinations(self, player: int, peg: int, taken_low: U64, taken_high: U64) -> Holes:
        """The holes where the player's peg may go; it may pass through any hole, but not stop in all of them."""
        self_low, self_high = only(peg)
        low, high = self.star.reach(peg, taken_low ^ self_low, taken_high ^ self_high)
        low &= self.stops[2 * player]
        high &= self.stops[2 * player + 1]
        if not self.leave and has(self.goals[2 * player], self.goals[2 * player + 1], peg):
            low &= self.goals[2 * player]
            high &= self.goals[2 * player + 1]
        return low, high

    def result(self, state: Position, action: int) -> Position:
        pegs = state.pegs
        if action != self.pass_move:
            from_low, from_high = only(action // self.holes)
            to_low, to_high = only(action % self.holes)
            mine = 2 * state.player
            pegs = replace_item(pegs, mine, pegs[mine] ^ from_low ^ to_low)
            pegs = replace_item(pegs, mine + 1, pegs[mine + 1] ^ from_high ^ to_high)
        return Position(pegs, (state.player + 1) % self.players, state.ply + 1)

    def is_terminal(self, state: Position) -> bool:
        """Whether a player is home, or the game has gone on for too long, which is a draw."""
        return state.ply >= self.rounds * self.players or self.winner(state) != NO_PLAYER

    def winner(self, state: Position) -> int:
        """The player with a peg in their full goal; the other pegs may be others', so no goal can be blocked for ever.

        [Sturtevant, "On Strongly Solving Chinese Checkers", 2019]
        """
        low, high = self.occupied(state)
        for player in range(self.players):
            goal_low, goal_high = self.goals[2 * player], self.goals[2 * player + 1]
            arrived = goal_low & state.pegs[2 * player] | goal_high & state.pegs[2 * player + 1]
            if arrived != U64(0) and (goal_low & ~low | goal_high & ~high) == U64(0):
                return player
        return NO_PLAYER

    def utility(self, state: Position, player: int) -> int:
        """All others pay 1 to the winner; a draw costs nothing."""
        winner = self.winner(state)
        if winner == NO_PLAYER:
            return 0
        return self.players - 1 if player == winner else -1

    def repetition_key(self, state: Position) -> Position:
        return Position(state.pegs, state.player, 0)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        return self.evaluations(state)[player]

    def evaluations(self, state: Position) -> tuple[float, ...]:
        """The expected payoff: the winner gets one point from each other player, so `players * p - 1`."""
        ways, shortest = self.zeros, math.inf
        for player in range(self.players):
            turns = (player - state.player) % self.players
            way = self.race.way(player, state.pegs[2 * player], state.pegs[2 * player + 1])
            way += 2 * TEMPO * turns / self.players
            ways = replace_item(ways, player, way)
            shortest = min(shortest, way)
        spread = LEAST_SPREAD + SPREAD * shortest
        chances, total = ways, 0.0
        for player in range(self.players):
            chance = UNLIKELY + math.exp((shortest - ways[player]) / spread)
            chances = replace_item(chances, player, chance)
            total += chance
        found = chances
        for player in range(self.players):
            lead = 0.0  # over all others, so that the estimates of two players are exactly opposite
            for other in range(self.players):
                lead += chances[player] - chances[other]
            found = replace_item(found, player, lead / total)
        return found

    def order(self, state: Position, action: int) -> float:
        """The progress of the peg towards the goal."""
        if action == self.pass_move:
            return 0.0
        before = self.race.cost(state.player, action // self.holes)
        return (before - self.race.cost(state.player, action % self.holes)) / 10

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """The best of a few random moves by progress; without that, playouts would hardly ever end."""
        taken_low, taken_high = self.occupied(state)
        mine_low, mine_high = state.pegs[2 * state.player], state.pegs[2 * state.player + 1]
        chosen, best = self.pass_move, -math.inf
        for _ in range(DRAWS):
            luck = mix(luck + U64(1))
            peg = nth_hole(mine_low, mine_high, draw_below(luck, self.pegs))
            low, high = self.destinations(state.player, peg, taken_low, taken_high)
            if low | high:
                to = nth_hole(low, high, draw_below(luck << 32, size_of(low, high)))
                action = peg * self.holes + to
                if self.order(state, action) > best:
                    chosen, best = action, self.order(state, action)
        if chosen == self.pass_move:
            for action in self.actions(state):
                return action
        return chosen

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The holes from and to, `d1-e5`, or `pass`."""
        if action == self.pass_move:
            return "pass"
        names = hole_names(self.size)
        return f"{names[action // self.holes]}-{names[action % self.holes]}"

    def parse_action(self, state: Position, text: str) -> int:
        """Lists the moves of the named peg only, unless an error sentence needs all of them."""
        names = hole_names(self.size)
        start, _, end = text.strip().lower().partition("-")
        if start in names and end in names and not self.is_terminal(state):
            peg, to = names.index(start), names.index(end)
            if has(state.pegs[2 * state.player], state.pegs[2 * state.player + 1], peg):
                low, high = self.destinations(state.player, peg, *self.occupied(state))
                if has(low, high, to):
                    return peg * self.holes + to
        found: int = super().parse_action(state, text)
        return found

    def format_state(self, state: Position) -> str:
        """The rows from the top, the player to move and the plies made: `2/...../.../.../1 1 0`."""
        symbols = "".join(str(owner + 1) if owner != NO_PLAYER else "." for owner in self.owners(state))
        rows = "/".join(symbols[row.start : row.stop] for row in rows_of(self.size))
        return f"{rows} {state.player + 1} {state.ply}"

    def owners(self, state: Position) -> list[int]:
        """The owner of the peg in each hole."""
        found = [NO_PLAYER] * self.holes
        for player in range(self.players):
            for word in range(2):
                for place in bits(state.pegs[2 * player + word]):
                    found[64 * word + place] = player
        return found

    def parse_state(self, text: str) -> Position:
        match = re.fullmatch(r"([\d./]+) (\d)(?: (\d{1,9}))?", text.strip(), re.ASCII)
        rows = match[1].split("/") if match else []
        if not match or [len(row) for row in rows] != row_widths(self.size):
            raise BadPosition(
                f"{text!r} is not a position of {self}; write the rows from the top, the player to move and the plies "
                f"made: the start is {self.format_state(self.initial())!r}"
            )
        symbols = "".join(rows)
        words: list[U64] = []
        for player in range(self.players):
            holes = [hole for hole, symbol in enumerate(symbols) if symbol == str(player + 1)]
            if len(holes) != self.pegs:
                raise BadPosition(
                    f"{text!r} is impossible: player {player + 1} has {len(holes)} pegs, and it should be {self.pegs}"
                )
            words += holes_of(holes)
        strangers = set(symbols) - {".", *(str(player + 1) for player in range(self.players))}
        if strangers or not 1 <= int(match[2]) <= self.players:
            raise BadPosition(f"{text!r} is impossible: there are players 1 to {self.players}, and . is an empty hole")
        player, ply = int(match[2]) - 1, int(match[3] or match[2]) - (0 if match[3] else 1)
        if ply % self.players != player or ply > self.rounds * self.players:
            raise BadPosition(
                f"{text!r} is impossible: after {ply} plies it is the turn of player {ply % self.players + 1}, "
                f"and the game ends after {self.rounds * self.players}"
            )
        return Position(tuple(words), player, ply)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Points:
        winner = self.winner(state)
        goal = () if winner == NO_PLAYER else corners(self.size)[(SEATS[self.players][winner] + 3) % CORNERS]
        at = [(x / 2, float(y)) for x, y in places(self.size)]
        names = hole_names(self.size)
        ends = [(row[0], -1) for row in rows_of(self.size)] + [
            (row[-1], 1) for row in rows_of(self.size) if len(row) > 1
        ]
        return Points(
            tuple(at),
            tuple(Piece(str(owner + 1), owner, "peg") if owner != NO_PLAYER else None for owner in self.owners(state)),
            links=links(self.size),
            labels=tuple((at[hole][0] + 1.75 * side, at[hole][1], names[hole]) for hole, side in ends),
            touches={
                self.format_action(state, action): divmod(action, self.holes) if action != self.pass_move else ()
                for action in legal_actions(self, state)
            },
            marked=goal,
            material="wood",
            facing=True,
        )
