"""Limits of a rate."""

from __future__ import annotations

import time


class TokenBucket:
    """Limits messages to a rate per second, with bursts."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self) -> bool:
        """Count a message; return whether it is within the limit."""
        if self.wait() > 0:
            return False
        self._left -= 1
        return True

    def wait(self) -> float:
        """Seconds until the next message is within the limit; 0 if it is now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        return max(0.0, (1 - self._left) / self._rate)
