"""The lock of a session. It is not held for long, unless a user's rules never end."""

from __future__ import annotations

import threading

from zermelo.core.errors import Refused

PATIENCE = 10.0
"""Seconds that a request waits for another one to change the same session."""


class SessionLock:
    """A lock that raises Refused after `PATIENCE` seconds, since a user's rules may never end."""

    def __init__(self, name: str) -> None:
        """Errors name the game."""
        self._lock, self._name = threading.RLock(), name

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=PATIENCE):
            raise Refused(f"the rules of {self._name} have been running for {PATIENCE:g} seconds; they may never end")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
