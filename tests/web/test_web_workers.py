"""The processes that think: they tell, stop, die and are replaced, and nobody waits for ever."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from zermelo.core.errors import Refused, UsageError
from zermelo.web.catalogue import Catalogue
from zermelo.web.sessions import Sessions
from zermelo.web.store import NotSaved, Outdated, Store, StoredNode, StoredSession, StoredSheet
from zermelo.web.workers import Busy, Pool

HEXAPAWN = {"game": "hexapawn", "options": {}, "start": "", "moves": []}
LONG = {"game": "connect-four", "options": {}, "start": "", "moves": []}
ANALYSIS = {"memory": "analysis", "simulations": None}
QUICK = {"agent": "alphabeta", "time": 0.2, "nodes": None, "depth": 2, "lines": None, "seed": 0, **ANALYSIS}
ENDLESS = {"agent": "alphabeta", "time": 200.0, "nodes": None, "depth": None, "lines": None, "seed": 0, **ANALYSIS}


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


COMPILER = """
import json, os, sys, threading, time
def say(**told): print(json.dumps({"job": job, **told}), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    if "stop" in order: continue
    job = order["job"]
    for _ in range(order["beats"]):
        say(preparing="compiling")
        time.sleep(0.1)
    if order["then"] == "silence":
        threading.Event().wait()
    if order["then"] == "deaf":
        say(prepared=True)
        threading.Event().wait()
    say(done={"pid": os.getpid()})
"""
"""A worker that is deaf to stops; it compiles for a while, and then answers or does not."""


@pytest.fixture
def compiling(pooled, tmp_path, monkeypatch):
    """Stop a job while it is compiled for, wait for its process to be free or dead, and do another job."""
    (tmp_path / "long_compiler.py").write_text(COMPILER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setattr("zermelo.web.workers.GRACE", 0.1)
    monkeypatch.setattr("zermelo.web.workers.BREATH", 0.8)
    order = {"game": "g", "options": {}, "time": 1}

    def run(then):
        async def work(pool):
            pool._program = "long_compiler"
            known = asyncio.Event()
            job = pool.submit({**order, "beats": 10, "then": then}, lambda told: "preparing" in told and known.set())
            await known.wait()
            process = pool._workers[0].process.pid
            pool.stop(job)
            stopped = await job.result
            again = await pool.submit({**order, "beats": 0, "then": "answer"}, silent).result
            return stopped["done"], again["done"]["pid"] == process

        return pooled(work)

    return run


def test_a_worker_that_compiles_is_not_killed_by_a_stop_and_nobody_waits_for_it(compiling, monkeypatch):
    monkeypatch.setattr("zermelo.web.workers.SUBSTITUTES", 0)
    assert compiling("answer") == (None, True)


@pytest.mark.parametrize("then", ["deaf", "silence"])
def test_a_worker_that_is_deaf_after_compiling_is_killed(compiling, monkeypatch, then):
    monkeypatch.setattr("zermelo.web.workers.SUBSTITUTES", 0)
    assert compiling(then) == (None, False)


def test_nobody_waits_for_a_process_that_cannot_be_started(pooled, monkeypatch):
    async def refuse(*_arguments, **_options):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    async def work(pool):
        with monkeypatch.context() as without:
            without.setattr("asyncio.create_subprocess_exec", refuse)
            refused = await asyncio.wait_for(pool.submit({**HEXAPAWN, **QUICK}, silent).result, 5)
        return refused, await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    refused, found = pooled(work)
    assert refused["error"].startswith("no search process can be started here (Resource temporarily unavailable)")
    assert found["done"]


def test_a_worker_needs_no_system_with_niceness(interpreted):
    code = "import os; del os.nice; from zermelo.web.worker import main; main()"
    worker = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, timeout=60)
    assert (worker.returncode, worker.stderr) == (0, "")


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
        while True:
            self.hoard.append(bytearray(1 << 22))
        return (state[0] + action, 1 - state[1])
    def utility(self, state, player): return 0
"""


def test_a_search_that_wants_too_much_memory_is_refused_it_and_gives_it_back(pooled, tmp_path):
    """The next search is done by the same process, and must not fail for what the first one took."""
    file = tmp_path / "greedy.py"
    file.write_text(GREEDY)
    order = {"game": str(file), "options": {}, "start": "", "moves": [], **QUICK}

    async def work(pool):
        pool.size, pool._files = 1, (str(file),)
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
    copied = replace(session, id="t", sheet=StoredSheet(0, {"White": "Anna"}, "1-0"))
    store.create(copied)
    assert store.load("t") == copied
    store.delete("t")
    store.add("s", StoredNode(1, 0, "a1", 0))
    store.judge("s", 1, {"kind": "exact"})
    assert store.load("s").nodes[1] == StoredNode(1, 0, "a1", 0, {"kind": "exact"})
    assert store.recent()[0][:3] == ("s", "nim", 1)
    store.delete("s")
    assert store.load("s") is None


@pytest.fixture
def saved(tmp_path):
    """A store with one game."""
    store = Store(tmp_path / "sessions.sqlite")
    store.create(StoredSession("s", "nim", {}, "", 7, [], "rolled", 0, [StoredNode(0, -1, "", -1)]))
    return store


def test_a_failed_change_leaves_nothing_behind(saved):
    with pytest.raises(Outdated, match="changed elsewhere"):
        saved.add("s", StoredNode(0, 0, "again", 0))
    assert saved.load("s").current == 0
    saved.add("s", StoredNode(1, 0, "a1", 0))
    assert saved.load("s").current == 1


class Failing:
    """A connection on which some statements fail, before or after they were carried out."""

    def __init__(self, connection, statement, is_done):
        self._connection, self._statement, self._is_done = connection, statement, is_done

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        if statement != self._statement:
            return self._connection.execute(statement, *values)
        if self._is_done:
            self._connection.execute("ROLLBACK")  # as SQLite does by itself when the disk is full
        raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("is_done", [True, False], ids=["rolled back by SQLite", "left open"])
def test_after_a_failed_commit_the_store_goes_on(saved, is_done):
    connection = saved._connection
    saved._connection = Failing(connection, "COMMIT", is_done)
    with pytest.raises(NotSaved, match="disk is full; nothing was changed"):
        saved.add("s", StoredNode(1, 0, "a1", 0))
    saved._connection = connection
    saved.add("s", StoredNode(1, 0, "a1", 0))
    assert len(saved.load("s").nodes) == 2


def test_a_full_disk_is_a_sentence_and_there_may_be_room_later(saved):
    saved._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (pages,) = saved._connection.execute("PRAGMA page_count").fetchone()
    saved._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotSaved, match="the games cannot be read or saved at the moment: database or disk is full"):
        saved.add("s", StoredNode(1, 0, "a" * 20_000, 0))
    saved._connection.execute("PRAGMA max_page_count = 1000000")
    saved.add("s", StoredNode(1, 0, "a" * 20_000, 0))
    assert saved.load("s").current == 1


