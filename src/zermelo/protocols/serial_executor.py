"""The thread in which a server runs its slow jobs, in the order of their arrival."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]

PATIENCE = 2.0
"""Seconds that `close` waits for a job that should have ended."""
TICK = 0.02


class SerialExecutor:
    """Runs one job after the other; `fail` receives the exceptions that they raise."""

    def __init__(self, fail: Callable[[Exception], None]) -> None:
        self._fail = fail
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._thread.start()

    def add(self, job: Job) -> None:
        self._waiting.put(job)

    def close(self, is_late: Callable[[], bool]) -> None:
        """Wait until all jobs are done, but not for long while `is_late()` says that one should have ended."""
        self._waiting.put(None)
        patience = PATIENCE
        while self._thread.is_alive() and patience > 0:
            self._thread.join(TICK)
            patience = patience - TICK if is_late() else PATIENCE

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            try:
                job()
            except Exception as error:
                self._fail(error)
