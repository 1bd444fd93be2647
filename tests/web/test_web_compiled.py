"""The page with the compiler on and nothing compiled yet, as on a new machine."""

import json
import os

import pytest
from fastapi.testclient import TestClient

from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.store import Store

pytestmark = pytest.mark.compiler


@pytest.fixture
def pool(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "kernels"))
    return Pool(1)


def heard(socket, is_wanted):
    """The first news that is wanted; none of those before may be an error."""
    told = {"news": ""}
    while not is_wanted(told):
        told = json.loads(socket.receive_text())
        assert told["news"] != "error", told
        assert told.get("thinking", {}).get("state") != "failed", told
    return told


def test_a_stop_while_a_search_is_compiled_throws_no_work_away_and_the_analysis_comes_afterwards(pool, tmp_path):
    with TestClient(application(Catalogue(), Store(tmp_path / "games.sqlite"), pool)) as api:
        wanted = {"game": "hexapawn", "options": {"cols": "6", "rows": "6"}, "players": [{}, {}]}
        session = api.post("/api/sessions", json=wanted).json()
        with api.websocket_connect(f"/api/sessions/{session['id']}/stream") as socket:
            socket.send_text('{"do": "analyse", "node": 0, "seconds": 2, "depth": 4}')
            heard(socket, lambda told: told.get("thinking", {}).get("state") == "preparing")
            (worker,) = pool._workers
            socket.send_text('{"do": "stop"}')
            socket.send_text('{"do": "analyse", "node": 0, "seconds": 2, "depth": 4}')
            found = heard(socket, lambda told: told["news"] == "analysis")["analysis"]
        assert found["best"]
        assert found["stats"]["compiled"]
        assert worker.is_alive
        assert os.listdir(tmp_path / "kernels")
