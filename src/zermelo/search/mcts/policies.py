"""Playouts that learn from the simulations before them, or look one move ahead."""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, NO_ACTION, Game, State
from zermelo.kernel import load, store
from zermelo.search.legacy_workspace import fill_space
from zermelo.search.mcts.playout import Playout, below, fraction, usable
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.workspace import HIGHEST, LOWEST, PAYOFFS, REPLIES, TALLY, TRAIL, TRAIL_LENGTH, kind_of

FORGOTTEN = 0
"""A reply is noted as what it differs in from no move at all: any move has room, and a new table has none."""


class Mast(Playout):
    """The move that did best all over the tree and in the playouts; sometimes any other.

    The move-average sampling technique, as an epsilon-greedy choice [Finnsson & Bjornsson 2008; Tak et al. 2012].
    """

    learns = True

    def __init__(self, epsilon: float = 0.4) -> None:
        if not 0 <= epsilon <= 1:
            raise UsageError(f"epsilon is {epsilon}; it is a number from 0 to 1")
        self.epsilon = epsilon

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        space, mover = fill_space(memory), game.to_move(state)
        count = usable(game.fill_actions(state, space, 0), memory)
        index = below(memory, count)
        chosen = load(space, index)
        if fraction(memory) >= self.epsilon:
            best = average(memory, mover, chosen)
            for _ in range(count - 1):  # of equals the first one stays, and any may be the first
                index = index + 1 if index + 1 < count else 0
                found = average(memory, mover, load(space, index))
                if found > best:
                    best, chosen = found, load(space, index)
        return chosen

    def learn(self, how: Techniques, memory: int) -> None:
        for index in range(load(memory, TRAIL_LENGTH)):
            player = load(memory, TRAIL + 2 * index + 1)
            if player != CHANCE:
                cell = TALLY + 2 * kind_of(player, load(memory, TRAIL + 2 * index))
                store(memory, cell, load(memory, cell) + 1)
                store(memory, cell + 1, load(memory, cell + 1) + own_payoff(how, player, memory))


class LastGoodReply(Playout):
    """The answer that won when the same move was made last, until it loses; else what another policy chooses.

    The last-good-reply policy with forgetting [Drake 2009; Baier & Drake 2010].
    """

    learns = True

    def __init__(self, otherwise: Playout) -> None:
        self.otherwise = otherwise

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        noted = load(memory, REPLIES + kind_of(game.to_move(state), last))
        if noted != FORGOTTEN:
            space = fill_space(memory)
            for index in range(usable(game.fill_actions(state, space, 0), memory)):
                if load(space, index) == noted ^ NO_ACTION:
                    return noted ^ NO_ACTION
        return self.otherwise.choose(game, state, last, memory)

    def learn(self, how: Techniques, memory: int) -> None:
        middle = (load(memory, LOWEST) + load(memory, HIGHEST)) // 2
        if how.is_opposed:
            middle = 0
        for index in range(1, load(memory, TRAIL_LENGTH)):
            player = load(memory, TRAIL + 2 * index + 1)
            if player != CHANCE:
                cell = REPLIES + kind_of(player, load(memory, TRAIL + 2 * index - 2))
                noted, payoff = load(memory, TRAIL + 2 * index) ^ NO_ACTION, own_payoff(how, player, memory)
                if payoff > middle:
                    store(memory, cell, noted)
                elif payoff < middle and load(memory, cell) == noted:
                    store(memory, cell, FORGOTTEN)
        self.otherwise.learn(how, memory)


class Decisive(Playout):
    """The move that wins at once, if there is one; else what another policy chooses [Teytaud & Teytaud 2010]."""

    def __init__(self, otherwise: Playout) -> None:
        self.otherwise, self.learns = otherwise, otherwise.learns

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        space, mover = fill_space(memory), game.to_move(state)
        for index in range(usable(game.fill_actions(state, space, 0), memory)):
            end = game.result(state, load(space, index))
            if game.is_terminal(end) and game.utility(end, mover) >= game.utility_range[1]:
                return load(space, index)
        return self.otherwise.choose(game, state, last, memory)

    def learn(self, how: Techniques, memory: int) -> None:
        self.otherwise.learn(how, memory)


def average(memory: int, player: int, action: int) -> float:
    """What a move of a player was paid on average; the most there is, if it was never made."""
    cell = TALLY + 2 * kind_of(player, action)
    visits = load(memory, cell)
    return load(memory, cell + 1) / visits if visits > 0 else float(load(memory, HIGHEST))


def own_payoff(how: Techniques, player: int, memory: int) -> int:
    """What the simulation paid to a player, as the middle of the scale or more where two are opposed."""
    if not how.is_opposed:
        return load(memory, PAYOFFS + column_of(how, player))
    payoff = load(memory, PAYOFFS) - (load(memory, LOWEST) + load(memory, HIGHEST)) // 2
    return payoff if player == 0 else -payoff
