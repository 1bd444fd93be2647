"""Every check of the rules has a game that fails it, and no other check."""

import math
import random

import pytest
from little_games import SECOND, Coin, Heap, KnowingTake, Take, TwoHeaps, failed

from zermelo.core.game import CHANCE, Game
from zermelo.core.repetition import Repetition
from zermelo.testing import check
from zermelo.testing.rules import sum_of

pytestmark = pytest.mark.plain


def only(name, game, *parts, **options):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game, **options)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


# -- the foundation ------------------------------------------------------------------------------------


def test_the_five_methods_must_be_there():
    class Half(Game):
        def initial(self):
            return 0

    only("methods", Half(), "Half should have the method to_move, but it is missing")


def test_an_option_must_not_hide_a_method():
    class Ordered(Take):
        def __init__(self, order="rising"):
            self.order = order

    only("methods", Ordered(), "a name that is not a method's, but Ordered sets self.order")


def test_a_class_is_not_a_game():
    only("methods", Take, "given the class Take: write Take()")


def test_any_other_object_is_not_a_game():
    only("methods", 7, "a game should be a subclass of zermelo's Game, but this is of type int")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("players", 0, "players should be a whole number above zero, but it is 0"),
        ("players", True, "players should be a whole number above zero, but it is True"),
        ("players", 65, "players should be at most 64, but there are 65"),
        ("title", 7, "title should be a text, but it is 7"),
        ("zero_sum", "yes", "zero_sum should be True or False, but it is 'yes'"),
        ("hidden", None, "hidden should be True or False, but it is None"),
        ("utility_range", (1, -1), "utility_range should be a pair (lowest, highest), but it is (1, -1)"),
        ("utility_range", (math.nan, 1), "utility_range should be a pair (lowest, highest), but it is (nan, 1)"),
        ("utility_range", 1, "utility_range should be a pair (lowest, highest), but it is 1"),
        ("repetition", 3, "but it is 3"),
        ("seats", ("Anna",), "seats should name 2 players, but they are ('Anna',)"),
    ],
)
def test_declarations_must_make_sense(name, value, sentence):
    only("declarations", type("Broken", (Take,), {name: value})(), sentence)


def test_a_state_must_be_returned():
    class Forgetful(Take):
        def result(self, state, action):
            super().result(state, action)

    only(
        "play", Forgetful(), "result should return the state after the move, but after 2 it is None at the start, '5,0'"
    )

    class Nowhere(Take):
        def initial(self):
            return None

    only("play", Nowhere(), "initial should return the first state, but it is None")


def test_moves_must_be_given_one_after_the_other():
    class Silent(Take):
        def actions(self, state):
            return None

    only("play", Silent(), "actions should give moves one after the other, but it gives None at the start, '5,0'")


def test_outcomes_must_be_pairs():
    class Bare(Coin):
        def outcomes(self, state):
            return [0, 1]

    only("play", Bare(), "outcomes should give pairs (action, probability), but it gives 0 in '0,0,True' after 1")


class Tray:
    """A heap that can be changed in place."""

    def __init__(self, counters, player):
        self.counters, self.player = counters, player

    def __eq__(self, other):
        return (self.counters, self.player) == (other.counters, other.player)

    def __hash__(self):
        return hash((len(self.counters), self.player))

    def __repr__(self):
        return f"Tray({len(self.counters)}, {self.player})"


class TakeFromTray(Take):
    def initial(self):
        return Tray([1] * 5, 0)

    def actions(self, state):
        return range(1, min(2, len(state.counters)) + 1)

    def result(self, state, action):
        return Tray(state.counters[action:], 1 - state.player)

    def is_terminal(self, state):
        return not state.counters

    def format_state(self, state):
        return f"{len(state.counters)} {state.player}"

    def parse_state(self, text):
        if text[1:2] != " ":
            return super().parse_state(text)
        return Tray([1] * int(text[0]), int(text[2]))


def test_states_may_be_of_any_kind():
    assert failed(TakeFromTray()) == {}


def test_result_must_not_change_its_argument():
    class InPlace(TakeFromTray):
        def result(self, state, action):
            del state.counters[:action]
            return Tray(state.counters, 1 - state.player)

    only(
        "purity",
        InPlace(),
        "result should leave the state it is given as it was, but it changes it at the start, '5 0'",
    )


def test_no_other_method_may_change_the_state_either():
    class Counting(TakeFromTray):
        def evaluate(self, state, player):
            state.looks = getattr(state, "looks", 0) + 1
            return 0

    only("purity", Counting(), "evaluate should leave the state")


