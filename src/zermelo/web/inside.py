"""Inside the search: the routes that show the tree of a recorded search.

Every request names the search in full, so the server keeps no state between requests.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from zermelo.core.errors import Refused
from zermelo.inside.examples import EXAMPLES, Kind, random_tree
from zermelo.web import pages
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import LONGEST_TEXT, MOST_MOVES, Name, Options, Refusal, Strict
from zermelo.web.pool import Pool
from zermelo.web.threads import RuleThreads

REFUSALS: dict[int | str, dict[str, Any]] = {400: {"model": Refusal}, 422: {"model": Refusal}}
MOST_SECONDS = 5.0
"""Time limit of a search."""
OVERTIME = 15.0
"""Seconds beyond the limit after which a process is stopped."""
PROCESSES = 2
LONGEST_LINE = 300
PLAIN = ("minimax", "expectiminimax", "maxn")
"""The searches without cuts, which others are compared with; they run in the other process."""
MOST_LEAVES = 100
"""Of a random tree; more would be too many for an exercise."""

Number = Annotated[int, Field(ge=0, le=100_000_000)]


class Look(Strict):
    """A search to record: the game, the position, the algorithm and the depth."""

    game: Name = "tree"
    options: Options = {}
    position: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    moves: Annotated[list[Name], Field(max_length=MOST_MOVES)] = []
    algorithm: Literal[
        "auto",
        "minimax",
        "alphabeta",
        "quiescence",
        "expectiminimax",
        "star1",
        "star2",
        "maxn",
        "maxn-shallow",
        "paranoid",
        "bestreply",
        "expectimax",
        "mcts",
    ]
    """`auto`, in the first request, is the most instructive search for this game."""
    depth: Annotated[int, Field(ge=1, le=30)] | None = None
    """None means to the end of the game."""
    seed: Annotated[int, Field(ge=0, le=10**9)] = 0
    """For Monte Carlo tree search."""


class LookAtNode(Look):
    """A request about a node."""

    node: Number


class LookAtMoment(Look):
    """A request about a moment."""

    moment: Number


class LookAtLine(Look):
    """A request about the position after some more moves."""

    line: Annotated[list[Name], Field(max_length=LONGEST_LINE)]


class Grow(Look):
    """The total number of simulations."""

    simulations: Annotated[int, Field(ge=0, le=1_000_000)]


class RandomTree(Strict):
    """A random tree, reproducible by its seed."""

    seed: Annotated[int, Field(ge=0, le=10**9)]
    levels: Annotated[int, Field(ge=1, le=6)] = 2
    branches: Annotated[int, Field(ge=1, le=6)] = 3
    kind: Kind = "max and min"


class TreeText(BaseModel):
    """A tree as text."""

    title: str
    text: str
    algorithm: str


Found = dict[str, Any]


def pools_of(catalogue: Catalogue) -> list[Pool]:
    """The pools of recording processes, which are started on the first request."""
    return [Pool(1, catalogue.files, "zermelo.web.recording_process", OVERTIME) for _ in range(PROCESSES)]


def router(catalogue: Catalogue, threads: RuleThreads, pools: Sequence[Pool]) -> APIRouter:
    """The routes; the pools are closed with the server."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        for pool in pools:
            await pool.close()

    found = APIRouter(lifespan=lifespan)

    async def ask(question: str, look: Look, **more: int | list[str]) -> Found:
        await threads.run(lambda: catalogue.game(look.game, look.options))  # refuse mistakes without starting a process
        order = {
            "ask": question,
            "game": look.game,
            "options": look.options,
            "start": look.position,
            "moves": look.moves,
            "time": MOST_SECONDS,
            "look": {"algorithm": look.algorithm, "depth": look.depth, "seed": look.seed},
            **more,
        }
        message = await pools[_process(look)].submit(order, lambda _message: None, is_urgent=True).result
        if "error" in message or message.get("done") is None:
            raise Refused(message.get("error", "the search took too long; choose a smaller depth"))
        answer: Found = message["done"]
        return answer

    @found.post("/api/inside", tags=["inside"], responses=REFUSALS)
    async def look_inside(look: Look) -> Found:
        """Record a search; return its statistics and the top of its tree."""
        return await ask("open", look)

    @found.post("/api/inside/children", tags=["inside"], responses=REFUSALS)
    async def children(look: LookAtNode) -> Found:
        """The children of a node."""
        return await ask("children", look, node=look.node)

    @found.post("/api/inside/moment", tags=["inside"], responses=REFUSALS)
    async def moment(look: LookAtMoment) -> Found:
        """The nodes on the path from the root to the search at a moment, with their siblings."""
        return await ask("moment", look, moment=look.moment)

    @found.post("/api/inside/board", tags=["inside"], responses=REFUSALS)
    async def board(look: LookAtLine) -> Found:
        """The position after a line of the tree."""
        return await ask("board", look, line=look.line)

    @found.post("/api/inside/grow", tags=["inside"], responses=REFUSALS)
    async def grow(look: Grow) -> Found:
        """The tree of a Monte Carlo tree search after this many simulations, or as many as the time allowed."""
        return await ask("grow", look, simulations=look.simulations)

    @found.get("/api/inside/examples", tags=["inside"])
    def examples() -> list[TreeText]:
        """Trees from the lectures."""
        return [TreeText(**example._asdict()) for example in EXAMPLES]

    @found.post("/api/inside/random", tags=["inside"], responses=REFUSALS)
    def random(wanted: RandomTree) -> TreeText:
        """A random tree."""
        if wanted.branches**wanted.levels > MOST_LEAVES:
            raise Refused(f"a tree for an exercise has at most {MOST_LEAVES} leaves; ask for fewer levels or branches")
        text = random_tree(wanted.seed, wanted.levels, wanted.branches, wanted.kind)
        algorithm = {"max and min": "alphabeta", "with dice": "star1", "three players": "maxn"}[wanted.kind]
        return TreeText(title=f"Random tree {wanted.seed}", text=text, algorithm=algorithm)

    inside_page = pages.inside_page()

    @found.get("/inside", include_in_schema=False)
    def page() -> HTMLResponse:
        return HTMLResponse(inside_page)

    return found


def _process(look: Look) -> int:
    """The process for a request: always the same one for a search, and the other one for its search without cuts."""
    place = json.dumps([look.game, look.options, look.position, look.moves])
    return (zlib.crc32(place.encode()) + (look.algorithm in PLAIN)) % PROCESSES
