"""Counterfactual regret minimisation: regret matching at every information set.

The regret for a move is how much more it would have won than the strategy, weighted by the probability that chance and
the other players lead there. In a two-player zero-sum game the average strategies approach an equilibrium; with more
players nothing is proved.   [Zinkevich, Johanson, Bowling & Piccione 2007; CFR+: Tammelin 2014]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.information_sets import InformationSet, Memories, information_set, no_memories, remember
from zermelo.textbook.matrix_games import mean
from zermelo.textbook.regret_matching import in_proportion, match_regrets


@dataclass(frozen=True)
class Learned:
    """What a player has learned at an information set: an entry for each move."""

    actions: tuple[Action, ...]
    regrets: tuple[float, ...]
    strategy: tuple[float, ...]
    """The probabilities that regret matching plays next."""
    total: tuple[float, ...]
    """The sum of all strategies so far, each weighted by the player's own probability of coming here."""

    @property
    def average(self) -> tuple[float, ...]:
        """The average strategy, which approaches the equilibrium."""
        return in_proportion(self.total)


Table = dict[InformationSet, Learned]


def cfr(game: Game, iterations: int, plus: bool = False) -> Iterator[Table]:
    """What has been learned at each information set after each iteration; players learn in turn, the first one first.

    With `plus` it is CFR+: negative regrets are forgotten, and the strategy of iteration t counts t times.
    """
    table: Table = {}
    for iteration in range(1, iterations + 1):
        for player in range(game.players):
            weight = float(iteration) if plus else 1.0
            counterfactual_value(game, game.initial(), player, weight, 1.0, no_memories(game), table)
            for here, learned in table.items():
                if here.player == player:
                    table[here] = next_strategy(learned, plus)
        yield dict(table)


@kernel
def counterfactual_value(
    game: Game, state: State, player: int, own: float, others: float, memories: Memories, table: Table
) -> float:
    """The value for the player if all follow their present strategies; the player's regrets are added to the table.

    `own` is the player's own probability of coming here, times the weight of the iteration; `others` is that of all
    others and of chance.
    """
    if game.is_terminal(state):
        return float(game.utility(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        value = 0.0
        for action, chance in game.outcomes(state):
            child = game.result(state, action)
            value += chance * counterfactual_value(game, child, player, own, others * chance, memories, table)
        return value
    here = information_set(game, state, memories)
    if here not in table:
        table[here] = nothing_learned(game, state)
    learned = table[here]
    values = []
    for action, share in zip(learned.actions, learned.strategy, strict=True):
        child, after = game.result(state, action), remember(memories, here, action)
        if mover == player:
            values.append(counterfactual_value(game, child, player, own * share, others, after, table))
        else:
            values.append(counterfactual_value(game, child, player, own, others * share, after, table))
    value = mean(learned.strategy, values)
    if mover == player:
        regrets = [others * (each - value) for each in values]
        table[here] = add_up(table[here], regrets, own)
    return float(value)


def nothing_learned(game: Game, state: State) -> Learned:
    """At first there are no regrets, and all moves are equally likely."""
    actions = tuple(game.actions(state))
    zeros = (0.0,) * len(actions)
    return Learned(actions, zeros, match_regrets(zeros), zeros)


def present_strategy(game: Game, state: State, memories: Memories, table: Table) -> list[tuple[Action, float]]:
    """The probability of each move that the player to move has at present."""
    learned = table.get(information_set(game, state, memories)) or nothing_learned(game, state)
    return list(zip(learned.actions, learned.strategy, strict=True))


def add_up(learned: Learned, regrets: list[float], own: float) -> Learned:
    """Add the regrets of one history, and the strategy by the player's own probability of coming here."""
    sums = tuple(before + regret for before, regret in zip(learned.regrets, regrets, strict=True))
    total = tuple(before + own * share for before, share in zip(learned.total, learned.strategy, strict=True))
    return replace(learned, regrets=sums, total=total)


def next_strategy(learned: Learned, plus: bool) -> Learned:
    """Regret matching, after all histories have been added up."""
    regrets = tuple(max(regret, 0.0) for regret in learned.regrets) if plus else learned.regrets
    return replace(learned, regrets=regrets, strategy=match_regrets(regrets))


def average_strategies(table: Table) -> dict[InformationSet, tuple[float, ...]]:
    """The average strategy at each information set."""
    return {here: learned.average for here, learned in table.items()}
