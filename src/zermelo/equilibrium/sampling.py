"""Monte Carlo counterfactual regret minimisation: regrets from samples of play, straight from the rules.

An iteration visits a small part of the game, so games that are too large to flatten can be learned; memory is needed
for the information sets that have been met. In a two-player zero-sum game the average strategies approach an
equilibrium with high probability.   [Lanctot, Waugh, Zinkevich & Bowling 2009]

| method | a player's own moves | those of others, and chance | an iteration |
|---|---|---|---|
| mccfr, external sampling | all | one at random | a part of the tree for each player |
| outcome | one at random, often an unlikely one | one at random | a single game for each player |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, suggest
from zermelo.equilibrium.arrays import contents
from zermelo.equilibrium.flatten import MOST_PLIES, first_chain, information_key
from zermelo.equilibrium.key_table import FIRST_SLOTS, KeyTable, words_for
from zermelo.equilibrium.strategy import Strategy
from zermelo.equilibrium.treeplex import Figures
from zermelo.kernel import GOLDEN, U64, Numbers, Reals, Words, kernel, mix, number, pointer, replace_item

METHODS = ("mccfr", "outcome")
MOST_SETS = 1 << 23
"""Information sets that are kept at most: about 200 bytes each with four moves, and only those that are met."""
MOVES_PER_SET = 4
SCRATCH = 1 << 16
EXPLORATION = 0.6
"""Outcome sampling: how often the player who learns plays any move, each equally likely."""
FULL, ENDLESS, UNLIKE = 1, 2, 3
"""What can go wrong."""
UNIT = 2.0**-53


class Learned(KeyTable):
    """What has been learned at the information sets that were met."""

    entries: int
    most_sets: int
    most_entries: int
    trouble: int
    top: int
    luck: U64
    keys: Words = pointer(Words)
    owner: Numbers = pointer(Numbers)
    first: Numbers = pointer(Numbers)
    """The first entry of each set; there is one for each move."""
    count: Numbers = pointer(Numbers)
    regret: Reals = pointer(Reals)
    average: Reals = pointer(Reals)
    scratch: Reals = pointer(Reals)
    """The values of moves on the present path; those from `top` on are free."""
    paid: Reals = pointer(Reals)
    """For each player, the sum of the values of all iterations."""

    def find(self, key: U64, player: int, count: int) -> int:
        """The number of a set, which is added if it is new; -1 if there is no room, or its moves differ."""
        slot = self.slot_of(key)
        if self.table[slot] != U64(0):
            found = number(self.table[slot + 1])
            if self.count[found] != count:
                self.trouble = UNLIKE
                return -1
            return found
        found, first = self.sets, self.entries
        if found == self.most_sets or first + count > self.most_entries:
            self.trouble = FULL
            return -1
        self.table[slot] = key
        self.table[slot + 1] = U64(found)
        self.keys[found] = key
        self.owner[found] = player
        self.first[found] = first
        self.count[found] = count
        self.sets = found + 1
        self.entries = first + count
        if 2 * self.sets > self.slots:
            self.grow()
        return found

    def draw(self) -> float:
        """A random number from 0 to before 1."""
        self.luck = self.luck + GOLDEN
        return float(number(mix(self.luck) >> 11)) * UNIT

    def positive(self, first: int, count: int) -> float:
        """The sum of the positive regrets of a set."""
        total = 0.0
        for entry in range(first, first + count):
            total += max(self.regret[entry], 0.0)
        return total

    def share(self, entry: int, count: int, positive: float) -> float:
        """The probability that regret matching gives to a move."""
        return max(self.regret[entry], 0.0) / positive if positive > 0.0 else 1.0 / count

    def choose(self, first: int, count: int, positive: float, exploration: float) -> int:
        """A move by regret matching, mixed with a share of any move."""
        left, chosen = self.draw(), 0
        for move in range(count):
            share = (1.0 - exploration) * self.share(first + move, count, positive) + exploration / count
            if share > 0.0:
                chosen = move
                left -= share
                if left < 0.0:
                    break
        return chosen

    def add_average(self, first: int, count: int, positive: float, weight: float) -> None:
        """Add the present strategy of a set to its average."""
        for entry in range(first, first + count):
            self.average[entry] += weight * self.share(entry, count, positive)


@kernel
def draw_outcome(game: Game, state: State, luck: float) -> Action:
    """A random outcome of chance."""
    chosen = 0
    for action, probability in game.outcomes(state):
        if probability > 0.0:
            chosen = action
            luck -= probability
            if luck < 0.0:
                break
    return chosen


@kernel
def nth_action(game: Game, state: State, number: int) -> Action:
    """The move with this index."""
    chosen = 0
    for action in game.actions(state):
        chosen = action
        if number == 0:
            break
        number -= 1
    return chosen


@kernel
def sample_others(game: Game, state: State, chains: State, player: int, left: int, learned: Learned) -> float:
    """External sampling: the value for the player who learns, whose moves are all tried."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if left == 0:
        learned.trouble = ENDLESS
    if learned.trouble != 0:
        return 0.0
    mover = game.to_move(state)
    if mover == CHANCE:
        child = game.result(state, draw_outcome(game, state, learned.draw()))
        return sample_others(game, child, chains, player, left - 1, learned)
    key, count = information_key(game, state, mover, chains[mover]), game.count(state)
    found = learned.find(key, mover, count)
    if found < 0:
        return 0.0
    first = learned.first[found]
    positive = learned.positive(first, count)
    if mover != player:
        if mover == (player + 1) % game.players:
            learned.add_average(first, count, positive, 1.0)
        move = learned.choose(first, count, positive, 0.0)
        after = replace_item(chains, mover, mix(key + U64(move + 1)))
        child = game.result(state, nth_action(game, state, move))
        return sample_others(game, child, after, player, left - 1, learned)
    base = learned.top
    if base + count > SCRATCH:
        learned.trouble = ENDLESS
        return 0.0
    learned.top = base + count
    move, value = 0, 0.0
    for action in game.actions(state):
        after = replace_item(chains, mover, mix(key + U64(move + 1)))
        worth = sample_others(game, game.result(state, action), after, player, left - 1, learned)
        learned.scratch[base + move] = worth
        value += learned.share(first + move, count, positive) * worth
        move += 1
    learned.top = base
    for move in range(count):
        learned.regret[first + move] += learned.scratch[base + move] - value
    return value


