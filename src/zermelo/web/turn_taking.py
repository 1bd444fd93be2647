"""Turns: agents and dice move by themselves while a page is open, at the session's pace and unless there is a pause."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from zermelo.core.errors import Refused
from zermelo.web.instant import InstantJob, InstantPool
from zermelo.web.open_session import Answer, OpenSession
from zermelo.web.pool import MOST_WAITING, Busy, Job, OnMessage, WorkerMessage
from zermelo.web.publishing import Publisher
from zermelo.web.refusals import reason_of, refuse_all
from zermelo.web.search_orders import answer_order, progress_of
from zermelo.web.session import Turn

AGAIN = 1.0
"""Seconds until an agent asks again for a worker if too many searches wait."""


class TurnTaker:
    """Lets the agents and the dice of all sessions move."""

    def __init__(self, publisher: Publisher, pool: InstantPool) -> None:
        self._publisher, self._pool = publisher, pool

    async def answer(self, name: str, node: int) -> None:
        """Let the agent or the dice to move at the node play, once, whether or not a page is open."""
        opened = self._publisher.opened(name)
        await self._publisher.change(name, lambda _session: None)
        turn = opened.turn
        if turn is None or turn.node != node:
            return
        opened.forced, opened.trouble = node, ""
        self.wake(opened)
        while opened.turn == turn and opened.turns is not None and opened.forced == node:
            await opened.changed.wait()
        if opened.trouble:
            raise Refused(opened.trouble)

    def follow_change(self, opened: OpenSession) -> None:
        """After a change: end what belonged to another position or player, and let the next one move."""
        turn = opened.turn
        if opened.standing is not None and opened.forced != opened.standing.node:
            opened.forced = None
        if opened.answer is not None and not opened.answer.turn.is_same(turn):
            opened.answer.discard()
        self.wake(opened)

    def set_paused(self, opened: OpenSession, is_paused: bool, trouble: str = "") -> None:
        opened.is_paused, opened.trouble = is_paused, trouble
        if is_paused:
            opened.forced = None
        opened.send_running()
        self._publisher.on_pause(opened)
        self.wake(opened)

    def wake(self, opened: OpenSession) -> None:
        """After a change: let the agent or the dice move, if it is their turn."""
        opened.notify()
        turn = opened.turn
        if opened.turns is None and turn is not None and opened.may_move(turn):
            opened.turns = self._publisher.later(self._take_turns(opened))

    async def _take_turns(self, opened: OpenSession) -> None:
        """Let agents and dice move as long as it is their turn."""
        try:
            while (turn := opened.turn) is not None and opened.may_move(turn):
                changed = opened.changed
                pause = opened.since + opened.pause_before(turn) - asyncio.get_running_loop().time()
                if pause > 0 and turn.node != opened.forced:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), pause)
                        continue
                try:
                    trouble = await self._move(opened, turn)
                except Busy:  # too many calls of rules; the agent or the dice try again
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(opened.changed.wait(), AGAIN)
                    continue
                except Exception as error:
                    trouble = reason_of(error)
                    refuse_all(opened, trouble)
                if trouble is not None and turn.is_same(opened.turn):
                    self.set_paused(opened, True, trouble)
                if trouble is not None or not turn.is_same(opened.turn):
                    self._end_answering(opened)
        finally:
            self._end_answering(opened)
            opened.turns = None
            opened.notify()

    async def _move(self, opened: OpenSession, turn: Turn) -> str | None:
        """Make the move of the agent or the dice; return None if it is made, otherwise what was wrong."""
        name = opened.name
        if turn.player is None:
            await self._publisher.change(name, lambda session: session.roll(turn.node))
            return None
        order = await self._publisher.look(name, lambda session: answer_order(session, turn))
        if order is None or not turn.is_same(opened.turn):
            await self._publisher.change(name, lambda _session: None)  # another server may have changed the game
            return None
        message = await self._search(opened, turn, order)
        if message is None:
            return None
        if "error" in message:
            refuse_all(opened, message["error"])
            return str(message["error"])
        found = message["done"]
        if found is None or found["best"] is None:
            return ""
        if not await self._keep_pace(opened, turn):
            return None
        await self._publisher.change(name, lambda session: session.answer(turn, found))
        return None

    async def _keep_pace(self, opened: OpenSession, turn: Turn) -> bool:
        """Wait until the latest move or roll was shown for long enough; false if the agent may no longer play."""
        while turn.is_same(opened.turn) and not opened.is_paused:
            pause = opened.may_play_from(turn) - asyncio.get_running_loop().time()
            if pause <= 0:
                return True
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(opened.changed.wait(), pause)
        return False

    async def _search(self, opened: OpenSession, turn: Turn, order: dict[str, Any]) -> WorkerMessage | None:
        """The last message about the agent's search; None if it is no longer its turn."""

        def report(message: WorkerMessage) -> None:
            progress = progress_of(message, turn.node)
            if opened.is_hidden and ("done" in message or progress == opened.answering):
                return  # the number of searches is the number of moves, which may be hidden
            opened.answering = progress
            opened.broadcast("answering", progress)

        report({})
        try:
            job = await self._submit(opened, turn, order, report)
            if job is None:
                return None
            answer = opened.answer = Answer(turn, job)
            try:
                either: list[asyncio.Future[Any]] = [job.result, answer.is_void]
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                return None if answer.is_void.done() else job.result.result()
            finally:
                opened.answer = None
                job.on_message = lambda _message: None
                self._pool.stop(job)
        finally:
            if not opened.is_hidden:
                self._end_answering(opened)

    @staticmethod
    def _end_answering(opened: OpenSession) -> None:
        """Report that no agent searches any more."""
        if opened.answering is not None:
            opened.answering = None
            opened.broadcast("answering", None)

    async def _submit(
        self, opened: OpenSession, turn: Turn, order: dict[str, Any], report: OnMessage
    ) -> Job | InstantJob | None:
        """Submit the agent's search, repeatedly while too many wait for a worker; None if it is no longer its turn."""
        while turn.is_same(opened.turn) and opened.may_move(turn):
            try:
                return self._pool.submit(order, report, is_urgent=True)
            except Busy:
                report({"waiting": MOST_WAITING})
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(opened.changed.wait(), AGAIN)
        return None
