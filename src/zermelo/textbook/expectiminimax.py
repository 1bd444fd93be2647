"""Expectiminimax: minimax with dice; the value of a chance node is the mean of its outcomes.   [Michie 1966]

Only positive affine transformations of the evaluation keep its choices; minimax's survive any monotone one.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED


@kernel
def expectiminimax(game: Game, state: State, player: int, depth: int = UNLIMITED) -> float:
    """The expected value of the state for `player`; all others minimise it. Rolls count as plies."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        best = 0.0
        for action, probability in game.outcomes(state):
            best += probability * expectiminimax(game, game.result(state, action), player, depth - 1)
    elif mover == player:
        best = -INFINITY
        for action in game.actions(state):
            best = max(best, expectiminimax(game, game.result(state, action), player, depth - 1))
    else:
        best = INFINITY
        for action in game.actions(state):
            best = min(best, expectiminimax(game, game.result(state, action), player, depth - 1))
    return best
