"""The search under way, and what ends it before its limit.

another command     ends an analysis; a search for a move goes on, and the command waits
# interrupt         ends any search
quit, end of input  ends any search, except one that has just begun: commands from a file arrive all at once, and their
                    searches should finish.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from zermelo.core.analysis import Analysis, Progress
from zermelo.core.game import Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee

SETTLED = 0.2
"""Seconds: a search that has run longer did not arrive together with the end of the input."""


class GtpEngine(Protocol):
    """What the server needs of an engine."""

    limit: Limit
    """The limit of a search without a clock."""

    def prepare(self, state: State) -> object: ...

    def think(self, referee: Referee, limit: Limit, stop: threading.Event, progress: Progress | None) -> Analysis:
        """Search the position; an analysis without a best move means that the engine resigns."""


MakeEngine: TypeAlias = Callable[[Game], GtpEngine]


class SearchControl:
    """One search at a time, in its own thread; `receive`, `interrupt` and `end` are for the thread that reads input."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop: threading.Event | None = None
        self._ends_with_a_line = False
        self._since = 0.0
        self._waiting = 0
        self._is_ended = False
        self.is_preparing = False

    # -- input ----------------------------------------------------------------------------------------

    def receive(self) -> None:
        """Note that a line has arrived."""
        with self._lock:
            self._waiting += 1
            if self._ends_with_a_line and self._stop is not None:
                self._stop.set()

    def interrupt(self) -> None:
        with self._lock:
            if self._stop is not None:
                self._stop.set()

    def end(self) -> None:
        """Note that there will be no more lines."""
        with self._lock:
            self._is_ended = True
            is_settled = time.monotonic() > self._since + SETTLED
            if self._stop is not None and (self._ends_with_a_line or is_settled):
                self._stop.set()

    @property
    def is_late(self) -> bool:
        """Whether a search is running that should have ended."""
        with self._lock:
            return self._stop is not None and self._stop.is_set() and not self.is_preparing

    # -- searches -------------------------------------------------------------------------------------

    def take(self) -> None:
        """Note that a line is being processed."""
        with self._lock:
            self._waiting -= 1

    @contextmanager
    def search(self, ends_with_a_line: bool = False) -> Iterator[threading.Event]:
        """While this lasts, the event is set when the search has to end."""
        stop = threading.Event()
        with self._lock:
            self._stop, self._ends_with_a_line, self._since = stop, ends_with_a_line, time.monotonic()
            if ends_with_a_line and (self._waiting or self._is_ended):
                stop.set()
        try:
            yield stop
        finally:
            with self._lock:
                self._stop = None

    def prepare(self, engine: GtpEngine, state: State) -> None:
        """Compile the engine, which cannot be interrupted."""
        self.is_preparing = True
        try:
            engine.prepare(state)
        finally:
            self.is_preparing = False
