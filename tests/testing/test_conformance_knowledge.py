"""Every check of a game's knowledge has a game that fails it, and no other check."""

import itertools
import math
from typing import NamedTuple

import pytest
from little_games import Coin, Heap, Heaps, KnowingTake, Take, TwoHeaps, failed

from zermelo.games.trio import Trio
from zermelo.kernel import U64, state

pytestmark = pytest.mark.plain


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


@pytest.mark.parametrize("estimate", [math.inf, math.nan, None, 1.5])
def test_estimates_must_be_numbers_on_the_scale(estimate):
    class Dreaming(Take):
        def evaluate(self, state, player):
            return estimate

    only(
        "evaluation",
        Dreaming(),
        "evaluate should be a number within utility_range, -1 to 1",
        f"but that of player 0 is {estimate!r} at the start, '5,0'",
    )


@pytest.mark.parametrize("estimate", [1, 1 - 1e-12])
def test_estimates_must_not_look_like_the_end(estimate):
    class Certain(Take):
        def evaluate(self, state, player):
            return estimate if player == 0 else -estimate

    only(
        "evaluation",
        Certain(),
        "evaluate should stay clear of the ends of utility_range, -1 and 1, until all is decided",
        f"but that of player 0 is {estimate!r} at the start, '5,0'",
    )


def test_estimates_of_one_player_may_be_certain():
    class Certain(Coin):
        def evaluate(self, state, player):
            return 3

    assert failed(Certain()) == {}


def test_estimates_of_three_must_not_sum_to_more_than_payoffs_do():
    class Hopeful(Trio):
        def evaluate(self, state, player):
            return 1.5

    only(
        "evaluation",
        Hopeful(cols=3, rows=3),
        "the estimates of all players should sum to 3 at most, as payoffs do",
        "but they are [1.5, 1.5, 1.5] at the start",
    )


def test_estimates_of_two_opponents_must_be_opposite():
    class Cheerful(Take):
        def evaluate(self, state, player):
            return 0.5

    only("evaluation", Cheerful(), "opposite for the two players, but it is [0.5, 0.5] at the start, '5,0'")


def test_estimates_must_not_change():
    class Wavering(Take):
        calls = itertools.count()

        def evaluate(self, state, player):
            return 1 / (2 + next(self.calls))

    only("evaluation", Wavering(), "evaluate should answer the same every time")


@pytest.mark.parametrize("guess", [math.nan, None])
def test_guesses_must_be_numbers(guess):
    class Guessing(Take):
        def order(self, state, action):
            return guess if action == 2 else 0

    only("ordering", Guessing(), f"order should be a finite number, but that of 2 is {guess!r} at the start, '5,0'")


@state
class Timed(NamedTuple):
    left: int
    player: int
    clock: int


class TimedTake(Take):
    """Take, drawn after three moves; positions that differ in their clocks share a key."""

    def initial(self):
        return Timed(5, 0, 0)

    def result(self, state, action):
        return Timed(state.left - action, 1 - state.player, state.clock + 1)

    def is_terminal(self, state):
        return state.left == 0 or state.clock == 3

    def utility(self, state, player):
        return 0 if state.left else super().utility(state, player)

    def repetition_key(self, state):
        return Timed(state.left, state.player, 0)

    def key(self, state):
        return U64(2 * state.left + state.player)


def test_states_that_differ_in_their_clocks_may_share_a_key():
    assert failed(TimedTake()) == {}


def test_keys_must_not_collide():
    class Coarse(Take):
        def key(self, state):
            return U64(state.left)

    only("keys", Coarse(), "different states should have different keys, but '", "' has the same key as this in '")


@pytest.mark.parametrize("key", [-1, 1 << 64, 0.5, None])
def test_keys_must_be_words(key):
    class Wordless(Take):
        def key(self, state):
            return key

    only("keys", Wordless(), f"key should be a whole number of 64 bits, but it is {key!r} at the start, '5,0'")


def test_equal_states_must_have_equal_keys():
    class Fickle(Take):
        calls = itertools.count()

        def key(self, state):
            return next(self.calls)

    only("keys", Fickle(), "equal states should have equal keys, but the second time the key is another at the start")


