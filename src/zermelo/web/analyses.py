"""Analyses for single pages: of one node, or of every position that the game comes to."""

from __future__ import annotations

import asyncio
from typing import Any

from zermelo.web.analysis_view import summarise
from zermelo.web.instant import InstantJob, InstantPool
from zermelo.web.messages import Analyse
from zermelo.web.open_session import LEAST_PAUSE, Client, OpenSession
from zermelo.web.pool import Job, Pool, WorkerMessage
from zermelo.web.publishing import Publisher
from zermelo.web.refusals import refusals
from zermelo.web.search_orders import (
    SOLVER,
    analysis_order,
    is_from_a_seat,
    mixture_order,
    place_of,
    progress_of,
)
from zermelo.web.session import Session


class Analyses:
    """The analyses of all pages, at most one for each."""

    def __init__(self, publisher: Publisher, pool: InstantPool, solvers: Pool) -> None:
        """The `solvers` answer where something is hidden."""
        self._publisher, self._pool, self._solvers = publisher, pool, solvers

    def follow_all(self, opened: OpenSession) -> None:
        for client in opened.clients:
            if client.is_following:
                self.follow(opened, client)

    def drop_hints(self, opened: OpenSession) -> None:
        """Drop what was ordered before a try failed: it was for another position at the same node."""
        for client in opened.clients:
            if not client.is_following:
                self.drop(client)

    def follow(self, opened: OpenSession, client: Client) -> None:
        """Stop the analysis of another position, and analyse this one in a moment."""
        self.drop(client)
        standing = opened.standing
        if standing is not None and standing.can_analyse and opened.review is None and client.sees_turn:
            self.analyse(client, Analyse(do="analyse", node=standing.node), LEAST_PAUSE)

    def drop(self, client: Client) -> None:
        """Stop the client's analysis, and report no more of it."""
        client.analysis = None
        self.stop(client)

    def stop(self, client: Client) -> None:
        """Stop the client's search; its result is what was found so far."""
        if isinstance(client.job, Job) and client.job.order["agent"] == SOLVER:
            self._solvers.stop(client.job)
        elif client.job is not None:
            self._pool.stop(client.job)

    def analyse(self, client: Client, order: Analyse, pause: float = 0.0) -> None:
        """Analyse a node for a client, instead of what was analysed for it before."""
        self.stop(client)
        client.analysis = order
        self._publisher.later(self._begin_analysis(client, order, pause))

    async def _begin_analysis(self, client: Client, order: Analyse, pause: float) -> None:
        await asyncio.sleep(pause)
        if client.analysis is not order:
            return
        with refusals(client, order):
            job = await self._submit(client, order)
            if job is not None:
                await self.remember(client.opened.name, order.node, job)

    async def _submit(self, client: Client, order: Analyse) -> Job | InstantJob | None:
        """Submit the search, unless the client has ordered something else meanwhile."""
        node = order.node
        wanted = await self._publisher.look(
            client.opened.name, lambda session: _order_for(session, order, client.lifted)
        )
        if client.analysis is not order:
            return None

        def report(message: WorkerMessage) -> None:
            if client.analysis is not order:
                return
            found = message.get("analysis") or message.get("done")
            if found is not None:
                client.tell("analysis", {"node": node, **found}, is_progress=True)
            client.tell("thinking", progress_of(message, node), is_progress=True)

        client.tell("thinking", progress_of({}, node), is_progress=True)
        if wanted["agent"] == SOLVER:
            client.job = self._solvers.submit(wanted, report, is_urgent=True)
            return None  # no judgement is stored, because it belongs to one seat only
        client.job = self._pool.submit(wanted, report)
        return client.job

    async def remember(self, name: str, node: int, job: Job | InstantJob) -> None:
        """Store the final judgement and show it to all pages, unless it is from a small search."""
        message = await asyncio.shield(job.result)
        if message.get("done") is not None and "small" not in message:
            found = summarise(message["done"])
            await self._publisher.change(name, lambda session: session.judge(node, found))


def _order_for(session: Session, order: Analyse, lifted: int | None) -> dict[str, Any]:
    """The order to a search process; where something is hidden, from what the person to move has seen."""
    if is_from_a_seat(session):
        return mixture_order(session, order.node, order.seconds, lifted)
    place = place_of(session, session.moves_for_analysis(order.node))
    return analysis_order(place, order.seconds, order.depth, order.lines)
