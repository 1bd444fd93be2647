"""Every check of a game's knowledge of moves has a game that fails it, and no other check."""

import math

import pytest
from little_games import Heap, KnowingTake, Take, failed

from zermelo.core.repetition import Repetition

pytestmark = pytest.mark.plain


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


# -- noise -------------------------------------------------------------------------------------------------------------


def test_noise_must_be_yes_or_no():
    class Loud(Take):
        def is_noisy(self, state, action):
            return action

    only("noise", Loud(), "is_noisy should be True or False, but that of 1 is 1 at the start, '5,0'")


class Noisy(Take):
    """Every move is noisy."""

    def is_noisy(self, state, action):
        return True


def test_noisy_moves_may_come_in_any_order():
    class Backwards(Noisy):
        def noisy_actions(self, state):
            return list(self.actions(state))[::-1]

    assert failed(Backwards()) == {}


def test_no_noisy_move_may_be_left_out():
    class Deaf(Noisy):
        def noisy_actions(self, state):
            yield 1

    only("noisy moves", Deaf(), "noisy_actions should give every noisy move, but it leaves out 2 at the start, '5,0'")


def test_quiet_moves_are_not_noisy_ones():
    class Alarmed(Take):
        """Forgets to say what is noisy."""

        def noisy_actions(self, state):
            yield 1

    only("noisy moves", Alarmed(), "noisy_actions should give only noisy moves, but 1 is not noisy at the start, '5,0'")


def test_illegal_moves_are_not_noisy_ones():
    class Dreaming(KnowingTake):
        def noisy_actions(self, state):
            yield state.left

    only(
        "noisy moves", Dreaming(), "noisy_actions should give only noisy moves, but 5 is not noisy at the start, '5,0'"
    )


def test_a_noisy_move_is_given_once():
    class Stuttering(Noisy):
        def noisy_actions(self, state):
            yield 1
            yield from self.actions(state)

    only("noisy moves", Stuttering(), "noisy_actions should give a move once, but 1 comes 2 times at the start, '5,0'")


# -- gains and exchanges -----------------------------------------------------------------------------------------------


def test_an_unknown_gain_is_infinite():
    class Modest(Noisy):
        def gain(self, state, action):
            return math.inf

    assert failed(Modest()) == {}


@pytest.mark.parametrize("gain", [math.nan, -math.inf, None])
def test_gains_must_be_numbers(gain):
    class Greedy(Noisy):
        def gain(self, state, action):
            return gain if action == 2 else 0

    only("gains", Greedy(), f"gain should be a number, infinite if unknown, but that of 2 is {gain!r} at the")


@pytest.mark.parametrize("exchange", [math.nan, math.inf, None])
def test_exchanges_must_be_numbers(exchange):
    class Trading(Noisy):
        def exchange(self, state, action):
            return exchange if action == 2 else 0

    only("exchanges", Trading(), f"exchange should be a finite number, but that of 2 is {exchange!r} at the start")


def test_the_gain_of_quiet_moves_is_not_checked():
    class Silent(KnowingTake):
        def gain(self, state, action):
            return {1: 1.0, 2: 1.0}[state.left]

        exchange = gain

    assert failed(Silent()) == {}


# -- threats and passes ------------------------------------------------------------------------------------------------


def test_threats_must_be_yes_or_no():
    class Nervous(Take):
        def is_threatened(self, state):
            return state.left

    only("threats", Nervous(), "is_threatened should be True or False, but it is 5 at the start, '5,0'")


def test_whether_to_pass_is_yes_or_no():
    class Unsure(KnowingTake):
        def may_pass(self, state):
            return None

    only("passing", Unsure(), "may_pass should be True or False, but it is None at the start, '5,0'")


def test_a_pass_must_give_the_turn_to_the_opponent():
    class Stubborn(Take):
        """Forgets to say what a pass is."""

        def may_pass(self, state):
            return state.left == 5

    only(
        "passing",
        Stubborn(),
        "after_pass should give the turn to the opponent, but then to_move is 0 at the start, '5,0'",
    )


