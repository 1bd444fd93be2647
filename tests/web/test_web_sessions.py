"""Many sessions, slow ones, endless ones, and two servers on one file: games do not block each other."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import run_async

from zermelo.core.errors import Refused, RulesError
from zermelo.web import sessions as sessions_module
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.pool import Busy
from zermelo.web.session import Session
from zermelo.web.sessions import Sessions, UnknownSession
from zermelo.web.store import Store
from zermelo.web.threads import RuleThreads

pytestmark = pytest.mark.plain


def new(game="hexapawn", **wanted):
    return NewSession.model_validate({"game": game, "players": [{}, {}], **wanted})


def played(sessions, name, move, node=None):
    return sessions.change(name, lambda session: session.play(move, node) or session.state())


# -- more sessions than are kept -------------------------------------------------------------------


def test_the_opponent_answers_in_a_game_that_was_dropped_from_memory(api, begun, monkeypatch):
    monkeypatch.setattr(sessions_module, "KEPT", 2)
    session = begun(players=[{}, {"agent": "alphabeta", "level": 1}])
    with api.websocket_connect(f"ws://localhost/api/sessions/{session['id']}/stream") as socket:
        for _ in range(4):
            begun()
        answer = api.post(f"/api/sessions/{session['id']}/moves", json={"move": "b1b2"})
        assert answer.status_code == 200
        deadline = time.monotonic() + 20
        while api.get(f"/api/sessions/{session['id']}").json()["current"] != 2:
            assert time.monotonic() < deadline, "the opponent is silent"
            time.sleep(0.05)
        socket.send_text('{"do": "analyse", "node": 1, "seconds": 0.1}')
        told = {}
        while told.get("event") != "analysis":
            told = json.loads(socket.receive_text())
            assert told["event"] != "refused", told


def test_a_session_in_use_is_never_there_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions_module, "KEPT", 1)
    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    first = sessions.create(new())
    sessions.create(new())
    assert sessions.get(first.id) is first


# -- loading ---------------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Sessions after a restart; those named in `slow` load until `let` is set."""
    file = tmp_path / "store.sqlite"
    before = Sessions(Catalogue(), Store(file))
    names = [before.create(new()).id for _ in range(2)]
    slow, let, loads = set(), threading.Event(), []

    class Loaded(Session):
        def __init__(self, found, *others):
            loads.append(found.id)
            if found.id in slow:
                assert let.wait(20)
            super().__init__(found, *others)

    monkeypatch.setattr(sessions_module, "Session", Loaded)
    yield Sessions(Catalogue(), Store(file)), names, slow, let, loads
    let.set()


def test_a_game_that_loads_slowly_makes_no_other_wait(stored):
    sessions, (one, other), slow, let, _ = stored
    slow.add(one)
    with ThreadPoolExecutor(1) as apart:
        loading = apart.submit(sessions.get, one)
        assert sessions.get(other).id == other
        assert not loading.done()
        let.set()
        assert loading.result().id == one


def test_concurrent_requests_for_a_game_get_the_same_object(stored):
    sessions, (one, _), slow, let, loads = stored
    slow.add(one)
    with ThreadPoolExecutor(4) as apart:
        loading = [apart.submit(sessions.get, one) for _ in range(4)]
        let.set()
        assert len({id(found.result()) for found in loading}) == 1
    assert loads == [one]


def test_a_long_wait_for_a_game_to_load_ends_with_an_error(stored, monkeypatch):
    sessions, (one, _), slow, let, _ = stored
    monkeypatch.setattr("zermelo.web.session_lock.PATIENCE", 0.1)
    slow.add(one)
    with ThreadPoolExecutor(1) as apart:
        loading = apart.submit(sessions.get, one)
        while not sessions._loading:
            time.sleep(0.01)
        with pytest.raises(Refused, match="have been running for"):
            sessions.get(one)
        let.set()
        loading.result()


# -- two servers on one file -----------------------------------------------------------------------


@pytest.fixture
def servers(tmp_path):
    return [Sessions(Catalogue(), Store(tmp_path / "store.sqlite")) for _ in range(2)]


def test_two_servers_share_a_game_and_lose_no_move(servers):
    first, second = servers
    name = first.create(new()).id
    assert second.get(name).current == 0
    played(first, name, "b1b2")
    state = played(second, name, "a1a2", node=0)
    assert [(node.parent, node.move) for node in state.nodes] == [(None, ""), (0, "b1b2"), (0, "a1a2")]
    state = played(first, name, "c1c2", node=0)
    assert [node.move for node in state.nodes] == ["", "b1b2", "a1a2", "c1c2"]
    assert state.current == 3


def test_the_same_move_in_two_servers_is_one_move(servers):
    first, second = servers
    name = first.create(new()).id
    second.get(name)
    played(first, name, "b1b2")
    state = played(second, name, "b1b2", node=0)
    assert [node.move for node in state.nodes] == ["", "b1b2"]


