"""Stopping what has found nothing yet: a walk through the rules, a linear programme."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from zermelo.core.errors import Refused

IsStopped: TypeAlias = Callable[[], bool]
STOPPED = 99
"""A record's `trouble` that ends its kernel."""
TICK = 0.02


class Halted(Refused):
    """It was stopped before anything was found."""


def check(is_stopped: IsStopped | None, what: object) -> None:
    """Raise Halted if it is stopped."""
    if is_stopped is not None and is_stopped():
        raise Halted(f"solving {what} was stopped before anything was found")


@contextmanager
def stopping(record: Any, is_stopped: IsStopped | None) -> Iterator[None]:
    """While a kernel runs on the record, set its `trouble` once `is_stopped` returns True."""
    if is_stopped is None:
        yield
        return
    done = threading.Event()

    def look() -> None:
        while not done.wait(TICK):
            if is_stopped():
                record.trouble = STOPPED
                return

    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    try:
        yield
    finally:
        done.set()
        looker.join()
