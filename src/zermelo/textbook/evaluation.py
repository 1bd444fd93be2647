"""Evaluation functions: weighted sums of features, which replace a game's own evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.core.errors import RulesError
from zermelo.core.game import Game, State
from zermelo.core.wrapped import Wrapped
from zermelo.kernel import Static

Feature = Callable[[State, int], float]


class Linear:
    """`w1 * f1(state, player) + w2 * f2(state, player) + ...`   [Shannon 1950]"""

    def __init__(self, weights: Sequence[float], features: Sequence[Feature]) -> None:
        if len(weights) != len(features):
            raise RulesError(f"there are {len(weights)} weights for {len(features)} features; give one for each")
        if not all(map(math.isfinite, weights)):
            raise RulesError("a weight is not a number; weights are finite")
        self.weights, self.features = tuple(weights), tuple(features)

    def __call__(self, state: State, player: int) -> float:
        return sum(weight * feature(state, player) for weight, feature in zip(self.weights, self.features, strict=True))


class Evaluated(Wrapped):
    """A game with another evaluation function.

    A plain function makes the game run interpreted; a `Static` object with a method
    `evaluate(game, state, player)` compiles.
    """

    def __init__(self, game: Game, evaluation: Any) -> None:
        super().__init__(game)
        self.evaluation: Any = evaluation if isinstance(evaluation, Static) else _Called(evaluation)

    def evaluate(self, state: State, player: int) -> float:
        return float(self.evaluation.evaluate(self.game, state, player))


class _Called(Static):
    not_inlined = ("evaluate",)

    def __init__(self, function: Feature) -> None:
        self.function = function

    def evaluate(self, game: Game, state: State, player: int) -> float:
        return self.function(state, player)
