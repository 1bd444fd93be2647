"""Determinisation: for hidden information, average minimax over worlds that fit what the player has seen
(perfect information Monte Carlo, PIMC).

It assumes that everything is revealed after the first move (strategy fusion), so it never bluffs and never gathers
information.   [Ginsberg 2001; Frank & Basin 1998]
"""

from __future__ import annotations

import random

from zermelo.core.game import Action, Game, View
from zermelo.kernel import U64
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.minimax import UNLIMITED


def determinised(
    game: Game, view: View, player: int, rng: random.Random, worlds: int = 20, depth: int = UNLIMITED
) -> dict[Action, float]:
    """The mean value of each move for `player` over worlds sampled from the player's view."""
    totals: dict[Action, float] = {}
    for _ in range(worlds):
        state = game.worlds(view, player, U64(rng.getrandbits(64)))
        for action in game.actions(state):
            value = expectiminimax(game, game.result(state, action), player, depth - 1)
            totals[action] = totals.get(action, 0.0) + value / worlds
    return totals
