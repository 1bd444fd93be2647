"""Max^n: any number of players, utilities as tuples; each player maximises their own entry.   [Luckhardt & Irani 1986]

Ties go to the first move. With two players and payoffs that sum to zero it is minimax.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel, replace_item
from zermelo.textbook.minimax import INFINITY, UNLIMITED


@kernel
def maxn(game: Game, state: State, depth: int = UNLIMITED) -> tuple[float, ...]:
    """The payoffs of all players if every player maximises their own."""
    if game.is_terminal(state):
        return game.utilities(state)
    if depth == 0:
        return game.evaluations(state)
    mover = game.to_move(state)
    best = game.zeros
    if mover == CHANCE:
        for action, probability in game.outcomes(state):
            value = maxn(game, game.result(state, action), depth - 1)
            for player in range(game.players):
                best = replace_item(best, player, best[player] + probability * value[player])
    else:
        is_first = True
        for action in game.actions(state):
            value = maxn(game, game.result(state, action), depth - 1)
            if is_first or value[mover] > best[mover]:
                best, is_first = value, False
    return best


@kernel
def maxn_shallow(
    game: Game, state: State, total: float, depth: int = UNLIMITED, parent: int = CHANCE, bound: float = -INFINITY
) -> tuple[float, ...]:
    """Max^n with shallow pruning, for games whose payoffs never sum to more than `total`.   [Korf 1991]

    `bound` is the payoff that the parent's player has elsewhere. Once the mover's payoff leaves at most the bound for
    the parent's player, the other moves cannot matter: the parent could at best tie, and ties go to the first move.
    So the payoffs at the root are max^n's, ties included. A node with a cut returns payoffs that its parent rejects.
    """
    if game.is_terminal(state):
        return game.utilities(state)
    if depth == 0:
        return game.evaluations(state)
    mover = game.to_move(state)
    best = game.zeros
    if mover == CHANCE:
        for action, probability in game.outcomes(state):
            value = maxn_shallow(game, game.result(state, action), total, depth - 1, CHANCE, -INFINITY)
            for player in range(game.players):
                best = replace_item(best, player, best[player] + probability * value[player])
        return best
    low = game.utility_range[0]
    reserved = low * (game.players - 2)  # the others get at least this
    is_first, own = True, -INFINITY
    for action in game.actions(state):
        value = maxn_shallow(game, game.result(state, action), total, depth - 1, mover, own)
        if is_first or value[mover] > best[mover]:
            best, is_first, own = value, False, value[mover]
            if parent != CHANCE and parent != mover and total - own - reserved <= bound:
                break
    return best
