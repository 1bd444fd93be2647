"""Running a kernel so that a person can always stop it.

The search runs in a thread of its own, with a stack deep enough for long games; compiled kernels release the
interpreter's lock. The calling thread keeps the time, reports progress and hears Ctrl-C.
"""

from __future__ import annotations

import _thread
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

Result = TypeVar("Result")

STACK = 512 * 1024 * 1024
"""Bytes of address space, used only as far as a search goes deep."""
PLIES = 10_000
"""How deep interpreted searches may recurse."""
TICK = 0.02


class Watch:
    """The clock of one search; from when the time is up or the user interrupts, `stop` is called now and then."""

    def __init__(self, stop: Callable[[], None], seconds: float | None = None) -> None:
        self._stop = stop
        self.started = time.monotonic()
        self.deadline = None if seconds is None else self.started + seconds
        self.out_of_time = False
        self.interrupted = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def is_over(self) -> bool:
        """Whether the search was told to stop."""
        return self.out_of_time or self.interrupted

    def run(self, search: Callable[[], Result], tick: Callable[[], None] | None = None) -> Result:
        """The result of `search()`, which returns soon after it is stopped; `tick` is called now and then.

        An error of `tick` stops the search too. A second Ctrl-C does not wait for a search that does not stop.
        """
        results: list[Result] = []
        errors: list[BaseException] = []
        begun, done = threading.Lock(), threading.Event()

        def body() -> None:
            if not begun.acquire(blocking=False):
                return
            try:
                results.append(search())
            except BaseException as error:
                errors.append(error)
            done.set()

        with _deep_recursion():
            self._wait(body, done, tick)
        if errors:
            raise errors[0]
        return results[0]

    def _wait(self, body: Callable[[], None], done: threading.Event, tick: Callable[[], None] | None) -> None:
        """Start the body and keep the time until it is done."""
        is_started = False
        while True:
            # Ctrl-C can come between any two steps: a second start does nothing, and an interrupted wait goes on.
            try:
                if not is_started:
                    is_started = start_deep(body)
                if done.wait(TICK):
                    break
                if self.deadline is not None and time.monotonic() >= self.deadline:
                    self.out_of_time = True
                if self.is_over:
                    self._stop()
                if tick is not None:
                    tick()
            except KeyboardInterrupt:
                if self.interrupted:
                    raise
                self.interrupted = True
                self._stop()
            except BaseException:
                self._stop()
                raise


_stack_lock = threading.Lock()
_deep: list[int] = []


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    """Let interpreted searches recurse deeply, but nobody else: other threads' stacks would not bear it."""
    with _stack_lock:
        _deep.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * PLIES))
    try:
        yield
    finally:
        with _stack_lock:
            before = _deep.pop()
            if not _deep:
                sys.setrecursionlimit(before)


def start_deep(body: Callable[[], None]) -> bool:
    """Run it in a thread with a deep stack, without waiting for it as `threading.Thread` would; debuggers follow."""

    def followed() -> None:
        sys.settrace(threading.gettrace())
        body()

    with _stack_lock:
        before = threading.stack_size(STACK)
        try:
            _thread.start_new_thread(followed, ())
        finally:
            threading.stack_size(before)
    return True
