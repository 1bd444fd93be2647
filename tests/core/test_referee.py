"""The referee: legality, undo, repetition, results."""

import random
from collections import Counter

import numpy as np
import pytest

from zermelo.core.errors import IllegalMove, Refused, RulesError
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.hexapawn import Hexapawn
from zermelo.search.choices import must_choose

pytestmark = pytest.mark.plain


class Walk(Game):
    """Step left or right along seven squares; reach the right end."""

    def initial(self):
        return 3

    def to_move(self, state):
        return 0

    def actions(self, state):
        if 0 < state < 6:
            yield from (-1, 1)

    def result(self, state, action):
        return state + action

    def utility(self, state, player):
        return (1 if state == 6 else -1) * (1 if player == 0 else -1)


class Coin(Game):
    """One toss, three times in four heads."""

    chance = True

    def initial(self):
        return -1

    def to_move(self, state):
        return CHANCE

    def actions(self, state):
        return ()

    def outcomes(self, state):
        return [(1, 0.75), (0, 0.25)]

    def is_terminal(self, state):
        return state >= 0

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return 0


def test_a_game_is_played_and_taken_back():
    referee = Referee(Hexapawn())
    start = referee.state
    referee.play_line(["a1a2", "b3a2"])
    assert [turn.text for turn in referee.turns] == ["a1a2", "b3a2"]
    assert [turn.player for turn in referee.turns] == [0, 1]
    assert referee.undo().text == "b3a2"
    referee.undo()
    assert referee.state == start
    with pytest.raises(IllegalMove, match="there is no move to take back"):
        referee.undo()


def test_an_illegal_move_changes_nothing():
    referee = Referee(Hexapawn())
    before = referee.state
    with pytest.raises(IllegalMove, match="try a1a2, b1b2 or c1c2"):
        referee.play(99)
    with pytest.raises(IllegalMove, match="move 2: a2a3 is not legal here"):
        referee.play_line(["a1a2", "a2a3"])
    referee.undo()
    assert referee.state == before


def test_a_move_of_another_type_is_played_as_the_game_s_own():
    """A bot may answer with 1.0, True or a number of numpy; states and searches have to see the game's own type."""
    for move in (1.0, True, np.int8(1)):
        referee = Referee(Walk())
        referee.play(move)
        assert (type(referee.turns[0].action), type(referee.state)) == (int, int)


def test_none_is_not_a_move():
    class Passing(Walk):
        def actions(self, state):
            yield None

    with pytest.raises(RulesError, match="passing offers None as a move; use another value, such as the text 'pass'"):
        Referee(Passing()).legal()


def test_a_move_on_which_the_rules_break_changes_nothing():
    class Broken(Walk):
        def result(self, state, action):
            raise ZeroDivisionError

    referee = Referee(Broken())
    before = referee.state
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            referee.play(referee.legal()[0])
    assert (referee.state, referee.turns) == (before, [])


def test_positions_are_given_as_text_or_moves():
    game = Hexapawn()
    by_moves = Referee.at(game, "moves: a1a2, b3a2")
    by_text = Referee.at(game, "p.p/p../.PP w")
    assert by_moves.state == by_text.state
    assert Referee.at(game, "").state == game.initial()


def test_the_end_has_payoffs_and_nothing_before_it():
    referee = Referee.at(Hexapawn(), "moves: a1a2 b3a2")
    with pytest.raises(RulesError, match="is not over yet"):
        referee.utilities()
    referee = Referee(Hexapawn(), Hexapawn().parse_state("P../..p/... b"))
    assert referee.is_over
    assert referee.legal() == []
    assert referee.utilities() == (1, -1)


def test_a_repeated_position_is_a_draw_where_the_game_says_so():
    class Drawn(Walk):
        repetition = Repetition.DRAW_AT_THREE

    referee = Referee(Drawn())
    for action in (1, -1, 1):
        referee.play(action)
        assert not referee.is_over
    referee.play(-1)
    assert referee.is_over
    assert referee.utilities() == (0, 0)
    referee.undo()
    assert not referee.is_over


class ClockedWalk(Walk):
    """The walk with the number of steps in its state, and in each position its own clock aside."""

    def initial(self):
        return (3, 0)

    def actions(self, state):
        return super().actions(state[0])

    def result(self, state, action):
        return state[0] + action, state[1] + 1

    def repetition_key(self, state):
        return state[0]


def test_a_clock_in_the_state_does_not_hide_a_repetition():
    class Drawn(ClockedWalk):
        repetition = Repetition.DRAW_AT_THREE

    referee = Referee(Drawn())
    for action in (1, -1, 1, -1):
        assert not referee.is_over
        referee.play(action)
    assert referee.is_over

    class Superko(ClockedWalk):
        repetition = Repetition.FORBIDDEN

    referee = Referee(Superko())
    referee.play(1)
    assert referee.legal() == [1]


def test_a_repeated_position_means_nothing_by_default():
    referee = Referee(Walk())
    for action in (1, -1) * 5:
        referee.play(action)
    assert not referee.is_over


def test_a_forbidden_repetition_is_not_a_legal_move():
    class Superko(Walk):
        repetition = Repetition.FORBIDDEN

        def actions(self, state):
            if state != 6:
                yield from (-1, 1) if state > 2 else (1,)

    referee = Referee(Superko())
    referee.play(-1)
    assert referee.legal() == []  # back to 3 would repeat
    assert referee.is_over
    assert referee.utilities() == (0, 0)


def test_dice_fall_as_often_as_their_chances_say():
    rolls = Counter()
    for seed in range(2000):
        referee = Referee(Coin())
        rolls[referee.roll(random.Random(seed))] += 1
    # A binomial with p = 3/4 and n = 2000 stays within 5 standard deviations but for one time in a million.
    assert abs(rolls[1] - 1500) < 5 * (2000 * 0.75 * 0.25) ** 0.5


class Crossroads(Game):
    """Two ways lead from 0 to 3, and back from there; no place may be visited twice."""

    repetition = Repetition.FORBIDDEN

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return {0: [1, 2], 1: [3], 2: [3], 3: [1, 2]}[state]

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return 0


def test_legal_moves_are_those_of_the_way_that_led_here():
    referee = Referee(Crossroads())
    for way, left in ((1, 2), (2, 1)):
        referee.play(way)
        referee.play(3)
        assert referee.legal() == [left]
        referee.undo()
        referee.undo()


def test_a_roll_whose_outcomes_are_all_forbidden_is_a_draw():
    """Otherwise the game would not be over, and yet there would be nothing to roll."""

    class Stuck(Coin):
        repetition = Repetition.FORBIDDEN

        def outcomes(self, state):
            return [(state, 1.0)]

    referee = Referee(Stuck())
    assert (referee.legal(), referee.is_over, referee.utilities()) == ([], True, (0.0, 0.0))
    with pytest.raises(Refused, match="the game is over"):
        must_choose(referee, "random")


class Roundabout(Game):
    """A die leads back to the start or out; superko forbids the way back."""

    chance = True
    repetition = Repetition.FORBIDDEN

    def initial(self):
        return 0

    def to_move(self, state):
        return CHANCE

    def actions(self, state):
        if state < 2:
            yield from ((1,) if state == 0 else (0, 2))

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return 0


def test_superko_leaves_only_the_other_outcomes_of_a_roll():
    for seed in range(8):
        referee = Referee(Roundabout())
        rolled = [referee.roll(random.Random(seed)) for _ in range(2)]
        assert rolled == [1, 2]
        assert referee.is_over
