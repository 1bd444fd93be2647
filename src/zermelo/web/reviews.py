"""The review: all positions of a game's line are analysed, one after the other, for all its pages."""

from __future__ import annotations

import asyncio

from zermelo.web.analyses import Analyses
from zermelo.web.instant import InstantPool
from zermelo.web.open_session import OpenSession
from zermelo.web.pool import Busy
from zermelo.web.publishing import Publisher
from zermelo.web.refusals import reason_of, refuse_all
from zermelo.web.search_orders import analysis_order, place_of
from zermelo.web.session import Session

SECONDS = 0.5
"""Seconds for each position."""
TRIES = 30
"""How often, one second apart, a review asks for a worker before it gives up."""


class Reviews:
    """The reviews of all sessions, at most one for each. An analysis for a page waits for the end of the review."""

    def __init__(self, publisher: Publisher, pool: InstantPool, analyses: Analyses) -> None:
        self._publisher, self._pool, self._analyses = publisher, pool, analyses

    async def begin(self, opened: OpenSession) -> None:
        await self._publisher.look(
            opened.name, lambda session: session.moves_for_analysis(0)
        )  # refused if something is hidden
        if opened.review is None:
            opened.review = self._publisher.later(self._review(opened))
            for client in opened.clients:
                if client.is_following:
                    self._analyses.drop(client)

    async def _review(self, opened: OpenSession) -> None:
        """Analyse all positions of the line without a judgement, while at least one page is open."""
        tried: set[int] = set()
        try:
            while True:
                left = await self._publisher.look(opened.name, Session.unjudged)
                left = [node for node in left if node not in tried]
                if not left:
                    return
                opened.reviewed = {"done": len(tried), "total": len(tried) + len(left)}
                opened.broadcast("review", opened.reviewed)
                await self._review_node(opened, left[0])
                tried.add(left[0])
                while not opened.clients:
                    await opened.changed.wait()
        except Exception as error:
            refuse_all(opened, reason_of(error))
        finally:
            opened.review = opened.reviewed = None
            opened.broadcast("review", None)
            self._analyses.follow_all(opened)

    async def _review_node(self, opened: OpenSession, node: int) -> None:
        place = await self._publisher.look(
            opened.name, lambda session: place_of(session, session.moves_for_analysis(node))
        )
        job = None
        for _ in range(TRIES):
            try:
                job = self._pool.submit_full(analysis_order(place, SECONDS, None, 1), lambda _message: None)
                break
            except Busy:
                await asyncio.sleep(1)
        if job is None:
            raise Busy
        try:
            await self._analyses.remember(opened.name, node, job)
        finally:
            self._pool.stop(job)
