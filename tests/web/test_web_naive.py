"""A served file whose states are lists: a board that can be clicked, and rules that are read again when they change."""

import pytest

from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

RULES = """
from zermelo import Game


class Squares(Game):
    def initial(self):
        return [["."] * 3 for _ in range(3)]

    def to_move(self, state):
        return sum(row.count(".") for row in state) % 2

    def actions(self, state):
        return [(row, col) for row in range(3) for col in range(3) if state[row][col] == "."]

    def result(self, state, action):
        state[action[0]][action[1]] = "x"
        return state

    def utility(self, state, player):
        return 0
"""


@pytest.fixture
def served(tmp_path):
    file = tmp_path / "squares.py"
    file.write_text(RULES)
    catalogue = Catalogue([str(file)])
    return file, catalogue, Sessions(catalogue, Store(tmp_path / "sessions"))


def test_a_naive_board_can_be_clicked(served):
    file, _, sessions = served
    session = sessions.create(NewSession(game=str(file)))
    position = session.state().position
    assert position.board.touches["1-2"] == [5]
    assert position.board.cells[5].endswith(", empty")


def test_the_next_game_has_the_new_rules_and_says_so(served):
    file, catalogue, sessions = served
    first = sessions.create(NewSession(game=str(file)))
    assert first.state().note == ""
    file.write_text(RULES.replace("* 3", "* 4").replace("col in range(3)", "col in range(4)"))
    second = sessions.create(NewSession(game=str(file)))
    assert second.state().note == "The rules of squares.py were reloaded."
    assert (len(second.state().position.moves), len(first.state().position.moves)) == (12, 9)
    assert sessions.create(NewSession(game=str(file))).state().note == ""
    assert catalogue.game("nim") is catalogue.game("nim")
