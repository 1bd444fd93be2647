"""Imperfect opponents: expectimax against any opponent model.

A model gives pairs (action, probability) for a state. The lecture's ghost, minimax to depth 2 four times out of
five and random otherwise, is `mixture((0.8, minimax_player(2)), (0.2, uniform))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.cutoff import decide
from zermelo.textbook.minimax import UNLIMITED, minimax

Model: TypeAlias = Callable[[Game, State], Iterable[tuple[Action, float]]]


def uniform(game: Game, state: State) -> list[tuple[Action, float]]:
    """A model: every move is equally likely."""
    actions = list(game.actions(state))
    return [(action, 1 / len(actions)) for action in actions]


def minimax_player(depth: int) -> Model:
    """A model: the best move by minimax to this depth."""

    def model(game: Game, state: State) -> list[tuple[Action, float]]:
        player = game.to_move(state)
        return [(decide(game, state, lambda child: minimax(game, child, player, depth - 1)), 1.0)]

    return model


def mixture(*parts: tuple[float, Model]) -> Model:
    """A mixture of models, drawn anew for each move."""
    if abs(sum(weight for weight, _ in parts) - 1) > 1e-9 or any(weight < 0 for weight, _ in parts):
        raise RulesError(f"the weights of a mixture sum to 1, not to {sum(weight for weight, _ in parts):g}")

    def model(game: Game, state: State) -> list[tuple[Action, float]]:
        chances: dict[Action, float] = {}
        for weight, part in parts:
            for action, probability in part(game, state):
                chances[action] = chances.get(action, 0.0) + weight * probability
        return list(chances.items())

    return model


@kernel
def expectimax(game: Game, state: State, player: int, model: Model = uniform, depth: int = UNLIMITED) -> float:
    """The expected value of the state for `player`, who maximises; all others follow the model."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    mover = game.to_move(state)
    if mover == player:
        return max(expectimax(game, game.result(state, a), player, model, depth - 1) for a in game.actions(state))
    chances = game.outcomes(state) if mover == CHANCE else model(game, state)
    return sum(p * expectimax(game, game.result(state, a), player, model, depth - 1) for a, p in chances)
