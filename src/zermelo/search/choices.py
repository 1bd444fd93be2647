"""What there is to choose from, before a search begins."""

from __future__ import annotations

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Action, legal_actions
from zermelo.core.referee import Referee

MOST_ROLLS = 20
"""Rolls in a row that an example shows."""


def choices(referee: Referee, name: str) -> list[Action]:
    """The legal moves, which a search keeps in its memory; Refused, with a sentence, if it cannot choose one."""
    game, legal = referee.game, moves_to_choose(referee, name)
    if not all(isinstance(action, int) for action in legal):
        raise Refused(f"the moves of {game} are not whole numbers, so {name} cannot keep them in its memory")
    return legal


def moves_to_choose(referee: Referee, name: str) -> list[Action]:
    """The legal moves, of any type; Refused, with a sentence, if there is nothing to choose."""
    game = referee.game
    must_choose(referee, name)
    legal = referee.legal()
    if not legal:
        raise RulesError(f"{game} is not over in {game.format_state(referee.state)!r}, yet there is no move")
    return legal


def must_choose(referee: Referee, name: str, command: str = "") -> None:
    """Refused, with a remedy, if the game is over or the dice are to be rolled; nothing is compiled to find out.

    A `command` such as `zermelo best pig` is shown with a position after it, else only the position.
    """
    if referee.is_over:
        raise Refused(
            f"the game is over here, so {name} has nothing to choose; give a position where somebody can move"
        )
    if referee.to_move != CHANCE:
        return
    if not referee.game.chance:
        raise Refused(
            f"{referee.game.name} says that chance moves, but declares no dice; set chance = True in its class"
        )
    example = f'{command} "{rolled(referee)}"'.strip()
    raise Refused(f"the dice are to be rolled here, so {name} has nothing to choose; give the roll: {example}")


def rolled(referee: Referee) -> str:
    """An example of a position after the roll, as a text: the moves from the start if they are known."""
    then = referee.copy()
    for _ in range(MOST_ROLLS):
        if then.is_over or then.to_move != CHANCE:
            break
        then.play(next(legal_actions(then.game, then.state)))
    if then.start == then.game.initial():
        return f"moves: {' '.join(turn.text for turn in then.turns)}"
    return then.game.format_state(then.state)
