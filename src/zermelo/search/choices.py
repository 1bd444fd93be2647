"""Checks of the legal moves before a search; nothing is compiled for them."""

from __future__ import annotations

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Action, Game, State, legal_actions
from zermelo.core.outcome import describe_outcome
from zermelo.core.referee import Table, open_table
from zermelo.kernel import fits_cell, fits_cells

MOST_ROLLS = 20
"""Maximum number of consecutive rolls in an example."""


def must_be_open(referee: Table) -> None:
    """Raise Refused if the game is over, or if chance moves in a game that declares no dice."""
    game = referee.game
    if referee.is_over:
        text, outcome = game.format_state(referee.state), describe_outcome(open_table(referee))
        raise Refused(f"the game is over in {text!r}: {outcome}; give a position in which a player can move")
    if referee.to_move == CHANCE and not game.chance:
        raise Refused(f"{game.name} says that chance moves, but declares no dice; set chance = True in its class")


def must_choose(referee: Table, name: str, command: str = "") -> None:
    """Raise Refused, with a remedy, if the game is over or the dice are to be rolled.

    If a `command` such as `zermelo best pig` is given, the remedy is that command with a position.
    """
    must_be_open(referee)
    if referee.to_move == CHANCE:
        example = f'{command} "{after_the_roll(referee)}"'.strip()
        raise Refused(f"the dice are to be rolled here, so {name} has nothing to choose; give the roll: {example}")


def moves_fit(game: Game, state: State) -> bool:
    """Whether flat memory can hold the game's moves, and those of this position."""
    return fits_cells(game) and all(fits_cell(action) for action in legal_actions(game, state))


def legal_moves(referee: Table) -> list[Action]:
    """The legal moves; RulesError if there are none although the game is not over."""
    legal = referee.legal()
    if not legal:
        text = referee.game.format_state(referee.known_state)
        raise RulesError(f"{referee.game} is not over in {text!r}, yet there is no move")
    return legal


def whole_moves(referee: Table, name: str) -> list[Action]:
    """The legal moves for a search that stores them in its memory; Refused if they are not whole numbers."""
    legal = legal_moves(referee)
    if not all(isinstance(action, int) for action in legal):
        raise Refused(f"the moves of {referee.game} are not whole numbers, so {name} cannot keep them in its memory")
    return legal


def after_the_roll(referee: Table) -> str:
    """An example of a position after the roll as text, if possible as moves from the start."""
    then = open_table(referee).copy()
    for _ in range(MOST_ROLLS):
        if then.is_over or then.to_move != CHANCE:
            break
        then.play(then.legal()[0])
    if then.start == then.game.initial():
        return f"moves: {' '.join(turn.text for turn in then.turns)}"
    return then.game.format_state(then.state)
