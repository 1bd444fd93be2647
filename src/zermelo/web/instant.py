"""Searches that answer at once: while kernels are not ready, a small interpreted search answers instead.

Every search is submitted to the pool. If its kernels are not ready, the same order goes to a second pool, whose
processes never compile. A move is played as soon as the small search has found it, unless the kernels are only loaded
and the search is about to answer. Of an analysis, the results of the small search are shown until the other one has
some. What the small search finds is marked, and is not stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.arena.levels import USUAL_LEVEL
from zermelo.web.pool import Busy, Job, OnMessage, Pool, WorkerMessage

SMALL_SECONDS = 0.3
"""Seconds of a small search."""
LOADING = 0.6
"""Seconds for which a small move waits for kernels that are not compiled, but only loaded."""
SMALL_PROCESSES = 2
SMALL = "from a small search: the full one is being compiled"


def small_pool(files: Iterable[str]) -> Pool:
    """The pool for small searches."""
    return Pool(SMALL_PROCESSES, files, "zermelo.web.small_search_process", compiles=False)


class InstantJob:
    """A search in both pools; the better answer in time is its result."""

    def __init__(self, order: dict[str, Any], on_message: OnMessage, is_urgent: bool) -> None:
        self.order, self.on_message, self.is_urgent = order, on_message, is_urgent
        self.result: asyncio.Future[WorkerMessage] = asyncio.get_running_loop().create_future()
        """The last message: `done` or `error`."""
        self.begun = asyncio.get_running_loop().time()
        self.full: Job | None = None
        self.small: Job | None = None
        self.found: dict[str, Any] | None = None
        """The latest result of the small search."""
        self.is_full = False
        """Whether the full search has found something."""

    def settle(self, message: WorkerMessage) -> None:
        if not self.result.done():
            self.result.set_result(message)
            self.on_message(message)


class InstantPool:
    """A pool, and beside it another one for small searches."""

    def __init__(self, pool: Pool, small: Pool) -> None:
        self.pool, self._small = pool, small
        self.on_compiling: Callable[[frozenset[str]], None] = lambda _games: None
        """Called with the games that are being compiled, if they have changed."""
        self._compiling: frozenset[str] = frozenset()
        pool.on_compiling = self._report_compiling

    def submit(self, order: dict[str, Any], on_message: OnMessage, is_urgent: bool = False) -> Job | InstantJob:
        """Search as soon as possible, and at once if the kernels are not ready."""
        if order["agent"] == "random":
            return self._small.submit(order, on_message, is_urgent)
        job = InstantJob(order, on_message, is_urgent)
        job.full = self.pool.submit(order, lambda message: self._hear_full(job, message), is_urgent)
        if not self.pool.is_ready(job.full):
            self._search_small(job)
        return job

    def submit_full(self, order: dict[str, Any], on_message: OnMessage) -> Job:
        """Search when the kernels are ready."""
        return self.pool.submit(order, on_message)

    def stop(self, job: Job | InstantJob) -> None:
        """Stop a search; its result is what was found so far."""
        if not isinstance(job, InstantJob):
            self.pool.stop(job)
            self._small.stop(job)
            return
        if job.small is not None:
            self._small.stop(job.small)
        if job.full is not None:
            self.pool.stop(job.full)
        if job.found is not None and not job.is_full:
            job.settle({"done": job.found, "small": True})

    # -- the two searches ----------------------------------------------------------------------------

    def _hear_full(self, job: InstantJob, message: WorkerMessage) -> None:
        if "preparing" in message:
            self._search_small(job)
            if job.is_urgent and job.small is not None and job.small.result.done():
                self._answer_small(job)
        job.is_full = job.is_full or bool(message.get("analysis") or message.get("done"))
        if "done" in message or "error" in message:
            self._end_small(job)
            job.settle(message if job.is_full or job.found is None else {"done": job.found, "small": True})
        elif not job.result.done():
            job.on_message(message)

    def _search_small(self, job: InstantJob) -> None:
        """Begin the small search, once."""
        if job.small is not None or job.result.done() or job.is_full:
            return
        order = job.order
        small = {**order, "time": min(order["time"] or SMALL_SECONDS, SMALL_SECONDS)}
        try:
            job.small = self._small.submit(small, lambda message: self._hear_small(job, message), job.is_urgent)
        except Busy:
            return

    def _hear_small(self, job: InstantJob, message: WorkerMessage) -> None:
        found = message.get("analysis") or message.get("done")
        if job.is_full or job.result.done() or found is None:
            return
        job.found = {**found, "notes": [SMALL, *found["notes"]]}
        if not job.is_urgent:
            job.on_message({"analysis": job.found})
        elif "done" in message:
            is_compiling = job.full is not None and job.full.game in self.pool.compiling()
            left = job.begun + LOADING - asyncio.get_running_loop().time()
            if is_compiling or left <= 0:
                self._answer_small(job)
            else:
                asyncio.get_running_loop().call_later(left, self._answer_small, job)

    def _answer_small(self, job: InstantJob) -> None:
        """Answer with the move of the small search; the kernels are prepared nevertheless."""
        if job.found is not None and not job.result.done() and not job.is_full:
            job.settle({"done": job.found, "small": True})
            if job.full is not None:
                self.pool.stop(job.full)

    def _end_small(self, job: InstantJob) -> None:
        if job.small is not None:
            self._small.stop(job.small)

    # -- kernels -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start a worker for small searches in advance."""
        self._small.warm()

    def warm_up(self, order: dict[str, Any]) -> None:
        """Prepare the kernels of a search in advance.

        A small process only loads what an agent at a level needs: it would try to solve a small game, and a person's
        first move would wait for that.
        """
        self._small.warm_up({**order, "level": order["level"] or USUAL_LEVEL})
        self.pool.warm_up(order)

    def is_compiling(self, game: str) -> bool:
        return game in self._compiling

    def _report_compiling(self) -> None:
        games = self.pool.compiling()
        if games != self._compiling:
            self._compiling = games
            self.on_compiling(games)

    # -- the end -------------------------------------------------------------------------------------

    def end(self) -> None:
        """Kill all workers and end all jobs with an error."""
        self.pool.end()
        self._small.end()

    async def close(self) -> None:
        await self.pool.close()
        await self._small.close()
