"""Equilibria on the page: solving a small game while the page watches, and the costs of decisions after a game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import Field

from zermelo.core.errors import Refused
from zermelo.inside.regrets import MOST_ITERATIONS
from zermelo.web import pages
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import GoTo, Name, Options, Refusal, SessionName, Strict
from zermelo.web.pool import Job, Pool, WorkerMessage
from zermelo.web.search_orders import SOLVER, costs_order
from zermelo.web.service import SessionService
from zermelo.web.threads import RuleThreads

REFUSALS: dict[int | str, dict[str, Any]] = {400: {"model": Refusal}, 404: {"model": Refusal}, 422: {"model": Refusal}}
MOST_SECONDS = 60.0
"""Time limit of solving a game."""
OVERTIME = 15.0
PROCESSES = 2
MOST_POINTS = 500
"""Of a curve that the page sends back."""
Coordinate = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]
Point = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]


class CurveBeside(Strict):
    """The curve of another method, to be drawn beside the new one."""

    method: Literal["cfr", "cfr+", "dcfr", "pcfr+"]
    points: Annotated[list[Point], Field(max_length=MOST_POINTS)]
    """Pairs of iterations and exploitability."""


class Solve(Strict):
    """A game to solve."""

    game: Name
    options: Options = {}
    method: Literal["auto", "lp", "cfr", "cfr+", "dcfr", "pcfr+"] = "auto"
    """`auto` draws the curve of CFR+, then proves the value by a linear programme if the game is small enough."""
    beside: Annotated[list[CurveBeside], Field(max_length=4)] = []


class LookAtRegrets(Strict):
    """Regret minimisation to look into."""

    game: Name = "kuhn"
    options: Options = {}
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] = 30
    plus: bool = False
    """CFR+ instead of CFR."""


def equilibrium_pool(catalogue: Catalogue) -> Pool:
    """The pool of processes that solve games, started when they are first needed."""
    return Pool(PROCESSES, catalogue.files, "zermelo.web.equilibrium_process", OVERTIME)


def router(catalogue: Catalogue, threads: RuleThreads, pool: Pool, service: SessionService) -> APIRouter:
    """The routes; the pool is closed with the server."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await pool.close()

    found = APIRouter(lifespan=lifespan)

    @found.post("/api/solve", tags=["equilibria"], responses=REFUSALS)
    async def solve(wanted: Solve) -> StreamingResponse:
        """Solve a game. The answer is a line of JSON for each message: progress, then `done` or `error`."""
        game = await threads.run(lambda: catalogue.game(wanted.game, wanted.options))
        if not game.hidden:
            raise Refused(f"in {game.title} nothing is hidden, so one move is best; the analysis finds it")
        news: asyncio.Queue[WorkerMessage] = asyncio.Queue()
        job = pool.submit(solve_order(wanted), news.put_nowait)
        return StreamingResponse(lines_of(pool, job, news), media_type="application/x-ndjson")

    async def ask(order: dict[str, Any]) -> dict[str, Any]:
        message = await pool.submit({**order, "agent": SOLVER}, lambda _message: None, is_urgent=True).result
        if "error" in message or message.get("done") is None:
            raise Refused(message.get("error", "this game takes too long to solve"))
        answer: dict[str, Any] = message["done"]
        return answer

    @found.post("/api/inside/regrets", tags=["inside"], responses=REFUSALS)
    async def regrets(look: LookAtRegrets) -> dict[str, Any]:
        """What counterfactual regret minimisation learns, information set by information set."""
        await threads.run(lambda: catalogue.game(look.game, look.options))
        return await ask({"ask": "regrets", "time": MOST_SECONDS, **look.model_dump()})

    @found.post("/api/sessions/{name}/costs", tags=["sessions"], responses=REFUSALS)
    async def costs(name: SessionName, target: GoTo) -> dict[str, Any]:
        """What each decision of a finished game with hidden information cost against an equilibrium."""
        order = await service.look(name, lambda session: costs_order(session, target.node, MOST_SECONDS))
        return await ask(order)

    solve_page = pages.solve_page()

    @found.get("/solve", include_in_schema=False)
    async def page() -> HTMLResponse:
        pool.warm()  # the page asks for a process next
        return HTMLResponse(solve_page)

    regrets_page = pages.regrets_page()

    @found.get("/inside/cfr", include_in_schema=False)
    async def regrets_inside() -> HTMLResponse:
        pool.warm()
        return HTMLResponse(regrets_page)

    return found


def solve_order(wanted: Solve) -> dict[str, Any]:
    return {
        "ask": "solve",
        "agent": SOLVER,
        "game": wanted.game,
        "options": wanted.options,
        "method": wanted.method,
        "beside": [one.model_dump() for one in wanted.beside],
        "time": MOST_SECONDS,
    }


async def lines_of(pool: Pool, job: Job, news: asyncio.Queue[WorkerMessage]) -> AsyncIterator[str]:
    """The messages about a job as lines of JSON; the job ends when they are no longer read."""
    try:
        while True:
            message = await news.get()
            yield json.dumps({key: value for key, value in message.items() if key != "job"}) + "\n"
            if "done" in message or "error" in message:
                return
    finally:
        pool.stop(job)
