"""Who may talk to the server, and what happens to those who may not or who say too much."""

import json

import pytest
from fastapi.testclient import TestClient
from serving import run_async
from starlette.websockets import WebSocketDisconnect

from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.web.addresses import is_loopback
from zermelo.web.app import application
from zermelo.web.boards import position_of
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession, Player
from zermelo.web.pool import Pool
from zermelo.web.security import LARGEST, Gate, TokenBucket
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain


def stream_of(session):
    return f"ws://localhost/api/sessions/{session['id']}/stream"


def error_of(socket):
    """The first news of an error."""
    while (told := json.loads(socket.receive_text()))["event"] != "refused":
        pass
    return told


def test_a_foreign_host_is_refused(api):
    answer = api.get("/api/games", headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert "evil.example" in answer.json()["error"]


def test_a_foreign_origin_is_refused(api):
    assert api.post("/api/sessions", json={"game": "nim"}, headers={"origin": "http://evil.example"}).status_code == 403
    assert api.get("/api/games", headers={"origin": "http://localhost"}).status_code == 200


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}])
def test_a_foreign_socket_is_refused_before_it_opens(api, begun, headers):
    with pytest.raises(WebSocketDisconnect) as refusal, api.websocket_connect(stream_of(begun()), headers=headers):
        raise AssertionError("it opened")
    assert refusal.value.code == 1008


@pytest.mark.parametrize("origin", ["http://[", "http://localhost:x", "//localhost", "ftp://localhost", ""])
def test_an_origin_that_is_none_is_refused(api, begun, origin):
    assert api.get("/api/games", headers={"origin": origin}).status_code == 403
    with pytest.raises(WebSocketDisconnect), api.websocket_connect(stream_of(begun()), headers={"origin": origin}):
        raise AssertionError("it opened")


@pytest.fixture
def beyond(store):
    """A server that can be reached from other machines."""
    gate = Gate(application(Catalogue(), Store(store), Pool(1)), token="secret")
    with TestClient(gate, base_url="http://192.168.0.7:8000", follow_redirects=False) as api:
        yield api


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example/", "//evil.example", "///evil.example/%0d%0aa:b"])
def test_a_token_leads_to_no_other_machine(beyond, path):
    scope = {"type": "http", "path": path, "query_string": b"token=secret", "headers": [], "method": "GET"}
    sent = []

    async def send(message):
        sent.append(message)

    run_async(beyond.app(scope, None, send))
    location = dict(sent[0]["headers"])[b"location"].decode()
    assert location.startswith("/evil.example")
    assert "\n" not in location


def test_a_wrong_token_does_not_replace_a_right_one(beyond):
    cookie = {"cookie": "zermelo_token=secret"}
    answer = beyond.get("/api/inside/examples?token=last+week", headers=cookie)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


def test_beyond_this_machine_a_token_is_wanted(store):
    gate = Gate(application(Catalogue(), Store(store), Pool(1)), token="let me in")
    with TestClient(gate, base_url="http://192.168.0.7:8000", follow_redirects=False) as api:
        assert api.get("/api/games").status_code == 401
        assert api.get("/api/games?token=guess").status_code == 401
        assert api.get("/api/games", headers={"authorization": "Bearer let me in"}).status_code == 200
        opened = api.get("/?token=let+me+in")
        assert (opened.status_code, opened.headers["location"]) == (303, "/")
        assert "HttpOnly" in opened.headers["set-cookie"]
    with TestClient(gate, base_url="http://192.168.0.7:8000") as api:
        session = "/api/sessions/abc/stream"
        with pytest.raises(WebSocketDisconnect), api.websocket_connect(session):
            raise AssertionError("it opened")


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("example.org", False)],
)
def test_only_this_machine_is_loopback(host, expected):
    assert is_loopback(host) is expected


def test_pages_load_nothing_from_elsewhere_and_cannot_be_framed(api):
    headers = api.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/app.py"]
)
def test_only_the_page_s_own_files_are_served(api, path):
    answer = api.get(path)
    assert answer.status_code in (404, 405)
    assert "import" not in answer.text


