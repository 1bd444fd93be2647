"""Threads for the rules of games. Rules may be slow or never end, so each call runs in its own thread.

Endless rules would block a thread each in a pool, and the whole event loop. Rules that take too long are interrupted,
as far as Python can do so: between two steps of Python code, not inside a function written in C. The threads are
daemons, so the server does not wait for them when it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from zermelo.core.errors import Refused, RulesError
from zermelo.web.pool import Busy

Result = TypeVar("Result")

LONGEST = 20.0
"""Seconds that a call may take."""
AGAIN = 1.0
"""Seconds between two attempts to interrupt it."""
MOST_CALLS = 200
"""Calls that may run at the same time; others wait for their turn."""
PATIENCE = 5.0
"""Seconds that a call waits for its turn."""
OWN = ("zermelo.web.", "zermelo.core.", "threading", "asyncio.")
"""Code that is not interrupted: it may be about to release a lock, or to publish a change."""


class TooLong(BaseException):
    """Raised inside rules that take too long; not an Exception, so that rules do not catch it."""


class RuleThreads:
    """Calls that may run rules of a game."""

    def __init__(self) -> None:
        self._results: set[asyncio.Future[Any]] = set()
        self._queue: deque[asyncio.Future[None]] = deque()
        self._is_over = False

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return the result of `work()`; Refused if it takes too long or the server ends, Busy if too many run."""
        loop = asyncio.get_running_loop()
        await self._wait_for_room(loop.time() + PATIENCE)
        result: asyncio.Future[Result] = loop.create_future()
        thread = threading.Thread(target=_work, args=(work, result, loop), daemon=True)
        self._results.add(result)
        watch = loop.call_later(LONGEST, _interrupt, thread, result)
        try:
            thread.start()
            return await result
        finally:
            watch.cancel()
            self._results.discard(result)
            self._admit_next()

    async def _wait_for_room(self, deadline: float) -> None:
        """Wait until another call may run; Busy if that takes too long or the server ends."""
        loop = asyncio.get_running_loop()
        while len(self._results) >= MOST_CALLS and not self._is_over:
            turn: asyncio.Future[None] = loop.create_future()
            self._queue.append(turn)
            try:
                await asyncio.wait_for(turn, deadline - loop.time())
            except TimeoutError:
                self._queue = deque(other for other in self._queue if other is not turn)
                raise Busy from None
            except asyncio.CancelledError:
                self._admit_next()  # its turn may have come already
                raise
        if self._is_over:
            raise Busy

    def _admit_next(self) -> None:
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def end(self) -> None:
        """Cancel all waiting calls: the server ends."""
        self._is_over = True
        for result in self._results:
            _settle(result, None, Refused("the server is being stopped"))
        while self._queue:
            self._admit_next()


def _work(work: Callable[[], Any], result: asyncio.Future[Any], loop: asyncio.AbstractEventLoop) -> None:
    found, error = None, None
    try:
        found = work()
    except TooLong:
        error = _too_long()
    except Exception as raised:
        error = raised if not isinstance(raised, StopIteration) else _wild(raised)  # futures refuse that one
    except BaseException as raised:  # a KeyboardInterrupt that rules raise must not end the server
        error = _wild(raised)
    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_settle, result, found, error)


def _settle(result: asyncio.Future[Any], found: Any, error: Exception | None) -> None:
    if result.done():
        return
    if error is None:
        result.set_result(found)
    else:
        result.set_exception(error)


def _interrupt(thread: threading.Thread, result: asyncio.Future[Any], attempts: int = 0) -> None:
    """Raise TooLong in the thread, repeatedly until it ends; after the first attempt its caller gets an error."""
    if not thread.is_alive():
        return
    frame = sys._current_frames().get(thread.ident or 0)
    if frame is not None and not frame.f_globals.get("__name__", "").startswith(OWN):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TooLong))
    if attempts:
        _settle(result, None, _too_long())
    asyncio.get_running_loop().call_later(AGAIN, _interrupt, thread, result, attempts + 1)


def _too_long() -> Exception:
    return Refused(f"the rules of this game were interrupted after {LONGEST:g} seconds; they may never end")


def _wild(raised: BaseException) -> Exception:
    return RulesError(f"the rules of this game raised {type(raised).__name__}; they should return or raise an error")
