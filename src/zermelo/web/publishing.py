"""Changes of sessions: made in threads for rules, and published to all open pages in the order in which they were made.

A change is published while the lock of its session is held. So all pages see the changes in the same order, and nothing
on the event loop acts on an older state than they.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeAlias, TypeVar

from zermelo.web.open_session import Client, JsonText, OpenSession, Whole, json_text
from zermelo.web.session import Changes, Session, Standing
from zermelo.web.sessions import Sessions
from zermelo.web.threads import RuleThreads

Result = TypeVar("Result")
Events: TypeAlias = list[tuple[str, JsonText]]

KEPT = 750
"""Sessions whose pace and pause are remembered; those in use are never forgotten."""


class Publisher:
    """The sessions that were opened, and the way to change them."""

    def __init__(self, sessions: Sessions, threads: RuleThreads) -> None:
        self._sessions, self._threads = sessions, threads
        self._opened: OrderedDict[str, OpenSession] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_change: Callable[[OpenSession, Standing | None], None] = lambda _opened, _before: None
        """Called after each change with the standing before it, when the pages were told."""
        self.on_welcome: Callable[[Client, Session], None] = lambda _client, _session: None
        """Called when a page has got a snapshot."""
        self.on_pause: Callable[[OpenSession], None] = lambda _opened: None
        """Called when a pause has begun or ended."""

    def opened(self, name: str) -> OpenSession:
        """What is known of a session besides its game."""
        opened = self._opened.setdefault(name, OpenSession(name))
        self._opened.move_to_end(name)
        for other in list(self._opened.values())[: max(0, len(self._opened) - KEPT)]:
            if not other.is_used:
                del self._opened[other.name]
        return opened

    def all_opened(self) -> Iterable[OpenSession]:
        return self._opened.values()

    async def look(self, name: str, look: Callable[[Session], Result]) -> Result:
        """Run `look` on a session and return its result."""
        return await self._threads.run(lambda: self._sessions.change(name, look))

    async def change(self, name: str, change: Callable[[Session], Result]) -> Result:
        """Change a session, and publish the change while its lock is held."""
        loop, opened = asyncio.get_running_loop(), self.opened(name)

        def publish(session: Session) -> None:
            try:
                events, whole = _events(session, opened)
                standing = session.standing()
            except Exception:
                _soon(loop, opened.skip)
                raise
            _soon(loop, self._publish, opened, session, events, whole, standing)

        def work(session: Session) -> Result:
            try:
                result = change(session)
            except Exception:
                publish(session)  # it may have gone to a node before it was refused there
                raise
            publish(session)
            return result

        return await self.look(name, work)

    async def send_snapshot(self, client: Client) -> None:
        """Send the whole state to a page, which gets all changes from then on."""
        loop, opened = asyncio.get_running_loop(), client.opened

        def work(session: Session) -> None:
            _soon(loop, self._welcome, client, session, _whole(session), session.standing())

        await self.look(opened.name, work)

    def _welcome(self, client: Client, session: Session, whole: Whole, standing: Standing) -> None:
        opened = client.opened
        if opened.source is not session:
            opened.source = session
            opened.skip()
        self.on_welcome(client, session)
        opened.clients.add(client)
        if opened.standing != standing:
            opened.standing, opened.since = standing, asyncio.get_running_loop().time()
        opened.close_curtains()
        opened.send_snapshot(client, whole)
        self.on_change(opened, opened.standing)

    def _publish(
        self,
        opened: OpenSession,
        session: Session,
        events: Events | None,
        whole: Whole | None,
        standing: Standing,
    ) -> None:
        """Send a change to all pages, or the whole state; called in the order of the changes."""
        is_other, opened.source = opened.source is not session, session
        before, opened.standing = opened.standing, standing
        opened.close_curtains()
        is_private = whole is not None and whole.is_private and not is_other
        if whole is not None:
            for client in opened.clients:
                if client.sees_turn or not is_private:
                    opened.send_snapshot(client, whole)
        else:
            if events is None or is_other:
                opened.skip()
                opened.send_running()  # its number shows that something was missed
            for kind, content in events or ():
                opened.publish(kind, content)
        if before is None or (before.node, before.turn) != (standing.node, standing.turn):
            opened.since = asyncio.get_running_loop().time()
        if standing.clock is not None and not is_private:
            opened.broadcast("clock", standing.clock)
        self.on_change(opened, before)

    # -- tasks ---------------------------------------------------------------------------------------

    def later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin a task; it is cancelled when the server ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel everything that is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _events(session: Session, opened: OpenSession) -> tuple[Events | None, Whole | None]:
    """The events of a change, and the whole state if the pages need it. It runs in a thread for rules."""
    is_private = session.changes == Changes(is_tried=True)
    events = session.take_events()
    is_needed = (events is None or opened.source is not session) and bool(opened.clients)
    texts = None if events is None else [(kind, json_text(content)) for kind, content in events]
    return texts, _whole(session, is_private) if is_needed else None


def _whole(session: Session, is_private: bool = False) -> Whole:
    """Everything that the pages show; with a curtain, for those that have lifted it and for those that have not."""
    with session.lock:
        curtain = session.curtain()
        lifted = None if curtain is None else JsonText(session.state(curtain).model_dump_json())
        return Whole(state_json(session), lifted, is_private)


def state_json(session: Session) -> JsonText:
    """Everything the page shows of a session."""
    with session.lock:
        return JsonText(session.state().model_dump_json())


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *arguments: object) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(call, *arguments)
