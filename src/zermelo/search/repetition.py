"""Rules for repetition in searches that ignore the path: which of their results hold.

Such a search takes the root's moves from the referee, which knows the history and also whether the game is over after
each of them; that much is exact. Deeper in the tree the search misses repetitions, so its values there are estimates,
even if it met no horizon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from zermelo.core.errors import Refused
from zermelo.core.game import Action, Game, has_one_value
from zermelo.core.referee import Referee, Turn
from zermelo.core.repetition import Repetition

NOTE = "it sees no repetition beyond the first move, so what it finds there is an estimate"


def play_unchecked(referee: Referee, action: Action) -> Referee:
    """The referee after a legal move; the check of legality is skipped, because it is slow under superko."""
    game, state = referee.game, referee.state
    found = Referee(game, game.result(state, action))
    text = game.format_action(state, action)
    found.turns = [*referee.turns, Turn(state, referee.to_move, action, text, game.repetition_key(state))]
    return found


def endings(referee: Referee, legal: Iterable[Action]) -> dict[Action, tuple[float, ...]]:
    """The payoffs after the moves that end the game; empty in games without a rule for repetition."""
    if not referee.game.repetition:
        return {}
    below = {action: play_unchecked(referee, action) for action in legal}
    return {action: ended.utilities() for action, ended in below.items() if ended.is_over}


def forbidden_moves(referee: Referee) -> list[Action]:
    """The moves that would repeat a position, in a game that forbids it."""
    game = referee.game
    if game.repetition is not Repetition.FORBIDDEN:
        return []
    legal = referee.legal()
    return [action for action in game.actions(referee.state) if action not in legal]


def cut_at_repetition(referee: Referee, line: Sequence[Action]) -> tuple[Action, ...]:
    """The line up to a repetition that ends the game or is forbidden."""
    game, state, times = referee.game, referee.state, int(referee.game.repetition)
    if not times:
        return tuple(line)
    seen = Counter([*(turn.place for turn in referee.turns), game.repetition_key(state)])
    for index, action in enumerate(line):
        state = game.result(state, action)
        here = game.repetition_key(state)
        seen[here] += 1
        if times < 0 and seen[here] > 1:
            return tuple(line[:index])
        if 0 < times <= seen[here]:
            return tuple(line[: index + 1])
    return tuple(line)


def refuse_without_limit(game: Game, name: str) -> None:
    """Raise Refused: without a limit the search would never end, because depths above 1 prove nothing more."""
    knowing = "or use mcts, which knows the rule"
    if has_one_value(game) and not game.chance and not game.hidden:
        knowing = "or use alphabeta, which knows the rule"
        if game.players == 2:
            knowing = "or use alphabeta or solve, which know the rule"
    remedy = "give a depth, a time or a node limit" + (f", {knowing}" if name.partition(":")[0] != "alphabeta" else "")
    raise Refused(f"{name} sees no repetition beyond the first move, so {game.name} may never end for it: {remedy}")
