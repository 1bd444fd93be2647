"""Random games for the engine, with everything that it may ask of a game, and their values by brute force."""

import math
import random

from zermelo.core.game import Game
from zermelo.core.repetition import Repetition

PAYOFFS = ((-1, 0, 1), (-1, -0.5, 0, 0.5, 1), (-2, -1, 1, 2), (-1, 1))


class Graph(Game):
    """A random graph of places; a state is (place, player to move, mirrored). A player may move several times in a row.

    The mirror image of a state has the same moves in the opposite order, each to the mirror image of what it leads to.
    Without circles every move leads to a place with a higher number, and the last place ends the game.
    """

    is_wide = False
    """Payoffs of any size, mostly without bounds."""

    def __init__(self, seed=0, places=8, moves=3, is_cyclic=False, repetition=0, has_mirror=False):
        self.seed, self.places, self.moves, self.is_cyclic = seed, places, moves, is_cyclic
        self.repetition, self.has_mirror = Repetition(repetition), has_mirror
        rng = random.Random(f"{seed} {places} {moves} {is_cyclic}")
        payoffs = self._declare(rng)
        top = max(payoffs)
        self.facts, self.ways = {}, {}
        for place in range(places):
            for player in (0, 1):
                self.facts[place, player] = {
                    "is_over": place > 0 and rng.random() < (0.25 if is_cyclic else 0.15),
                    "payoff": rng.choice(payoffs),
                    "estimate": rng.uniform(-top, top) * rng.choice((0.5, 0.9)),
                    "may_pass": rng.random() < 0.5,
                    "is_threatened": rng.random() < 0.2,
                    "slack": (rng.choice((0, 0, top, 2 * top)), rng.choice((0, 0, top, 2 * top))),
                }
                self.ways[place, player] = [self._way(rng, place, player) for _ in range(rng.randint(1, moves))]
        if not is_cyclic or not any(fact["is_over"] for fact in self.facts.values()):
            for player in (0, 1):
                self.facts[places - 1, player]["is_over"] = True
        self.values = {}

    def _declare(self, rng):
        """What the payoffs are like; the payoffs."""
        self.margins = rng.random() < 0.3
        scale = rng.choice((1, 1, 1, 1000, 0.001)) if self.margins else 1
        payoffs = [scale * one for one in rng.choice(PAYOFFS)]
        if self.is_wide:
            size = 10.0 ** rng.randint(-3, 12)
            payoffs = [size * rng.randint(-20, 20) for _ in range(8)]
            payoffs += [-one for one in payoffs] + [size]
        top = max(payoffs)
        self.utility_range = (-math.inf, math.inf) if self.is_wide and rng.random() < 0.8 else (-top, top)
        self.swing, self.unit = rng.choice((math.inf, top / 4, top)), rng.choice((1, top / 10))
        return payoffs

    def _way(self, rng, place, player):
        """(the next place, who moves there, whether the image changes, how good it looks, whether it is noisy)."""
        after = (
            rng.randrange(self.places) if self.is_cyclic else min(rng.randint(place + 1, place + 3), self.places - 1)
        )
        flips = rng.random() < 0.3 and self.has_mirror
        return after, player if rng.random() < 0.25 else 1 - player, int(flips), rng.random(), rng.random() < 0.3

    def initial(self):
        return (0, 0, 0)

    def to_move(self, state):
        return state[1]

    def is_terminal(self, state):
        return self.facts[state[:2]]["is_over"]

    def actions(self, state):
        if not self.is_terminal(state):
            numbers = range(len(self.ways[state[:2]]))
            yield from [10 + number for number in reversed(numbers)] if state[2] else numbers

    def result(self, state, action):
        after, mover, flips, _, _ = self.ways[state[:2]][action % 10]
        return (after, mover, state[2] ^ flips)

    def utility(self, state, player):
        return self.facts[state[:2]]["payoff"] * (1 if player == 0 else -1)

    def evaluate(self, state, player):
        return self.facts[state[:2]]["estimate"] * (1 if player == 0 else -1)

    def order(self, state, action):
        return self.ways[state[:2]][action % 10][3]

    def is_noisy(self, state, action):
        return self.ways[state[:2]][action % 10][4]

    def exchange(self, state, action):
        return self.ways[state[:2]][action % 10][3] - 0.5

    def is_threatened(self, state):
        return self.facts[state[:2]]["is_threatened"]

    def may_pass(self, state):
        return self.facts[state[:2]]["may_pass"]

    def after_pass(self, state):
        return (state[0], 1 - state[1], state[2])

    def canonical(self, state):
        return (state[0], state[1], 0)


class Knowing(Graph):
    """One without circles that knows its values, more or less."""

    def bounds(self, state, player):
        own = value_of(self, state)
        less, more = (0, 0) if self.is_terminal(state) else self.facts[state[:2]]["slack"]
        low, high = max(own - less, self.utility_range[0]), min(own + more, self.utility_range[1])
        return (low, high) if player == 0 else (-high, -low)

    def candidates(self, state):
        for action in self.actions(state):
            if action % 2 or value_of(self, self.result(state, action)) == value_of(self, state):
                yield action

    def is_nearly_over(self, state):
        return state[0] >= self.places - 3


class Wide(Knowing):
    is_wide = True


def value_of(game, state):
    """For player 0, by minimax; of a game without circles."""
    state = game.canonical(state)
    if state not in game.values:
        pick = max if game.to_move(state) == 0 else min
        children = [value_of(game, game.result(state, action)) for action in game.actions(state)]
        game.values[state] = pick(children) if children else game.utility(state, 0)
    return game.values[state]


class Judge:
    """The value of a position with its history, by the rules of repetition alone."""

    def __init__(self, game):
        self.game, self.values = game, {}
        self.middle = sum(game.utility_range) / 2

    def value(self, state, history):
        """For player 0; `history` are the states before."""
        seen = {}
        for one in history:
            seen[one] = seen.get(one, 0) + 1
        return self._value(state, seen)

    def _value(self, state, seen):
        game, times = self.game, int(self.game.repetition)
        if game.is_terminal(state):
            return game.utility(state, 0)
        if 0 < times <= seen.get(state, 0) + 1:
            return self.middle
        key = state, frozenset(seen.items())
        if key not in self.values:
            after = {**seen, state: seen.get(state, 0) + 1}
            children = [game.result(state, action) for action in game.actions(state)]
            found = [self._value(child, after) for child in children if times >= 0 or child not in after]
            self.values[key] = (max if game.to_move(state) == 0 else min)(found) if found else self.middle
        return self.values[key]


def forced_values(game):
    """Where play may go on for ever: for each state the least and the most that player 0 may get.

    Each player can force it in finitely many moves, whatever endless play is worth.
    """
    states = [(place, player, mirror) for place in range(game.places) for player in (0, 1) for mirror in (0, 1)]
    found = []
    for unknown in game.utility_range:
        table = {state: game.utility(state, 0) if game.is_terminal(state) else unknown for state in states}
        is_changed = True
        while is_changed:
            is_changed = False
            for state in states:
                children = [table[game.result(state, action)] for action in game.actions(state)]
                value = (max if game.to_move(state) == 0 else min)(children) if children else table[state]
                is_changed |= value != table[state]
                table[state] = value
        found.append(table)
    return {state: (found[0][state], found[1][state]) for state in states}
