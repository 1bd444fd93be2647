"""Playout policies that learn from earlier simulations, or look one move ahead.

Laboratory: no default and no game uses them.
"""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, NO_ACTION, Game, State
from zermelo.search.mcts.playout import Playout
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.workspace import MctsWorkspace, kind_of

NO_REPLY = 0
"""Replies are stored combined with NO_ACTION by exclusive or, so that a new table of zeros has no reply."""


class Mast(Playout):
    """Plays the move with the best average payoff, and with probability epsilon a random one.

    The move-average sampling technique, as an epsilon-greedy choice [Finnsson & Bjornsson 2008; Tak et al. 2012].
    """

    learns = True

    def __init__(self, epsilon: float = 0.4) -> None:
        if not 0 <= epsilon <= 1:
            raise UsageError(f"epsilon is {epsilon}; it is a number from 0 to 1")
        self.epsilon = epsilon

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        mover = game.to_move(state)
        count = work.usable(game.fill_actions(state, work.buffer(), 0))
        index = work.below(count)
        chosen = work.generated[index]
        if work.fraction() >= self.epsilon:
            best = average_payoff(mover, chosen, work)
            for _ in range(count - 1):  # of equals the first is taken, and the start is random
                index = index + 1 if index + 1 < count else 0
                found = average_payoff(mover, work.generated[index], work)
                if found > best:
                    best, chosen = found, work.generated[index]
        return chosen

    def learn(self, how: Techniques, work: MctsWorkspace) -> None:
        for index in range(work.trail_length):
            player = work.trail_player(index)
            if player != CHANCE:
                kind = kind_of(player, work.trail_move(index))
                work.tally_visits[kind] = work.tally_visits[kind] + 1
                work.tally_payoffs[kind] = work.tally_payoffs[kind] + own_payoff(how, player, work)


class LastGoodReply(Playout):
    """Plays the reply that last won against the same move, until it loses; otherwise another policy's move.

    The last-good-reply policy with forgetting [Drake 2009; Baier & Drake 2010].
    """

    learns = True

    def __init__(self, otherwise: Playout) -> None:
        self.otherwise = otherwise

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        noted = work.replies[kind_of(game.to_move(state), last)]
        if noted != NO_REPLY:
            for index in range(work.usable(game.fill_actions(state, work.buffer(), 0))):
                if work.generated[index] == noted ^ NO_ACTION:
                    return noted ^ NO_ACTION
        return self.otherwise.choose(game, state, last, work)

    def learn(self, how: Techniques, work: MctsWorkspace) -> None:
        middle = (work.lowest + work.highest) // 2
        if how.is_opposed:
            middle = 0
        for index in range(1, work.trail_length):
            player = work.trail_player(index)
            if player != CHANCE:
                kind = kind_of(player, work.trail_move(index - 1))
                noted, payoff = work.trail_move(index) ^ NO_ACTION, own_payoff(how, player, work)
                if payoff > middle:
                    work.replies[kind] = noted
                elif payoff < middle and work.replies[kind] == noted:
                    work.replies[kind] = NO_REPLY
        self.otherwise.learn(how, work)


class Decisive(Playout):
    """Plays a move that wins at once; otherwise another policy's move [Teytaud & Teytaud 2010]."""

    def __init__(self, otherwise: Playout) -> None:
        self.otherwise, self.learns = otherwise, otherwise.learns

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        mover = game.to_move(state)
        for index in range(work.usable(game.fill_actions(state, work.buffer(), 0))):
            end = game.result(state, work.generated[index])
            if game.is_terminal(end) and game.utility(end, mover) >= game.utility_range[1]:
                return work.generated[index]
        return self.otherwise.choose(game, state, last, work)

    def learn(self, how: Techniques, work: MctsWorkspace) -> None:
        self.otherwise.learn(how, work)


def average_payoff(player: int, action: int, work: MctsWorkspace) -> float:
    """The average payoff of a player's move; the greatest payoff if it is untried."""
    kind = kind_of(player, action)
    visits = work.tally_visits[kind]
    return work.tally_payoffs[kind] / visits if visits > 0 else float(work.highest)


def own_payoff(how: Techniques, player: int, work: MctsWorkspace) -> int:
    """The payoff of a player in the last simulation; with two opponents, relative to the middle of the scale."""
    if not how.is_opposed:
        return work.payoffs[column_of(how, player)]
    payoff = work.payoffs[0] - (work.lowest + work.highest) // 2
    return payoff if player == 0 else -payoff
