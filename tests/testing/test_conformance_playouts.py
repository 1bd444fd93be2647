"""Every check of a game's knowledge for Monte Carlo search has a game that fails it, and no other check."""

import math

import pytest
from little_games import Coin, KnowingTake, Take, failed

from zermelo.core.game import NO_ACTION
from zermelo.kernel import U64
from zermelo.testing import check
from zermelo.testing.sample import INHERITED

pytestmark = pytest.mark.plain


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


def details(game):
    return {found.name: found.detail for found in check(game, games=5).checks}


def test_a_game_that_says_nothing_is_not_asked():
    found = details(Take())
    assert found["priors"] == found["drawn moves"] == INHERITED


# -- priors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [-0.5, math.nan, math.inf, None, "much"])
def test_priors_must_be_weights(weight):
    class Odd(Take):
        def prior(self, state, last, action):
            return weight if action == 2 else 1

    only("priors", Odd(), f"prior should be a finite number from 0 on, but that of 2 is {weight!r} at the start, '5,0'")


def test_some_move_must_have_a_prior():
    class Hopeless(Take):
        def prior(self, state, last, action):
            return 0 if state.left == 3 else 1

    only("priors", Hopeless(), "the prior of some move should be above 0, but there is none in '3,")


def test_a_prior_of_zero_is_one():
    class Choosy(Take):
        def prior(self, state, last, action):
            return 1 if action == 1 else 0

    assert failed(Choosy()) == {}


# -- drawn moves -------------------------------------------------------------------------------------------------------


def test_a_drawn_move_must_be_legal():
    class Rash(Take):
        def sample(self, state, last, luck):
            return 2

    only(
        "drawn moves",
        Rash(),
        "sample should draw a legal move, but sample(state, NO_ACTION, U64(0x0)) is 2 in '1,",
    )


def test_a_drawn_move_must_be_legal_for_the_greatest_word():
    """An interval too many: only words near the end meet it."""

    class Rounding(Take):
        def sample(self, state, last, luck):
            return min(1 + round(luck / 2**64 * 2), 3)

    only("drawn moves", Rounding(), "sample should draw a legal move, but sample(state, NO_ACTION, U64(0x")


def test_a_drawn_move_must_be_legal_after_the_last_one():
    class Parrot(Take):
        def sample(self, state, last, luck):
            return 1 if last == NO_ACTION else last

    only("drawn moves", Parrot(), "sample should draw a legal move, but sample(state, 2, U64(0x0)) is 2 in '1,")


def test_a_drawn_move_is_of_the_type_of_a_move():
    """Compiled, a word where a number is expected would make a floating-point number of both."""

    class Wordy(Take):
        def sample(self, state, last, luck):
            return U64(1)

    only("drawn moves", Wordy(), "sample should draw a move as actions gives it, but ", "is U64(0x1), not 1, at the")


def test_the_same_word_draws_the_same_move():
    class Fickle(Take):
        def __init__(self):
            self.turns = [0]

        def sample(self, state, last, luck):
            self.turns[0] += 1
            return 1 + self.turns[0] % min(2, state.left)

    only("drawn moves", Fickle(), "sample should draw the same move every time, but sample(state, NO_ACTION, ")


def test_drawing_may_change_a_list_which_is_a_copy():
    class Careless(Take):
        def initial(self):
            return [5, 0]

        def to_move(self, state):
            return state[1]

        def actions(self, state):
            return range(1, min(2, state[0]) + 1)

        def result(self, state, action):
            return [state[0] - action, 1 - state[1]]

        def is_terminal(self, state):
            return state[0] == 0

        def utility(self, state, player):
            return -1 if player == state[1] else 1

        def sample(self, state, last, luck):
            state[0] -= 1
            return 1

    assert not failed(Careless())


def test_chance_is_not_asked_to_draw():
    class Deciding(Coin):
        def sample(self, state, last, luck):
            assert not state.is_flying
            return 1

    assert failed(Deciding()) == {}


def test_a_knowing_game_passes():
    assert failed(KnowingTake()) == {}
