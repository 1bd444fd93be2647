"""Luck and skill told apart for a game with dice.

    luck    what a roll is worth less what it was worth before it fell, to the player who decides next
    skill   what a decision is worth less what the best one is worth: never above 0

A position is judged by the game's own evaluation after the best decision at a glance. So luck and skill add up to the
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
class Judged:
    """A roll or a decision, and what it was worth to the player it counts for."""

    number: int
    """Of the turn, from 0."""
    player: int
    text: str
    is_roll: bool
    amount: float
    best: str = ""
    """The best decision, if another one was made."""


@dataclass(frozen=True)
class Account:
    """A game, judged."""

    game: Game
    entries: tuple[Judged, ...]

    def luck(self, player: int) -> float:
        """The luck of a player's own rolls."""
        return math.fsum(entry.amount for entry in self.entries if entry.is_roll and entry.player == player)

    def skill(self, player: int) -> float:
        """What a player's decisions gave away, as a number below 0."""
        return math.fsum(entry.amount for entry in self.entries if not entry.is_roll and entry.player == player)

    def mistakes(self, player: int, least: float) -> list[Judged]:
        """The decisions that gave away so much or more, the worst first."""
        found = [entry for entry in self.entries if not entry.is_roll and entry.player == player]
        return sorted((entry for entry in found if entry.amount <= -least), key=lambda entry: entry.amount)


def luck_and_skill(referee: Referee) -> Account:
    """Every roll and every decision of a game so far, judged."""
    game = referee.game
    if game.players != 2 or not game.zero_sum or not game.chance or game.hidden or not has_evaluation(game):
        raise Refused(
            f"luck and skill are told apart for two players with dice and an evaluation; {game} is another game"
        )
    entries = []
    states = [*(turn.state for turn in referee.turns[1:]), referee.state]
    for number, (turn, after) in enumerate(zip(referee.turns, states, strict=True)):
        if turn.player == CHANCE:
            player = game.to_move(after)
            if player != CHANCE:
                amount = prospect.run(game, after, player) - prospect.run(game, turn.state, player)
                entries.append(Judged(number, player, turn.text, True, amount))
            continue
        made = glance.run(game, after, turn.player)
        values = [
            (glance.run(game, game.result(turn.state, action), turn.player), action)
            for action in game.actions(turn.state)
        ]
        best, action = max(values, key=lambda pair: pair[0])
        text = game.format_action(turn.state, action) if best > made else ""
        entries.append(Judged(number, turn.player, turn.text, False, min(made - best, 0.0), text))
    return Account(game, tuple(entries))


@kernel
def glance(game: Game, state: State, player: int) -> float:
    """What a position is worth at first sight."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    return float(game.evaluate(state, player))


@kernel
def prospect(game: Game, state: State, player: int) -> float:
    """What it is worth with the best decision at first sight, or on the average of all rolls with them."""
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
