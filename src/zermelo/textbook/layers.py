"""Mixed layers: each seat has a behaviour, in any order and number.

Pac-Man against one perfect and one random ghost is
`mixed_layers(game, state, own(0), (maximise, minimise, average))`.
Paranoid search assumes that all others play against one player; a coalition shares one payoff.
[Sturtevant & Korf 2000]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED

Behaviour: TypeAlias = Callable[[Sequence[float]], float]
"""The value of a layer, from the values of its moves."""
Objective: TypeAlias = Callable[[tuple[float, ...]], float]
"""An objective: a function from the payoffs of all players to one value."""

maximise: Behaviour = max
minimise: Behaviour = min


def average(values: Sequence[float]) -> float:
    """The mean: a player who moves at random."""
    return sum(values) / len(values)


def own(player: int) -> Objective:
    """The player's own payoff."""
    return lambda payoffs: payoffs[player]


def sum_of(*members: int) -> Objective:
    """The sum of a coalition's payoffs."""
    return lambda payoffs: sum(payoffs[member] for member in members)


@kernel
def mixed_layers(
    game: Game, state: State, objective: Objective, behaviours: Sequence[Behaviour], depth: int = UNLIMITED
) -> float:
    """The value of the state for the objective, given one behaviour per player."""
    if game.is_terminal(state):
        return objective(game.utilities(state))
    if depth == 0:
        return objective(game.evaluations(state))
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(
            probability * mixed_layers(game, game.result(state, action), objective, behaviours, depth - 1)
            for action, probability in game.outcomes(state)
        )
    values = [
        mixed_layers(game, game.result(state, action), objective, behaviours, depth - 1)
        for action in game.actions(state)
    ]
    return behaviours[mover](values)


def paranoid(game: Game, state: State, player: int, depth: int = UNLIMITED) -> float:
    """Paranoid search: the payoff a player can guarantee if all others play against them."""
    return coalition(game, state, (player,), depth)


@kernel
def best_reply(game: Game, state: State, player: int, depth: int = UNLIMITED, has_replied: bool = False) -> float:
    """Best-reply search: between two moves of a player only one opponent replies, the one that hurts most.

    The rest play the move that comes first in the game's `order`.   [Schadd & Winands 2011; Esser et al. 2013]
    """
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    mover = game.to_move(state)
    if mover == CHANCE:
        total = 0.0
        for action, probability in game.outcomes(state):
            total += probability * best_reply(game, game.result(state, action), player, depth - 1, has_replied)
        return total
    if mover == player:
        best = -INFINITY
        for action in game.actions(state):
            best = max(best, best_reply(game, game.result(state, action), player, depth - 1, False))
        return best
    expected, highest = 0, -INFINITY
    for index, action in enumerate(game.actions(state)):
        if game.order(state, action) > highest:
            expected, highest = index, float(game.order(state, action))
    worst = INFINITY
    for index, action in enumerate(game.actions(state)):
        if index == expected or not has_replied:
            replied = has_replied or index != expected
            worst = min(worst, best_reply(game, game.result(state, action), player, depth - 1, replied))
    return worst


def coalition(game: Game, state: State, members: tuple[int, ...], depth: int = UNLIMITED) -> float:
    """The total payoff that the members can guarantee together if all others play against them."""
    behaviours = [maximise if player in members else minimise for player in range(game.players)]
    return mixed_layers(game, state, sum_of(*members), behaviours, depth)
