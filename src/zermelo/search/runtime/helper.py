"""Threads that help a search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from zermelo.search.runtime.watch import start_deep


class Helper:
    """A thread with a deep stack that keeps its error for the thread that waits for it."""

    def __init__(self, body: Callable[[], None]) -> None:
        self._body, self._done = body, threading.Event()
        self.error: BaseException | None = None
        start_deep(self._run)

    def wait(self) -> None:
        self._done.wait()

    def _run(self) -> None:
        try:
            self._body()
        except BaseException as error:
            self.error = error
        self._done.set()


def raise_first_error(helpers: Iterable[Helper]) -> None:
    for helper in helpers:
        if helper.error is not None:
            raise helper.error
