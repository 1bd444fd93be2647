"""Backgammon: two armies race round the board in opposite directions; single checkers can be sent back.

     13 14 15 16 17 18     19 20 21 22 23 24       White (X) moves from 24 down to 1 and off the board;
    +------------------+---+------------------+    Black (O) the other way, and counts from the other end;
    | X           O    |   | O              X |    states are seen by the side that decides or rolls next;
    | X           O    |   | O              X |    an outcome is larger * 8 + smaller number of the dice;
    | X           O    |   | O                |    `plays` describes how a play is one number
    | X                |   | O                |
    | X                |   | O                |
    |                  |BAR|                  |
    | O                |   | X                |
    | O                |   | X                |
    | O           X    |   | X                |
    | O           X    |   | X              O |
    | O           X    |   | X              O |
    +------------------+---+------------------+
     12 11 10  9  8  7      6  5  4  3  2  1

One of the oldest games there are; the cube is of the 1920s. The rules are those of the US Backgammon Federation.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Tables
from zermelo.games.backgammon.board import OFF, START, Side, count_at, has_borne_all_off, occupied, pips
from zermelo.games.backgammon.evaluation import Evaluation, promise
from zermelo.games.backgammon.ids import Rules, read_state, write_state
from zermelo.games.backgammon.notation import read_action, write_action
from zermelo.games.backgammon.picture import cells_of, checkers_of
from zermelo.games.backgammon.plays import NO, YES, apply_play, choices
from zermelo.games.backgammon.position import (
    BLACK,
    DOUBLING,
    MOST_CUBE,
    NEITHER,
    OFFERED,
    OPENING,
    OVER,
    PLAYING,
    ROLLING,
    WHITE,
    Position,
    cube_of,
    is_crawford,
    larger_of,
    may_double,
    owner_in,
    owner_of,
    phase_of,
    player_of,
    points_in,
    points_of,
    smaller_of,
    stakes_of,
    turn_of,
)
from zermelo.kernel import U64, bit

FACES = 6
LONGEST_MATCH = 64
GAMMON, BACKGAMMON = 2, 3
ALMOST = 0.999
"""The largest estimate, as a share of the scale."""
BACK = U64(0b1111111 << 19)
"""The other side's home board and the bar, where a checker makes a gammon a backgammon."""