def test_a_damaged_file_is_refused_with_a_sentence(saved, tmp_path):
    file = tmp_path / "sessions.sqlite"
    for number in range(1, 400):
        saved.add("s", StoredNode(number, number - 1, "a1", 0))
    saved.close()
    content = bytearray(file.read_bytes())
    for place in range(4096, len(content), 97):
        content[place] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"sessions.sqlite (is damaged|cannot keep the sessions).*name another folder"):
        Store(file)


@pytest.mark.parametrize(
    "damage",
    [
        "sessions SET players = '[{'",
        "sessions SET players = '7'",
        """sessions SET players = '["x"]'""",
        "sessions SET options = '[]'",
        """sessions SET options = '{"heaps": 3}'""",
        "sessions SET dice = 'rollfd'",
        "sessions SET current = 77",
        "nodes SET parent = 99 WHERE number = 1",
        "nodes SET parent = 1 WHERE number = 1",
        "nodes SET parent = 2 WHERE number = 1",
        "nodes SET parent = -5 WHERE number = 1",
        "nodes SET number = 50 WHERE number = 1",
        "nodes SET judgement = '[1]' WHERE number = 1",
    ],
)
def test_damage_inside_a_game_is_a_sentence(saved, damage):
    saved.add("s", StoredNode(1, 0, "a1", 0))
    saved.add("s", StoredNode(2, 1, "b1", 1))
    assert saved.load("s").current == 2
    saved._connection.execute(f"UPDATE {damage}")
    with pytest.raises(Refused, match="what was saved of this game is damaged"):
        saved.load("s")


def test_a_saved_game_with_too_few_players_is_a_sentence(saved):
    with pytest.raises(Refused, match="what was saved of this game is damaged"):
        Sessions(Catalogue(), saved).get("s")


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE nodes ADD COLUMN clock REAL", "ALTER TABLE sessions DROP COLUMN dice", "PRAGMA user_version = 7"],
)
def test_tables_of_another_version_are_refused_with_a_sentence(saved, tmp_path, change):
    saved._connection.execute(change)
    saved.close()
    with pytest.raises(UsageError, match="was written by another version of zermelo; move it away"):
        Store(tmp_path / "sessions.sqlite")


def test_a_file_from_before_versions_is_taken_over(saved, tmp_path):
    saved._connection.execute("PRAGMA user_version = 0")
    saved.close()
    assert Store(tmp_path / "sessions.sqlite").load("s").game == "nim"
