"""Answers of the rules that would make every proof worthless are errors, interpreted and compiled."""

import contextlib
from fractions import Fraction

import pytest

from zermelo import CHANCE, Game, RulesError, analyse, solve
from zermelo.core.limit import Limit
from zermelo.testing import check


class Third(Game):
    """One roll, with probabilities that are fractions."""

    chance = True

    def initial(self):
        return 0

    def to_move(self, state):
        return CHANCE

    def actions(self, state):
        return [1, 2] if state == 0 else []

    def outcomes(self, state):
        return [(1, Fraction(1, 3)), (2, Fraction(2, 3))]

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return (1 - 2 * player) * (state - 1)


@pytest.mark.plain
def test_probabilities_of_any_type_become_numbers():
    """A tree with fractions could not be drawn."""
    assert [type(chance) for _, chance in Third().outcomes(0)] == [float, float]


@pytest.mark.plain
@pytest.mark.parametrize("name", ["format_action", "format_state", "format_view"])
def test_a_notation_that_is_not_a_text_is_refused(name):
    game = type("Odd", (Third,), {name: lambda self, *args: 7})()
    with pytest.raises(RulesError, match=f"{name} returned 7, which is not a text"):
        getattr(game, name)(0, 1)


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
        solve(Walk(wrong))


@pytest.mark.parametrize("algorithm", ["maxn", "star1", pytest.param("expectiminimax", marks=pytest.mark.long)])
@pytest.mark.parametrize("wrong", WRONG)
def test_nonsense_in_a_rare_position_is_an_error_in_a_search(wrong, algorithm):
    with pytest.raises(RulesError, match=WRONG[wrong]):
        analyse(Walk(wrong), algorithm=algorithm, limit=Limit(depth=9))


def test_right_answers_pass():
    assert solve(Walk()).kind == "exact"


@pytest.mark.plain
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


@pytest.mark.plain
def test_the_conformance_kit_sees_the_answers_as_they_are():
    report = check(Walk(1), games=40)
    assert not report.conformant
    assert "to_move should be 0 to 1 (or CHANCE, -1), but it is 1099511627776" in str(report)


class Seat(Walk):
    """Nobody moves at the end: CHANCE stands there, in a game without dice."""

    runtime = ("wrong", "plies")
    chance = False

    def __init__(self, plies=3):
        self.wrong, self.plies = 0, plies

    def to_move(self, state):
        return CHANCE if state[0] == self.plies else state[0] % 2

    def actions(self, state):
        if state[0] < self.plies:
            yield 0
            yield 1

    def result(self, state, action):
        return (state[0] + 1, state[1] * 2 + action)

    def utility(self, state, player):
        return (1.0 if state[1] % 11 % 5 < 3 else -1.0) * (1 if player == 0 else -1)


def best_play(game, state):
    """The first player's value, by trying everything."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [best_play(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


@pytest.mark.plain
@pytest.mark.parametrize("plies", [3, 4, 5, 6])
def test_chance_may_stand_at_the_end_of_a_game_without_dice(plies):
    """What the end pays was asked for the player -1, and taken for the opponent's payoff."""
    game = Seat(plies)
    for found in (solve(game), analyse(game, algorithm="alphabeta", limit=Limit(depth=9), lines=9)):
        assert found.kind == "exact"
        for move in found.moves:
            state = game.result(game.initial(), int(move.move))
            assert move.kind != "exact" or move.value[0] == best_play(game, state)


class Rules:
    """Rules that are no game by themselves."""

    def to_move(self, state):
        return 1 << 40 if state == (2, 0) else state[0] % 2


@pytest.mark.parametrize("algorithm", ["maxn", pytest.param("mcts", marks=pytest.mark.long)])
def test_rules_from_a_class_that_is_not_a_game_are_checked_too(algorithm):
    """They ended the process by a signal."""

    class Mixed(Rules, Walk):
        pass

    with pytest.raises(RulesError, match="is not a player"):
        analyse(Mixed(), algorithm=algorithm, limit=Limit(nodes=2000), seed=1)


class Scaled(Walk):
    """Half of what another game pays, on a scale of half the width: the other's payoffs are not answers."""

    utility_range = (-0.5, 0.5)
    whole_utility = Walk.utility

    def utility(self, state, player):
        return self.whole_utility(state, player) / 2


class ScaledBySuper(Walk):
    utility_range = (-0.5, 0.5)

    def utility(self, state, player):
        return super().utility(state, player) / 2


@pytest.mark.filterwarnings("ignore:.*runs interpreted")
@pytest.mark.parametrize("cls", [Scaled, ScaledBySuper])
def test_only_the_answers_of_the_games_own_class_are_checked(cls):
    assert solve(cls()).value[0] == solve(Walk()).value[0] / 2
    with pytest.raises(RulesError, match="utility returned a payoff"):
        solve(cls(6))


@pytest.mark.parametrize("algorithm", ["maxn", "mcts", pytest.param("paranoid", marks=pytest.mark.long)])
def test_an_unchecked_mover_does_not_crash_the_process(algorithm):
    """Methods that come to a class later are not checked; searches still index no memory that is not theirs."""

    class Later(Walk):
        players = 3
        zero_sum = False

        def utility(self, state, player):
            return 1.0 if state[1] % 3 == player else 0.0

    Later.to_move = lambda self, state: 1 << 40 if state == (2, 0) else state[0] % 2
    with contextlib.suppress(IndexError):
        analyse(Later(), algorithm=algorithm, limit=Limit(nodes=2000))
