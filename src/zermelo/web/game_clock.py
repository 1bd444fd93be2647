"""The clock of a game: the time that each side has left, and who has lost on time.

The time of a side runs while it is to move at the end of the line. An increment is added after each of its moves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from zermelo.search.alphabeta import Clock
from zermelo.web.messages import ClockSettings, ClockState

OVERHEAD = 0.2
"""Seconds that an agent's move takes besides its search."""


@dataclass
class GameClock:
    """Two clocks, of which at most one is running; times are in seconds."""

    settings: ClockSettings
    left: list[float]
    """What each side had left when its clock was last started or stopped."""
    loser: int | None = None
    """The seat whose time is up."""
    lost_at: int | None = None
    """The node where it was up."""
    running: int | None = None
    since: float = 0.0

    @classmethod
    def new(cls, settings: ClockSettings) -> GameClock:
        return cls(settings, [float(settings.seconds)] * 2)

    def time_left(self, seat: int) -> float:
        used = time.monotonic() - self.since if seat == self.running else 0.0
        return max(0.0, self.left[seat] - used)

    def run(self, seat: int | None) -> None:
        """Stop the running clock, and start that of a seat."""
        if seat == self.running:
            return
        if self.running is not None:
            self.left[self.running] = self.time_left(self.running)
        self.running, self.since = seat, time.monotonic()

    def add_increment(self, seat: int) -> None:
        self.left[seat] += self.settings.increment

    def is_up(self) -> bool:
        """Whether the time of the side to move is up."""
        return self.running is not None and self.time_left(self.running) <= 0

    def lose(self, node: int) -> None:
        """Let the side to move lose at a node."""
        loser = self.running
        self.run(None)
        self.loser, self.lost_at = loser, node

    def state(self) -> ClockState:
        """What the pages show."""
        return ClockState(
            seconds=self.settings.seconds,
            increment=self.settings.increment,
            left=[round(1000 * self.time_left(seat)) for seat in range(2)],
            running=self.running,
            loser=self.loser,
        )

    def thinking_time(self, seat: int) -> float | None:
        """Seconds in which an agent should move; None if its clock does not run."""
        if seat != self.running:
            return None
        return Clock(self.time_left(seat), self.settings.increment, overhead=OVERHEAD).intended
