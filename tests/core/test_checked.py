"""Answers of the rules that would make every proof worthless are errors, interpreted and compiled."""

import pytest

from zermelo import CHANCE, Game, RulesError, analyse, prove
from zermelo.core.limit import Limit
from zermelo.testing import check


class Walk(Game):
    """Three plies, two moves each; `wrong` says which answer is nonsense after 0 0."""

    runtime = ("wrong",)
    chance = True

    def __init__(self, wrong=0):
        self.wrong = wrong

    def initial(self):
        return (0, 0)

    def _is_rare(self, state):
        return state[0] == 2 and state[1] == 0

    def to_move(self, state):
        if self._is_rare(state):
            if self.wrong == 1:
                return 1 << 40
            if self.wrong == 2:
                return -3
            if self.wrong in (4, 5):
                return CHANCE
        return state[0] % 2

    def actions(self, state):
        if state[0] < 3:
            yield 0
            yield 1

    def outcomes(self, state):
        yield 0, 0.5
        yield 1, 0.4 if self.wrong == 4 else -0.5 if self.wrong == 5 else 0.5

    def result(self, state, action):
        return (state[0] + 1, state[1] + action)

    def utility(self, state, player):
        if state[1] == 0 and self.wrong == 3:
            return 2.0
        if state[1] == 0 and self.wrong == 6:
            return float("nan")
        return (1.0 if state[1] % 2 else -1.0) * (1 if player == 0 else -1)


WRONG = {
    1: "to_move returned a number that is not a player",
    2: "to_move returned a number that is not a player",
    3: "utility returned a payoff that is not a finite number within utility_range",
    4: "outcomes returned probabilities that do not sum to 1",
    5: "outcomes returned a probability that is not a number from 0 to 1",
    6: "utility returned a payoff that is not a finite number within utility_range",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_nonsense_in_a_rare_position_is_an_error(wrong):
    with pytest.raises(RulesError, match=WRONG[wrong]):
        prove(Walk(wrong))
    for algorithm in ("expectiminimax", "maxn", "star1"):
        with pytest.raises(RulesError, match=WRONG[wrong]):
            analyse(Walk(wrong), algorithm=algorithm, limit=Limit(depth=9))


def test_right_answers_pass():
    assert prove(Walk()).kind == "exact"


def test_static_methods_and_class_methods_are_checked_too():
    class Static(Walk):
        @staticmethod
        def to_move(state):
            return 7

    class Shared(Walk):
        @classmethod
        def to_move(cls, state):
            return 7

    for cls in (Static, Shared):
        with pytest.raises(RulesError, match="is not a player"):
            cls().to_move((0, 0))


def test_the_conformance_kit_sees_the_answers_as_they_are():
    report = check(Walk(1), games=40)
    assert not report.conformant
    assert "to_move should be 0 to 1 (or CHANCE, -1), but it is 1099511627776" in str(report)


class Seat(Walk):
    """A player to move without dice at the end of a game without dice is nobody's business."""

    chance = False

    def to_move(self, state):
        return CHANCE if state[0] == 3 else state[0] % 2


def test_chance_may_stand_at_the_end_of_a_game_without_dice():
    assert prove(Seat()).kind == "exact"
