"""Games played at random, to measure properties of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.core.game import Action, Game, State, legal_actions


def random_game(game: Game, state: State, rng: random.Random, most: int) -> Iterator[tuple[State, list[Action]]]:
    """At most `most` states of one random game, each with its moves or outcomes; none at the end of the game."""
    for _ in range(most):
        moves = list(legal_actions(game, state))
        yield state, moves
        if not moves:
            return
        state = game.result(state, rng.choice(moves))
