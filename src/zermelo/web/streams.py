"""The live side of the page: each client has one socket for orders and news.

Of each kind of news only the latest waits to be sent, so a slow client misses outdated news instead of delaying others.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from zermelo.core.errors import ZermeloError
from zermelo.core.game import CHANCE
from zermelo.web.analysis_view import summarise
from zermelo.web.levels import level, plays_random_move
from zermelo.web.messages import ORDERS, Analyse, Answer
from zermelo.web.pool import Busy, Job, Pool, WorkerMessage
from zermelo.web.security import TokenBucket
from zermelo.web.sessions import Session, Sessions
from zermelo.web.threads import RuleThreads

Result = TypeVar("Result")

RATE, BURST = 20.0, 60.0
"""Messages per second that a client may send, and how many at once."""
BUSY = "all workers are busy; try again in a moment"
MOST_CLIENTS = 500
"""Sockets that may be open at the same time."""
PATIENCE_WITH_NONSENSE = 20
"""Invalid messages after which a client is disconnected."""


class JsonText(str):
    """JSON text that is serialised once and sent to every client."""

    __slots__ = ()


class Client:
    """One socket, and what waits to be sent on it."""

    def __init__(self, socket: WebSocket, name: str) -> None:
        """`name` is the session's; the session itself may be dropped from memory and loaded again."""
        self.socket, self.name = socket, name
        self.job: Job | None = None
        self._news: dict[str, tuple[str, Any]] = {}
        self._is_news = asyncio.Event()

    def send(self, kind: str, content: Any, place: object = None) -> None:
        """Send this as soon as possible; it replaces waiting news of the same kind and place."""
        self._news[f"{kind} {place}"] = kind, content
        self._is_news.set()

    async def send_news(self) -> None:
        """Send waiting news until the client disconnects."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._is_news.wait()
                self._is_news.clear()
                news, self._news = self._news, {}
                for kind, content in news.values():
                    text = content if isinstance(content, JsonText) else json.dumps(content)
                    await self.socket.send_text(f'{{"news": "{kind}", "{kind}": {text}}}')


class Hub:
    """All clients, and the searches that answer them."""

    def __init__(self, pool: Pool, sessions: Sessions, threads: RuleThreads) -> None:
        self.pool, self._sessions, self._threads = pool, sessions, threads
        self._clients: dict[str, set[Client]] = {}
        self._answering: set[str] = set()
        """Sessions in which an agent or the dice are about to move."""
        self._answers: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, socket: WebSocket, name: str) -> None:
        """Serve one client until it disconnects."""
        if sum(map(len, self._clients.values())) >= MOST_CLIENTS:
            await socket.close(1013, "too many pages are open here; close some, or try again later")
            return
        client = Client(socket, name)
        self._clients.setdefault(name, set()).add(client)
        sending = asyncio.create_task(client.send_news())
        try:
            await self._listen(client)
        except (WebSocketDisconnect, RuntimeError):  # it disconnected, perhaps while something was being sent
            pass
        finally:
            sending.cancel()
            others = self._clients[name]
            others.discard(client)
            if not others:
                del self._clients[name]
            if client.job is not None:
                self.pool.stop(client.job)

    async def change(self, name: str, change: Callable[[Session], object]) -> JsonText:
        """Change a session, and send its new state to all of its clients."""

        def work(session: Session) -> JsonText:
            change(session)
            return state_json(session)

        state = await self._threads.run(lambda: self._sessions.change(name, work))
        self._broadcast(name, "session", state)
        return state

    async def look(self, name: str, look: Callable[[Session], Result]) -> Result:
        """Run `look` on a session and return its result."""
        return await self._threads.run(lambda: self._sessions.change(name, look))

    async def _listen(self, client: Client) -> None:
        bucket, nonsense = TokenBucket(RATE, BURST), 0
        while nonsense < PATIENCE_WITH_NONSENSE:
            message = await client.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not bucket.take():
                nonsense += 1
                client.send("error", "too many messages; wait a moment")
                continue
            text = message.get("text")
            if text is None:
                nonsense += 1
                client.send("error", "messages must be JSON text, not binary")
                continue
            try:
                order = ORDERS.validate_json(text)
            except ValidationError as error:
                nonsense += 1
                client.send("error", sentence(error.errors()))
                continue
            try:
                await self._obey(client, order)
            except ZermeloError as error:
                client.send("error", str(error))
            except Busy:
                client.send("error", BUSY)
        await client.socket.close(1008, "too many invalid messages")

    async def _obey(self, client: Client, order: Any) -> None:
        if isinstance(order, Analyse):
            await self._analyse(client, order)
        elif isinstance(order, Answer):
            self._later(self._answer(client, order.node))
        else:
            if client.job is not None:
                self.pool.stop(client.job)
            if (answering := self._answers.get(client.name)) is not None:
                self.pool.stop(answering)

    # -- analyses ------------------------------------------------------------------------------------

    async def _analyse(self, client: Client, order: Analyse) -> None:
        node = order.node
        if client.job is not None:
            self.pool.stop(client.job)
        place = await self.look(client.name, lambda session: _place(session, session.moves_for_analysis(node)))

        def report(message: WorkerMessage) -> None:
            if client.job is not None and client.job is not job:
                return
            found = message.get("analysis") or message.get("done")
            if found is not None:
                client.send("analysis", {"node": node, **found})
            client.send("thinking", _progress(message, node))

        wanted = {
            "agent": "auto",
            "memory": "analysis",
            "time": order.seconds,
            "nodes": None,
            "depth": order.depth,
            "simulations": None,
            "lines": order.lines,
            "seed": 0,
        }
        client.job = None
        job = self.pool.submit({**place, **wanted}, report)
        client.job = job
        self._later(self._remember(client.name, node, job))

    async def _remember(self, name: str, node: int, job: Job) -> None:
        """Store the final judgement; it is also sent to the clients if it cannot be stored."""
        message = await job.result
        if message.get("done") is not None:
            found = summarise(message["done"])
            with contextlib.suppress(ZermeloError, Busy):
                await self.look(name, lambda session: session.judge(node, found))
            self._broadcast(name, "judgement", {"node": node, **found.model_dump()}, node)

    # -- answers -------------------------------------------------------------------------------------

    async def _answer(self, client: Client, node: int) -> None:
        """Answer on behalf of a client, which receives the errors."""
        try:
            await self.answer(client.name, node)
        except ZermeloError as error:
            client.send("error", str(error))
        except Busy:
            client.send("error", BUSY)

    async def answer(self, name: str, node: int) -> None:
        """Let the agent or the dice to move at the node play, once, however many pages ask for it."""
        if name in self._answering:
            return
        self._answering.add(name)
        try:
            await self._move(name, node)
        finally:
            self._answering.discard(name)

    async def _move(self, name: str, node: int) -> None:
        if await self.look(name, lambda session: session.mover_at(node)) == CHANCE:
            await self.change(name, lambda session: session.roll(node))
            return
        order = await self.look(name, lambda session: _answer_order(session, node))
        if order is None:
            return
        job = self._answers[name] = self.pool.submit(
            order, lambda message: self._broadcast(name, "answering", _progress(message, node)), is_urgent=True
        )
        try:
            message = await asyncio.shield(job.result)
        finally:
            del self._answers[name]
        if "error" in message:
            self._broadcast(name, "error", message["error"])
        found = message.get("done")
        if found is not None and found["best"] is not None:
            await self.change(name, lambda session: _play(session, node, found))

    def _broadcast(self, name: str, kind: str, content: Any, place: object = None) -> None:
        for client in self._clients.get(name, ()):
            client.send(kind, content, place)

    def _later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _answer_order(session: Session, node: int) -> dict[str, Any] | None:
    """The order to a search process for the agent to move at the node; None if no agent is to move."""
    with session.lock:
        mover = session.mover_at(node)
        if mover is None or mover == CHANCE:
            return None
        player = session.players[mover]
        assert player.agent is not None
        is_random = player.agent == "random" or plays_random_move(player.level, f"{session.seed}/{node}/whim")
        strength = level(player.level)
        return {
            **_place(session, session.moves_to(node)),
            "agent": "random" if is_random else player.agent,
            "memory": f"level {player.level}",
            "time": strength.limit.time,
            "nodes": strength.limit.nodes,
            "depth": strength.limit.depth,
            "simulations": strength.simulations,
            "lines": 1,
            "seed": session.seed + node,
        }


def _play(session: Session, node: int, found: dict[str, Any]) -> None:
    """Play the agent's move, unless the current node has changed."""
    with session.lock:
        if session.mover_at(node) is None:
            return
        if found["chance"] is not None and found["kind"] == "exact":  # the estimate of a weak agent is not stored
            session.judge(node, summarise(found))
        session.play(found["best"], node)


def state_json(session: Session) -> JsonText:
    """Everything the page shows of a session."""
    with session.lock:
        return JsonText(session.state().model_dump_json())


def _place(session: Session, moves: list[str]) -> dict[str, Any]:
    """The position as a worker needs it."""
    return {"game": session.key, "options": session.options, "start": session.start, "moves": moves}


def _progress(message: WorkerMessage, node: int) -> dict[str, Any]:
    """The state of a job: waiting, preparing, thinking, done, stopped without a result, or failed."""
    if "waiting" in message:
        return {"node": node, "state": "waiting", "ahead": message["waiting"]}
    if "preparing" in message:
        return {"node": node, "state": "preparing", "text": message["preparing"]}
    if "error" in message:
        return {"node": node, "state": "failed", "text": message["error"]}
    if "done" in message:
        return {"node": node, "state": "done" if message["done"] is not None else "stopped"}
    return {"node": node, "state": "thinking"}


def sentence(errors: Sequence[Any]) -> str:
    """The first validation error as one sentence."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