def test_a_pass_is_checked_only_where_may_pass_is_true():
    class Cautious(KnowingTake):
        def after_pass(self, state):
            return {1: Heap(1, 1 - state.player)}[state.left]

        def may_pass(self, state):
            return state.left == 1

    assert failed(Cautious()) == {}


# -- candidates --------------------------------------------------------------------------------------------------------


def test_candidates_must_be_legal():
    class Cheating(Take):
        def candidates(self, state):
            yield state.left

    only("candidates", Cheating(), "candidates should be legal moves, but 3 is not one in '3,")


def test_there_must_be_a_candidate():
    class Desperate(Take):
        def candidates(self, state):
            return () if state.left == 3 else self.actions(state)

    only("candidates", Desperate(), "there should be a candidate among the moves, but there is none in '3,")


def test_a_candidate_is_given_once():
    class Stuttering(Take):
        def candidates(self, state):
            yield 1
            yield from self.actions(state)

    only("candidates", Stuttering(), "candidates should give a move once, but 1 comes 2 times")


class Timid(Take):
    """Looks only at the smallest move."""

    def candidates(self, state):
        yield 1


def test_candidates_must_hold_a_best_move():
    """Of two counters, take both."""
    only(
        "candidates",
        Timid(),
        "candidates should hold a best move, but 2 is worth 1 and the best of them, 1, -1 in '2,",
    )


def test_candidates_that_no_small_search_can_refute_pass():
    """Of ninety-one counters, take one; far from the end a small search does not see that."""

    class Far(Take):
        def initial(self):
            return Heap(91, 0)

        def candidates(self, state):
            return (2,) if state.left > 85 else self.actions(state)

    assert failed(Far()) == {}


def test_with_history_candidates_are_not_compared_with_a_best_move():
    class Remembering(Timid):
        repetition = Repetition.DRAW_AT_TWO

    assert failed(Remembering()) == {}


# -- the end -----------------------------------------------------------------------------------------------------------


def test_is_nearly_over_stays_true():
    class Hopeful(Take):
        def is_nearly_over(self, state):
            return state.left in (2, 4)

    only(
        "endings",
        Hopeful(),
        "is_nearly_over should stay True to the end, but a move later it is False, in '3,",
    )


def test_nearly_over_is_yes_or_no():
    class Vague(Take):
        def is_nearly_over(self, state):
            return 5 - state.left

    only("endings", Vague(), "is_nearly_over should be True or False, but it is 0 at the start, '5,0'")


# -- the bank ----------------------------------------------------------------------------------------------------------


class Pot(Take):
    """Take five, for a margin: what a player took counts for them, and is kept in the state."""

    def __init__(self):
        self.utility_range = (-5, 5)

    def initial(self):
        return (5, 0, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def result(self, state, action):
        left, player, lead = state
        return (left - action, 1 - player, lead + (action if player == 0 else -action))

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return state[2] if player == 0 else -state[2]

    def bank(self, state, player):
        return state[2] if player == 0 else -state[2]

    def without_bank(self, state):
        return (state[0], state[1], 0)


def test_a_bank_that_adds_up():
    assert failed(Pot()) == {}


def test_a_bank_that_does_not_add_up():
    class Generous(Pot):
        def bank(self, state, player):
            return abs(state[2])

    only("bank", Generous(), "a move should put the same into the bank without_bank")


def test_a_bank_that_hides_the_payoff():
    class Keeping(Pot):
        def without_bank(self, state):
            return (state[0], state[1], min(state[2], 1))

    only("bank", Keeping(), "without_bank")


def test_a_bank_on_which_moves_depend():
    class Rich(Pot):
        def actions(self, state):
            return range(1, min(1 if state[2] == 2 else 2, state[0]) + 1)

    only("bank", Rich(), "without_bank should change neither the turn nor the moves, but it does")


def test_a_bank_is_a_number():
    class Words(Pot):
        def bank(self, state, player):
            return "much"

    only("bank", Words(), "bank should be a number, but that of player 0 is 'much'")
