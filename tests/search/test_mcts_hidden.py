"""Information-set Monte Carlo tree search: the player knows what is seen, and nothing else."""

from typing import NamedTuple

import pytest

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.kernel import draw_below, state
from zermelo.search.mcts import Mcts

SURE, GAMBLE = 0, 1
OPEN = -1
PASS, BET = 0, 1


@state
class Bet(NamedTuple):
    coin: int
    plan: int
    guess: int


class Coin(Game):
    """A coin falls unseen. One may take a sure half, or gamble 1 on a guess of how it fell."""

    players = 1
    zero_sum = False
    chance = hidden = True

    def initial(self):
        return Bet(OPEN, OPEN, OPEN)

    def to_move(self, state):
        return CHANCE if state.coin == OPEN else 0

    def actions(self, state):
        yield 0
        yield 1

    def result(self, state, action):
        if state.coin == OPEN:
            return Bet(action, state.plan, state.guess)
        return Bet(state.coin, action, OPEN) if state.plan == OPEN else Bet(state.coin, state.plan, action)

    def is_terminal(self, state):
        return state.plan == SURE or state.guess != OPEN

    def utility(self, state, player):
        return 0.5 if state.plan == SURE else 1.0 if state.guess == state.coin else -1.0

    def view(self, state, player):
        return Bet(OPEN, state.plan, state.guess)

    def worlds(self, view, player, luck):
        return Bet(draw_below(luck, 2), view.plan, view.guess)


@state
class Deal(NamedTuple):
    mine: int
    theirs: int
    line: int
    """The moves so far, as digits 1 (pass) and 2 (bet) with the first in front."""


class Kuhn(Game):
    """Three cards, one chip each; pass or bet one more, and after a bet pass is to fold [Kuhn 1950]."""

    chance = hidden = True
    utility_range = (-2, 2)

    def initial(self):
        return Deal(OPEN, OPEN, 0)

    def to_move(self, state):
        if state.theirs == OPEN:
            return CHANCE
        return 1 if 1 <= state.line <= 2 else 0

    def actions(self, state):
        if state.theirs == OPEN:
            for card in range(3):
                if card != state.mine:
                    yield card
        else:
            yield PASS
            yield BET

    def result(self, state, action):
        if state.mine == OPEN:
            return Deal(action, OPEN, 0)
        if state.theirs == OPEN:
            return Deal(state.mine, action, 0)
        return Deal(state.mine, state.theirs, 10 * state.line + action + 1)

    def is_terminal(self, state):
        return state.line >= 10 and state.line != 12

    def utility(self, state, player):
        sign = 1 if player == 0 else -1
        if state.line == 21:
            return sign
        if state.line == 121:
            return -sign
        stake = 1 if state.line == 11 else 2
        return sign * stake if state.mine > state.theirs else -sign * stake

    def view(self, state, player):
        return (state.mine if player == 0 else state.theirs), state.line

    def worlds(self, view, player, luck):
        own, line = view
        other = (own + 1 + draw_below(luck, 2)) % 3
        return Deal(own, other, line) if player == 0 else Deal(other, own, line)


@pytest.mark.both
def test_a_gamble_on_hidden_cards_is_not_certain():
    """Determinisation takes it for one, because it knows the coin in every single world [Frank & Basin 1998].

    A guess is worth 0: the mean of 600 is above 0.3, where it would have to be to tempt anybody, with probability
    below 1e-12.
    """
    answer = Mcts(Coin(), 1).think(Bet(1, OPEN, OPEN), Limit(nodes=1200), seed=1)
    assert answer.best == str(SURE)
    assert answer.value == (0.5,)


@pytest.mark.both
def test_hidden_information_does_not_change_the_answer():
    """The same view and the same seed, another world: the same tree, bit for bit."""
    game = Kuhn()
    answers = [Mcts(game, 1).think(Deal(1, card, 0), Limit(nodes=300), seed=4) for card in (0, 2)]
    assert answers[0].moves == answers[1].moves
    assert Mcts(game, 1).think(Deal(2, 0, 0), Limit(nodes=300), seed=4).moves != answers[0].moves


@pytest.mark.parametrize(
    ("deal", "best"),
    [
        (Deal(2, 0, 12), BET),  # the king calls a bet
        (Deal(0, 2, 12), PASS),  # the jack folds
        (Deal(0, 2, 2), BET),
        (Deal(2, 0, 2), PASS),
        (Deal(0, 2, 1), BET),  # the king bets after a pass
    ],
)
def test_dominated_moves_of_poker_are_not_made(deal, best):
    """With the best or the worst card the choice is clear, whatever the other has."""
    assert Mcts(Kuhn(), 2).think(deal, Limit(nodes=3000), seed=1).best == str(best)


@pytest.mark.plain
def test_a_search_that_sees_everything_is_refused():
    with pytest.raises(UsageError, match="must include 'open'"):
        Mcts(Kuhn(), 1, techniques=["solver"])
