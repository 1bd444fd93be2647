"""Luck and skill in a game with dice.

    luck    the value after a roll minus the value before it, for the player who decides next
    skill   the value of a decision minus the value of the best one: never above 0

The value of a position is the game's evaluation after the best decision at depth 1. So luck and skill add up to the
result only as far as that evaluation is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.core.errors import Refused
from zermelo.core.game import CHANCE, Game, State
from zermelo.core.guards import has_evaluation
from zermelo.core.referee import Referee
from zermelo.kernel import kernel


@dataclass(frozen=True)
class Entry:
    """A roll or a decision, and its amount of luck or skill for the player it counts for."""

    number: int
    """The number of the turn, from 0."""
    player: int
    text: str
    is_roll: bool
    amount: float
    best: str = ""
    """The best decision, if another one was made."""


@dataclass(frozen=True)
class Account:
    """The luck and skill of a game."""

    game: Game
    entries: tuple[Entry, ...]

    def luck(self, player: int) -> float:
        """The sum of a player's luck."""
        return math.fsum(entry.amount for entry in self.entries if entry.is_roll and entry.player == player)

    def skill(self, player: int) -> float:
        """What a player's decisions gave away: at most 0."""
        return math.fsum(entry.amount for entry in self.entries if not entry.is_roll and entry.player == player)

    def mistakes(self, player: int, least: float) -> list[Entry]:
        """The decisions that gave away at least this much, the worst first."""
        found = [entry for entry in self.entries if not entry.is_roll and entry.player == player]
        return sorted((entry for entry in found if entry.amount <= -least), key=lambda entry: entry.amount)


def luck_and_skill(referee: Referee) -> Account:
    """Rate every roll and every decision of a game so far."""
    game = referee.game
    if game.players != 2 or not game.zero_sum or not game.chance or game.hidden or not has_evaluation(game):
        raise Refused(f"luck and skill need a game for two players with dice and an evaluation; {game} is not one")
    entries = []
    states = [*(turn.state for turn in referee.turns[1:]), referee.state]
    for number, (turn, after) in enumerate(zip(referee.turns, states, strict=True)):
        if turn.player == CHANCE:
            player = game.to_move(after)
            if player != CHANCE:
                amount = prospect.run(game, after, player) - prospect.run(game, turn.state, player)
                entries.append(Entry(number, player, turn.text, True, amount))
            continue
        made = glance.run(game, after, turn.player)
        values = [
            (glance.run(game, game.result(turn.state, action), turn.player), action)
            for action in game.actions(turn.state)
        ]
        best, action = max(values, key=lambda pair: pair[0])
        text = game.format_action(turn.state, action) if best > made else ""
        entries.append(Entry(number, turn.player, turn.text, False, min(made - best, 0.0), text))
    return Account(game, tuple(entries))


@kernel
def glance(game: Game, state: State, player: int) -> float:
    """The utility or the evaluation of a position, without a search."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    return float(game.evaluate(state, player))


@kernel
def prospect(game: Game, state: State, player: int) -> float:
    """The value after the best decision at depth 1; before a roll, the mean over all rolls."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    mover, value = game.to_move(state), 0.0
    if mover == CHANCE:
        for action, chance in game.outcomes(state):
            value += chance * prospect(game, game.result(state, action), player)
        return value
    sign = 1.0 if mover == player else -1.0
    best = -math.inf
    for action in game.actions(state):
        best = max(best, sign * glance(game, game.result(state, action), player))
    return sign * best
