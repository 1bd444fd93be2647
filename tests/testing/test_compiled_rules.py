"""Compiled and interpreted rules must agree; a game that does not compile passes too."""

import re

import pytest
from little_games import Coin, Heap, KnowingTake, Take, Toss, failed

from zermelo.core.game import NO_ACTION, Game
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.kuhn import Kuhn
from zermelo.kernel import U64, is_enabled
from zermelo.testing import check
from zermelo.testing.transcript import (
    ACTIONS,
    AFTER_PASS,
    BANK,
    BOUNDS,
    CANDIDATES,
    CANONICAL,
    CHANCES,
    COUNT,
    EVALUATE,
    EXCHANGE,
    GAIN,
    IS_NEARLY_OVER,
    IS_NOISY,
    IS_TERMINAL,
    IS_THREATENED,
    KEY,
    MAY_PASS,
    METHODS,
    MOST_ANSWERS,
    NOISY_ACTIONS,
    ORDER,
    OUTCOMES,
    PRIOR,
    REPETITION_KEY,
    RESULT,
    ROOM,
    SAMPLE,
    TO_MOVE,
    UTILITY,
    WITHOUT_BANK,
    Known,
    Transcript,
    transcribe,
)

HUGE = 1 << 62


def is_machine_code():
    """Whether it is asked by compiled code: a mistake of the compiler, as it were."""
    return False


if is_enabled():
    from numba.extending import overload

    overload(is_machine_code)(lambda: lambda: True)


def compiled_detail(game):
    return {found.name: found.detail for found in check(game, games=10).checks}["compiled"]


# -- games that say the same ------------------------------------------------------------------------------------------


class Arithmetic(Take):
    """What is feared of compilers and yet the same: negative quotients and remainders, rounding, bits of words."""

    def evaluate(self, state, player):
        left = state.left - 3
        found = left // 2 + 10 * (left % 3) + 100 * (-7 // 2) + 1000 * (-7 % 3) + round(left / 4) + abs(left) / 7
        return max(-1.0, min(1.0, (found if player == 0 else -found) / 10_000))

    def key(self, state):
        word = U64(state.left) << 61
        return (word * U64(0x9E3779B97F4A7C15) + ~word) ^ (U64(state.player) - U64(1)) >> 3


def test_a_position_with_more_moves_than_there_is_room_for_is_compared_as_far_as_it_goes():
    class Wide(Take):
        def actions(self, state):
            for action in range(1, 10_000):  # noqa: UP028 - `yield from` does not compile
                yield action

    transcript = Transcript.allocate()
    count = transcribe(Wide(), Known(Wide()), Heap(5, 0), NO_ACTION, transcript)
    assert MOST_ANSWERS - ROOM < count <= MOST_ANSWERS
    assert transcribe.run_compiled(Wide(), Known(Wide()), Heap(5, 0), NO_ACTION, transcript) == count


# -- games that do not ------------------------------------------------------------------------------------------------


TURNED = 100
"""The moves come in another order."""


class Wrapping(KnowingTake):
    """The compiled game errs in its answers to one question.

    Which one it is `about` is told at run time, so that the game is compiled once.
    """

    runtime = ("about",)
    perft_table = {}

    def __init__(self, about=-1):
        self.about = about

    def slip(self, question):
        """1 where the compiled game errs, otherwise 0."""
        return 1 if self.about == question and is_machine_code() else 0

    def other(self, player, question):
        return player if self.slip(question) else 1 - player

    def to_move(self, state):
        return self.other(1 - state.player, TO_MOVE)

    def actions(self, state):
        most = min(2, state.left)
        for index in range(most - self.slip(ACTIONS)):
            yield most - index if self.slip(TURNED) else 1 + index

    def result(self, state, action):
        return Heap(state.left - action, self.other(state.player, RESULT))

    def is_terminal(self, state):
        return state.left <= self.slip(IS_TERMINAL)

    def utility(self, state, player):
        return -1 if player == self.other(1 - state.player, UTILITY) else 1

    def evaluate(self, state, player):
        lead = 0.25 - 0.5 * self.slip(EVALUATE)
        return lead if player == 0 else -lead

    def order(self, state, action):
        return action + self.slip(ORDER)

    def is_noisy(self, state, action):
        return action == state.left + self.slip(IS_NOISY)

    def noisy_actions(self, state):
        if state.left <= 2 - self.slip(NOISY_ACTIONS):
            yield state.left

    def gain(self, state, action):
        return 0.5 * action + self.slip(GAIN) * (action == 2)

    def exchange(self, state, action):
        return 0.5 * action - self.slip(EXCHANGE) * (action == 2)

    def candidates(self, state):
        for count in range(1, min(2, state.left) + 1 - self.slip(CANDIDATES)):  # noqa: UP028 - see Take
            yield count

    def is_threatened(self, state):
        return state.left <= 2 + self.slip(IS_THREATENED)

    def may_pass(self, state):
        return state.left > self.slip(MAY_PASS)

    def after_pass(self, state):
        return Heap(state.left, self.other(state.player, AFTER_PASS))

    def is_nearly_over(self, state):
        return state.left <= 3 - self.slip(IS_NEARLY_OVER)

    def prior(self, state, last, action):
        return 0.5 + self.slip(PRIOR)

    def sample(self, state, last, luck):
        return 1 if state.left == 1 or last == 2 else 2 - self.slip(SAMPLE)

    def bank(self, state, player):
        return 0.0 + self.slip(BANK)

    def without_bank(self, state):
        return Heap(state.left + self.slip(WITHOUT_BANK), state.player)

    def count(self, state):
        return min(2, state.left) + self.slip(COUNT)

    def key(self, state):
        return U64(2 * state.left + state.player + 100 * self.slip(KEY))

    def canonical(self, state):
        return Heap(state.left + self.slip(CANONICAL), state.player)

    def repetition_key(self, state):
        return Heap(state.left + self.slip(REPETITION_KEY), state.player)

    def bounds(self, state, player):
        return -1 - self.slip(BOUNDS), 1