@kernel
def sample_all(
    game: Game, state: State, chains: State, player: int, drawn: float, left: int, learned: Learned
) -> float:
    """Outcome sampling: an unbiased estimate of the value for the player who learns, from one game.

    `drawn` is the probability that the sample draws the player's own moves so far. Chance and the others move by their
    own probabilities, which cancel out of all weights.
    """
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if left == 0:
        learned.trouble = ENDLESS
    if learned.trouble != 0:
        return 0.0
    mover = game.to_move(state)
    if mover == CHANCE:
        child = game.result(state, draw_outcome(game, state, learned.draw()))
        return sample_all(game, child, chains, player, drawn, left - 1, learned)
    key, count = information_key(game, state, mover, chains[mover]), game.count(state)
    found = learned.find(key, mover, count)
    if found < 0:
        return 0.0
    first = learned.first[found]
    positive = learned.positive(first, count)
    exploration = EXPLORATION if mover == player else 0.0
    move = learned.choose(first, count, positive, exploration)
    after = replace_item(chains, mover, mix(key + U64(move + 1)))
    child = game.result(state, nth_action(game, state, move))
    if mover != player:
        if mover == (player + 1) % game.players:
            learned.add_average(first, count, positive, 1.0 / drawn)
        return sample_all(game, child, after, player, drawn, left - 1, learned)
    share = learned.share(first + move, count, positive)
    chance = (1.0 - exploration) * share + exploration / count
    worth = sample_all(game, child, after, player, drawn * chance, left - 1, learned) / chance
    for other in range(count):
        regret = (worth if other == move else 0.0) - share * worth
        learned.regret[first + other] += regret / drawn
    return share * worth


@kernel
def learn_externally(game: Game, chains: State, iterations: int, learned: Learned) -> None:
    """Iterations of external sampling, for all players in turn."""
    for _ in range(iterations):
        for player in range(game.players):
            value = sample_others(game, game.initial(), chains, player, MOST_PLIES, learned)
            learned.paid[player] += value
        if learned.trouble != 0:
            break


