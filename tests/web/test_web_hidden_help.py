"""Help in games with hidden information: hints from what a seat has seen, and what decisions cost after the game."""

import pytest

pytestmark = pytest.mark.plain

PLAYERS = [{}, {"agent": "random"}]


def ask(socket, order, *events):
    socket.send_json(order)
    while True:
        news = socket.receive_json()
        if news["event"] in events and news["content"].get("state") not in ("thinking", "preparing", "waiting"):
            return news["content"]


def test_a_hint_is_the_mixture_of_an_equilibrium(api, begun):
    name = begun("kuhn", players=[{"agent": "random"}, {}], moves=["Q", "J", "check"])["id"]
    with api.websocket_connect(f"ws://localhost/api/sessions/{name}/stream") as socket:
        found = ask(socket, {"do": "analyse", "node": 3}, "analysis", "refused")
    shares = {move["move"]: move["probability"] for move in found["moves"]}
    assert shares == pytest.approx({"check": 2 / 3, "bet": 1 / 3})
    assert found["position"] == ""
    assert found["why"] == "an equilibrium plays it 66.7 % of the time here"
    assert all(node["judgement"] is None for node in api.get(f"/api/sessions/{name}").json()["nodes"])


def test_a_game_that_is_too_large_to_solve_is_searched_from_the_seats_view(api, begun):
    name = begun("leduc", options={"ranks": "13", "suits": "4"}, players=PLAYERS, moves=["As", "2h"])["id"]
    with api.websocket_connect(f"ws://localhost/api/sessions/{name}/stream") as socket:
        found = ask(socket, {"do": "analyse", "node": 2, "seconds": 0.3}, "analysis", "refused")
    assert sum(move["probability"] for move in found["moves"]) == pytest.approx(1)
    assert found["agent"] == "mcts"


def test_the_opponents_turn_has_no_hint(api, begun):
    name = begun("kuhn", players=PLAYERS, moves=["Q", "J", "check"])["id"]
    with api.websocket_connect(f"ws://localhost/api/sessions/{name}/stream") as socket:
        socket.send_json({"do": "pause"})
        found = ask(socket, {"do": "analyse", "node": 0}, "analysis", "refused")
    assert "only the current position is analysed" in found["error"] or "hidden" in found["error"]


def test_after_the_game_each_decision_has_its_cost(api, begun):
    name = begun("kuhn", players=PLAYERS, moves=["Q", "K", "bet", "fold"])["id"]
    found = api.post(f"/api/sessions/{name}/costs", json={"node": 4}).json()
    bet, fold = found["decisions"]
    assert (bet["view"], bet["cost"]) == ("Q", pytest.approx(1 / 6, abs=1e-3))
    assert bet["words"] == "gives away 0.17 points on average; check is better"
    assert (fold["view"], fold["cost"], fold["best"]) == ("K bet", pytest.approx(3, abs=1e-3), "call")
    assert found["totals"] == pytest.approx([1 / 6, 3], abs=1e-3)


@pytest.mark.parametrize(
    ("game", "moves", "node", "words"),
    [
        ("kuhn", ["Q", "K", "bet"], 3, "shown when the game is over"),
        ("kuhn", ["Q", "K", "bet", "fold"], 3, "shown when the game is over"),
        ("tic-tac-toe", [], 0, "nothing is hidden"),
    ],
)
def test_costs_are_refused_before_the_end(api, begun, game, moves, node, words):
    name = begun(game, moves=moves)["id"]
    answer = api.post(f"/api/sessions/{name}/costs", json={"node": node})
    assert answer.status_code == 400
    assert words in answer.json()["error"]