class UnfairDice(Coin):
    def outcomes(self, state):
        chance = 0.25 if is_machine_code() else 0.5
        yield 0, chance
        yield 1, 1 - chance


class Shifting(Take):
    """Shifts beyond 64 bits, which machine words cannot hold."""

    def order(self, state, action):
        return 1.0 if (1 << (60 + state.left)) > 0 else 0.0


@pytest.mark.parametrize("game", [Hexapawn(), Wrapping(), Arithmetic(), Coin()], ids=str)
def test_sound_games_say_the_same_compiled(game):
    assert re.fullmatch(r"\d+ positions", compiled_detail(game))


DIFFERENCES = [
    (Wrapping(TO_MOVE), "to_move should say the same, but they say 1 and 0 at the start, '5,0'"),
    (Wrapping(IS_TERMINAL), "is_terminal should say the same, but they say True and False in '1,"),
    (
        Wrapping(ACTIONS),
        "actions should say the same, but only the compiled rules give none, and only the interpreted ones 2 at",
    ),
    (Wrapping(TURNED), "actions should say the same, but they give 2 1 and 1 2 at the start, '5,0'"),
    (
        Wrapping(RESULT),
        "result should say the same, but after 1 they say Heap(left=4, player=0) and Heap(left=4, player=1) at the",
    ),
    (Wrapping(COUNT), "count should say the same, but they say 3 and 2 at the start, '5,0'"),
    (Wrapping(UTILITY), "utility should say the same, but they say "),
    (Wrapping(EVALUATE), "evaluate should say the same, but they say -0.25 and 0.25 at the start, '5,0'"),
    (Wrapping(ORDER), "order should say the same, but for 1 they say 2.0 and 1.0 at the start, '5,0'"),
    (Wrapping(IS_NOISY), "is_noisy should say the same, but for 1 they say False and True in '1,"),
    (
        Wrapping(NOISY_ACTIONS),
        "noisy_actions should say the same, but only the compiled rules give none, and only the interpreted ones 2",
    ),
    (Wrapping(GAIN), "gain should say the same, but for 2 they say 2.0 and 1.0 in '2,"),
    (Wrapping(EXCHANGE), "exchange should say the same, but for 2 they say 0.0 and 1.0 in '2,"),
    (
        Wrapping(CANDIDATES),
        "candidates should say the same, but only the compiled rules give none, and only the interpreted ones 2 at",
    ),
    (Wrapping(IS_THREATENED), "is_threatened should say the same, but they say True and False in '3,"),
    (Wrapping(MAY_PASS), "may_pass should say the same, but they say False and True in '1,"),
    (
        Wrapping(AFTER_PASS),
        "after_pass should say the same, but they say Heap(left=5, player=0) and Heap(left=5, player=1) at the start",
    ),
    (Wrapping(IS_NEARLY_OVER), "is_nearly_over should say the same, but they say False and True in '3,"),
    (Wrapping(PRIOR), "prior should say the same, but for 1 they say 1.5 and 0.5 at the start, '5,0'"),
    (Wrapping(SAMPLE), "sample should say the same, but they draw 1 and 2 at the start, '5,0'"),
    (Wrapping(BANK), "bank should say the same, but they say 1.0 and 0.0 at the start, '5,0'"),
    (
        Wrapping(WITHOUT_BANK),
        "without_bank should say the same, but they say Heap(left=6, player=0) and Heap(left=5, player=0) at the",
    ),
    (Wrapping(KEY), "key should say the same, but they say 110 and 10 at the start, '5,0'"),
    (
        Wrapping(CANONICAL),
        "canonical should say the same, but they say Heap(left=6, player=0) and Heap(left=5, player=0) at the",
    ),
    (
        Wrapping(REPETITION_KEY),
        "repetition_key should say the same, but they say Heap(left=6, player=0) and Heap(left=5, player=0)",
    ),
    (Wrapping(BOUNDS), "bounds should say the same, but they say -2.0 and -1.0 at the start, '5,0'"),
    (UnfairDice(), "outcomes should say the same, but for 0 they say 0.25 and 0.5 in '0,0,True' after 1"),
]


