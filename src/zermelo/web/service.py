"""The session service: the pages' sockets, and what their orders do.

Whose turn it is, analyses, reviews and the publishing of changes have a module each; they run on the event loop, and
only rules of games run in threads.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from zermelo.core.errors import Refused, ZermeloError
from zermelo.web.analyses import Analyses
from zermelo.web.clock_keeper import ClockKeeper
from zermelo.web.instant import InstantPool
from zermelo.web.messages import (
    ORDERS,
    Analyse,
    AnyOrder,
    Change,
    Follow,
    Go,
    Lift,
    Pause,
    Play,
    Redo,
    Resume,
    Review,
    SetPace,
    Sit,
    Snapshot,
    Stop,
    Undo,
)
from zermelo.web.open_session import Client, OpenSession
from zermelo.web.pool import Busy, Pool, game_key
from zermelo.web.publishing import Publisher
from zermelo.web.rates import TokenBucket
from zermelo.web.refusals import BUSY, reason_of, refusals, refuse, sentence
from zermelo.web.reviews import Reviews
from zermelo.web.search_orders import warmups
from zermelo.web.session import Session, Standing
from zermelo.web.sessions import Sessions
from zermelo.web.threads import RuleThreads
from zermelo.web.turn_taking import TurnTaker

Result = TypeVar("Result")

RATE, BURST = 20.0, 60.0
"""Messages per second that a client may send, and how many at once."""
MOST_CLIENTS = 500
"""Sockets that may be open at the same time."""
PATIENCE_WITH_NONSENSE = 20
"""Invalid messages after which a client is disconnected."""


class SessionService:
    """All open sessions."""

    def __init__(self, pool: InstantPool, solvers: Pool, sessions: Sessions, threads: RuleThreads) -> None:
        """The `solvers` answer where something is hidden."""
        self._pool = pool
        self._publisher = Publisher(sessions, threads)
        self._analyses = Analyses(self._publisher, pool, solvers)
        self._reviews = Reviews(self._publisher, pool, self._analyses)
        self._turns = TurnTaker(self._publisher, pool)
        self._clocks = ClockKeeper(self._publisher)
        self._publisher.on_change, self._publisher.on_welcome = self._follow_change, self._prepare
        self._publisher.on_pause = self._clocks.follow
        pool.on_compiling = self._show_compiling
        self._sockets = 0

    # -- sessions ------------------------------------------------------------------------------------

    async def change(self, name: str, change: Callable[[Session], Result]) -> Result:
        """Change a session as a person wishes, and publish the change.

        In a game with people this ends a pause: who makes a move expects an answer.
        """
        result = await self._publisher.change(name, change)
        opened = self._publisher.opened(name)
        if opened.is_paused and opened.standing is not None and opened.standing.has_people:
            self._turns.set_paused(opened, False)
        return result

    async def look(self, name: str, look: Callable[[Session], Result]) -> Result:
        """Run `look` on a session and return its result."""
        return await self._publisher.look(name, look)

    async def answer(self, name: str, node: int) -> None:
        """Let the agent or the dice to move at the node play, once, whether or not a page is open."""
        await self._turns.answer(name, node)

    async def close(self) -> None:
        """Cancel everything that is under way."""
        await self._publisher.close()

    def _follow_change(self, opened: OpenSession, before: Standing | None) -> None:
        standing = opened.standing
        if standing is not None and (before is None or before.place != standing.place):
            self._analyses.follow_all(opened)
            if standing.tries:
                self._analyses.drop_hints(opened)
        self._turns.follow_change(opened)
        self._clocks.follow(opened)

    # -- clients -------------------------------------------------------------------------------------

    async def serve(self, socket: WebSocket, name: str) -> None:
        """Serve one client until it disconnects."""
        if self._sockets >= MOST_CLIENTS:
            await socket.close(1013, "too many pages are open here; close some, or try again later")
            return
        self._sockets += 1
        opened = self._publisher.opened(name)
        client = Client(socket, opened)
        tasks = [asyncio.create_task(client.send_news()), asyncio.create_task(self._make_changes(client))]
        try:
            await self._publisher.send_snapshot(client)
            await self._listen(client)
        except (WebSocketDisconnect, RuntimeError):  # it disconnected, perhaps while something was being sent
            pass
        except ZermeloError as error:
            await socket.close(1008, str(error)[:120])
        except Busy:
            await socket.close(1013, BUSY)
        except Exception as error:
            await socket.close(1011, reason_of(error)[:120])
        finally:
            self._sockets -= 1
            for task in tasks:
                task.cancel()
            opened.clients.discard(client)
            if not opened.clients:
                opened.source = None  # it may be dropped from memory
            opened.notify()
            self._clocks.follow(opened)
            client.is_following = False
            self._analyses.drop(client)

    def _prepare(self, client: Client, session: Session) -> None:
        """Prepare the kernels of a game that is opened."""
        opened = client.opened
        opened.game = game_key(session.key, session.options)
        opened.compiling = self._compiling_text(opened)
        for order in warmups(session):
            self._pool.warm_up(order)

    async def _listen(self, client: Client) -> None:
        bucket, nonsense = TokenBucket(RATE, BURST), 0
        while nonsense < PATIENCE_WITH_NONSENSE:
            message = await client.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not bucket.take():
                nonsense += 1
                refuse(client, "too many messages; wait a moment")
                continue
            text = message.get("text")
            if text is None:
                nonsense += 1
                refuse(client, "messages must be JSON text, not binary")
                continue
            try:
                order = ORDERS.validate_json(text)
            except ValidationError as error:
                nonsense += 1
                refuse(client, sentence(error.errors()))
                continue
            with refusals(client, order):
                await self._obey(client, order)
        await client.socket.close(1008, "too many invalid messages")

    async def _obey(self, client: Client, order: AnyOrder) -> None:
        """Obey an order. Only changes of the game wait for each other, because rules may be slow."""
        opened = client.opened
        match order:
            case Play() | Go() | Sit() | Undo() | Redo():
                try:
                    client.changes.put_nowait(order)
                except asyncio.QueueFull:
                    raise Refused("too many orders wait for the rules of this game") from None
            case Analyse():
                self._analyses.analyse(client, order)
            case Follow():
                client.is_following = order.is_on
                if order.is_on:
                    self._analyses.follow(opened, client)
                else:
                    self._analyses.drop(client)
            case Stop():
                self._stop(opened, client)
            case Pause():
                if opened.answer is not None:
                    opened.answer.discard()
                self._turns.set_paused(opened, True)
            case Resume():
                opened.forced = order.node
                self._turns.set_paused(opened, False)
            case SetPace():
                opened.pace = order.milliseconds / 1000
                opened.send_running()
                self._turns.wake(opened)
            case Review():
                await self._reviews.begin(opened)
            case Lift():
                await self._lift(client, order.seat)
            case Snapshot():
                await self._publisher.send_snapshot(client)

    async def _lift(self, client: Client, seat: int) -> None:
        """Show a page what the person to move sees."""
        if client.opened.curtain != seat:
            raise Refused("no curtain is closed for this player; wait for their turn")
        client.lifted = seat
        await self._publisher.send_snapshot(client)
        if client.is_following:
            self._analyses.follow(client.opened, client)

    async def _make_changes(self, client: Client) -> None:
        """Make the changes that a page has ordered, one after the other; their events come before the reply."""
        while True:
            order = await client.changes.get()
            with refusals(client, order):
                if isinstance(order, Play) and not client.sees_turn:
                    raise Refused("the curtain is closed; lift it before you move")
                await self.change(client.opened.name, functools.partial(_apply, order))
                client.tell("accepted", {"id": order.id})

    def _stop(self, opened: OpenSession, client: Client) -> None:
        self._analyses.stop(client)
        if opened.review is not None:
            opened.review.cancel()
        if opened.answer is not None:
            self._pool.stop(opened.answer.job)
        elif opened.answering is not None:  # it still asks for a worker
            self._turns.set_paused(opened, True)
        if opened.standing is not None and not opened.standing.has_people:
            self._turns.set_paused(opened, True)

    # -- kernels -------------------------------------------------------------------------------------

    def _show_compiling(self, _games: frozenset[str]) -> None:
        """Report to the pages whether their game is being compiled."""
        for opened in self._publisher.all_opened():
            text = self._compiling_text(opened)
            if opened.compiling != text:
                opened.compiling = text
                opened.broadcast("compiling", text)

    def _compiling_text(self, opened: OpenSession) -> str | None:
        """A sentence if the kernels of its game are being compiled."""
        if opened.source is None or not self._pool.is_compiling(opened.game):
            return None
        return f"{opened.source.facts.title} is being compiled; until then the answers are from a small search."


def _apply(order: Change, session: Session) -> None:
    match order:
        case Play():
            session.play(order.move, order.node)
        case Go():
            session.go(order.node)
        case Sit():
            session.sit(order.players, order.dice)
        case Undo():
            session.undo()
        case Redo():
            session.redo()
