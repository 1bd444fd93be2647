"""The pool of search processes. Jobs wait in a queue; moves come before analyses; every job can be stopped.

A worker is first asked to stop. If it has not stopped after a moment it is killed, unless it is compiling or loads
kernels: they are useful for later jobs, and no request waits for them. Meanwhile a worker reports that every second.

The first job for a game loads or compiles its kernels. Other jobs for that game wait until they are on disk, and one
processor is left to games whose kernels are ready.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

log = logging.getLogger(__name__)

WorkerMessage: TypeAlias = dict[str, Any]
"""A worker's message about a job: preparing, analysis, done or error; or `waiting`, with the jobs before it."""
OnMessage: TypeAlias = Callable[[WorkerMessage], None]

GRACE = 2.0
"""Seconds between asking a worker to stop and killing it."""
PATIENCE = 1.0
"""Seconds after which an analysis is stopped if other jobs wait."""
SILENCE = 10.0
"""The same for an analysis without a result: kernels are loaded first."""
OVERTIME = 60.0
"""Seconds by which a job may exceed its limit before it is stopped."""
BREATH = 15.0
"""Seconds after which a worker that no longer reports that it compiles counts as hanging."""
MOST_WAITING = 100
MOST_WARMUPS = 20
"""Games that may wait to be prepared in advance."""
SUBSTITUTES = 2
"""Workers beyond the usual number while others compile."""
NICENESS = 10
"""Workers have a lower priority than the server, from the start: loading them takes 0.4 s of a processor."""
LONGEST_LINE = 8 * 1024 * 1024
"""Bytes of a worker's message at most."""


class Busy(Exception):
    """Too many jobs are waiting."""


class Job:
    """A search that was submitted to the pool, or a warm-up, which only prepares the kernels of a game."""

    def __init__(
        self, number: int, order: dict[str, Any], on_message: OnMessage, is_urgent: bool, is_warmup: bool = False
    ) -> None:
        self.number, self.order, self.on_message, self.is_urgent = number, order, on_message, is_urgent
        self.is_warmup = is_warmup
        self.result: asyncio.Future[WorkerMessage] = asyncio.get_running_loop().create_future()
        """The last message: `done` or `error`."""
        self.begun = self.heard = 0.0
        self.is_stopping = False
        self.last: Any = None
        self._is_compiling = self._is_loading = False

    @property
    def game(self) -> str:
        return game_key(self.order["game"], self.order["options"])

    @property
    def kernels(self) -> str | None:
        """The name of the kernels that it needs, if any."""
        agent = self.order.get("agent", "")
        return None if agent == "random" else f"{agent} {self.game}"

    @property
    def is_compiling(self) -> bool:
        """Whether kernels are being compiled for it, by the latest message of its worker."""
        return self._is_compiling and self._is_alive

    @property
    def is_preparing(self) -> bool:
        """Whether kernels are being compiled or loaded for it, by the latest message of its worker."""
        return (self._is_compiling or self._is_loading) and self._is_alive

    @property
    def _is_alive(self) -> bool:
        return asyncio.get_running_loop().time() - self.heard < BREATH

    def receive(self, message: WorkerMessage) -> None:
        """Receive a message of its worker."""
        if "preparing" in message and not self._is_compiling:
            log.info("job %d: compiling", self.number)
        self._is_compiling, self._is_loading = "preparing" in message, "loading" in message
        self.heard = asyncio.get_running_loop().time()
        if not self._is_loading:
            self.settle(message)

    def settle(self, message: WorkerMessage) -> None:
        """Pass on a message, unless the job has a result."""
        if self.result.done():
            return
        self.last = message.get("analysis", self.last)
        if "done" in message or "error" in message:
            log.info("job %d: %s", self.number, message.get("error", "done"))
            self.result.set_result(message)
        self.on_message(message)


def game_key(game: str, options: Mapping[str, str]) -> str:
    """The name of a game with its options."""
    return json.dumps([game, dict(sorted(options.items()))])