@pytest.mark.parametrize(("game", "sentence"), DIFFERENCES, ids=str)
def test_a_difference_names_the_method_both_answers_and_the_position(game, sentence):
    found = failed(game)
    assert list(found) == ["compiled"], found
    assert f"compiled and interpreted {sentence}" in found["compiled"]


def test_a_difference_in_every_method_is_found():
    erring = {game.about for game, _ in DIFFERENCES if isinstance(game, Wrapping)}
    assert erring >= set(METHODS) - {OUTCOMES, CHANCES}


def test_games_that_outgrow_sixty_four_bits_run_interpreted():
    class Growing(Take):
        def result(self, state, action):
            return Heap(state.left * HUGE + 1 if state.left == 4 else state.left - action, 1 - state.player)

        def is_terminal(self, state):
            return state.left <= 0 or state.left > 5

    for game, what in ((Growing(), "gives a whole number of more than 64 bits"), (Shifting(), "more than 64 bits")):
        report = check(game)
        assert report.conformant, report
        assert what in compiled_detail(game)
        assert "runs interpreted" in compiled_detail(game)


# -- games that do not compile ----------------------------------------------------------------------------------------


class Pythonic(Take):
    """Generator expressions do not compile."""

    def utility(self, state, player):
        return -1 if any(player == loser for loser in (state.player,)) else 1


class Wordy(Game):
    """A word loses a letter at every turn."""

    def initial(self):
        return "abc"

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [1] if state else []

    def result(self, state, action):
        return state[1:]

    def utility(self, state, player):
        return 1 if player == 0 else -1


def test_a_game_need_not_compile():
    report = check(Pythonic())
    assert report.conformant, str(report)
    assert report.checks[-1].detail.startswith("not compiled: test_compiled_rules.py, line ")


def test_states_that_are_not_numbers_need_not_compile():
    report = check(Wordy())
    assert report.conformant, str(report)
    assert report.checks[-1].detail == "not compiled: only states made of numbers compile"


def test_without_the_compiler_there_is_nothing_to_compare(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert compiled_detail(Take()) == "not compiled: compiling is switched off"


def test_an_error_found_only_by_the_comparison_names_its_place():
    class Careless(Coin):
        def bounds(self, state, player):
            if isinstance(state, Toss) and state.is_flying:
                raise KeyError("heads")
            return (-1, 1)

    assert "bounds" in failed(Careless())


# -- worlds ------------------------------------------------------------------------------------------------------------


class Dealt(Kuhn):
    """A mistake of the compiler, as it were: compiled code draws other cards."""

    def worlds(self, view, player, luck):
        return super_worlds(self, view, player, ~luck if is_machine_code() else luck)


class Listed(Kuhn):
    """Worlds that do not compile."""

    def worlds(self, view, player, luck):
        return super_worlds(self, view, player, U64(sum([int(luck)])))


super_worlds = Kuhn.worlds


def worlds_detail(game):
    return {found.name: found.detail for found in check(game, games=20).checks}["compiled worlds"]


def test_compiled_worlds_are_those_of_the_interpreter():
    assert failed(Dealt(), games=20)["compiled worlds"].startswith(
        "compiled and interpreted worlds should draw the same state, but they draw Position("
    )
    assert re.fullmatch(r"\d+ positions", worlds_detail(Kuhn()))


def test_worlds_need_not_compile():
    assert "test_compiled_rules.py, line" in worlds_detail(Listed())
    assert compiled_detail(Listed()).endswith("positions")
