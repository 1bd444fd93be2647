"""Every command on a game whose states are dicts with lists in them, and whose moves are tuples."""

import pytest

from zermelo.testing.kit import CLAIMS

pytestmark = [pytest.mark.plain, pytest.mark.filterwarnings("ignore:.*runs interpreted")]

RULES = '''
from zermelo import Game


class Corners(Game):
    """Two by three cells; whoever fills the last one wins."""

    def initial(self):
        return {"board": [[None, None, None], [None, None, "#"]], "turn": 0}

    def to_move(self, state):
        return state["turn"]

    def actions(self, state):
        return [(row, col) for row in range(2) for col in range(3) if state["board"][row][col] is None]

    def result(self, state, action):
        row, col = action
        state["board"][row][col] = "XO"[state["turn"]]
        state["turn"] = 1 - state["turn"]
        return state

    def utility(self, state, player):
        return -1 if player == state["turn"] else 1
'''
START = "{'board': [[None, None, None], [None, None, '#']], 'turn': 0}"


@pytest.fixture
def corners(tmp_path):
    file = tmp_path / "corners.py"
    file.write_text(RULES)
    return str(file)


def test_check(zermelo, corners):
    said = zermelo("check", corners)
    assert said.code == 0, said.out
    assert "corners fulfils the contract" in said.out


def test_solve_and_best(zermelo, corners):
    found = zermelo("solve", corners, "--json").json
    assert (found["value"], found["position"], found["distance"]) == ([1.0, -1.0], START, 5)
    assert found["best"] == "0-0"
    later = zermelo("best", corners, "moves: 0-0 1-1", "--agent", "alphabeta", "--json").json
    assert later["position"] == "{'board': [['X', None, None], [None, 'O', '#']], 'turn': 0}"
    assert zermelo("best", corners, later["position"], "--agent", "maxn", "--json").json["value"] == [1.0, -1.0]
    assert "proved" in zermelo("solve", corners).out


def test_tree_perft_games_and_match(zermelo, corners):
    assert "0-0" in zermelo("tree", corners, "--algorithm", "alphabeta", "--depth", "2").out
    assert zermelo("perft", corners, "--depth", "3", "--json").json["leaves"] == 60
    assert zermelo("games", corners).code == 0
    said = zermelo("match", "solve", "random", "--game", corners, "--games", "2")
    assert said.code == 0, said.err


def test_play_with_typed_moves(zermelo, corners):
    said = zermelo("play", corners, keys="0,1\n(9, 9)\n(1, 1)\nposition\nundo\nquit\n")
    assert "X" in said.out
    assert "(9, 9) is not a move here" in said.out


def test_the_check_says_how_many_checks_were_not_made(zermelo, corners, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(RULES.replace('return state["turn"]', "return 7"))
    said = zermelo("check", str(file))
    assert said.code == 1
    assert f"of {len(CLAIMS)} checks failed, and" in said.out
    assert "were not made" in said.out
