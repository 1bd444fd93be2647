"""Compiled and interpreted rules must agree; a game that does not compile is no worse for it."""

import re

import pytest
from little_games import Coin, Heap, Heaps, KnowingTake, Take, Toss, TwoHeaps, failed

from zermelo.core.game import Game
from zermelo.games.hexapawn import Hexapawn
from zermelo.kernel import U64, Memory, is_enabled
from zermelo.testing import check
from zermelo.testing.compiled import MOST_CELLS, ROOM, account

pytestmark = [pytest.mark.compiler, pytest.mark.skipif(not is_enabled(), reason="compiling is switched off")]

HUGE = 1 << 62


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


@pytest.mark.parametrize("game", [Hexapawn(), KnowingTake(), Arithmetic(), Coin()], ids=str)
def test_sound_games_say_the_same_compiled(game):
    assert re.fullmatch(r"\d+ positions", compiled_detail(game))


def test_a_position_with_more_moves_than_there_is_room_for_is_compared_as_far_as_it_goes():
    class Wide(Take):
        def actions(self, state):
            for action in range(1, 10_000):  # noqa: UP028 - `yield from` does not compile
                yield action

    memory = Memory(MOST_CELLS)
    cells = account(Wide(), Heap(5, 0), memory.address)
    assert MOST_CELLS - ROOM < cells <= MOST_CELLS
    assert account.compiled(Wide(), Heap(5, 0), memory.address) == cells


# -- games that do not ------------------------------------------------------------------------------------------------


class OverflowingEstimate(Take):
    """Numbers beyond 64 bits: right in Python, wrapped by the compiler."""

    def evaluate(self, state, player):
        lead = 0.5 if state.left < HUGE * 4 else -0.5
        return lead if player == 0 else -lead


class OverflowingMoves(Take):
    def actions(self, state):
        yield 1
        if HUGE * 4 > 0 and state.left > 1:
            yield 2


class OtherOrder(Take):
    def actions(self, state):
        is_wide = HUGE * 4 > 0
        if state.left == 1:
            yield 1
        else:
            yield 1 if is_wide else 2
            yield 2 if is_wide else 1


class OverflowingResult(Take):
    def result(self, state, action):
        return Heap(state.left - action, 1 - state.player if HUGE * 4 > 0 else state.player)


class OverflowingDice(Coin):
    def outcomes(self, state):
        chance = 0.5 if HUGE * 4 > 0 else 0.25
        yield 0, chance
        yield 1, 1 - chance


class OverflowingKey(Take):
    def key(self, state):
        return U64(2 * state.left + state.player + (1 if HUGE * 4 > 0 else 0))


class OverflowingTurn(Take):
    def to_move(self, state):
        return state.player if HUGE * 4 > 0 else 1 - state.player


class OverflowingEnd(Take):
    def is_terminal(self, state):
        return state.left == 0 if HUGE * 4 > 0 else state.left <= 1


class OverflowingPayoff(Take):
    def utility(self, state, player):
        won = 1 if HUGE * 4 > 0 else -1
        return -won if player == state.player else won


class OverflowingOrder(Take):
    def order(self, state, action):
        return action if HUGE * 4 > 0 else -action


class OverflowingNoise(Take):
    def is_noisy(self, state, action):
        return action == 2 and HUGE * 4 > 0


class OverflowingTwin(TwoHeaps):
    def canonical(self, state):
        is_turned = state.one > state.other and HUGE * 4 > 0
        return Heaps(state.other, state.one, state.player) if is_turned else state


class OverflowingBounds(Take):
    def bounds(self, state, player):
        return (-1, 1) if HUGE * 4 > 0 else (-3, 1)


class Shifting(Take):
    """Shifts beyond 64 bits are nothing in machine words."""

    def order(self, state, action):
        return 1.0 if (1 << (60 + state.left)) > 0 else 0.0


class Dividing(Take):
    """A quotient by zero is no error when compiled; here Python never comes to it."""

    def evaluate(self, state, player):
        huge = HUGE * 4
        lead = 0.0 if huge > 0 else 1 / (huge * state.left)
        return lead if player == 0 else -lead


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (OverflowingEstimate(), "evaluate should say the same, but they say -0.5 and 0.5 at the start, '5,0'"),
        (
            OverflowingMoves(),
            "actions should say the same, but only the compiled rules give none, and only the interpreted ones 2 at",
        ),
        (OtherOrder(), "actions should say the same, but they give 2 1 and 1 2 at the start, '5,0'"),
        (
            OverflowingResult(),
            "result should say the same, but after 1 they say Heap(left=4, player=0) and Heap(left=4, player=1) at the",
        ),
        (OverflowingDice(), "outcomes should say the same, but for 0 they say 0.25 and 0.5 in '0,0,True' after 1"),
        (OverflowingKey(), "key should say the same, but they say 10 and 11 at the start, '5,0'"),
        (OverflowingTurn(), "to_move should say the same, but they say 1 and 0 at the start, '5,0'"),
        (OverflowingEnd(), "is_terminal should say the same, but they say True and False in '1,"),
        (OverflowingPayoff(), "utility should say the same, but they say -1.0 and 1.0 in '0,"),
        (OverflowingOrder(), "order should say the same, but for 1 they say -1.0 and 1.0 at the start, '5,0'"),
        (OverflowingNoise(), "is_noisy should say the same, but for 2 they say False and True at the start, '5,0'"),
        (
            OverflowingTwin(),
            "canonical should say the same, but they say Heaps(one=3, other=2, player=0) and Heaps(one=2, other=3, ",
        ),
        (OverflowingBounds(), "bounds should say the same, but they say -3.0 and -1.0 at the start, '5,0'"),
        (Shifting(), "order should say the same, but for 1 they say 0.0 and 1.0 in '3,"),
        (Dividing(), "evaluate should say the same, but they say inf and 0.0 at the start, '5,0'"),
    ],
    ids=str,
)
def test_a_difference_names_the_method_both_answers_and_the_position(game, sentence):
    found = failed(game)
    assert list(found) == ["compiled"], found
    assert f"compiled and interpreted {sentence}" in found["compiled"]


def test_states_that_outgrow_sixty_four_bits_are_found():
    class Growing(Take):
        def result(self, state, action):
            return Heap(state.left * HUGE + 1 if state.left == 4 else state.left - action, 1 - state.player)

        def is_terminal(self, state):
            return state.left <= 0 or state.left > 5

    sentence = failed(Growing())["compiled"]
    assert "a state should be made of numbers of 64 bits, as the first one is, but it is Heap(left=" in sentence


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


def test_an_error_that_only_the_comparison_meets_is_told_with_its_place():
    class Careless(Coin):
        def bounds(self, state, player):
            if isinstance(state, Toss) and state.is_flying:
                raise KeyError("heads")
            return (-1, 1)

    assert "bounds" in failed(Careless())
