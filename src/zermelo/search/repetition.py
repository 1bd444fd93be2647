"""For searches that do not look at the path: what a rule for repetition leaves of their claims.

Such a search takes its first moves from the referee, who knows the history, and asks the referee whether the game is
over after each of them: that much holds. Below, it takes positions for new ones that are not, so what it finds there is
an estimate, even if it saw every end.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.errors import Refused
from zermelo.core.game import Action, Game, has_one_value
from zermelo.core.referee import Referee, Turn
from zermelo.core.repetition import Repetition

NOTE = "it sees no repetition beyond the first move, so what it finds there is an estimate"


def after(referee: Referee, action: Action) -> Referee:
    """The game after a move that is known to be legal: superko makes it slow to find that out again."""
    game, state = referee.game, referee.state
    found = Referee(game, game.result(state, action))
    text = game.format_action(state, action)
    found.turns = [*referee.turns, Turn(state, referee.to_move, action, text, game.repetition_key(state))]
    return found


def endings(referee: Referee, legal: Iterable[Action]) -> dict[Action, tuple[float, ...]]:
    """The payoffs after the moves that end the game; nothing if repetition means nothing, because a search sees it."""
    if not referee.game.repetition:
        return {}
    below = {action: after(referee, action) for action in legal}
    return {action: ended.utilities() for action, ended in below.items() if ended.is_over}


def forbidden_moves(referee: Referee) -> list[Action]:
    """The moves that would repeat a position, where that is not allowed."""
    game = referee.game
    if game.repetition is not Repetition.FORBIDDEN:
        return []
    legal = referee.legal()
    return [action for action in game.actions(referee.state) if action not in legal]


def legal_line(referee: Referee, line: Iterable[Action]) -> tuple[str, ...]:
    """The names of the moves, up to where the game is over or one of them is not legal."""
    names: list[str] = []
    for action in line:
        if referee.game.repetition and names and action not in referee.legal():
            break
        referee = after(referee, action)
        names.append(referee.turns[-1].text)
    return tuple(names)


def refuse_without_limit(game: Game, name: str) -> None:
    """Refused: after the first depth nothing more can be proved, and a search without a limit would go on for ever."""
    knowing = "or use mcts, which knows the rule"
    if has_one_value(game) and not game.chance and not game.hidden:
        knowing = "or use alphabeta, which knows the rule"
        if game.players == 2:
            knowing = "or use alphabeta or solve, which know the rule"
    remedy = "give a depth, a time or a node limit" + (f", {knowing}" if name != "alphabeta" else "")
    raise Refused(f"{name} sees no repetition beyond the first move, so {game.name} may never end for it: {remedy}")
