"""Games played at random, to find out what a game is like."""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.core.game import Action, Game, State, legal_actions


def random_game(game: Game, state: State, rng: random.Random, most: int) -> Iterator[tuple[State, list[Action]]]:
    """So many states of one game at the most, each with its moves or outcomes; at the end there are none."""
    for _ in range(most):
        moves = list(legal_actions(game, state))
        yield state, moves
        if not moves:
            return
        state = game.result(state, rng.choice(moves))
