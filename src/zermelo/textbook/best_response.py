"""Best response: what a player wins at most against the strategies of the others, and how.

The player cannot tell the histories of an information set apart, so one move is chosen for all of them: the one with
the highest mean, each history weighted by the probability that chance and the others lead there.
"""

from __future__ import annotations

from zermelo.core.game import Action, Game, State
from zermelo.textbook.information_sets import (
    InformationSet,
    Memories,
    Strategies,
    branches,
    information_set,
    no_memories,
    remember,
)


def best_response(game: Game, strategies: Strategies, player: int) -> tuple[float, dict[InformationSet, Action]]:
    """The value of the best response for the player, and its move at each information set."""
    answer: dict[InformationSet, Action] = {}

    def value(histories: list[tuple[float, State, Memories]]) -> float:
        """The value of histories that are all alike to the player, by their weights."""
        total = 0.0
        alike: dict[InformationSet, list[tuple[float, State, Memories]]] = {}
        for weight, state, memories in histories:  # the list grows while it is read
            if game.is_terminal(state):
                total += weight * game.utility(state, player)
            elif game.to_move(state) == player:
                here = information_set(game, state, memories)
                alike.setdefault(here, []).append((weight, state, memories))
            else:
                after = branches(game, state, memories, strategies)
                histories += [(weight * share, child, seen) for share, child, seen in after if share > 0]
        for here, those in alike.items():
            values = {
                action: value([(w, game.result(s, action), remember(m, here, action)) for w, s, m in those])
                for action in game.actions(those[0][1])
            }
            answer[here] = max(values, key=lambda action: values[action])
            total += values[answer[here]]
        return total

    return value([(1.0, game.initial(), no_memories(game))]), answer


def expected_payoffs(game: Game, strategies: Strategies) -> tuple[float, ...]:
    """The mean payoff of each player if all follow the strategies."""

    def value(state: State, memories: Memories) -> list[float]:
        if game.is_terminal(state):
            return list(game.utilities(state))
        parts = [(share, value(*after)) for share, *after in branches(game, state, memories, strategies) if share > 0]
        return [sum(share * part[player] for share, part in parts) for player in range(game.players)]

    return tuple(value(game.initial(), no_memories(game)))


def nash_conv(game: Game, strategies: Strategies) -> float:
    """What all players together could win by deviating alone: 0 exactly at a Nash equilibrium."""
    best = (best_response(game, strategies, player)[0] for player in range(game.players))
    return sum(best) - sum(expected_payoffs(game, strategies))


def exploitability(game: Game, strategies: Strategies) -> float:
    """NashConv divided by the number of players."""
    return nash_conv(game, strategies) / game.players
