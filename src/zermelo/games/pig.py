"""Pig: roll as often as you dare; a one loses the turn's points, holding keeps them.

    player 1    ████████████▏       62      a decision is ROLL or HOLD;
    player 2    █████████▏          47      an outcome is the die's face, 1 to 6
    turn total  ██▏                 11
                                 of 100

John Scarne described it in 1945; Neller and Presser solved it ("Optimal Play of the Dice Game Pig", UMAP
Journal 25, 2004). Utilities are 1 and -1, so a value v is a winning probability of (1 + v) / 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Panel
from zermelo.kernel import replace_item, state

ROLL, HOLD = 0, 1


@state
class Position(NamedTuple):
    scores: tuple[int, ...]
    turn: int
    """The points of this turn, not yet kept."""
    player: int
    rolling: bool


class Pig(Game):
    """Two players race to a target with one die; the game never ends if neither player holds in time."""

    name = "pig"
    option_labels = {"target": "points to win"}
    chance = True
    perft_table = {"": (2, 8, 20, 68, 188, 596, 1724, 5300)}

    def __init__(self, target: int = 100) -> None:
        if not 1 <= target <= 10_000:
            raise UsageError(f"pig is played to a target of 1 to 10000 points, not {target}")
        self.target = target

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position((0, 0), 0, 0, False)

    def to_move(self, state: Position) -> int:
        return CHANCE if state.rolling else state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Roll or hold, even with nothing to keep yet; with enough points to win, hold."""
        if state.rolling:
            for face in range(1, 7):  # noqa: UP028 - `yield from` does not compile
                yield face
        else:
            if state.scores[state.player] + state.turn < self.target:
                yield ROLL
            yield HOLD

    def outcomes(self, state: Position) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state: Position, action: int) -> Position:
        if not state.rolling:
            if action == ROLL:
                return Position(state.scores, state.turn, state.player, True)
            kept = state.scores[state.player] + state.turn
            return Position(replace_item(state.scores, state.player, kept), 0, 1 - state.player, False)
        if action == 1:
            return Position(state.scores, 0, 1 - state.player, False)
        return Position(state.scores, state.turn + action, state.player, False)

    def is_terminal(self, state: Position) -> bool:
        return state.scores[0] >= self.target or state.scores[1] >= self.target

    def utility(self, state: Position, player: int) -> int:
        return 1 if state.scores[player] >= self.target else -1

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """Points ahead against points still to go.

        The turn total counts as kept and having the turn as a few points more; for the target of 100 the root mean
        square distance from the exact values is 0.13 on the scale from -1 to 1.
        """
        mine, theirs = state.scores[state.player] + state.turn, state.scores[1 - state.player]
        ahead = mine - theirs + 0.03 * self.target
        to_go = max(self.target - max(mine, theirs), 0)
        lead = ahead / (abs(ahead) + 0.1 * self.target + 0.5 * to_go)
        return lead if player == state.player else -lead

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`roll` or `hold`; the die's outcomes are `1` to `6`."""
        return str(action) if state.rolling else ("roll", "hold")[action]

    def format_state(self, state: Position) -> str:
        """Scores, turn total and player to move: `62-47 11 1`; while the die is in the air, `62-47 11 1 rolling`."""
        turn = f"{state.scores[0]}-{state.scores[1]} {state.turn} {state.player + 1}"
        return f"{turn} rolling" if state.rolling else turn

    def parse_state(self, text: str) -> Position:
        match = re.fullmatch(r"(\d{1,5})-(\d{1,5}) (\d{1,5}) ([12])( rolling)?", text.strip(), re.ASCII)
        if not match:
            raise BadPosition(
                f"{text!r} is not a position of pig; write scores, turn total and player, as in '62-47 11 1'"
            )
        found = Position((int(match[1]), int(match[2])), int(match[3]), int(match[4]) - 1, match[5] is not None)
        mine, theirs = found.scores[found.player], found.scores[1 - found.player]
        most = self.target + 5
        if mine >= self.target or theirs > most:
            raise BadPosition(f"{text!r} is impossible: a player with {self.target} to {most} points has won already")
        if found.turn == 1 or mine + found.turn > most or (found.rolling and mine + found.turn >= self.target):
            raise BadPosition(
                f"{text!r} is impossible: a turn total is never 1, and a player with enough to win does not roll"
            )
        if theirs >= self.target and (found.turn or found.rolling):
            raise BadPosition(f"{text!r} is impossible: the game was over before this turn")
        return found

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Panel:
        cells = {"roll": (2,), "hold": (state.player,)}
        moves = [self.format_action(state, action) for action in legal_actions(self, state)]
        return Panel(
            ((self.seat(0), state.scores[0]), (self.seat(1), state.scores[1]), ("turn total", state.turn)),
            goal=self.target,
            touches={move: cells.get(move, (2,)) for move in moves},
            caption="the die is rolling" if state.rolling else "",
            owners=(0, 1, state.player),
        )