def test_advice_must_not_change_the_state_either():
    class Scribbling(TakeFromTray):
        def candidates(self, state):
            state.advice = "take one"
            yield 1

    only("purity", Scribbling(), "candidates should leave the state")


def test_rules_that_change_an_object_in_place_do_no_harm():
    class Box:
        left, player = 5, 0

    class OneBox(Take):
        def initial(self):
            return Box()

        def result(self, state, action):
            state.left, state.player = state.left - action, 1 - state.player
            return state

    assert not failed(OneBox())


def test_moves_must_be_the_same_every_time():
    class Moody(Take):
        calls = 0

        def actions(self, state):
            Moody.calls += 1
            return [1, 2][:: 1 if Moody.calls % 2 else -1] if state.left > 1 else [1]

    only("stability", Moody(), "actions should answer the same every time, but it is (", "), then (", " in '")


def test_chance_belongs_into_outcomes():
    """Which of the two checks finds it is itself a matter of chance."""

    class Hasty(Take):
        def result(self, state, action):
            return Heap(max(0, state.left - random.randint(1, 2)), 1 - state.player)

    found = failed(Hasty())
    assert found
    assert set(found) <= {"stability", "states"}
    assert all("same" in sentence and "should" in sentence for sentence in found.values())


def test_answers_must_not_depend_on_the_order_of_the_questions():
    class Remembering(Take):
        """Looks at the last move that was played, not at the state."""

        last = 0

        def result(self, state, action):
            self.last = state.player
            return super().result(state, action)

        def utility(self, state, player):
            return 1 if player == self.last else -1

    only("stability", Remembering(), "utility should answer the same every time, but it is (")


def test_the_start_must_be_the_same_every_time():
    class Drifting(Take):
        start = 4

        def initial(self):
            self.start += 1
            return Heap(self.start, 0)

    only("stability", Drifting(), "initial should return the same state every time, but now it is Heap(left=")


def test_states_may_be_lists():
    class Listed(Take):
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

    assert not failed(Listed())


def test_states_must_not_become_lists_late_in_a_game():
    class Late(Take):
        def initial(self):
            return Heap(12, 0)

        def result(self, state, action):
            after = super().result(state, action)
            return after if after.left > 2 else Counters([after.left, after.player])

    class Counters(list):
        left, player = property(lambda self: self[0]), property(lambda self: self[1])

    only("states", Late(), "every state should be of the same kind as the first one, a Heap, or", "is a Counters")


def test_states_may_be_objects_without_an_equality():
    class Identity:
        def __init__(self, left, player):
            self.left, self.player = left, player

    class Fresh(Take):
        def initial(self):
            return Identity(5, 0)

        def result(self, state, action):
            return Identity(state.left - action, 1 - state.player)

    assert not failed(Fresh())


def test_the_same_moves_must_lead_to_equal_states():
    class Odd(Tray):
        __hash__ = Tray.__hash__

        def __eq__(self, other):
            return self is other

    class TakeOdd(TakeFromTray):
        def initial(self):
            return Odd([1] * 5, 0)

        def result(self, state, action):
            return Odd(state.counters[action:], 1 - state.player)

    only("states", TakeOdd(), "the same moves should lead to equal states, but the second time the state is not equal")


def test_equal_states_must_have_equal_hashes():
    class Odd(Tray):
        def __hash__(self):
            return id(self)

    class TakeOdd(TakeFromTray):
        def initial(self):
            return Odd([1] * 5, 0)

        def result(self, state, action):
            return Odd(state.counters[action:], 1 - state.player)

    only("states", TakeOdd(), "equal states should have equal hashes")


def test_equal_states_must_be_the_same_position():
    class Blind(Tray):
        def __eq__(self, other):
            return len(self.counters) == len(other.counters)

        def __hash__(self):
            return len(self.counters)

    class TakeBlind(TakeFromTray):
        def initial(self):
            return Blind([1] * 5, 0)

        def result(self, state, action):
            return Blind(state.counters[action:], 1 - state.player)

    only("states", TakeBlind(), "equal states should be the same position, but to_move is ", " after ")


def test_an_error_in_the_comparison_of_states_is_reported():
    class Proud(Tray):
        def __eq__(self, other):
            raise ArithmeticError("never equal")

        __hash__ = Tray.__hash__

    class TakeProud(TakeFromTray):
        def initial(self):
            return Proud([1] * 5, 0)

        def result(self, state, action):
            return Proud(state.counters[action:], 1 - state.player)

    only("play", TakeProud(), "comparing states raised ArithmeticError: never equal at ", "test_conformance_rules.py:")


