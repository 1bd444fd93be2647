"""Alpha-beta: minimax that prunes branches which cannot change the answer.

Fail-soft. With v the minimax value and r the result: r <= alpha proves v <= r,
r >= beta proves v >= r, anything between is exact.   [Knuth & Moore 1975]
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED


@kernel
def alphabeta(
    game: Game, state: State, player: int, depth: int = UNLIMITED, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """The value of the state for `player`, exact between alpha and beta and otherwise a bound."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    if game.to_move(state) == player:
        best = -INFINITY
        for action in game.actions(state):
            best = max(best, alphabeta(game, game.result(state, action), player, depth - 1, max(alpha, best), beta))
            if best >= beta:
                break
    else:
        best = INFINITY
        for action in game.actions(state):
            best = min(best, alphabeta(game, game.result(state, action), player, depth - 1, alpha, min(beta, best)))
            if best <= alpha:
                break
    return best