class WorkerHandle:
    """The server's side of one search process, which runs one job at a time."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        on_message: Callable[[Job, WorkerMessage], None],
        on_idle: Callable[[], None],
        overtime: float,
    ) -> None:
        self.process, self._on_message, self._on_idle, self._overtime = process, on_message, on_idle, overtime
        self.job: Job | None = None
        self.games: set[str] = set()
        """The games whose kernels it has loaded."""
        self._listening = asyncio.create_task(self._listen())

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None and not self._listening.done()

    def begin(self, job: Job) -> None:
        log.info("job %d: %r in process %d", job.number, job.order["game"], self.process.pid)
        self.job = job
        self.games.add(job.game)
        job.begun = asyncio.get_running_loop().time()
        self._write({"job": job.number, **job.order})
        asyncio.get_running_loop().call_later((job.order.get("time") or 0) + self._overtime, self._end_late, job)

    def _end_late(self, job: Job) -> None:
        """Stop a job that takes too long; compiling does not count."""
        if self.job is job and job.is_preparing:
            asyncio.get_running_loop().call_later(self._overtime, self._end_late, job)
        else:
            self.end(job)

    def end(self, job: Job) -> None:
        """Ask the worker to stop the job, and kill it later if it does not."""
        if self.job is not job or job.is_stopping:
            return
        job.is_stopping = True
        self._write({"stop": job.number})
        asyncio.get_running_loop().call_later(GRACE, self._kill_if_hanging, job)

    def _kill_if_hanging(self, job: Job) -> None:
        if self.job is not job:
            return
        job.settle({"job": job.number, "done": job.last})
        if job.is_preparing:
            asyncio.get_running_loop().call_later(GRACE, self._kill_if_hanging, job)
        else:
            self.kill()

    def kill(self) -> None:
        if self.process.returncode is None:
            log.info("process %d: killed", self.process.pid)
            with contextlib.suppress(ProcessLookupError):
                # `process.kill` polls first, which would take the exit status away from asyncio
                os.kill(self.process.pid, signal.SIGKILL)

    def _write(self, order: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self.process.stdin.write(json.dumps(order).encode() + b"\n")

    async def _listen(self) -> None:
        """Pass on the worker's messages until it exits."""
        assert self.process.stdout is not None
        with contextlib.suppress(ConnectionError, ValueError):
            async for line in self.process.stdout:
                message = json.loads(line)
                job = self.job
                if job is None or message["job"] != job.number:
                    continue
                is_last = "done" in message or "error" in message
                if is_last:
                    self.job = None
                job.receive(message)
                self._on_message(job, message)
                if is_last:
                    self._on_idle()
        self.kill()
        await self.process.wait()
        job, self.job = self.job, None
        if job is not None:
            is_over = job.is_stopping or job.last is not None
            broken = {"error": "the search crashed; try again, or choose another agent"}
            message = {"done": job.last} if is_over else broken
            job.receive(message)
            self._on_message(job, message)
        asyncio.get_running_loop().call_soon(self._on_idle)


