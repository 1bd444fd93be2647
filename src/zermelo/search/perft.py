"""Perft: the number of lines of play of a given length. An exact count is the best test of rules.

A line that ends earlier does not count. Outcomes of dice count as moves.
"""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game, State, legal_actions
from zermelo.kernel import kernel
from zermelo.search.watch import Watch


@kernel
def count_lines(game: Game, state: State, depth: int) -> int:
    """Lines of `depth` plies from a state; the last ply is counted without being played."""
    if game.is_terminal(state):
        return 0
    total = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += 1 if depth == 1 else count_lines(game, game.result(state, action), depth - 1)
    else:
        for action in game.actions(state):
            total += 1 if depth == 1 else count_lines(game, game.result(state, action), depth - 1)
    return total


def perft(game: Game, state: State | None = None, depth: int = 1) -> int:
    """The number of lines of `depth` plies; 1 for depth 0."""
    if depth < 0:
        raise UsageError(f"a depth of {depth} makes no sense; it is 0 or more")
    start = game.initial() if state is None else state
    if depth == 0:
        return 1
    count_lines.prepare(game, start, depth)
    watch = Watch(stop=_give_up)
    return watch.run(lambda: count_lines.run(game, start, depth))


def divide(game: Game, state: State | None = None, depth: int = 1) -> dict[str, int]:
    """Perft for each first move."""
    start = game.initial() if state is None else state
    return {
        game.format_action(start, action): perft(game, game.result(start, action), depth - 1)
        for action in legal_actions(game, start)
    }


def _give_up() -> None:
    """A count has no meaning before it is complete."""
    raise KeyboardInterrupt
