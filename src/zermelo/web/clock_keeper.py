"""The clocks of all open games: they run while a page is open and there is no pause, and a flag falls by itself."""

from __future__ import annotations

import asyncio

from zermelo.web.open_session import OpenSession
from zermelo.web.publishing import Publisher
from zermelo.web.session import Session

MARGIN = 0.01
"""Seconds after the time is up until the clock is looked at."""


class ClockKeeper:
    """Starts and stops the clocks of sessions, and lets flags fall."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._flags: dict[str, asyncio.TimerHandle] = {}
        """By session, the time when the running clock is up."""

    def follow(self, opened: OpenSession) -> None:
        """After a change, a pause, or when a page was opened or closed."""
        if (flag := self._flags.pop(opened.name, None)) is not None:
            flag.cancel()
        standing = opened.standing
        if standing is None or standing.clock is None:
            return
        may_run = bool(opened.clients) and not opened.is_paused
        if may_run != standing.may_clock_run:
            self._publisher.later(self._publisher.change(opened.name, lambda session: session.let_clock_run(may_run)))
        elif standing.clock.running is not None:
            seconds = standing.clock.left[standing.clock.running] / 1000 + MARGIN
            self._flags[opened.name] = asyncio.get_running_loop().call_later(seconds, self._look_at_flag, opened)

    def _look_at_flag(self, opened: OpenSession) -> None:
        def work(session: Session) -> None:
            session.lose_on_time()

        self._publisher.later(self._publisher.change(opened.name, work))
