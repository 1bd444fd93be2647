"""The live side of the page: each client has one socket, on which it gives orders and hears the latest of everything.

Of each kind of news only the latest waits to be sent: a client that reads slowly misses what has become old, and
nothing is piled up for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from zermelo.core.errors import ZermeloError
from zermelo.core.game import CHANCE
from zermelo.web.judgements import judgement
from zermelo.web.levels import is_whim, level
from zermelo.web.messages import ORDERS, Analyse, Answer
from zermelo.web.security import Allowance
from zermelo.web.sessions import Session
from zermelo.web.workers import Busy, Job, Pool, Told

RATE, BURST = 20.0, 60.0
"""Messages a second that a client may send."""
BUSY = "everybody here is busy thinking; try again in a moment"
MOST_CLIENTS = 500
"""Sockets that are open at a time."""
PATIENCE_WITH_NONSENSE = 20
"""Refusals after which a client is shown the door."""


class Written(str):
    """JSON as text, which is not written again for everybody who hears it."""

    __slots__ = ()


class Client:
    """One socket, and what waits to be sent on it."""

    def __init__(self, socket: WebSocket, session: Session) -> None:
        self.socket, self.session = socket, session
        self.job: Job | None = None
        self._news: dict[str, tuple[str, Any]] = {}
        self._is_news = asyncio.Event()

    def tell(self, kind: str, content: Any, place: object = None) -> None:
        """Send this as soon as possible, instead of what still waits of its kind for the same place."""
        self._news[f"{kind} {place}"] = kind, content
        self._is_news.set()

    async def send_news(self) -> None:
        """Until the client leaves."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._is_news.wait()
                self._is_news.clear()
                news, self._news = self._news, {}
                for kind, content in news.values():
                    text = content if isinstance(content, Written) else json.dumps(content)
                    await self.socket.send_text(f'{{"news": "{kind}", "{kind}": {text}}}')


