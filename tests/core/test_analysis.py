"""The result object: actions, their texts, JSON and back."""

import dataclasses
import json
import math

import pytest

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.game import Game
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.search import analyse

pytestmark = pytest.mark.plain


@pytest.fixture
def answer():
    return analyse("tic-tac-toe", "moves: a1 b2", depth=3, lines=2)


def test_a_bot_gives_its_name_and_its_move():
    referee = Referee(find("tic-tac-toe"))
    found = Analysis.of(referee, "bot", referee.legal()[4], kind="exact")
    assert (found.agent, found.best, found.line, found.kind) == ("bot", "b2", ("b2",), "exact")
    assert all(map(math.isnan, found.value))
    assert (found.to_move, found.position) == (0, ".../.../... x")


def test_a_move_of_another_type_is_shown_as_the_game_s_own():
    referee = Referee(find("tic-tac-toe"))
    found = Analysis.of(referee, "bot", 4.0)
    assert (found.best, type(found.action)) == ("b2", int)


@pytest.mark.compiled
def test_an_answer_survives_json(answer):
    data = json.loads(json.dumps(answer.to_json()))
    assert Analysis.from_json(data).to_json() == data


@pytest.mark.compiled
def test_the_repr_rebuilds_the_answer(answer):
    assert eval(repr(answer)).to_json() == answer.to_json()


@pytest.mark.compiled
def test_moves_of_one_answer_keep_their_notation_in_another(answer):
    other = Analysis("tic-tac-toe", "", 0, "copy", answer.value, "estimate", moves=answer.moves)
    assert [move.move for move in other.moves] == [move.move for move in answer.moves]
    fresh = dataclasses.replace(answer, moves=(MoveAnalysis(answer.action, answer.value, "exact"),))
    assert fresh.moves[0].move == answer.best


def test_the_last_move_of_a_line_needs_no_state_after_it():
    class Cliff(Game):
        def initial(self):
            return 0

        def to_move(self, state):
            return 0

        def actions(self, state):
            yield 1

        def result(self, state, action):
            raise AssertionError("nobody asks what comes after the last move")

    assert Analysis.of(Referee(Cliff()), "bot", 1).best == "1"
