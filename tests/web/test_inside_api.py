"""The API of `/inside`: requests, answers, and refusals in one sentence."""

import os

import pytest
from fastapi.testclient import TestClient

from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.payloads import ANSWERS, adapter
from zermelo.web.pool import Pool
from zermelo.web.security import Gate
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

LECTURE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Post a question; the answer and its status."""
    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    store = Store(tmp_path_factory.mktemp("inside") / "sessions.sqlite")
    with TestClient(Gate(application(Catalogue(), store, Pool(1))), base_url="http://localhost") as client:

        def post(question="", status=200, **wanted):
            answer = client.post(f"/api/inside{question}", json=wanted)
            assert answer.status_code == status, answer.text
            if status == 200 and question != "/random":
                adapter(ANSWERS[question.removeprefix("/") or "open"]).validate_python(answer.json())
            return answer.json()

        post.client = client
        yield post
    del os.environ["NUMBA_DISABLE_JIT"]
    if before is not None:
        os.environ["NUMBA_DISABLE_JIT"] = before


def test_alpha_beta_skips_4_and_6_and_then_looks_at_14_5_and_2(ask):
    found = ask(algorithm="alphabeta", options={"text": LECTURE})
    leaves = [node["value"] for node in found["items"] if node["kind"] == "terminal"]
    assert leaves == [[3], [12], [8], [2], [14], [5], [2]]
    cut = [node for node in found["items"] if node["kind"] == "cut"]
    reason = {"kind": "alpha", "value": 2, "bound": 3}
    assert [(node["value"], node["reason"]) for node in cut] == [([4], reason), ([6], reason)]
    assert (found["nodes"], found["leaves"], found["cuts"], found["value"]) == (11, 7, 2, [3])
    assert ask(algorithm="minimax")["nodes"] == 13


def test_auto_is_the_search_that_shows_most(ask):
    chosen = {name: ask(game=name, algorithm="auto", depth=1)["algorithm"] for name in ("tic-tac-toe", "pig", "trio")}
    assert chosen == {"tic-tac-toe": "alphabeta", "pig": "star1", "trio": "maxn"}


def test_searches_for_dice_and_for_many_are_offered_where_there_are_dice_and_many(ask):
    offered = {
        name: [one["name"] for one in ask(game=name, algorithm="auto", depth=1)["algorithms"]]
        for name in ("hexapawn", "pig", "trio")
    }
    assert offered == {
        "hexapawn": ["alphabeta", "minimax", "quiescence", "maxn", "expectimax", "mcts"],
        "pig": ["star1", "star2", "expectiminimax", "maxn", "expectimax", "mcts"],
        "trio": ["maxn", "maxn-shallow", "paranoid", "bestreply", "expectimax", "mcts"],
    }


def test_children_moments_and_boards_are_sent_on_request(ask):
    look = {"game": "connect-four", "moves": ["4"], "algorithm": "minimax", "depth": 4}
    whole = ask(**look)
    assert whole["nodes"] == 2_801 > len(whole["items"]) > 100
    below = ask("/children", **look, node=1)["items"]
    assert [node["parent"] for node in below] == [1] * 7
    way = ask("/moment", **look, moment=whole["moments"] - 1)["items"]
    assert [node["parent"] for node in way] == [0] * 7
    board = ask("/board", **look, line=["4", "3"])
    assert board["text"] == "......./......./......./......./...O.../..XX... o"
    assert board["board"]["svg"].startswith("<svg")


def test_a_tree_grows_and_goes_back(ask):
    look = {"game": "tic-tac-toe", "algorithm": "mcts", "seed": 3}
    assert ask(**look)["most"] == 500_000
    few = ask("/grow", **look, simulations=10)
    assert ask("/grow", **look, simulations=30)["simulations"] == 30
    assert ask("/grow", **look, simulations=10) == few


def test_a_seed_gives_a_random_tree(ask):
    wanted = {"seed": 7, "levels": 2, "branches": 3, "kind": "with dice"}
    found = ask("/random", **wanted)
    assert found == ask("/random", **wanted)
    assert ask(options={"text": found["text"]}, algorithm=found["algorithm"])["leaves"] <= 9


@pytest.mark.parametrize(
    ("status", "wanted", "sentence"),
    [
        (422, {"options": {"text": "max(min(3 12"}}, "line 1, column 8: this bracket is never closed"),
        (422, {"options": {"text": "max(3 maybe)"}}, "'maybe' is not a kind of node"),
        (422, {"options": {"text": "(" * 20_001}}, "at most 20000 characters"),
        (422, {"options": {"text": "/etc/passwd"}}, "could be a file"),
        (422, {"game": "solitaire"}, "there is no game 'solitaire' here"),
        (422, {"depth": 31}, "less than or equal to 30"),
        (422, {"depth": 0}, "greater than or equal to 1"),
        (422, {"algorithm": "magic"}, "algorithm"),
        (422, {"nodes": 10**9}, "Extra inputs are not permitted"),
        (422, {"moves": ["x"] * 2_001}, "at most 2000 items"),
        (400, {"game": "pig", "depth": 2}, "alpha-beta needs two players and no dice"),
        (400, {"options": {"text": "max(min{h}(1 2) min{h}(3 4))"}}, "a search tree would reveal"),
        (400, {"game": "tic-tac-toe", "moves": ["e9"]}, "e9"),
        (400, {"game": "nim", "position": "nonsense"}, "nonsense"),
        (400, {"options": {"text": "max(1 2)"}, "moves": ["a"]}, "the game is over here"),
    ],
)
def test_invalid_requests_are_refused_in_a_sentence(ask, status, wanted, sentence):
    told = ask(status=status, **{"algorithm": "alphabeta", **wanted})["error"]
    assert sentence in told
    assert "Traceback" not in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("status", "question", "wanted", "sentence"),
    [
        (400, "/children", {"node": 10_000}, "the tree has no node 10,000; its last one is 10"),
        (400, "/board", {"line": ["z"]}, "z"),
        (422, "/board", {"line": ["a"] * 301}, "at most 300 items"),
        (422, "/children", {"node": -1}, "greater than or equal to 0"),
        (422, "/moment", {"moment": 10**9}, "less than or equal to"),
        (422, "/grow", {"simulations": 10**7}, "less than or equal to"),
        (400, "/children", {"algorithm": "mcts", "node": 0}, "has no recording"),
    ],
)
def test_questions_about_nothing_are_refused(ask, status, question, wanted, sentence):
    assert sentence in ask(question, status=status, **{"algorithm": "alphabeta", **wanted})["error"]


def test_a_random_tree_has_an_end(ask):
    assert "at most 100 leaves" in ask("/random", status=400, seed=1, levels=5, branches=5)["error"]
    assert ask("/random", status=422, seed=1, levels=50)


def test_a_search_that_is_too_large_says_so_and_shows_what_it_has(ask):
    found = ask(game="nim", algorithm="minimax")
    assert "stopped" in found["end"]
    assert found["value"] is None
    assert len(found["items"]) > 1
