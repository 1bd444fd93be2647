"""Run a search so that the user can always stop it.

The search runs in its own thread, with a stack deep enough for long games; compiled kernels release the global
interpreter lock. The calling thread watches the time, reports progress and receives Ctrl-C. A stopped search returns
at its next node. If it does not, a method of the game never returns: the thread is abandoned, and the caller gets an
error.
"""

from __future__ import annotations

import _thread
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TypeVar

from zermelo.core.errors import RulesError

Result = TypeVar("Result")

STACK = 512 * 1024 * 1024
"""Bytes of address space for the stack; the operating system allocates only what is used."""
ROOM = STACK - 64 * 1024 * 1024
"""Bytes of the stack that a search may use; the rest is a reserve, because it does not check at every call."""
PLIES = 10_000
"""Maximum recursion of interpreted searches, in plies."""
TICK = 0.02
PATIENCE = 10.0
"""Seconds after which a stopped search that has not returned is abandoned."""
RULES = ("zermelo.games", "zermelo.kernel", "zermelo.core", "zermelo.search", "zermelo.solve", "zermelo.textbook")
"""Modules that call methods of the game. A search that hangs elsewhere, such as in `progress`, is not abandoned."""


class Watch:
    """The clock of one search, which starts with `run`; once the time is up or the user interrupts, it calls `stop`
    now and then."""

    def __init__(self, stop: Callable[[], None], seconds: float | None = None) -> None:
        self._stop, self._limit = stop, seconds
        self.started = time.monotonic()
        self.out_of_time = False
        self.interrupted = False
        self.is_stop_requested = False
        self._thread = 0
        self._waited, self._looked = 0.0, self.started

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def is_over(self) -> bool:
        """Whether the search has been stopped."""
        return self.out_of_time or self.interrupted or self.is_stop_requested

    def request_stop(self) -> None:
        """Stop the search at the caller's request."""
        self.is_stop_requested = True
        self._stop()

    def run(self, search: Callable[[], Result], tick: Callable[[], None] | None = None) -> Result:
        """The result of `search()`, which returns soon after it is stopped; `tick` is called every TICK seconds.

        An error of `tick` stops the search too. A second Ctrl-C returns without waiting for the search. A search that
        does not stop within PATIENCE seconds is abandoned, and RulesError is raised.
        """
        self.started = time.monotonic()
        results: list[Result] = []
        errors: list[BaseException] = []
        begun, done = threading.Lock(), threading.Event()

        def body() -> None:
            if not begun.acquire(blocking=False):
                return
            self._thread = threading.get_ident()
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
        """Start the body, and watch the time until it is done."""
        is_started = False
        self._waited, self._looked = 0.0, self.started
        while True:
            # Ctrl-C can come between any two steps: a second start does nothing, and an interrupted wait goes on.
            try:
                if not is_started:
                    is_started = start_deep(body)
                if done.wait(TICK):
                    break
                if self._limit is not None and self.seconds >= self._limit:
                    self.out_of_time = True
                if self.is_over:
                    self._stop()
                    self._lose_patience()
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

    def _lose_patience(self) -> None:
        """Raise RulesError if the search has not stopped for PATIENCE seconds, time in a suspended process excluded."""
        now = time.monotonic()
        self._waited += min(now - self._looked, 10 * TICK)
        self._looked = now
        if self._waited < PATIENCE:
            return
        frame, place = sys._current_frames().get(self._thread), None
        while frame is not None and not _module(frame).startswith("zermelo."):
            frame, place = frame.f_back, frame
        if frame is None or not _module(frame).startswith(RULES):
            self._waited = 0.0
            return
        method = "a method of the game"  # neither compiled code nor a search that waits for its threads has a frame
        if place is not None and _module(place) != "threading":
            method = f"{place.f_code.co_name} ({Path(place.f_code.co_filename).name}:{place.f_lineno})"
        raise RulesError(
            f"{method} has not returned {PATIENCE:g} seconds after the search was stopped; "
            "look for a `while` loop or a generator in the rules that never ends"
        )


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


_stack_lock = threading.Lock()
_deep: list[int] = []


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise the recursion limit during a search only, because the stacks of other threads are too small for it."""
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
    """Run `body` in a traced thread with a deep stack; unlike `threading.Thread`, do not wait for its start."""

    def run_traced() -> None:
        sys.settrace(threading.gettrace())
        body()

    with _stack_lock:
        before = threading.stack_size(STACK)
        try:
            _thread.start_new_thread(run_traced, ())
        finally:
            threading.stack_size(before)
    return True
