"""The session service without a network and without search processes: sockets and a pool that a test plays itself."""

import asyncio
import json
from contextlib import asynccontextmanager

from fastapi import WebSocketDisconnect
from serving import run_async

from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.payloads import EVENTS, adapter
from zermelo.web.pool import Busy, Job
from zermelo.web.service import SessionService
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store
from zermelo.web.threads import RuleThreads

PATIENCE = 30
"""Seconds until something that does not come is given up."""


class Pool:
    """Jobs wait until the test answers them."""

    def __init__(self):
        self.jobs, self.stopped, self.warmups = [], [], []
        self.games, self.on_compiling, self.is_busy = frozenset(), None, False
        self._is_new = asyncio.Event()

    def submit(self, order, on_message, is_urgent=False):
        if self.is_busy:
            raise Busy
        job = Job(len(self.jobs), order, on_message, is_urgent)
        self.jobs.append(job)
        self._is_new.set()
        return job

    def submit_full(self, order, on_message):
        return self.submit(order, on_message)

    def warm_up(self, order):
        self.warmups.append(order)

    def is_compiling(self, game):
        return game in self.games

    def compile(self, *games):
        """Report that these games are being compiled."""
        self.games = frozenset(json.dumps([game, {}]) for game in games)
        self.on_compiling(self.games)

    def stop(self, job):
        if not job.result.done():
            self.stopped.append(job)
            job.settle({"job": job.number, "done": job.last})

    async def job(self, number):
        """The job, as soon as it is submitted."""
        while len(self.jobs) <= number:
            self._is_new.clear()
            await asyncio.wait_for(self._is_new.wait(), PATIENCE)
        return self.jobs[number]


def found(best, **more):
    """What a search process found."""
    value = {"value": [0.0, 0.0], "kind": "estimate", "first": "0", "short": "0", "chance": 0.5, "stats": {}}
    return {**value, "best": best, "line": [best], "moves": [], **more}


class Tab:
    """One open page; `heard` is everything that it was sent."""

    def __init__(self):
        self.heard, self.closed = [], None
        self._orders, self._is_news = asyncio.Queue(), asyncio.Event()
        self._seen = 0

    def order(self, do, **more):
        self._orders.put_nowait({"type": "websocket.receive", "text": json.dumps({"do": do, **more})})

    def leave(self):
        self._orders.put_nowait({"type": "websocket.disconnect"})

    async def until(self, is_wanted):
        """The next news that is wanted, after those that were asked for before."""
        while True:
            while self._seen < len(self.heard):
                self._seen += 1
                if is_wanted(self.heard[self._seen - 1]):
                    return self.heard[self._seen - 1]
            self._is_news.clear()
            await asyncio.wait_for(self._is_news.wait(), PATIENCE)

    async def at(self, node):
        """The news that this node is the current one."""
        return await self.of("moved", "went", current=node)

    async def of(self, *kinds, **wanted):
        """The content of the next event of these kinds with these contents."""

        def is_wanted(news):
            content = news["content"]
            return news["event"] in kinds and all((content or {}).get(name) == value for name, value in wanted.items())

        return (await self.until(is_wanted))["content"]

    # what the service calls

    async def receive(self):
        return await self._orders.get()

    async def send_text(self, text):
        if self.closed is not None:
            raise WebSocketDisconnect(self.closed)
        news = json.loads(text)
        if news["event"] != "analysis":  # which is what the test itself invents
            adapter(EVENTS[news["event"]]).validate_python(news["content"], strict=True)
        self.heard.append(news)
        self._is_news.set()

    async def close(self, code, reason=""):
        self.closed = code


class Talk:
    """A service with its sessions."""

    def __init__(self, path, files=()):
        self.pool, self.solvers = Pool(), Pool()
        self.sessions = Sessions(Catalogue(files), Store(path))
        self.service = SessionService(self.pool, self.solvers, self.sessions, RuleThreads())
        self._served = []

    def begin(self, game="hexapawn", **wanted):
        wanted.setdefault("players", [{}, {"agent": "alphabeta", "level": 1}])
        return self.sessions.create(NewSession.model_validate({"game": game, **wanted})).id

    async def visit(self, name):
        """Open a page."""
        tab = Tab()
        self._served.append(asyncio.create_task(self.service.serve(tab, name)))
        await tab.until(lambda news: news["event"] == "snapshot")
        return tab

    async def moves(self, name):
        return await self.service.look(name, lambda session: [node.move for node in session.nodes[1:]])

    async def current(self, name):
        return await self.service.look(name, lambda session: session.current)

    async def close(self):
        for task in self._served:
            task.cancel()
        await asyncio.gather(*self._served, return_exceptions=True)
        await self.service.close()


def talk(work, path, files=()):
    """Run `work(talk)`."""

    @asynccontextmanager
    async def opened():
        one = Talk(path, files)
        try:
            yield one
        finally:
            await one.close()

    async def run():
        async with opened() as one:
            await asyncio.wait_for(work(one), 3 * PATIENCE)

    run_async(run())


async def quiet(seconds=0.3):
    """Long enough for something that must not happen."""
    await asyncio.sleep(seconds)
