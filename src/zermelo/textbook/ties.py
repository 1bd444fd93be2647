"""Alpha-beta that does not prune on equality: the form that courses grade by its expanded nodes.

A branch is pruned only if it is worse than another one; an equal one is searched completely. So ties are distinguished
from worse branches, at the cost of more nodes. With v the minimax value and r the result: r < alpha proves v <= r,
r > beta proves v >= r, anything else is exact, the ends of the window included.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED


@kernel
def alphabeta_with_ties(
    game: Game, state: State, player: int, depth: int = UNLIMITED, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """The value of the state for `player`, exact from alpha to beta and otherwise a bound."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    if game.to_move(state) == player:
        best = -INFINITY
        for action in game.actions(state):
            child = game.result(state, action)
            best = max(best, alphabeta_with_ties(game, child, player, depth - 1, max(alpha, best), beta))
            if best > beta:
                break
    else:
        best = INFINITY
        for action in game.actions(state):
            child = game.result(state, action)
            best = min(best, alphabeta_with_ties(game, child, player, depth - 1, alpha, min(beta, best)))
            if best < alpha:
                break
    return best