@kernel
def learn_from_games(game: Game, chains: State, iterations: int, learned: Learned) -> None:
    """Iterations of outcome sampling, for all players in turn."""
    for _ in range(iterations):
        for player in range(game.players):
            value = sample_all(game, game.initial(), chains, player, 1.0, MOST_PLIES, learned)
            learned.paid[player] += value
        if learned.trouble != 0:
            break


# -- the solver --------------------------------------------------------------------------------------------


class SamplingMinimiser:
    """Monte Carlo regret minimisation of a game, as far as it has run; the same seed gives the same strategies."""

    def __init__(self, game: Game, method: str = "mccfr", seed: int = 0, most_sets: int = MOST_SETS) -> None:
        if method not in METHODS:
            raise UsageError(f"there is no method {method!r} of sampling; {suggest(METHODS, '')}")
        self.game, self.method, self.iterations = game, method, 0
        self.learned = make_learned(game.players, seed, most_sets)
        self.chains = tuple(first_chain(player) for player in range(game.players))

    def run(self, iterations: int) -> None:
        """More iterations; Refused if the memory is full."""
        learn = learn_externally if self.method == "mccfr" else learn_from_games
        learn.run(self.game, self.chains, iterations, self.learned)
        self.iterations += iterations
        if self.learned.trouble == FULL:
            raise Refused(f"{self.game} has more than {self.sets:,} information sets; there is no room for more")
        if self.learned.trouble == ENDLESS:
            raise Refused(f"{self.game} has lines of more than {MOST_PLIES} plies; too long to sample it")
        if self.learned.trouble == UNLIKE:
            raise RulesError(
                f"{self.game} offers different numbers of moves in positions that look the same to the player to move"
            )

    @property
    def sets(self) -> int:
        """The number of information sets that have been met."""
        return self.learned.sets

    def values(self) -> tuple[float, ...]:
        """What each player has won on average; an estimate."""
        total: Figures = contents(self.learned.paid, self.game.players)
        return tuple((total / max(1, self.iterations)).tolist())

    def strategy(self, **notes: Any) -> Strategy:
        """The average strategy; where play has not come, all moves are equally likely."""
        learned, sets = self.learned, self.learned.sets
        owner, first, count = (contents(part, sets) for part in (learned.owner, learned.first, learned.count))
        keys, average = contents(learned.keys, sets), contents(learned.average, learned.entries)
        found = []
        for player in range(self.game.players):
            own = np.flatnonzero(owner == player)
            own = own[np.argsort(keys[own])]
            starts = np.concatenate([[0], np.cumsum(count[own])]).astype(np.int64)
            entries = np.repeat(first[own] - starts[:-1], count[own]) + np.arange(starts[-1])
            found.append((keys[own], starts, normalised(average[entries], count[own])))
        return Strategy.partial(self.game, found, method=self.method, iterations=self.iterations, **notes)


def normalised(weights: Figures, count: Any) -> Figures:
    """Probabilities in proportion to the weights of each set; equal ones where all are 0."""
    if len(count) == 0:
        return weights
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])
    total = np.repeat(np.add.reduceat(weights, starts), count)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / np.repeat(count, count))


def make_learned(players: int, seed: int, most_sets: int) -> Learned:
    """Room for what is learned; memory that is not used costs nothing."""
    learned = Learned.allocate()
    entries = MOVES_PER_SET * most_sets
    parts: dict[str, Any] = {
        "table": Words.allocate(words_for(most_sets)),
        "keys": Words.allocate(most_sets),
        **{name: Numbers.allocate(most_sets) for name in ("owner", "first", "count")},
        "regret": Reals.allocate(entries),
        "average": Reals.allocate(entries),
        "scratch": Reals.allocate(SCRATCH),
        "paid": Reals.allocate(players),
    }
    for name, part in parts.items():
        setattr(learned, name, part)
        learned.keeps_alive.append(part)
    learned.slots, learned.most_sets, learned.most_entries = FIRST_SLOTS, most_sets, entries
    learned.luck = mix(U64(seed % (1 << 64)) + GOLDEN)
    return learned
