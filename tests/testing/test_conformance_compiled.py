"""Compiled and interpreted rules must agree; a game that does not compile is no worse for it."""

import pytest
from little_games import Coin, Heap, Take, failed

from zermelo.games.hexapawn import Hexapawn
from zermelo.kernel import U64, is_enabled
from zermelo.testing import check

pytestmark = [pytest.mark.compiler, pytest.mark.skipif(not is_enabled(), reason="compiling is switched off")]

HUGE = 1 << 62


class Overflowing(Take):
    """Numbers beyond 64 bits: right in Python, wrapped by the compiler."""

    def evaluate(self, state, player):
        lead = 0.5 if state.left < HUGE * 4 else -0.5
        return lead if player == 0 else -lead


class OverflowingMoves(Take):
    def actions(self, state):
        yield 1
        if HUGE * 4 > 0 and state.left > 1:
            yield 2


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


class Pythonic(Take):
    """Generator expressions do not compile."""

    def utility(self, state, player):
        return -1 if any(player == loser for loser in (state.player,)) else 1


def compiled_detail(game):
    return {found.name: found.detail for found in check(game).checks}["compiled"]


@pytest.mark.parametrize(("game", "looked"), [(Hexapawn(), "60 positions"), (Take(), "10 positions")], ids=str)
def test_sound_games_say_the_same_compiled(game, looked):
    assert compiled_detail(game) == looked


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Overflowing(), "interpreted evaluate should say the same, but they say -0.5 and 0.5 at the start, '5,0'"),
        (
            OverflowingMoves(),
            "compiled and interpreted actions should say the same, but they do not at the start, '5,0'",
        ),
        (
            OverflowingResult(),
            "compiled and interpreted result should say the same, but they do not at the start, '5,0'",
        ),
        (OverflowingDice(), "interpreted outcomes should say the same, but they do not in '0,0,True' after 1"),
        (OverflowingKey(), "compiled and interpreted key should say the same, but they do not at the start, '5,0'"),
    ],
    ids=str,
)
def test_a_disagreement_names_the_method_and_the_position(game, sentence):
    found = failed(game)
    assert list(found) == ["compiled"], found
    assert sentence in found["compiled"]


def test_a_game_need_not_compile():
    report = check(Pythonic())
    assert report.conformant, str(report)
    assert report.checks[-1].detail.startswith("nothing to look at: test_conformance_compiled.py, line ")
