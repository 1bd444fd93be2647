"""Quiescence search: do not evaluate in the middle of an exchange.   [Shannon 1950, Harris 1975]

At the depth limit the mover may stand pat on the evaluation or play a noisy move (`game.is_noisy`), and so may the
opponent after it, until no noisy move is left or pays.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY

NOISY_PLIES = 32
"""Maximum plies of an exchange."""


@kernel
def quiescent_alphabeta(
    game: Game, state: State, player: int, depth: int = 0, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """Alpha-beta that continues with noisy moves below the depth limit; depth 0 is the quiescence search itself."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    is_max = game.to_move(state) == player
    best = -INFINITY if is_max else INFINITY
    if depth <= 0:
        best = float(game.evaluate(state, player))
        if depth == -NOISY_PLIES:
            return best
    for action in game.actions(state):
        if best >= beta if is_max else best <= alpha:
            break
        if depth > 0 or game.is_noisy(state, action):
            child = game.result(state, action)
            if is_max:
                best = max(best, quiescent_alphabeta(game, child, player, depth - 1, max(alpha, best), beta))
            else:
                best = min(best, quiescent_alphabeta(game, child, player, depth - 1, alpha, min(beta, best)))
    return best