class Pool:
    """A number of workers, started when they are first needed."""

    def __init__(
        self,
        size: int | None = None,
        files: Iterable[str] = (),
        program: str = "zermelo.web.search_process",
        overtime: float = OVERTIME,
        compiles: bool = True,
    ) -> None:
        """Without `compiles`, its workers need no kernels; somebody waits for their answers, so they are not slowed."""
        self.size = size or max(2, os.cpu_count() or 2)
        self._compiles = compiles
        self._files, self._program, self._overtime = tuple(files), program, overtime
        self._workers: list[WorkerHandle] = []
        self._starting = 0
        self._waiting: list[Job] = []
        self._ready: set[str] = set()
        """The kernels that a worker has used, so that the others need not compile them."""
        self.on_compiling: Callable[[], None] = lambda: None
        """Called when `compiling` may have changed."""
        self._numbers = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def submit(self, order: dict[str, Any], on_message: OnMessage, is_urgent: bool = False) -> Job:
        """Queue a job; `on_message` receives all messages about it."""
        if self._is_closed or sum(not job.is_warmup for job in self._waiting) >= MOST_WAITING:
            raise Busy
        job = Job(next(self._numbers), order, on_message, is_urgent)
        self._waiting.append(job)
        self._dispatch()
        return job

    def warm_up(self, order: dict[str, Any]) -> None:
        """Prepare the kernels that the order needs, unless they are ready or being prepared."""
        job = Job(next(self._numbers), {**order, "prepare": True}, lambda _message: None, False, is_warmup=True)
        jobs = [*self._waiting, *self._running()]
        is_known = job.kernels in self._ready or any(job.kernels == other.kernels for other in jobs if other.is_warmup)
        if self._is_closed or is_known or sum(other.is_warmup for other in jobs) >= MOST_WARMUPS:
            return
        self._waiting.append(job)
        self._dispatch()

    def is_ready(self, job: Job) -> bool:
        """Whether the kernels that it needs are compiled."""
        return not self._compiles or job.kernels is None or job.kernels in self._ready

    def compiling(self) -> frozenset[str]:
        """The games for which kernels are being compiled."""
        return frozenset(job.game for job in self._running() if job.is_compiling)

    def stop(self, job: Job) -> None:
        """Stop a job; its result is what was found so far."""
        if job in self._waiting:
            self._waiting.remove(job)
            job.settle({"job": job.number, "done": None})
            return
        for worker in self._workers:
            worker.end(job)

    def warm(self) -> None:
        """Start a worker in advance."""
        if not self._workers and not self._starting:
            self._start_one()

    def end(self) -> None:
        """Kill the workers and end all jobs with an error."""
        self._is_closed = True
        ended: WorkerMessage = {"error": "the server is being stopped"}
        for job in [*self._waiting, *self._running()]:
            job.settle({"job": job.number, **ended})
        for worker in self._workers:
            worker.kill()

    async def close(self) -> None:
        self.end()
        for task in list(self._tasks):
            await task
        for worker in self._workers:
            await worker.process.wait()

    # -- scheduling ----------------------------------------------------------------------------------

    def _running(self) -> list[Job]:
        return [worker.job for worker in self._workers if worker.job is not None]

    def _hear(self, job: Job, message: WorkerMessage) -> None:
        """Note whether the kernels of a job are ready, and let those continue that waited for them."""
        is_stopped = "done" in message and message["done"] is None and not job.is_warmup
        is_ready = "analysis" in message or "error" in message or ("done" in message and not is_stopped)
        if is_ready and job.kernels is not None and job.kernels not in self._ready:
            self._ready.add(job.kernels)
            self._dispatch()
        self.on_compiling()

    def _may_begin(self, job: Job) -> bool:
        """Whether its kernels are ready, or it is the one to prepare them."""
        if self.is_ready(job):
            return True
        latest = asyncio.get_running_loop().time() - SILENCE
        unready = [other for other in self._running() if not self.is_ready(other)]
        unready = [other for other in unready if other.is_preparing or other.begun > latest]  # the rest may never end
        return len(unready) < max(1, self.size - 1) and all(other.kernels != job.kernels for other in unready)

    def _dispatch(self) -> None:
        """Give waiting jobs to idle workers, start more workers, or make room."""
        if self._is_closed:
            return
        self._workers = [worker for worker in self._workers if worker.is_alive]
        self._waiting.sort(key=lambda job: (job.is_warmup, not job.is_urgent))
        for job in list(self._waiting):
            idle = [worker for worker in self._workers if worker.job is None]
            if idle and self._may_begin(job):
                self._waiting.remove(job)
                next((one for one in idle if job.game in one.games), idle[0]).begin(job)
                if not self.is_ready(job):
                    asyncio.get_running_loop().call_later(SILENCE, self._dispatch)
        waiting = [job for job in self._waiting if self._may_begin(job)]
        preparing = sum(job.is_preparing for job in self._running())
        most = self.size + min(preparing, SUBSTITUTES)
        while self._starting < len(waiting) and len(self._workers) + self._starting < most:
            self._start_one()
        for ahead, job in enumerate(waiting[self._starting :]):
            job.on_message({"waiting": ahead})
        if any(not job.is_warmup for job in waiting[self._starting :]):
            self._make_room()

    def _make_room(self) -> None:
        """Stop the analysis that has run the longest; check again soon if none has run long enough."""
        loop = asyncio.get_running_loop()
        running = self._running()
        if any(job.is_stopping and not job.is_preparing for job in running):
            return
        spare = [job for job in running if not (job.is_urgent or job.is_stopping or job.is_warmup)]
        ripe = [job for job in spare if loop.time() - job.begun >= (SILENCE if job.last is None else PATIENCE)]
        if ripe:
            self.stop(min(ripe, key=lambda job: job.begun))
        elif spare:
            loop.call_later(PATIENCE / 4, self._dispatch)

    def _start_one(self) -> None:
        self._starting += 1
        task = asyncio.create_task(self._start())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._program,
                *self._files,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except OSError as error:
            self._starting -= 1
            self._give_up(f"no search process can be started here ({error.strerror or error}); try again in a moment")
            return
        self._starting -= 1
        log.info("process %d: started", process.pid)
        if self._compiles and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it may have died at once
                os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        if self._is_closed:
            process.kill()
            await process.wait()
            return
        self._workers.append(WorkerHandle(process, self._hear, self._dispatch, self._overtime))
        self._dispatch()

    def _give_up(self, sentence: str) -> None:
        """End the waiting jobs with an error if no process runs or starts."""
        if any(worker.is_alive for worker in self._workers) or self._starting:
            return
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            job.settle({"job": job.number, "error": sentence})
