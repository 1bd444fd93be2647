"""Depth limits: a cut-off test says where to stop, and an evaluation function estimates the value there.

Iterative deepening searches to depth 1, 2, 3 ... and can be stopped at any time with a best move.   [Shannon 1950]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from zermelo.core.game import Action, Game, State
from zermelo.kernel import Kernel, kernel
from zermelo.textbook.alphabeta import alphabeta


@kernel
def heuristic_minimax(
    game: Game,
    state: State,
    player: int,
    is_cutoff: Callable[[State, int], bool],
    evaluate: Callable[[State, int], float],
    ply: int = 0,
) -> float:
    """Minimax with a cut-off test `is_cutoff(state, ply)` and an evaluation function `evaluate(state, player)`."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if is_cutoff(state, ply):
        return evaluate(state, player)
    best = max if game.to_move(state) == player else min
    return best(
        heuristic_minimax(game, game.result(state, action), player, is_cutoff, evaluate, ply + 1)
        for action in game.actions(state)
    )


def at_depth(limit: int) -> Callable[[State, int], bool]:
    """The cut-off test of plain depth-limited search."""
    return lambda state, ply: ply >= limit


def decide(game: Game, state: State, value: Callable[[State], float]) -> Action:
    """The move whose result has the highest value; the first of equals."""
    return max(game.actions(state), key=lambda action: value(game.result(state, action)))


class Deepening(NamedTuple):
    """The result of one depth of iterative deepening."""

    depth: int
    value: float
    action: Action


def iterative_deepening(game: Game, state: State, search: Kernel[..., float] = alphabeta) -> Iterator[Deepening]:
    """Search to depth 1, 2, 3 ...; an endless generator, to be stopped when the time is up."""
    player = game.to_move(state)
    depth = 0
    while True:
        depth += 1
        values = {
            action: search.run(game, game.result(state, action), player, depth - 1) for action in game.actions(state)
        }
        action = max(values, key=lambda action: values[action])
        yield Deepening(depth, values[action], action)
