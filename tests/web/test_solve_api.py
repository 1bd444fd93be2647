"""Solving a game over the API: lines of progress, then the value, the table and the bluffs."""

import json

import pytest

pytestmark = pytest.mark.plain


def solve(api, game, **wanted):
    with api.stream("POST", "/api/solve", json={"game": game, **wanted}) as answer:
        return [json.loads(line) for line in answer.iter_lines()]


def test_kuhn_is_solved_exactly_with_its_curve_and_its_bluff(api):
    *progress, last = solve(api, "kuhn")
    done = last["done"]
    assert (done["value"], done["kind"]) == ("−1/18", "exact")
    assert len(done["rows"]) == done["sets"] == 12
    bluff = next(row for row in done["rows"] if row["view"] == "J check")
    assert [(move["move"], move["text"], move["is_bluff"]) for move in bluff["moves"]] == [
        ("check", "2/3", False),
        ("bet", "1/3", True),
    ]
    assert "Player 2 bluffs with “J check”: bet, 1/3 of the time." in done["sentences"]
    curve = [point[1] for point in done["points"]]
    assert curve[-1] < 1e-3 < curve[0]
    assert done["chart"].startswith("<svg")
    assert all("error" not in line for line in progress)


@pytest.mark.compiled
def test_a_method_without_a_proof_says_estimate(api):
    done = solve(api, "kuhn", method="cfr")[-1]["done"]
    assert done["kind"] == "estimate"
    assert done["value"].startswith("~ −0.05")


@pytest.mark.compiled
def test_three_players_get_a_value_each(api):
    done = solve(api, "kuhn", options={"players": "3"}, method="cfr+")[-1]["done"]
    assert done["value"].count(",") == 2
    assert done["seats"] == ["Player 1", "Player 2", "Player 3"]
    assert done["sentences"] == []


def test_the_curves_of_other_methods_are_drawn_beside(api):
    beside = [{"method": "cfr", "points": [[1, 0.5], [8, 0.25]]}]
    done = solve(api, "kuhn", method="cfr+", beside=beside)[-1]["done"]
    assert "CFR+: exploitability" in done["chart"]
    assert "CFR: exploitability 0.25 after 8 iterations" in done["chart"]
    assert len(done["points"]) > 2
    done = solve(api, "kuhn", method="lp", beside=beside)[-1]["done"]
    assert "CFR: exploitability 0.25" in done["chart"]


@pytest.mark.parametrize(
    ("wanted", "status", "words"),
    [
        ({"game": "poker"}, 422, "there is no game 'poker'"),
        ({"game": "kuhn", "options": {"players": "9"}}, 422, "kuhn has 2 to 4 players"),
        ({"game": "kuhn", "method": "magic"}, 422, "method"),
        ({"game": "kuhn", "beside": [{"method": "cfr", "points": [[1, -1]]}]}, 422, "beside"),
        ({"game": "kuhn", "beside": [{"method": "cfr", "points": [[1, 1]] * 501}]}, 422, "beside"),
        ({"game": "kuhn", "beside": [{"method": "<b>", "points": []}]}, 422, "beside"),
        ({"game": "go"}, 400, "in Go nothing is hidden"),
    ],
)
def test_mistakes_are_refused_in_a_sentence(api, wanted, status, words):
    answer = api.post("/api/solve", json=wanted)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_a_game_that_is_too_large_is_an_error_in_a_sentence(api):
    assert solve(api, "phantom")[-1]["error"] == "Phantom Game is too large to solve it here; choose smaller options"
