"""Games in progress, as servers need them."""

from __future__ import annotations

from zermelo.core.errors import IllegalMove
from zermelo.core.game import Action, legal_actions
from zermelo.core.referee import Referee, Turn
from zermelo.core.repetition import Repetition


def reopen(referee: Referee) -> Referee:
    """The game without its history and clocks if only they have ended it: a draw is the other program's to call."""
    if not referee.is_over:
        return referee
    without = Referee(referee.game, referee.game.repetition_key(referee.state))
    return referee if without.is_over else without


def is_decided(referee: Referee) -> bool:
    """Whether the rules or a repetition have ended the game; that superko has left no move is not looked for."""
    if referee.game.repetition is Repetition.FORBIDDEN:
        return referee.game.is_terminal(referee.state)
    return referee.is_over


def play_only(referee: Referee, action: Action) -> None:
    """Play a legal action; IllegalMove otherwise. Of what superko allows, only this one is looked at."""
    game, state = referee.game, referee.state
    if game.repetition is not Repetition.FORBIDDEN:
        referee.play(action)
        return
    if action not in legal_actions(game, state):
        raise IllegalMove(f"{game.format_action(state, action)} is not legal here")
    here, after = game.repetition_key(state), game.result(state, action)
    there, text = game.repetition_key(after), game.format_action(state, action)
    if there == here or any(turn.place == there for turn in referee.turns):
        raise IllegalMove(f"{text} would bring back a board that was there before")
    referee.turns.append(Turn(state, referee.to_move, action, text, here))
    referee.state = after
