"""What there is to choose from, before a search begins."""

from __future__ import annotations

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Action
from zermelo.core.referee import Referee


def choices(referee: Referee, name: str) -> list[Action]:
    """The legal moves, which a search keeps in its memory; Refused, with a sentence, if it cannot choose one."""
    game = referee.game
    if referee.is_over:
        raise Refused(f"the game is over here, so {name} has nothing to choose")
    if referee.to_move == CHANCE:
        raise Refused(f"the dice are to be rolled here, so {name} has nothing to choose")
    legal = referee.legal()
    if not legal:
        raise RulesError(f"{game} is not over in {game.format_state(referee.state)!r}, yet there is no move")
    if not all(isinstance(action, int) for action in legal):
        raise Refused(f"the moves of {game} are not whole numbers, so {name} cannot keep them in its memory")
    return legal
