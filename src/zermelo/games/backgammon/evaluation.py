"""The evaluation of a backgammon position, on the scale of its payoffs.

First, how likely the side on roll wins, and wins or loses a gammon: by the bear-off tables if the sides have passed
each other, by the network if they have not. Then what that is worth: with the cube by Rick Janowski's formulas
("Take-Points in Money Games", 1993), which lie between a cube that is never turned again and one that is turned at
exactly the right moment; in a match by the chances of winning it from the scores that can follow.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.backgammon.board import HOME, OFF, POINTS, Side, count_at, made_points, occupied, pips
from zermelo.games.backgammon.contact import Contact, hits
from zermelo.games.backgammon.match import match_chances
from zermelo.games.backgammon.position import (
    NEITHER,
    OFFERED,
    OPENING,
    Position,
    cube_of,
    is_crawford,
    owner_of,
    phase_of,
    player_of,
    points_of,
)
from zermelo.games.backgammon.race import Race
from zermelo.kernel import Static, bit, msb, popcount

EFFICIENCY = 0.68
"""Cube efficiency: the share of the value of a perfectly used cube."""
HOME_POINT, POINT, BLOCK, SENT_BACK, BORNE_OFF, SHOT = 0.12, 0.04, 0.04, 0.015, 0.065, -0.014
"""What a play gains, in points: for a point in the home board besides that for any point, for two points side by side,
for each pip the other side loses, for each checker borne off, and for each of 36 rolls that hit."""
PASSED = 25
"""The places of the furthest checkers of both sides add up to less when the sides have passed each other."""


class Evaluation(Static):
    """Knows the tables and the network."""

    def __init__(self, cube: bool, match: int, jacoby: bool) -> None:
        self.cube, self.match, self.jacoby = cube, match, jacoby
        self.race, self.contact = Race(), Contact()

    @property
    def chances(self) -> Any:
        return match_chances(self.match)

    def equity(self, state: Position) -> float:
        """The equity of the side on roll: its expected payoff."""
        is_offered = phase_of(state) == OFFERED
        roller = 1 - player_of(state) if is_offered else player_of(state)
        mine, theirs = (state.theirs, state.mine) if is_offered else (state.mine, state.theirs)
        win, gain, loss = self.outlook(mine, theirs)
        if phase_of(state) == OPENING:  # neither side is on roll
            win, gain = 0.5, loss
        if not self.cube and self.match == 0:
            return 2 * win - 1 + gain - loss
        equity = self.with_cube(win, gain, loss, self.cube_access(state, roller))
        if self.match == 0:
            return equity * (1 << cube_of(state))
        return self.in_match(state, roller, equity)

    def outlook(self, mine: Side, theirs: Side) -> tuple[float, float, float]:
        """The probabilities that the side on roll wins, wins a gammon and loses a gammon."""
        if has_passed(mine, theirs):
            return self.race.outlook(mine, theirs)
        win, gain, loss = self.contact.outlook(mine, theirs)
        gain = 0.0 if occupied(theirs) & bit(OFF) else min(gain, win)
        loss = 0.0 if occupied(mine) & bit(OFF) else min(loss, 1 - win)
        return win, gain, loss

    # -- the cube ----------------------------------------------------------------------------------

    def cube_access(self, state: Position, roller: int) -> int:
        """The sides that may turn the cube: 0 neither, 1 the side on roll, 2 the other, 3 both."""
        if not self.cube or is_crawford(state):
            return 0
        if owner_of(state) == NEITHER:
            return 3
        return 1 if owner_of(state) == roller else 2

    def with_cube(self, win: float, gain: float, loss: float, access: int) -> float:
        """The equity of the side on roll, as a multiple of the cube."""
        if self.jacoby and access == 3:
            gain = loss = 0.0
        won = 1 + gain / max(win, 1e-9)
        lost = 1 + loss / max(1 - win, 1e-9)
        dead = win * (won + lost) - lost
        if access == 0:
            return dead
        take = (lost - 0.5) / (won + lost + 0.5) if access >= 2 else 0.0
        cash = (lost + 1) / (won + lost + 0.5) if access != 2 else 1.0
        low, high = -1.0 if access >= 2 else -lost, 1.0 if access != 2 else won
        if win < take:
            live = -lost + (lost - 1) * win / take
        elif win > cash:
            live = 1 + (won - 1) * (win - cash) / (1 - cash)
        else:
            live = low + (high - low) * (win - take) / (cash - take)
        return EFFICIENCY * live + (1 - EFFICIENCY) * dead

    # -- matches -----------------------------------------------------------------------------------

    def in_match(self, state: Position, roller: int, equity: float) -> float:
        """The same in a match: between winning and losing the cube, and so on beyond them."""
        cube = 1 << cube_of(state)
        if equity > 1:
            one, two = self.after(state, roller, cube), self.after(state, roller, 2 * cube)
            return one + (two - one) * min(equity - 1, 1)
        if equity < -1:
            one, two = -self.after(state, 1 - roller, cube), -self.after(state, 1 - roller, 2 * cube)
            return one + (two - one) * min(-1 - equity, 1)
        good, bad = self.after(state, roller, cube), -self.after(state, 1 - roller, cube)
        return bad + (good - bad) * (equity + 1) / 2

    def after(self, state: Position, winner: int, points: int) -> float:
        """The value of the match for a side once it has won this many points."""
        mine = max(self.match - points_of(state, winner) - points, 0)
        theirs = self.match - points_of(state, 1 - winner)
        was_near = self.match - points_of(state, winner) == 1 or theirs == 1
        return 2 * float(self.chances[1 if was_near else 0, mine, theirs]) - 1


def promise(mine: Side, theirs: Side, before: Side) -> float:
    """A cheap estimate of a play, by the mover and the other side after it, and the other side before it.

    The weights of six features, fitted by least squares to the evaluation of the plays of one roll. On average the best
    play is among the first tenth.
    """
    points = made_points(mine) & POINTS
    home, blocks = popcount(points & HOME), popcount(points & (points << 1))
    sent_back = pips(theirs) - pips(before)
    worth = HOME_POINT * home + POINT * popcount(points) + BLOCK * blocks + SENT_BACK * sent_back
    return worth + BORNE_OFF * count_at(mine, OFF) + SHOT * hits(theirs, mine)


def has_passed(mine: Side, theirs: Side) -> bool:
    """Whether no checker can be hit any more."""
    return msb(occupied(mine)) + msb(occupied(theirs)) < PASSED
