"""Minimax: the value of a position if both players play perfectly.   [Zermelo 1913, von Neumann 1928]

`player` maximises, all others minimise; with more than two players that is the paranoid view.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel

INFINITY = float("inf")
UNLIMITED = 1 << 20
"""A depth that no game reaches."""


@kernel
def minimax(game: Game, state: State, player: int, depth: int = UNLIMITED) -> float:
    """The value of the state for `player`; at the depth limit, the game's evaluation."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    if game.to_move(state) == player:
        best = -INFINITY
        for action in game.actions(state):
            best = max(best, minimax(game, game.result(state, action), player, depth - 1))
    else:
        best = INFINITY
        for action in game.actions(state):
            best = min(best, minimax(game, game.result(state, action), player, depth - 1))
    return best
