"""Operations on games in progress that both servers need."""

from __future__ import annotations

from zermelo.core.errors import IllegalMove
from zermelo.core.game import Action, legal_actions
from zermelo.core.referee import Referee, Turn
from zermelo.core.repetition import Repetition


def reopen(referee: Referee) -> Referee:
    """The game without history and move counters if only they ended it: the other program decides about draws."""
    if not referee.is_over:
        return referee
    without = Referee(referee.game, referee.game.repetition_key(referee.state))
    return referee if without.is_over else without


def is_decided(referee: Referee) -> bool:
    """Whether the rules or a repetition ended the game; whether superko leaves no move is not checked."""
    if referee.game.repetition is Repetition.FORBIDDEN:
        return referee.game.is_terminal(referee.state)
    return referee.is_over


def play_only(referee: Referee, action: Action) -> None:
    """Play a legal action; IllegalMove otherwise. Superko is checked for this action only."""
    game, state = referee.game, referee.state
    if game.repetition is not Repetition.FORBIDDEN:
        referee.play(action)
        return
    if action not in legal_actions(game, state):
        raise IllegalMove(f"{game.format_action(state, action)} is not legal here")
    here, after = game.repetition_key(state), game.result(state, action)
    there, text = game.repetition_key(after), game.format_action(state, action)
    if there == here or any(turn.place == there for turn in referee.turns):
        raise IllegalMove(f"{text} would repeat an earlier board")
    referee.turns.append(Turn(state, referee.to_move, action, text, here))
    referee.state = after