# -- the rules -----------------------------------------------------------------------------------------


def test_the_player_to_move_must_be_a_player():
    class FromOne(Take):
        def to_move(self, state):
            return state.player + 1

    only("turns", FromOne(), "to_move should be 0 to 1 (or CHANCE, -1), but it is 2 in '", "' after ")


def test_dice_must_be_declared():
    class Undeclared(Coin):
        chance = False

    only("turns", Undeclared(), "declare chance = True, in '0,0,True' after 1")


def test_moves_must_be_distinct():
    class Twice(Take):
        def actions(self, state):
            yield from super().actions(state)
            yield 1

    only("moves", Twice(), "a move should be given once, but 1 comes 2 times at the start, '5,0'")


def test_the_count_of_moves_must_be_right():
    class Miscounting(Take):
        def count(self, state):
            return 2

    only("moves", Miscounting(), "count should be the number of moves, but it is 2, not ")


def test_moves_may_be_lists():
    class Listed(Take):
        def actions(self, state):
            return [[count] for count in super().actions(state)]

        def result(self, state, action):
            return super().result(state, action[0])

    assert not failed(Listed())


def test_every_legal_move_must_be_playable():
    class Trap(Take):
        def actions(self, state):
            yield from super().actions(state)
            if state.left == 5:
                yield 9

        def result(self, state, action):
            return super().result(state, {1: 1, 2: 2}[action])

    only(
        "moves",
        Trap(),
        "result raised KeyError: 9 at ",
        "test_conformance_rules.py:",
        " at the start, '5,0'",
        games=1,
        seed=2,
    )


def test_a_position_that_is_not_over_must_have_a_move():
    class Stuck(Take):
        def is_terminal(self, state):
            return False

    only("ends", Stuck(), "is_terminal is False and actions gives none in '0,", " after ")


def test_over_is_yes_or_no():
    class Numeric(Take):
        def is_terminal(self, state):
            return 1 if state.left == 0 else 0

    only("ends", Numeric(), "is_terminal should be True or False, but it is 0 at the start, '5,0'")


def test_the_inherited_end_does_not_see_dice():
    class Flying(Coin):
        is_terminal = Game.is_terminal

        def actions(self, state):
            if not state.is_flying:
                yield from super().actions(state)

    only("ends", Flying(), "outcomes gives 2: give the game its own is_terminal in '0,0,True' after 1")


def test_a_clock_is_left_out_once_and_for_all():
    class Running(Take):
        def repetition_key(self, state):
            return Heap(max(state.left - 1, 0), state.player)

    only(
        "clocks",
        Running(),
        "repetition_key should leave no clock running, but of '4,0' it is yet another state",
    )


def test_without_its_clocks_a_position_has_the_same_player_to_move():
    class Colourless(Take):
        def repetition_key(self, state):
            return Heap(state.left, 0)

    only("clocks", Colourless(), "repetition_key should keep the player to move, but it is 0, not 1, in '", "' after ")


def test_superko_may_look_at_the_board_alone():
    class Colourless(Take):
        repetition = Repetition.FORBIDDEN

        def repetition_key(self, state):
            return Heap(state.left, 0)

    assert not failed(Colourless())


def test_without_its_clocks_a_position_has_the_same_moves():
    class Shrinking(Take):
        def repetition_key(self, state):
            return Heap(min(1, state.left), state.player)

    only("clocks", Shrinking(), "repetition_key should keep the moves, but '1,0' has other ones at the start, '5,0'")


class Shuffle(Take):
    """The counters change hands forever."""

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return Heap(state.left % 3 + action, 1 - state.player)


def test_an_endless_game_is_reported():
    only(
        "length",
        Shuffle(),
        "a random game should end within 2,000 moves, but it goes on",
        "after 2000 moves, the last of them",
    )
    only("length", Shuffle(), "a random game should end within 25 moves", "in '4,1' after 2 2 1 2", plies=25)


