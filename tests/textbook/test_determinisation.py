"""Determinisation: average minimax over worlds that fit what a player sees."""

import random
from typing import NamedTuple

import pytest

from zermelo.core.game import CHANCE, Game
from zermelo.kernel import draw_fraction
from zermelo.textbook import determinised, expectiminimax

pytestmark = pytest.mark.plain

SURE, GAMBLE = 0, 1
OPEN = -1


class Bet(NamedTuple):
    coin: int = OPEN
    plan: int = OPEN
    guess: int = OPEN


class Coin(Game):
    """A coin falls unseen. One may take a sure half, or gamble 1 on a guess of how it fell."""

    players = 1
    zero_sum = False
    chance = hidden = True

    def __init__(self, heads=0.5):
        self.heads = heads

    def initial(self):
        return Bet()

    def to_move(self, state):
        return CHANCE if state.coin == OPEN else 0

    def outcomes(self, state):
        return [(1, self.heads), (0, 1 - self.heads)]

    def actions(self, state):
        return [SURE, GAMBLE] if state.plan == OPEN else [0, 1]

    def result(self, state, action):
        if state.coin == OPEN:
            return state._replace(coin=action)
        return state._replace(plan=action) if state.plan == OPEN else state._replace(guess=action)

    def is_terminal(self, state):
        return state.plan == SURE or state.guess != OPEN

    def utility(self, state, player):
        return 0.5 if state.plan == SURE else 1 if state.guess == state.coin else -1

    def view(self, state, player):
        return state._replace(coin=OPEN)

    def worlds(self, view, player, luck):
        return Bet(int(draw_fraction(luck) < self.heads), view.plan)


def test_the_last_decision_is_right_because_nothing_is_learned_after_it():
    """A guess on a coin that shows heads three times out of four is worth 0.5, and against it -0.5."""
    game = Coin(heads=0.75)
    means = determinised(game, Bet(plan=GAMBLE), 0, random.Random(1), worlds=2000)
    assert means == pytest.approx({0: -0.5, 1: 0.5}, abs=0.05)


def test_strategy_fusion_takes_a_gamble_for_a_sure_thing():
    """In every single world it knows how the coin fell, so it believes that it can guess; the truth is 0.

    [Frank & Basin 1998]
    """
    game = Coin()
    means = determinised(game, Bet(), 0, random.Random(1))
    assert means == pytest.approx({SURE: 0.5, GAMBLE: 1.0})
    for guess in (0, 1):
        truth = sum(0.5 * game.utility(Bet(coin, GAMBLE, guess), 0) for coin in (0, 1))
        assert truth == 0 < means[SURE]


def test_the_player_sees_only_the_view():
    """The same view and seed give the same answer, however the coin really fell."""
    game = Coin(heads=0.75)
    views = [game.view(Bet(coin, GAMBLE), 0) for coin in (0, 1)]
    first, second = (determinised(game, view, 0, random.Random(7), worlds=50) for view in views)
    assert first == second
    assert determinised(game, views[0], 0, random.Random(8), worlds=50) != first


def test_with_nothing_hidden_it_is_expectiminimax():
    class Seen(Coin):
        hidden = False

        def view(self, state, player):
            return state

        def worlds(self, view, player, luck):
            return view

    game = Seen()
    means = determinised(game, Bet(coin=1), 0, random.Random(1), worlds=3)
    assert means == pytest.approx({SURE: 0.5, GAMBLE: expectiminimax(game, Bet(1, GAMBLE), 0)})


def test_a_depth_limit_counts_the_first_move():
    class Judged(Coin):
        def evaluate(self, state, player):
            return 0.25

    means = determinised(Judged(), Bet(), 0, random.Random(1), worlds=4, depth=1)
    assert means == pytest.approx({SURE: 0.5, GAMBLE: 0.25})
