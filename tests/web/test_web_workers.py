"""The processes that think: they tell, stop, die and are replaced, and nobody waits for ever."""

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from zermelo.web.store import Store, StoredNode, StoredSession
from zermelo.web.workers import Busy, Pool

HEXAPAWN = {"game": "hexapawn", "options": {}, "start": "", "moves": []}
LONG = {"game": "connect-four", "options": {}, "start": "", "moves": []}
QUICK = {"agent": "alphabeta", "time": 0.2, "nodes": None, "depth": 2, "lines": None, "seed": 0}
ENDLESS = {"agent": "alphabeta", "time": 200.0, "nodes": None, "depth": None, "lines": None, "seed": 0}


@pytest.fixture
def pooled(interpreted):
    """Run a coroutine with a pool of its own."""

    def run(work, size=1):
        async def inside():
            pool = Pool(size)
            try:
                return await asyncio.wait_for(work(pool), 60)
            finally:
                await pool.close()

        with ThreadPoolExecutor(1) as apart:  # the browser's tests leave a loop running in this thread
            return apart.submit(asyncio.run, inside()).result()

    return run


def silent(told):
    pass


def test_a_job_is_done_and_told(pooled):
    async def work(pool):
        return await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    found = pooled(work)["done"]
    assert found["best"] in ("a1a2", "b1b2", "c1c2")
    assert {move["move"] for move in found["moves"]} == {"a1a2", "b1b2", "c1c2"}
    assert found["headline"]


def test_an_error_is_a_sentence(pooled):
    async def work(pool):
        broken = await pool.submit({**HEXAPAWN, **QUICK, "moves": ["b1b3"]}, silent).result
        return broken, await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    broken, found = pooled(work)
    assert "b1b3 is not legal" in broken["error"]
    assert found["done"]


def test_a_search_is_stopped_with_what_it_knows_and_the_worker_goes_on(pooled):
    async def work(pool):
        known = asyncio.Event()
        job = pool.submit({**LONG, **ENDLESS}, lambda told: "analysis" in told and known.set())
        await known.wait()
        pool.stop(job)
        stopped = await job.result
        process = pool._workers[0].process.pid
        again = await pool.submit({**HEXAPAWN, **QUICK}, silent).result
        return stopped, again, process == pool._workers[0].process.pid

    stopped, again, is_same = pooled(work)
    assert stopped["done"]["best"]
    assert again["done"]
    assert is_same


def test_a_worker_that_is_killed_loses_only_its_search(pooled):
    async def work(pool):
        known = asyncio.Event()
        job = pool.submit({**LONG, **ENDLESS}, lambda told: known.set())
        await known.wait()
        os.kill(pool._workers[0].process.pid, signal.SIGKILL)
        await job.result
        return await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    assert pooled(work)["done"]


def test_a_deaf_worker_is_killed(pooled, monkeypatch):
    monkeypatch.setattr("zermelo.web.workers.GRACE", 0.2)

    async def work(pool):
        known = asyncio.Event()
        job = pool.submit({**LONG, **ENDLESS}, lambda told: known.set())
        await known.wait()
        os.kill(pool._workers[0].process.pid, signal.SIGSTOP)
        pool.stop(job)
        await job.result
        return await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    assert pooled(work)["done"]


def test_those_who_wait_are_told_so_and_an_analysis_makes_room(pooled, monkeypatch):
    monkeypatch.setattr("zermelo.web.workers.PATIENCE", 0.2)

    async def work(pool):
        begun = asyncio.Event()
        first = pool.submit({**LONG, **ENDLESS}, lambda told: begun.set())
        await begun.wait()
        told = []
        second = pool.submit({**HEXAPAWN, **QUICK}, told.append)
        await second.result
        return (await first.result)["done"], told

    done, told = pooled(work)
    assert done["best"]
    assert told[0] == {"waiting": 0}
    assert "done" in told[-1]


def test_an_analysis_makes_room_when_it_has_found_something(pooled, monkeypatch):
    monkeypatch.setattr("zermelo.web.workers.PATIENCE", 0.01)

    async def work(pool):
        first = pool.submit({**LONG, **ENDLESS}, silent)
        second = pool.submit({**HEXAPAWN, **QUICK}, silent)
        return (await first.result)["done"], (await second.result)["done"]

    first, second = pooled(work)
    assert first["best"]
    assert second["best"]