@pytest.mark.parametrize("repetition", [Repetition.DRAW_AT_TWO, Repetition.DRAW_AT_THREE, Repetition.FORBIDDEN])
def test_repetition_ends_a_game(repetition):
    assert failed(type("Ending", (Shuffle,), {"repetition": repetition})(), plies=25) == {}


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([(0, 0.5), (1, 0.4)], "probabilities should sum to 1, but they sum to 0.9"),
        ([(0, 0.5), (1, 0.5 + 1e-8)], "probabilities should sum to 1, but they sum to 1.00000001"),
        ([(0, 1.5), (1, -0.5)], "that of 1 is -0.5"),
        ([(0, 0.5), (1, math.nan)], "that of 1 is nan"),
        ([(0, 0.5), (1, "1/2")], "that of 1 is '1/2'"),
        ([(0, 0.5), (0, 0.5)], "an outcome should be given once, but 0 comes 2 times"),
    ],
)
def test_chances_must_sum_to_one(pairs, found):
    class Loaded(Coin):
        def outcomes(self, state):
            return pairs

    only("chances", Loaded(), found, " in '0,0,True' after 1")


@pytest.mark.parametrize("payoff", [math.nan, math.inf, None, "win"])
def test_utilities_must_be_finite_numbers(payoff):
    class Strange(Take):
        def utility(self, state, player):
            return payoff

    only(
        "utility", Strange(), f"utility should be a finite number, but that of player 0 is {payoff!r} in '0,", " after "
    )


def test_utilities_of_a_zero_sum_game_must_sum_to_zero():
    class Generous(Take):
        def utility(self, state, player):
            return 0 if player == state.player else 1

    only("zero sum", Generous(), "sum to 0 (or declare zero_sum = False), but", " sum to 1 in '0,")


def test_utilities_must_stay_in_their_range():
    class High(Take):
        def utility(self, state, player):
            return 3 * super().utility(state, player)

    only(
        "utility range",
        High(),
        "utility should stay within utility_range, -1 to 1, but that of player 0 is ",
        "3 in '0,",
    )


def test_utilities_must_not_sum_to_more_than_declared():
    class Modest(Take):
        max_payoff_sum = -1

    only("utility range", Modest(), "utilities should sum to max_payoff_sum, -1, at most", " sum to 0 in '0,")


def test_perft_must_agree_with_the_table():
    class Miscounted(KnowingTake):
        perft_table = {"": (2, 4, 8)}

    only("perft", Miscounted(), "perft of depth 3 should be 8, but it is 7 from the start")

    class MiscountedLater(KnowingTake):
        perft_table = {"": (2, 4, 7), "moves: 1 2": (2, 1), "2,1": (3,)}

    only("perft", MiscountedLater(), "perft of depth 1 should be 3, but it is 2 from position '2,1'")


def test_a_position_of_the_perft_table_must_be_readable():
    class Unreadable(KnowingTake):
        perft_table = {"five": (2,)}

    only("perft", Unreadable(), "BadPosition: 'five' is not a position of unreadable")


def test_the_perft_table_is_for_the_default_options():
    class Sized(Take):
        perft_table = {"": (2, 4, 7)}

        def __init__(self, size=5):
            self.size = size

        def initial(self):
            return Heap(self.size, 0)

    assert failed(Sized()) == {}
    assert failed(Sized(2)) == {}
    details = {found.name: found.detail for found in check(Sized(2)).checks}
    assert details["perft"] == "nothing to check: perft_table is for the default options"


def test_checks_that_depend_on_a_failed_one_are_skipped():
    class Generous(TwoHeaps):
        def actions(self, state):
            yield from super().actions(state)
            if state.one:
                yield 0

    details = {found.name: found.detail for found in check(Generous()).checks if not found.passed}
    assert details.pop("moves").startswith("a move should be given once")
    assert "symmetry" in details
    assert set(details.values()) == {"not checked: 'moves' failed"}


def test_chance_is_not_a_player_in_games_without_dice_even_at_the_end():
    class Ended(Take):
        def to_move(self, state):
            return CHANCE if state.left == 0 else state.player

        def utility(self, state, player):
            return 1 if player == SECOND else -1

    assert failed(Ended()) == {}


def test_none_is_not_a_move():
    class Passing(Take):
        def actions(self, state):
            yield from (None,) if state.left else ()

        def result(self, state, action):
            return super().result(state, 1)

    assert "a move should not be None, which stands for no move" in failed(Passing())["moves"]


def test_payoffs_whose_sum_is_too_large_for_a_number_have_an_infinite_sum():
    """Their sum was once reported as an error of the rules."""
    assert sum_of([1.7e308, 1.7e308, -1.7e308, 1.0]) == math.inf
    assert sum_of([0.1] * 10) == 1


def test_the_rule_for_repetition_is_named_as_it_is_written():
    class Spelled(Take):
        repetition = "forbidden"

    only("declarations", Spelled(), "repetition should be one of Repetition.NOTHING, ", ", but it is 'forbidden'")