def test_a_large_request_is_refused(api):
    answer = api.post("/api/sessions", content=b" " * (LARGEST + 1), headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_a_large_request_that_hides_its_length_is_refused(api):
    def chunks():
        for _ in range(LARGEST // 1024 + 2):
            yield b" " * 1024

    answer = api.post("/api/sessions", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("{", "JSON"),
        ('{"do": "dance"}', "dance"),
        ('{"do": "analyse", "node": 0, "colour": "blue"}', "colour"),
        ('{"do": "analyse", "node": 0, "seconds": 1e9}', "less than or equal to 300"),
        ('{"do": "analyse", "node": 0, "depth": 1000000}', "less than or equal to 100"),
        ('{"do": "analyse", "node": 999}', "there is no node 999"),
        ('{"do": "analyse", "node": "0; drop table"}', "integer"),
    ],
)
def test_nonsense_on_a_socket_gets_a_sentence_and_the_server_continues(api, begun, message, sentence):
    with api.websocket_connect(stream_of(begun())) as socket:
        socket.send_text(message)
        told = error_of(socket)
        assert sentence in told["content"]["error"]
        socket.send_text('{"do": "analyse", "node": 0, "seconds": 0.2}')
        while told["event"] != "analysis":
            told = json.loads(socket.receive_text())


def test_a_binary_message_gets_a_sentence(api, begun):
    with api.websocket_connect(stream_of(begun())) as socket:
        socket.send_bytes(b"\x00\xff")
        assert "binary" in error_of(socket)["content"]["error"]
        socket.send_text('{"do": "dance"}')
        assert "dance" in error_of(socket)["content"]["error"]


def test_a_flood_is_refused_and_then_shown_the_door(api, begun):
    with api.websocket_connect(stream_of(begun())) as socket:
        for _ in range(200):
            socket.send_text('{"do": "stop"}')
        told, refusal = [], None
        while refusal is None:
            try:
                told.append(json.loads(socket.receive_text()))
            except WebSocketDisconnect as error:
                refusal = error
    assert refusal.code == 1008
    assert any(one["event"] == "refused" and "too many messages" in one["content"]["error"] for one in told)
    assert len(told) < 50


def test_a_flood_of_requests_is_refused_until_it_ebbs(api, monkeypatch):
    monkeypatch.setattr("zermelo.web.security.TokenBucket.take", lambda bucket: bucket is None)
    answer = api.get("/api/games")
    assert (answer.status_code, answer.json()["error"]) == (429, "too many requests; wait a moment")
    assert api.get("/static/main.js").status_code == 200  # the page itself can always be had
    monkeypatch.undo()
    assert api.get("/api/games").status_code == 200


def test_more_requests_than_the_allowance_are_refused(store, monkeypatch):
    monkeypatch.setattr("zermelo.web.security.RATE", 1e-9)
    monkeypatch.setattr("zermelo.web.security.BURST", 5)
    with TestClient(Gate(application(Catalogue(), Store(store), Pool(1))), base_url="http://localhost") as api:
        assert [api.get("/api/inside/examples").status_code for _ in range(7)] == [200] * 5 + [429] * 2


def test_too_many_pages_are_sent_away_and_the_others_go_on(api, begun, monkeypatch):
    monkeypatch.setattr("zermelo.web.service.MOST_CLIENTS", 1)
    session = begun()
    with api.websocket_connect(stream_of(session)) as first:
        with api.websocket_connect(stream_of(session)) as second, pytest.raises(WebSocketDisconnect) as refusal:
            second.receive_text()
        assert refusal.value.code == 1013
        first.send_text("{")
        assert error_of(first)


def test_an_allowance_refills():
    bucket = TokenBucket(rate=1e9, burst=2)
    assert all(bucket.take() for _ in range(100))
    assert [TokenBucket(rate=1e-9, burst=2).take() for _ in range(1)] == [True]
    small = TokenBucket(rate=1e-9, burst=2)
    assert [small.take() for _ in range(3)] == [True, True, False]


# -- secrets ---------------------------------------------------------------------------------------


class HigherCard(Game):
    """Each is dealt a card; the second one may fold or show."""

    hidden = chance = True

    def initial(self):
        return ()

    def to_move(self, state):
        return CHANCE if len(state) < 2 else 1

    def actions(self, state):
        cards = [f"card-{number}" for number in (1, 2, 3) if f"card-{number}" not in state]
        return cards if len(state) < 2 else ["fold", "show"] if len(state) == 2 else []

    def result(self, state, action):
        return (*state, action)

    def utility(self, state, player):
        first = 1 if state[2] == "fold" or state[0] > state[1] else -1
        return first if player == 0 else -first

    def view(self, state, player):
        return tuple(card if seat == player or seat > 1 else "dealt" for seat, card in enumerate(state))


def test_a_seat_sees_only_its_own_cards():
    referee = Referee(HigherCard())
    referee.play_line(["card-3", "card-1"])
    for viewer, secret in ((1, "card-3"), (0, "card-1"), (None, "card-")):
        shown = position_of(referee, 2, viewer).model_dump_json()
        assert secret not in shown
    assert position_of(referee, 2, 1).moves == ["fold", "show"]
    assert position_of(referee, 2, 0).moves == []


def test_a_session_of_a_hidden_game_shows_a_person_only_their_own_moves(tmp_path, monkeypatch):
    catalogue = Catalogue()
    monkeypatch.setattr(catalogue, "game", lambda key, options=None: HigherCard())
    facts = catalogue.facts("nim").model_copy(update={"hidden": True, "chance": True})
    monkeypatch.setattr(catalogue, "facts", lambda key, options=None: facts)
    sessions = Sessions(catalogue, Store(tmp_path / "store.sqlite"))
    wanted = {"game": "nim", "moves": ["card-3", "card-1"], "players": [{"agent": "random"}, {}]}
    session = sessions.create(NewSession.model_validate(wanted))
    shown = session.state().model_dump_json()
    assert "card-3" not in shown
    assert "card-1" in session.position().board.svg
    with pytest.raises(Refused, match="hidden"):
        session.preview(0, ["card-3"])
    with pytest.raises(Refused, match="would now see what is hidden"):
        session.sit([Player(), Player()], "rolled")
    session.sit([Player(agent="random"), Player(agent="random")], "rolled")
    assert "card-" not in session.state().model_dump_json()
    with pytest.raises(Refused, match="would now see what is hidden"):
        session.sit([Player(agent="random"), Player()], "rolled")
    turn = session.standing().turn
    session.answer(turn, {"best": "show", "chance": None, "kind": "estimate"})
    assert "card-3" in session.state().model_dump_json()


HANDS = """
from zermelo import CHANCE, Game
class Hands(Game):
    "Each has two of four cards and plays one of them; the higher card wins."
    hidden = chance = True
    def initial(self): return ((), ())
    def to_move(self, state): return len(state[1]) if state[0] else CHANCE
    def actions(self, state):
        hand = [card for card in range(4) if (card in state[0]) == (len(state[1]) == 0)]
        return hand if state[0] else range(6)
    def outcomes(self, state): return [(number, 1 / 6) for number in range(6)]
    def result(self, state, action):
        if state[0]: return (state[0], state[1] + (action,))
        return (((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))[action], ())
    def is_terminal(self, state): return len(state[1]) == 2
    def utility(self, state, player): return 1 if (state[1][0] > state[1][1]) == (player == 0) else -1
    def view(self, state, player):
        return (tuple(card for card in range(4) if (card in state[0]) == (player == 0)), state[1])
"""


def test_nobody_learns_a_hand_by_trying_its_cards_or_by_dealing(tmp_path):
    """What is legal for a seat may say what it holds, so no other seat is told whether a move is legal there."""
    file = tmp_path / "hands.py"
    file.write_text(HANDS)
    sessions = Sessions(Catalogue([str(file)]), Store(tmp_path / "store.sqlite"))
    wanted = {"game": str(file), "players": [{"agent": "random"}, {}]}
    session = sessions.create(NewSession.model_validate(wanted))
    with pytest.raises(Refused, match="the moves of chance are hidden here"):
        session.play("3")
    assert session.roll(0)
    errors = set()
    for card in ("0", "1", "2", "3", "nonsense"):
        with pytest.raises(Refused) as refused:
            session.play(card)
        errors.add(str(refused.value))
    assert errors == {"the moves of player 1 are hidden here; wait until it has moved"}
    with pytest.raises(UsageError, match="rolled, not chosen"):
        session.sit(session.players, "chosen")
    with pytest.raises(UsageError, match="rolled, not chosen"):
        sessions.create(NewSession.model_validate({**wanted, "dice": "chosen"}))