def test_the_representative_must_represent_itself():
    class Swapping(TwoHeaps):
        def canonical(self, state):
            return Heaps(state.other, state.one, state.player)

    only("symmetry", Swapping(), "canonical state should be itself, but '2,3,0' has another at the start, '3,2,0'")


def test_symmetry_must_keep_the_player():
    class Colourless(TwoHeaps):
        def canonical(self, state):
            return Heaps(min(state[:2]), max(state[:2]), 0)

    only("symmetry", Colourless(), "should have the same player to move, but in '", " it is 0, not 1 as in '")


def test_symmetry_must_keep_the_moves():
    class Shrinking(TwoHeaps):
        def canonical(self, state):
            return Heaps(min(1, state.one), min(1, state.other), state.player)

    only("symmetry", Shrinking(), "the same number of moves, but in '1,1,0' it is 2, not 4 as at the start, '3,2,0'")


def test_symmetry_must_keep_the_end():
    class Ending(TwoHeaps):
        def canonical(self, state):
            return Heaps(0, 0, state.player)

    only("symmetry", Ending(), "same answer from is_terminal, but in '0,0,0' it is True, not False as at the start")


def test_symmetry_must_keep_the_value():
    """With moves of one or two, heaps of 3 and 3 are lost and heaps of 3 and 2 are won: 3 counts as 0 modulo 3."""

    class Rounding(TwoHeaps):
        def canonical(self, state):
            return Heaps(3, 3, 0) if state == Heaps(3, 2, 0) else state

    only(
        "symmetry",
        Rounding(),
        "the canonical state should have the same value",
        "but for player 0 '3,3,0' is worth -1, not 1 as at the start, '3,2,0'",
    )


def test_bounds_must_enclose_the_value():
    """A heap of 5 is won for the player to move: 5 is not a multiple of 3."""

    class Gloomy(KnowingTake):
        def bounds(self, state, player):
            return (-1, 0) if state.left == 5 and player == 0 else (-1, 1)

    only(
        "bounds",
        Gloomy(),
        "bounds should enclose the value, but for player 0 they are -1 to 0 and the value is 1 at the start",
    )


def test_bounds_must_enclose_the_utility_where_there_is_no_single_value():
    class Gloomy(KnowingTake):
        zero_sum = False

        def bounds(self, state, player):
            return (-1, 0)

    only(
        "bounds",
        Gloomy(),
        "bounds should enclose the value, but for player ",
        " they are -1 to 0 and the value is 1 in '0,",
    )


@pytest.mark.parametrize("bounds", [(1, -1), 0, (0, None), (-1, math.nan)])
def test_bounds_must_be_an_interval(bounds):
    class Unbound(Take):
        def bounds(self, state, player):
            return bounds

    only("bounds", Unbound(), f"bounds should be a pair (lowest, highest), but for player 0 it is {bounds!r}")


def test_bounds_of_a_game_with_dice_enclose_the_expectation():
    """Tossing on is worth 0.6 * 1.44 + 0.4 * 0.96 = 1.248 at the start, by hand."""

    class Modest(Coin):
        def bounds(self, state, player):
            return (0, 1.2) if state == self.initial() else (0, 3)

    only("bounds", Modest(), "for player 0 they are 0 to 1.2 and the value is 1.248 at the start, '0,0,False'")


def test_a_bound_that_no_small_search_can_refute_passes():
    class Deep(KnowingTake):
        perft_table = {}

        def initial(self):
            return Heap(90, 0)

        def bounds(self, state, player):
            return (0, 1) if state.left > 80 else (-1, 1)

    assert failed(Deep()) == {}


def test_a_wrong_bound_far_from_the_end_is_found_if_a_small_search_refutes_it():
    """A heap of 500 is too large to search, but a player who may take it all at once wins."""

    class Greedy(Take):
        def initial(self):
            return Heap(500, 0)

        def actions(self, state):
            yield from super().actions(state)
            if state.left > 2:
                yield state.left

        def bounds(self, state, player):
            return (-1, 0) if player == state.player and state.left > 400 else (-1, 1)

    only("bounds", Greedy(), "and the value is 1 ")
