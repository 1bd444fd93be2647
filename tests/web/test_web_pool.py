"""The search processes: they report, stop, die and are replaced, and no job waits for ever."""

import asyncio
import os
import signal
import subprocess
import sys
import warnings

import pytest
from serving import run_async

from zermelo.web import search_process
from zermelo.web.pool import Busy, Pool

pytestmark = pytest.mark.plain

HEXAPAWN = {"game": "hexapawn", "options": {}, "start": "", "moves": []}
LONG = {"game": "connect-four", "options": {}, "start": "", "moves": []}
QUICK = {"agent": "alphabeta", "level": None, "time": 60.0, "nodes": None, "depth": 2, "lines": None, "seed": 0}
ENDLESS = {**QUICK, "time": 200.0, "depth": None}


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

        return run_async(inside())

    return run


def silent(told):
    pass


def test_a_job_is_done_and_reported(pooled):
    async def work(pool):
        return await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    found = pooled(work)["done"]
    assert found["best"] in ("a1a2", "b1b2", "c1c2")
    assert {move["move"] for move in found["moves"]} == {"a1a2", "b1b2", "c1c2"}
    assert found["headline"]


def test_a_warning_is_one_line_in_the_server_s_terminal(monkeypatch, capsys):
    monkeypatch.setattr(warnings, "showwarning", search_process.show_note)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("the state is a list,\nwhich does not compile", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "note: the state is a list, which does not compile\n"


def test_an_error_is_a_sentence(pooled):
    async def work(pool):
        broken = await pool.submit({**HEXAPAWN, **QUICK, "moves": ["b1b3"]}, silent).result
        return broken, await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    broken, found = pooled(work)
    assert "b1b3 is not legal" in broken["error"]
    assert found["done"]


def test_a_stopped_search_sends_its_result_and_the_worker_continues(pooled):
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
    monkeypatch.setattr("zermelo.web.pool.GRACE", 0.2)

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
    monkeypatch.setattr("zermelo.web.pool.GRACE", 0.1)
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


def test_a_stop_does_not_kill_a_compiling_worker_and_no_job_waits_for_it(compiling, monkeypatch):
    monkeypatch.setattr("zermelo.web.pool.SUBSTITUTES", 0)
    assert compiling("answer") == (None, True)


@pytest.mark.parametrize("then", ["deaf", "silence"])
def test_a_worker_that_is_deaf_after_compiling_is_killed(compiling, monkeypatch, then):
    monkeypatch.setattr("zermelo.web.pool.BREATH", 0.8)
    monkeypatch.setattr("zermelo.web.pool.SUBSTITUTES", 0)
    assert compiling(then) == (None, False)


TURNS = """
import json, sys
for line in sys.stdin:
    order = json.loads(line)
    if "stop" in order: continue
    with open(order["log"], "a") as log: log.write(f"{order['name']} ")
    if order["compiles"]:
        print(json.dumps({"job": order["job"], "preparing": "compiling"}), flush=True)
        open(order["gate"]).read()  # until the test writes
    print(json.dumps({"job": order["job"], "done": {} if not order.get("prepare") else None}), flush=True)
"""
"""A worker that logs its orders, and compiles until the test ends that."""


@pytest.fixture
def turns(pooled, tmp_path, monkeypatch):
    """Orders to such workers, and a way to end the compilation of one."""
    (tmp_path / "turns.py").write_text(TURNS)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    log = tmp_path / "log"
    log.touch()

    def order(name, game, compiles=False):
        gate = tmp_path / f"gate {name}"
        if compiles:
            os.mkfifo(gate)
        return {
            "name": name,
            "game": game,
            "options": {},
            "agent": "auto",
            "time": 1,
            "compiles": compiles,
            "log": str(log),
            "gate": str(gate),
        }

    def end(order):
        with open(order["gate"], "w") as gate:
            gate.write("compiled")

    def run(work):
        async def inside(pool):
            pool._program = "turns"
            await work(pool, order, end)

        pooled(inside, size=2)
        return log.read_text().split()

    return run


async def compiled_for(pool, order):
    """Submit the order, and return its job when its worker compiles."""
    known = asyncio.Event()
    job = pool.submit(order, lambda told: "preparing" in told and known.set())
    await known.wait()
    return job


def test_a_game_is_compiled_once_and_other_games_go_on_meanwhile(turns):
    async def work(pool, order, end):
        await pool.submit(order("ready", "go"), silent).result
        first = order("first", "chess", compiles=True)
        job = await compiled_for(pool, first)
        second = pool.submit(order("second", "chess"), silent)
        await pool.submit(order("other", "go"), silent).result
        assert pool.compiling() == {job.game}
        assert not second.result.done()
        await asyncio.to_thread(end, first)
        await asyncio.gather(job.result, second.result)
        assert pool.compiling() == frozenset()

    assert turns(work) == ["ready", "first", "other", "second"]


def test_a_game_is_prepared_once_before_anybody_asks_and_not_stopped_for_those_who_do(turns, monkeypatch):
    monkeypatch.setattr("zermelo.web.pool.PATIENCE", 0.01)
    monkeypatch.setattr("zermelo.web.pool.SILENCE", 0.01)

    async def work(pool, order, end):
        begun, pool.on_compiling = asyncio.Event(), lambda: pool.compiling() and begun.set()
        warm = order("warm", "chess", compiles=True)
        pool.warm_up(warm)
        pool.warm_up(warm)
        await begun.wait()
        job = pool.submit(order("job", "chess"), silent, is_urgent=True)
        (warming,) = (worker for worker in pool._workers if worker.job is not None)
        assert not warming.job.is_stopping
        await asyncio.to_thread(end, warm)
        await job.result
        pool.warm_up(warm)  # it is ready
        await pool.submit(order("last", "chess"), silent).result

    assert turns(work) == ["warm", "job", "last"]


def test_a_job_that_is_stopped_before_its_kernels_are_ready_leaves_them_to_the_next(turns):
    async def work(pool, order, end):
        first = order("first", "chess", compiles=True)
        job = await compiled_for(pool, first)
        pool.stop(job)
        next_job = pool.submit(order("next", "chess"), silent)
        await asyncio.to_thread(end, first)
        await next_job.result

    assert turns(work) == ["first", "next"]


def test_no_job_waits_for_a_process_that_cannot_be_started(pooled, monkeypatch):
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


@pytest.mark.parametrize(("compiles", "niceness"), [(True, 10), (False, 0)])
def test_only_small_searches_have_the_priority_of_the_server(interpreted, compiles, niceness):
    async def work():
        pool = Pool(1, compiles=compiles)
        try:
            await pool.submit({**HEXAPAWN, **QUICK}, silent).result
            return os.getpriority(os.PRIO_PROCESS, pool._workers[0].process.pid)
        finally:
            await pool.close()

    assert run_async(work()) == os.getpriority(os.PRIO_PROCESS, 0) + niceness


def test_a_pool_needs_no_system_with_priorities(pooled, monkeypatch):
    monkeypatch.delattr(os, "setpriority")

    async def work(pool):
        return await pool.submit({**HEXAPAWN, **QUICK}, silent).result

    assert pooled(work)["done"]


def test_those_who_wait_are_notified_and_an_analysis_makes_room(pooled, monkeypatch):
    monkeypatch.setattr("zermelo.web.pool.PATIENCE", 0.2)

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
    monkeypatch.setattr("zermelo.web.pool.PATIENCE", 0.01)

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
    monkeypatch.setattr("zermelo.web.pool.MOST_WAITING", 3)

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


@pytest.mark.parametrize("program", ["search_process", "small_search_process"])
def test_a_search_process_does_not_wait_for_what_only_the_server_needs(program):
    code = f"import sys, zermelo.web.{program}; print(*{{'fastapi', 'uvicorn', 'numba'}} & {{*sys.modules}})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""