def test_readers_see_changes_by_another_server(servers):
    first, second = servers
    name = first.create(new()).id
    assert second.get(name).current == 0
    played(first, name, "b1b2")
    assert [node.move for node in second.change(name, Session.state).nodes] == ["", "b1b2"]
    first.change(name, lambda session: session.go(0))
    assert second.change(name, Session.state).current == 0
    seen = second.get(name)
    assert second.change(name, lambda session: session) is seen  # nothing has changed, so nothing is loaded


@pytest.mark.parametrize("change", ["play", "go", "sit"])
def test_a_game_that_another_server_deleted_is_not_known_any_more(servers, change):
    first, second = servers
    name = first.create(new(moves=["b1b2"])).id
    changes = {
        "play": lambda session: session.play("a3b2"),
        "go": lambda session: session.go(0),
        "sit": lambda session: session.sit(session.players, "rolled"),
    }
    second.get(name)
    first.delete(name)
    with pytest.raises(UnknownSession, match="this game no longer exists"):
        second.change(name, changes[change])


# -- rules that never end --------------------------------------------------------------------------


def endless():
    steps = 0
    while True:
        steps += 1


@pytest.fixture
def threads(monkeypatch):
    monkeypatch.setattr("zermelo.web.threads.LONGEST", 0.3)
    monkeypatch.setattr("zermelo.web.threads.AGAIN", 0.1)
    return RuleThreads()


def test_many_endless_rules_do_not_block_others_and_are_interrupted(threads):
    async def work():
        stuck = [asyncio.create_task(threads.run(endless)) for _ in range(8)]
        assert await asyncio.wait_for(threads.run(lambda: "answered"), 10) == "answered"
        return await asyncio.gather(*stuck, return_exceptions=True)

    before = threading.active_count()
    told = run_async(work())
    assert all(isinstance(one, Refused) and "were interrupted after" in str(one) for one in told)
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() == before


def test_rules_that_cannot_be_interrupted_are_left_behind(threads):
    let = threading.Event()
    with pytest.raises(Refused, match="were interrupted after"):
        run_async(threads.run(let.wait))
    let.set()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, StopIteration, GeneratorExit])
def test_rules_that_raise_something_wild_do_not_end_the_server(threads, error):
    def rules():
        raise error

    with pytest.raises(RulesError, match=f"raised {error.__name__}"):
        run_async(threads.run(rules))


def test_calls_wait_for_their_turn_but_not_for_long(threads, monkeypatch):
    monkeypatch.setattr("zermelo.web.threads.MOST_CALLS", 1)
    let = threading.Event()

    async def work():
        first = asyncio.create_task(threads.run(let.wait))
        await asyncio.sleep(0)
        others = [asyncio.create_task(threads.run(lambda number=number: number)) for number in range(3)]
        await asyncio.sleep(0.1)
        assert not any(other.done() for other in others)
        let.set()
        assert await asyncio.gather(first, *others) == [True, 0, 1, 2]
        monkeypatch.setattr("zermelo.web.threads.PATIENCE", 0.05)
        let.clear()
        first = asyncio.create_task(threads.run(let.wait))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await threads.run(dict)
        let.set()
        await first

    run_async(work())


def test_the_server_ends_without_waiting_for_rules(threads, monkeypatch):
    monkeypatch.setattr("zermelo.web.threads.LONGEST", 60)
    let = threading.Event()

    async def work():
        monkeypatch.setattr("zermelo.web.threads.MOST_CALLS", 1)
        waiting, queued = (asyncio.create_task(threads.run(let.wait)) for _ in range(2))
        await asyncio.sleep(0)
        threads.end()
        with pytest.raises(Refused, match="being stopped"):
            await asyncio.wait_for(waiting, 5)
        with pytest.raises(Busy):
            await asyncio.wait_for(queued, 5)
        with pytest.raises(Busy):
            await threads.run(dict)

    run_async(work())
    let.set()


def test_a_session_whose_rules_were_interrupted_is_loaded_anew(tmp_path):
    from zermelo.web.threads import TooLong

    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    session = sessions.create(new())

    def interrupted(one):
        one.referee.play_text("b1b2")  # half of a move
        raise TooLong

    with pytest.raises(TooLong):
        sessions.change(session.id, interrupted)
    assert sessions.get(session.id) is not session
    assert [node.move for node in played(sessions, session.id, "a1a2").nodes] == ["", "a1a2"]


# -- dice ------------------------------------------------------------------------------------------


def test_dice_are_thrown_once_however_many_pages_ask(tmp_path):
    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    session = sessions.create(new("pig", moves=["roll"]))
    assert session.roll(1)
    thrown = session.current
    assert not session.roll(1)
    assert session.current == thrown
