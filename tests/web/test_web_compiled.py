"""The page with the compiler on and nothing compiled yet, as on a new machine."""

import json
import os

import pytest
from fastapi.testclient import TestClient

from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.instant import SMALL
from zermelo.web.pool import Pool
from zermelo.web.store import Store


@pytest.fixture
def pool(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "kernels"))
    return Pool(1)


def heard(socket, is_wanted):
    """The next news that is wanted; none of those before may be an error."""
    told = {"event": "", "content": None}
    while told["event"] == "" or not is_wanted(told):
        told = json.loads(socket.receive_text())
        assert told["event"] != "refused", told
        assert told["event"] != "thinking" or told["content"]["state"] != "failed", told
    return told


def is_compiling(told):
    return told["event"] == "compiling" and told["content"] is not None


def is_compiled_analysis(told):
    return told["event"] == "analysis" and told["content"]["stats"]["compiled"]


def test_a_click_while_kernels_are_compiled_is_answered_by_the_computer(pool, tmp_path):
    """The first click on a new machine: nothing is compiled yet, and what is compiled takes over in the same game."""
    with TestClient(application(Catalogue(), Store(tmp_path / "games.sqlite"), pool)) as api:
        wanted = {"game": "hexapawn", "options": {"cols": "6", "rows": "6"}}
        session = api.post("/api/sessions", json=wanted).json()
        with api.websocket_connect(f"/api/sessions/{session['id']}/stream") as socket:
            socket.send_text('{"do": "follow", "is_on": true}')
            heard(socket, is_compiling)
            move = session["position"]["moves"][0]
            socket.send_text(json.dumps({"do": "play", "move": move, "node": 0, "id": 1}))
            told = heard(socket, lambda told: told["event"] in ("moved", "accepted"))
            assert told["content"]["node"]["move"] == move
            answer = heard(socket, lambda told: told["event"] == "moved")["content"]
            assert (answer["node"]["player"], answer["current"]) == (1, 2)
            small = heard(socket, lambda told: told["event"] == "analysis" and told["content"]["node"] == 2)["content"]
            assert (small["stats"]["compiled"], small["notes"][0]) == (False, SMALL)
            (worker,) = pool._workers
            full = heard(socket, is_compiled_analysis)["content"]  # the same game goes on with the compiled search
            assert (full["node"], SMALL in full["notes"]) == (2, False)
            socket.send_text('{"do": "snapshot"}')
            assert heard(socket, lambda told: told["event"] == "snapshot")["content"]["compiling"] is None
            socket.send_text(json.dumps({"do": "play", "move": full["best"], "node": 2}))
            heard(socket, lambda told: told["event"] == "moved" and told["content"]["current"] == 4)
        assert worker.is_alive


def test_a_stop_while_a_search_is_compiled_throws_no_work_away_and_the_analysis_comes_afterwards(pool, tmp_path):
    with TestClient(application(Catalogue(), Store(tmp_path / "games.sqlite"), pool)) as api:
        wanted = {"game": "hexapawn", "options": {"cols": "6", "rows": "6"}, "players": [{}, {}]}
        session = api.post("/api/sessions", json=wanted).json()
        with api.websocket_connect(f"/api/sessions/{session['id']}/stream") as socket:
            socket.send_text('{"do": "analyse", "node": 0, "seconds": 2, "depth": 4}')
            heard(socket, is_compiling)
            (worker,) = pool._workers
            socket.send_text('{"do": "stop"}')
            socket.send_text('{"do": "analyse", "node": 0, "seconds": 2, "depth": 4}')
            found = heard(socket, is_compiled_analysis)["content"]
        assert found["best"]
        assert worker.is_alive
        assert os.listdir(tmp_path / "kernels")
