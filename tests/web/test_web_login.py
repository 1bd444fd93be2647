"""The token: what it may be, who comes in with it, and what the others see."""

import json
import time

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from zermelo import __version__
from zermelo.core.errors import UsageError
from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.security import LARGEST, Gate
from zermelo.web.store import Store
from zermelo.web.tokens import SHORTEST, WRONG_BURST, WRONG_RATE, TokenCheck, Verdict, check_token, new_token

pytestmark = pytest.mark.plain

TOKEN = "class-2026-b"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


# -- tokens ----------------------------------------------------------------------------------------


def test_new_tokens_differ_and_are_valid():
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(check_token(token) == token for token in tokens)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("short", "a token has 8 to 200 characters, this one has 5; choose another"),
        ("x" * 201, "a token has 8 to 200 characters, this one has 201"),
        ("let me in", "may have only letters from a to z, digits"),
        ("tökentöken", "may have only letters"),
        ("a;b=c\r\nd:e", "may have only letters"),
    ],
)
def test_a_token_that_is_short_or_needs_quotes_is_refused(token, sentence):
    with pytest.raises(UsageError, match=sentence):
        check_token(token)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the test moves."""

    class Clock:
        now = time.monotonic()

    monkeypatch.setattr("zermelo.web.rates.time.monotonic", lambda: Clock.now)
    return Clock


def guess(check, address, count):
    return [check.judge(address, [f"guess-{number}"]) for number in range(count)]


def test_an_address_with_many_wrong_tokens_has_to_wait_and_the_right_one_is_not_looked_at(clock):
    check = TokenCheck(TOKEN)
    most = int(WRONG_BURST)
    assert guess(check, "10.0.0.1", most + 5) == [Verdict.WRONG] * most + [Verdict.BLOCKED] * 5
    assert check.judge("10.0.0.1", [TOKEN]) is Verdict.BLOCKED
    assert check.judge("10.0.0.1", []) is Verdict.MISSING
    assert check.judge("10.0.0.2", [TOKEN]) is Verdict.RIGHT
    assert check.wait("10.0.0.1") == pytest.approx(1 / WRONG_RATE)
    clock.now += check.wait("10.0.0.1") + 0.001
    assert check.judge("10.0.0.1", [TOKEN]) is Verdict.RIGHT
    assert check.judge("10.0.0.1", ["one more"]) is Verdict.WRONG
    assert check.judge("10.0.0.1", ["and another"]) is Verdict.BLOCKED


def test_the_same_wrong_token_counts_once(clock):
    """Otherwise pages that are open when a server starts with a new token would lock their readers out."""
    check = TokenCheck(TOKEN)
    assert {check.judge("10.0.0.1", ["last week"]) for _ in range(1000)} == {Verdict.WRONG}
    assert check.judge("10.0.0.1", [TOKEN]) is Verdict.RIGHT


def test_a_network_of_ipv6_counts_as_one_address_but_ipv4_inside_it_does_not(clock):
    check = TokenCheck(TOKEN)
    for number in range(int(WRONG_BURST)):
        check.judge(f"2001:db8:0:1::{number:x}", [f"guess-{number}"])
        check.judge("::ffff:10.0.0.1", [f"guess-{number}"])
    assert check.judge("2001:db8:0:1:ffff::9", [TOKEN]) is Verdict.BLOCKED
    assert check.judge("2001:db8:0:2::9", [TOKEN]) is Verdict.RIGHT
    assert check.judge("10.0.0.1", [TOKEN]) is Verdict.BLOCKED
    assert check.judge("::ffff:10.0.0.2", [TOKEN]) is Verdict.RIGHT


def test_only_so_many_addresses_are_remembered(monkeypatch):
    monkeypatch.setattr("zermelo.web.tokens.MOST_ADDRESSES", 10)
    check = TokenCheck(TOKEN)
    for number in range(100):
        check.judge(f"10.0.0.{number}", ["wrong"])
    assert len(check._guesses) == 10


# -- coming in -------------------------------------------------------------------------------------


@pytest.fixture
def gate(store):
    return Gate(application(Catalogue(), Store(store), Pool(1)), token=TOKEN)


@pytest.fixture
def api(gate):
    with TestClient(gate, base_url="http://192.168.0.7:8913", follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/inside", "/nothing", "/api/games"])
@pytest.mark.parametrize(
    ("query", "problem"), [("", ""), ("?token=wrong", "This token is not right. Check it and try again.")]
)
def test_a_browser_without_the_token_gets_a_page_with_a_field_for_it(api, path, query, problem):
    answer = api.get(path + query, headers=BROWSER)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.headers["cache-control"] == "no-store"
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert '<input class="field" id="token" name="token"' in answer.text
    assert f'role="alert">{problem}</p>' in answer.text


def test_the_page_for_the_token_says_nothing_about_the_server(api):
    answer = api.get("/", headers=BROWSER)
    for secret in (TOKEN, __version__, "hexapawn", "python", "uvicorn"):
        assert secret not in answer.text.lower()
    assert "server" not in answer.headers
    assert answer.content == api.get("/api/sessions/known", headers=BROWSER).content


@pytest.mark.parametrize("accept", ["*/*", "application/json"])
def test_a_program_without_the_token_gets_json(api, accept):
    answer = api.get("/", headers={"accept": accept})
    assert answer.status_code == 401
    assert answer.json() == {"error": "this server needs a token; open the address that it printed, or reload the page"}
    assert "is not the token" in api.get("/?token=wrong", headers={"accept": accept}).json()["error"]


def test_the_form_brings_a_browser_in(api):
    wrong = api.post("/inside?depth=3", data={"token": "wrong-token"}, headers=BROWSER)
    assert wrong.status_code == 401
    assert "This token is not right." in wrong.text
    right = api.post("/inside?depth=3", data={"token": f" {TOKEN} "}, headers=BROWSER)
    assert (right.status_code, right.headers["location"]) == (303, "/inside?depth=3")
    assert right.headers["set-cookie"] == f"zermelo_token={TOKEN}; HttpOnly; SameSite=Lax; Path=/"
    assert api.get("/inside?depth=3", headers=BROWSER).status_code == 200
    assert api.post("/", data={"token": TOKEN}, headers=BROWSER).status_code == 303  # from a second tab


def test_over_https_the_cookie_stays_there(gate):
    with TestClient(gate, base_url="https://zermelo.example", follow_redirects=False) as api:
        assert api.get(f"/?token={TOKEN}").headers["set-cookie"].endswith("; Secure")


def test_a_form_of_another_site_is_refused(api):
    answer = api.post("/", data={"token": TOKEN}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "body", [b"", b"token", b"token=", b"%ff=%ff&token=%ff%00", b"&" * 9000, b"token=" + b"x" * (LARGEST - 10)]
)
def test_nonsense_in_the_form_is_a_wrong_or_missing_token(api, body):
    headers = {**BROWSER, "content-type": "application/x-www-form-urlencoded"}
    assert api.post("/", content=body, headers=headers).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer "},
        {"authorization": "Basic \xff"},
        {"cookie": "zermelo_token=\xff\xfe"},
        {"cookie": "zermelo_token"},
        {"cookie": ";;=;zermelo_token=;"},
    ],
)
def test_nonsense_in_the_headers_is_a_wrong_or_missing_token(api, headers):
    raw = {name: value.encode("latin-1") for name, value in headers.items()}
    assert api.get("/api/games", headers=raw).status_code == 401
    assert api.get("/api/games?token=%ff%fe%00", headers=raw).status_code == 401


def test_after_many_wrong_tokens_the_answer_is_to_wait(api, clock):
    for number in range(int(WRONG_BURST)):
        assert api.get(f"/?token=guess-{number}").status_code == 401
    blocked = api.get(f"/?token={TOKEN}", headers=BROWSER)
    assert (blocked.status_code, blocked.headers["retry-after"]) == (429, "6")
    assert "Too many wrong tokens came from your address. Wait 6 s and try again." in blocked.text
    blocked = api.get("/", headers={"authorization": f"Bearer {TOKEN}"})
    assert blocked.status_code == 429
    assert blocked.json()["error"] == "too many wrong tokens came from this address; wait 6 s and try again"
    assert api.get("/", headers=BROWSER).status_code == 401  # without a token there is nothing to wait for
    clock.now += 7
    assert api.get(f"/?token={TOKEN}", headers=BROWSER).status_code == 303


def test_a_socket_needs_the_token_too(api):
    with pytest.raises(WebSocketDisconnect) as refused, api.websocket_connect("/api/sessions/abc/stream"):
        raise AssertionError("it opened")
    assert refused.value.code == 1008
    headers = {"cookie": f"zermelo_token={TOKEN}"}
    with api.websocket_connect("/api/sessions/abc/stream", headers=headers) as socket:
        with pytest.raises(WebSocketDisconnect) as unknown:
            socket.receive_text()
        assert "no longer exists" in unknown.value.reason


def test_the_look_of_the_page_and_the_health_check_need_no_token_and_nothing_else_does(api):
    assert api.get("/health").json() == {"status": "ok"}
    for name in ("style.css", "login.css"):
        assert api.get(f"/static/{name}").status_code == 200
    for path in ("/static/main.js", "/static/../static/style.css/", "/static/login.css/..", "/health/", "//health"):
        assert api.get(path).status_code == 401


def test_a_server_that_cannot_read_its_games_is_not_healthy(interpreted, store):
    kept = Store(store)
    with TestClient(Gate(application(Catalogue(), kept, Pool(1))), base_url="http://localhost") as api:
        kept._connection.execute("DROP TABLE nodes")
        kept._connection.execute("DROP TABLE scoresheets")
        kept._connection.execute("DROP TABLE sessions")
        answer = api.get("/health")
    assert answer.status_code == 503
    assert "cannot be read" in json.loads(answer.text)["error"]


def test_tokens_are_not_logged(api, caplog):
    with caplog.at_level("DEBUG", logger="zermelo"):
        api.get("/?token=almost-right")
        api.get(f"/?token={TOKEN}")
    assert "token wrong" in caplog.text
    assert "almost-right" not in caplog.text
    assert TOKEN not in caplog.text


def test_the_shortest_token_is_not_short():
    assert SHORTEST >= 8
