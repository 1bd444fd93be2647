"""Quiescence: do not evaluate in the middle of an exchange.   [Shannon 1950, Harris 1975]

Below the depth limit only noisy moves (`game.is_noisy`) are played out; the mover may also stand pat on the evaluation.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY

NOISY_PLIES = 32
"""How far an exchange is followed."""


@kernel
def quiescent_alphabeta(
    game: Game, state: State, player: int, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """Alpha-beta that calls `quiescence` at the depth limit."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return quiescence(game, state, player, NOISY_PLIES, alpha, beta)
    if game.to_move(state) == player:
        best = -INFINITY
        for action in game.actions(state):
            child = game.result(state, action)
            best = max(best, quiescent_alphabeta(game, child, player, depth - 1, max(alpha, best), beta))
            if best >= beta:
                break
    else:
        best = INFINITY
        for action in game.actions(state):
            child = game.result(state, action)
            best = min(best, quiescent_alphabeta(game, child, player, depth - 1, alpha, min(beta, best)))
            if best <= alpha:
                break
    return best


@kernel
def quiescence(
    game: Game, state: State, player: int, plies: int = NOISY_PLIES, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """The evaluation once no noisy move improves it for the mover."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    best = float(game.evaluate(state, player))
    if plies == 0:
        return best
    if game.to_move(state) == player:
        for action in game.actions(state):
            if best >= beta:
                break
            if game.is_noisy(state, action):
                child = game.result(state, action)
                best = max(best, quiescence(game, child, player, plies - 1, max(alpha, best), beta))
    else:
        for action in game.actions(state):
            if best <= alpha:
                break
            if game.is_noisy(state, action):
                child = game.result(state, action)
                best = min(best, quiescence(game, child, player, plies - 1, alpha, min(beta, best)))
    return best