class Hub:
    """All clients, and the answers that agents are thinking about."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._clients: dict[str, set[Client]] = {}
        self._answers: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, socket: WebSocket, session: Session) -> None:
        """Talk with one client until it leaves."""
        if sum(map(len, self._clients.values())) >= MOST_CLIENTS:
            await socket.close(1013, "too many pages are open here; close some, or try again later")
            return
        client = Client(socket, session)
        self._clients.setdefault(session.id, set()).add(client)
        sending = asyncio.create_task(client.send_news())
        try:
            await self._listen(client)
        except (WebSocketDisconnect, RuntimeError):  # it left, perhaps while something was being sent
            pass
        finally:
            sending.cancel()
            others = self._clients[session.id]
            others.discard(client)
            if not others:
                del self._clients[session.id]
            if client.job is not None:
                self.pool.stop(client.job)

    def show(self, session: Session, state: Written) -> None:
        """Show a session as it is now to everybody who looks at it."""
        for client in self._clients.get(session.id, ()):
            client.tell("session", state)

    async def _listen(self, client: Client) -> None:
        allowance, nonsense = Allowance(RATE, BURST), 0
        while nonsense < PATIENCE_WITH_NONSENSE:
            text = await client.socket.receive_text()
            if not allowance.take():
                nonsense += 1
                client.tell("error", "too many messages; wait a moment")
                continue
            try:
                order = ORDERS.validate_json(text)
            except ValidationError as error:
                nonsense += 1
                client.tell("error", sentence(error.errors()))
                continue
            try:
                await self._obey(client, order)
            except ZermeloError as error:
                client.tell("error", str(error))
            except Busy:
                client.tell("error", BUSY)
        await client.socket.close(1008, "too much that nobody understands")

    async def _obey(self, client: Client, order: Any) -> None:
        if isinstance(order, Analyse):
            await self._analyse(client, order)
        elif isinstance(order, Answer):
            self._later(self._answer(client, order.node))
        else:
            if client.job is not None:
                self.pool.stop(client.job)
            if (answering := self._answers.get(client.session.id)) is not None:
                self.pool.stop(answering)

    # -- analyses ------------------------------------------------------------------------------------

    async def _analyse(self, client: Client, order: Analyse) -> None:
        session, node = client.session, order.node
        if client.job is not None:
            self.pool.stop(client.job)
        moves = session.moves_to(node)
        if session.game.hidden and not _may_know(session):
            client.tell("error", "what a search thinks would tell what is hidden; wait until the game is over")
            return

        def tell(told: Told) -> None:
            if client.job is not None and client.job is not job:
                return
            found = told.get("analysis") or told.get("done")
            if found is not None:
                client.tell("analysis", {"node": node, **found})
            client.tell("thinking", _progress(told, node))

        wanted = {
            "agent": "auto",
            "time": order.seconds,
            "nodes": None,
            "depth": order.depth,
            "lines": order.lines,
            "seed": 0,
        }
        client.job = None
        job = self.pool.submit({**_place(session, moves), **wanted}, tell)
        client.job = job
        self._later(self._remember(session, node, job))

    async def _remember(self, session: Session, node: int, job: Job) -> None:
        """Keep what was found at the end."""
        told = await job.result
        if told.get("done") is not None:
            found = judgement(told["done"])
            await asyncio.to_thread(session.judge, node, found)
            for client in self._clients.get(session.id, ()):
                client.tell("judgement", {"node": node, **found.model_dump()}, node)

    # -- answers -------------------------------------------------------------------------------------

    async def _answer(self, client: Client, node: int) -> None:
        """The same for somebody on a socket, who hears what goes wrong."""
        try:
            await self.answer(client.session, node)
        except ZermeloError as error:
            client.tell("error", str(error))
        except Busy:
            client.tell("error", BUSY)

    async def answer(self, session: Session, node: int) -> bool:
        """Let the agent whose turn it is at the node move there; whether it did."""
        if session.id in self._answers or not session.is_agents_turn(node):
            return False
        mover = session.referee.to_move
        if mover == CHANCE:
            await asyncio.to_thread(session.roll)
            self.show(session, await asyncio.to_thread(written, session))
            return True
        player = session.players[mover]
        assert player.agent is not None
        seed = f"{session.seed}/{node}"
        is_random = player.agent == "random" or is_whim(player.level, f"{seed}/whim")
        limit = level(player.level).limit_for(player.agent)
        wanted = {
            "agent": "random" if is_random else player.agent,
            "time": limit.time,
            "nodes": limit.nodes,
            "depth": limit.depth,
            "lines": 1,
            "seed": session.seed + node,
        }
        order = {**_place(session, session.moves_to(node)), **wanted}
        self._answers[session.id] = self.pool.submit(order, lambda told: self._tell_all(session, told, node), True)
        try:
            told = await asyncio.shield(self._answers[session.id].result)
        finally:
            del self._answers[session.id]
        return await self._play(session, node, told)

    async def _play(self, session: Session, node: int, told: Told) -> bool:
        if "error" in told:
            for client in self._clients.get(session.id, ()):
                client.tell("error", told["error"])
        found = told.get("done")
        if found is None or found["best"] is None or not session.is_agents_turn(node):
            return False
        if found["chance"] is not None and found["kind"] == "exact":  # how a weak agent sees it is no judgement
            await asyncio.to_thread(session.judge, node, judgement(found))
        await asyncio.to_thread(session.play, found["best"], node)
        self.show(session, await asyncio.to_thread(written, session))
        return True

    def _tell_all(self, session: Session, told: Told, node: int) -> None:
        for client in self._clients.get(session.id, ()):
            client.tell("answering", _progress(told, node))

    def _later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def written(session: Session) -> Written:
    """Everything the page shows of a session."""
    with session.lock:
        return Written(session.state().model_dump_json())


def _place(session: Session, moves: list[str]) -> dict[str, Any]:
    """Where a worker finds the position."""
    return {"game": session.key, "options": session.options, "start": session.start, "moves": moves}


def _may_know(session: Session) -> bool:
    return session.referee.is_over


def _progress(told: Told, node: int) -> dict[str, Any]:
    """How far somebody is: waiting, preparing, thinking or done."""
    if "waiting" in told:
        return {"node": node, "state": "waiting", "ahead": told["waiting"]}
    if "preparing" in told:
        return {"node": node, "state": "preparing", "text": told["preparing"]}
    if "error" in told:
        return {"node": node, "state": "failed", "text": told["error"]}
    return {"node": node, "state": "done" if "done" in told else "thinking"}


def sentence(errors: Sequence[Any]) -> str:
    """What is wrong with a message, in one sentence, from what the checker found."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
