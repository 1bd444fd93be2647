"""Monte Carlo CFR with external sampling: chance and the other players make one move, at random.

The regrets that it adds up are those of `cfr` on average, at the cost of a small part of the tree.
[Lanctot, Waugh, Zinkevich & Bowling 2009]
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.cfr import Table, add_up, next_strategy, nothing_learned
from zermelo.textbook.information_sets import Memories, information_set, no_memories, remember
from zermelo.textbook.matrix_games import mean


def external_sampling(game: Game, iterations: int, rng: random.Random) -> Iterator[Table]:
    """The table after each iteration, which samples the game once for each player; it is always the same table."""
    table: Table = {}
    for _ in range(iterations):
        for player in range(game.players):
            sampled_value(game, game.initial(), player, no_memories(game), table, rng)
        yield table


@kernel
def sampled_value(game: Game, state: State, player: int, memories: Memories, table: Table, rng: random.Random) -> float:
    """An unbiased estimate of the value for the player, who tries all moves; others' strategies are averaged."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        actions, chances = zip(*game.outcomes(state), strict=True)
        child = game.result(state, rng.choices(actions, chances)[0])
        return sampled_value(game, child, player, memories, table, rng)
    here = information_set(game, state, memories)
    if here not in table:
        table[here] = nothing_learned(game, state)
    learned = table[here]
    if mover != player:
        action = rng.choices(learned.actions, learned.strategy)[0]
        table[here] = add_up(learned, [0.0] * len(learned.actions), 1.0)
        return sampled_value(game, game.result(state, action), player, remember(memories, here, action), table, rng)
    values = [
        sampled_value(game, game.result(state, action), player, remember(memories, here, action), table, rng)
        for action in learned.actions
    ]
    value = mean(learned.strategy, values)
    table[here] = next_strategy(add_up(learned, [each - value for each in values], 0.0), False)
    return float(value)