class Backgammon(Game):
    """Bring your checkers home and off the board before the other side does; the dice decide how far they go.

    The payoff is points: 1 for a win, 2 for a gammon, 3 for a backgammon, times the cube. In a match to some number of
    points it is 1 for the winner of the match and -1 for the loser.
    """

    name = "backgammon"
    option_labels = {
        "cube": "doubling cube",
        "match": "match to this many points",
        "jacoby": "Jacoby rule",
    }
    seats = ("White", "Black")
    chance = True
    unit_name = "points"
    perft_table = {"": (30, 380, 7980, 178306, 3744426, 97357490)}

    def __init__(self, cube: bool = False, match: int = 0, jacoby: bool = False) -> None:
        if not 0 <= match <= LONGEST_MATCH:
            raise UsageError(f"a match of backgammon goes to 1 to {LONGEST_MATCH} points (0: one game), not {match}")
        if jacoby and (match or not cube):
            raise UsageError("the Jacoby rule is for single games with the cube; write cube=true,jacoby=true")
        self.cube, self.match, self.jacoby = cube, match, jacoby
        most = 1.0 if match else float(BACKGAMMON << MOST_CUBE if cube else BACKGAMMON)
        self.most = most
        self.utility_range = (-most, most)
        self.evaluation = Evaluation(cube, match, jacoby)
        self.margins = match == 0

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return self.opening(stakes_of(0, NEITHER, self.match == 1))

    def opening(self, stakes: int) -> Position:
        """The start of a game."""
        return Position(START, START, turn_of(WHITE, OPENING), stakes)

    def to_move(self, state: Position) -> int:
        return CHANCE if phase_of(state) <= ROLLING else player_of(state)

    def actions(self, state: Position) -> Iterator[int]:
        """A play of the dice; with the cube also roll or double, and pass or take."""
        return choices(state)

    def outcomes(self, state: Position) -> Iterator[tuple[int, float]]:
        """The 21 rolls, doubles half as likely as others. In the opening no doubles; whose die is larger begins."""
        for high in range(1, FACES + 1):
            for low in range(1, FACES + 1):
                if phase_of(state) == OPENING:
                    if high != low:
                        yield 8 * high + low, 1 / 30
                elif low <= high:
                    yield 8 * high + low, 1 / 36 if high == low else 1 / 18

    def result(self, state: Position, action: int) -> Position:
        player, phase = player_of(state), phase_of(state)
        if phase == PLAYING:
            mine, theirs = apply_play(state.mine, state.theirs, action, larger_of(state), smaller_of(state))
            if has_borne_all_off(mine):
                return self.finish_game(theirs, mine, 1 - player, state.stakes, self.prize(mine, theirs, state.stakes))
            return Position(theirs, mine, self.next_turn(1 - player, state.stakes), state.stakes)
        if phase == ROLLING:
            return Position(state.mine, state.theirs, turn_of(player, PLAYING, action >> 3, action & 7), state.stakes)
        if phase == OPENING:
            first, second = action >> 3, action & 7
            if first > second:
                return Position(state.mine, state.theirs, turn_of(player, PLAYING, first, second), state.stakes)
            return Position(state.theirs, state.mine, turn_of(1 - player, PLAYING, second, first), state.stakes)
        if phase == DOUBLING:
            if action == NO:
                return Position(state.mine, state.theirs, turn_of(player, ROLLING), state.stakes)
            return Position(state.theirs, state.mine, turn_of(1 - player, OFFERED), state.stakes)
        if action == YES:
            stakes = state.stakes - (owner_of(state) << 3) + (player << 3) + 1
            return Position(state.theirs, state.mine, turn_of(1 - player, ROLLING), stakes)
        return self.finish_game(state.mine, state.theirs, player, state.stakes, 1 << cube_of(state))

    def next_turn(self, player: int, stakes: int) -> int:
        """The turn of a player before the roll, with the cube or without it."""
        return turn_of(player, DOUBLING if self.cube and may_double(player, stakes) else ROLLING)

    def prize(self, winner: Side, loser: Side, stakes: int) -> int:
        """The points for bearing all off, which count double if the other side bore none off, and so on."""
        worth = 1
        if not (self.jacoby and owner_in(stakes) == NEITHER) and not occupied(loser) & bit(OFF):
            worth = BACKGAMMON if occupied(loser) & BACK else GAMMON
        return worth << (stakes & 7)

    def finish_game(self, loser: Side, winner: Side, player: int, stakes: int, prize: int) -> Position:
        """The end of a game that `player` has lost; in a match, the start of the next one."""
        if self.match == 0:
            return Position(loser, winner, turn_of(player, OVER), stakes)
        won, other = points_in(stakes, 1 - player) + prize, points_in(stakes, player)
        is_next_crawford = won == self.match - 1 and other < self.match - 1
        won = min(won, self.match)
        scores = stakes_of(
            0, NEITHER, is_next_crawford, other if player == WHITE else won, won if player == WHITE else other
        )
        if won == self.match:
            return Position(loser, winner, turn_of(player, OVER), scores)
        return self.opening(scores)

    def is_terminal(self, state: Position) -> bool:
        return phase_of(state) == OVER

    def utility(self, state: Position, player: int) -> float:
        """At the end it is the loser's turn."""
        won = 1.0
        if self.match == 0:
            is_played = has_borne_all_off(state.theirs)
            won = float(self.prize(state.theirs, state.mine, state.stakes) if is_played else 1 << cube_of(state))
        return -won if player == player_of(state) else won

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """The equity of the side on roll; the dice are ignored."""
        worth = max(-ALMOST * self.most, min(self.evaluation.equity(state), ALMOST * self.most))
        roller = 1 - player_of(state) if phase_of(state) == OFFERED else player_of(state)
        return worth if player == roller else -worth

    def order(self, state: Position, action: int) -> float:
        """Points made, checkers hit, and few shots left for the other side."""
        if phase_of(state) != PLAYING:
            return 0.0
        mine, theirs = apply_play(state.mine, state.theirs, action, larger_of(state), smaller_of(state))
        return promise(mine, theirs, state.theirs)

    def bounds(self, state: Position, player: int) -> tuple[float, float]:
        """No gammon can be lost by a side that has borne off a checker; without the cube, that is all there is."""
        if self.cube or self.match:
            return -self.most, self.most
        mine = 1.0 if occupied(state.mine) & bit(OFF) else self.most
        theirs = 1.0 if occupied(state.theirs) & bit(OFF) else self.most
        return (-mine, theirs) if player == player_of(state) else (-theirs, mine)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """A play as in `24/18+13/11`, `roll`, `double`, `take`, `pass`, or a roll as in `65`."""
        return write_action(state, action)

    def parse_action(self, state: Position, text: str) -> int:
        return read_action(state, text, legal_actions(self, state))

    def format_state(self, state: Position) -> str:
        """The position ID and match ID of GNU Backgammon."""
        return write_state(Rules(self.cube, self.match, self.jacoby), state)

    def parse_state(self, text: str) -> Position:
        """From the same, from a position ID alone, or from an XGID."""
        return read_state(Rules(self.cube, self.match, self.jacoby), text)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Tables:
        has_cube = self.cube and phase_of(state) != OVER
        return Tables(
            **checkers_of(state),
            sides=(self.status_of(state, WHITE), self.status_of(state, BLACK)),
            dice=(larger_of(state), smaller_of(state)) if phase_of(state) == PLAYING else (),
            roller=player_of(state) if phase_of(state) == PLAYING else -1,
            cube=1 << cube_of(state) if has_cube else 0,
            cube_owner=owner_of(state) if has_cube and owner_of(state) != NEITHER else -1,
            touches={
                self.format_action(state, action): cells_of(state, action) for action in legal_actions(self, state)
            },
            caption=self.caption(state),
            colours=("white", "black"),
            material="cloth",
            facing=True,
        )

    def status_of(self, state: Position, player: int) -> tuple[str, ...]:
        """The lines shown about a player: the name, the pips, the checkers borne off, the points in the match."""
        side = state.mine if player == player_of(state) else state.theirs
        lines = [self.seat(player), f"{pips(side)} pips"]
        lines += [f"{count_at(side, OFF)} off"] if count_at(side, OFF) else []
        if self.match:
            lines.append(f"{points_of(state, player)} of {self.match} points")
        return tuple(lines)

    def caption(self, state: Position) -> str:
        mover, other = self.seat(player_of(state)), self.seat(1 - player_of(state))
        game = "The Crawford game: " if is_crawford(state) and phase_of(state) != OVER else ""
        return {
            OPENING: f"{game}each side rolls a die to begin",
            ROLLING: f"{game}{mover} rolls",
            PLAYING: f"{game}{mover} to play",
            DOUBLING: f"{mover} to roll or double",
            OFFERED: f"{other} doubles; {mover} takes or passes",
            OVER: f"{other} has won",
        }[phase_of(state)]