GREEDY = """
from zermelo import Game
class Greedy(Game):
    def initial(self): return (0, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return [1, 2] if state[0] < 9 else []
    def result(self, state, action):
        self.hoard = getattr(self, "hoard", [])
        self.hoard.append(bytearray(1 << 30))
        return (state[0] + action, 1 - state[1])
    def utility(self, state, player): return 0
"""


def test_a_search_that_wants_too_much_memory_is_refused_it(pooled, tmp_path):
    file = tmp_path / "greedy.py"
    file.write_text(GREEDY)
    order = {"game": str(file), "options": {}, "start": "", "moves": [], **QUICK}

    async def work(pool):
        pool._files = (str(file),)
        return await pool.submit(order, silent).result, await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    greedy, modest = pooled(work)
    assert "too much memory" in greedy["error"]
    assert modest["done"]


def test_a_pool_is_closed_without_complaints(pooled, caplog):
    async def work(pool):
        for _ in range(3):
            pool.submit({**LONG, **ENDLESS}, silent, is_urgent=True)
        await asyncio.sleep(0.5)

    pooled(work, size=3)
    assert caplog.messages == []


def test_too_many_are_sent_away(pooled, monkeypatch):
    monkeypatch.setattr("zermelo.web.workers.MOST_WAITING", 3)

    async def work(pool):
        for _ in range(3):
            pool.submit({**LONG, **ENDLESS}, silent, is_urgent=True)
        with pytest.raises(Busy):
            pool.submit({**LONG, **ENDLESS}, silent, is_urgent=True)

    pooled(work)


def test_answers_come_before_analyses(pooled):
    async def work(pool):
        order = []
        slow = pool.submit({**HEXAPAWN, **QUICK}, silent)
        later = [pool.submit({**HEXAPAWN, **QUICK}, silent) for _ in range(2)]
        urgent = pool.submit({**HEXAPAWN, **QUICK}, silent, is_urgent=True)
        for name, job in (("slow", slow), ("later", later[0]), ("later", later[1]), ("urgent", urgent)):
            job.result.add_done_callback(lambda _done, name=name: order.append(name))
        await asyncio.gather(*(job.result for job in (slow, urgent, *later)))
        await asyncio.sleep(0)
        return order

    assert pooled(work)[0] == "urgent"


# -- the store -------------------------------------------------------------------------------------

WRITER = """
import sys
from zermelo.web.store import Store, StoredNode, StoredSession
store = Store(sys.argv[1])
store.create(StoredSession("s", "nim", {}, "", 0, [], "rolled", 0, [StoredNode(0, -1, "", -1)]))
for number in range(1, 100_000):
    store.add("s", StoredNode(number, number - 1, "a1", 0))
    print(number, flush=True)
"""


def test_a_killed_server_has_lost_no_move_that_it_acknowledged(tmp_path):
    import subprocess
    import sys

    path = tmp_path / "sessions.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(40):
            acknowledged = int(process.stdout.readline())
        process.kill()
        acknowledged = max([acknowledged, *(int(line) for line in process.stdout if line.endswith("\n"))])
    found = Store(path).load("s")
    assert len(found.nodes) - 1 >= acknowledged >= 40
    assert found.current == found.nodes[-1].number


def test_the_store_gives_back_what_it_was_given(tmp_path):
    store = Store(tmp_path / "deep" / "sessions.sqlite")
    players = [{"agent": None, "level": 5}]
    session = StoredSession("s", "nim", {"heaps": "3-4"}, "", 7, players, "rolled", 0, [StoredNode(0, -1, "", -1)])
    store.create(session)
    assert store.load("s") == session
    store.add("s", StoredNode(1, 0, "a1", 0))
    store.judge("s", 1, {"kind": "exact"})
    assert store.load("s").nodes[1] == StoredNode(1, 0, "a1", 0, {"kind": "exact"})
    assert store.recent()[0][:3] == ("s", "nim", 1)
    store.delete("s")
    assert store.load("s") is None


def test_a_failed_change_leaves_nothing_behind(tmp_path):
    import sqlite3

    store = Store(tmp_path / "sessions.sqlite")
    store.create(StoredSession("s", "nim", {}, "", 7, [], "rolled", 0, [StoredNode(0, -1, "", -1)]))
    with pytest.raises(sqlite3.IntegrityError):
        store.add("s", StoredNode(0, 0, "again", 0))
    assert store.load("s").current == 0
    store.add("s", StoredNode(1, 0, "a1", 0))
    assert json.dumps(store.load("s").current) == "1"
