"""The server's routes: the page, its files, and an API for games, sessions and analyses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from zermelo import __version__
from zermelo.core.errors import UsageError, ZermeloError
from zermelo.games.library.files import where
from zermelo.web import equilibria, inside, pages
from zermelo.web.catalogue import Catalogue
from zermelo.web.every_game import EveryGame
from zermelo.web.instant import InstantPool, small_pool
from zermelo.web.messages import (
    GameFacts,
    GoTo,
    Line,
    Move,
    NewSession,
    Position,
    Refusal,
    ScoresheetText,
    Seating,
    SessionName,
    SessionState,
    Thumbnail,
)
from zermelo.web.open_session import JsonText
from zermelo.web.pool import Busy, Pool
from zermelo.web.publishing import state_json
from zermelo.web.refusals import BUSY, sentence
from zermelo.web.search_orders import warmup
from zermelo.web.service import SessionService
from zermelo.web.session import Session
from zermelo.web.sessions import Sessions, UnknownSession
from zermelo.web.store import NotSaved, Store
from zermelo.web.threads import RuleThreads
from zermelo.web.thumbnails import draw_thumbnail

REFUSALS: dict[int | str, dict[str, Any]] = {400: {"model": Refusal}, 404: {"model": Refusal}, 422: {"model": Refusal}}


def application(
    catalogue: Catalogue,
    store: Store,
    pool: Pool,
    first: str = "",
    warm: Iterable[tuple[str, dict[str, str]]] | None = None,
) -> FastAPI:
    """Create the server's application, without its gate; its bare address shows the game `first`.

    If `warm` is given, the start page and small searches are prepared when the server starts, and the kernels of the
    games in it, each with its options.
    """
    sessions, threads = Sessions(catalogue, store), RuleThreads()
    searches = InstantPool(pool, small_pool(catalogue.files))
    solvers, inside_pools = equilibria.equilibrium_pool(catalogue), inside.pools_of(catalogue)
    service = SessionService(searches, solvers, sessions, threads)
    facts = EveryGame(catalogue, threads, catalogue.facts)
    thumbnails = EveryGame(catalogue, threads, lambda key: draw_thumbnail(catalogue.game(key)))

    async def prepare() -> None:
        """Draw the start page, then start processes for searches; each before somebody asks for it."""
        if warm is not None:
            with suppress(ZermeloError, Busy):
                await facts.answers()
                await thumbnails.answers()
            searches.start()
        pool.warm()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        for key, options in warm or ():
            searches.warm_up(warmup({"game": key, "options": options, "start": "", "moves": []}))
        prepared = asyncio.create_task(prepare())
        yield
        prepared.cancel()
        await service.close()
        await searches.close()
        store.close()

    app = FastAPI(
        title="Zermelo",
        version=__version__,
        description="Play games, analyse positions and look inside searches.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={status: {"model": Refusal} for status in (401, 403, 413, 421, 429, 503)},
    )
    _add_errors(app)

    def end() -> None:
        """Cancel all waiting requests and searches: the server shuts down."""
        threads.end()
        searches.end()
        for one in (solvers, *inside_pools):
            one.end()

    app.state.end = end

    _add_game_routes(app, facts, thumbnails)
    _add_session_routes(app, sessions, service, threads)
    app.include_router(inside.router(catalogue, threads, inside_pools))
    app.include_router(equilibria.router(catalogue, threads, solvers, service))

    start_page = pages.start_page(first)

    @app.get("/", include_in_schema=False)
    def page() -> HTMLResponse:
        return HTMLResponse(start_page)

    @app.get("/health", include_in_schema=False)
    def health() -> dict[str, str]:
        """Whether the server works and can read its games; needs no token."""
        store.check()
        return {"status": "ok"}

    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    return app


def _add_game_routes(app: FastAPI, facts: EveryGame[GameFacts], thumbnails: EveryGame[Thumbnail]) -> None:
    @app.get("/api/games", tags=["games"])
    async def games() -> list[GameFacts]:
        """The games that can be played here."""
        return list((await facts.answers()).values())

    @app.get("/api/pictures", tags=["games"])
    async def pictures() -> dict[str, Thumbnail]:
        """A picture of each game, as SVG that takes its colours from the page."""
        return await thumbnails.answers()


def _add_session_routes(app: FastAPI, sessions: Sessions, service: SessionService, threads: RuleThreads) -> None:
    @app.post("/api/sessions", tags=["sessions"], response_model=SessionState, responses=REFUSALS, status_code=201)
    async def create(wanted: NewSession) -> Response:
        """Begin a game."""
        return _answer(await threads.run(lambda: state_json(sessions.create(wanted))), 201)

    @app.get("/api/sessions/{name}", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def look(name: SessionName) -> Response:
        """The current state of a game."""
        return _answer(await service.look(name, state_json))

    @app.delete("/api/sessions/{name}", tags=["sessions"], status_code=204)
    async def forget(name: SessionName) -> None:
        """Forget a game."""
        await threads.run(lambda: sessions.delete(name))

    @app.post("/api/sessions/{name}/moves", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def play(name: SessionName, move: Move) -> Response:
        """Play a move, given as text; it is on disk before this answers."""
        return _answer(await service.change(name, _then_state(lambda session: session.play(move.move, move.node))))

    @app.post("/api/sessions/{name}/preview", tags=["sessions"], responses=REFUSALS)
    async def preview(name: SessionName, line: Line) -> Position:
        """The position after moves that are not played."""
        return await threads.run(lambda: sessions.get(name).preview(line.node, line.moves))

    @app.get("/api/sessions/{name}/scoresheet", tags=["sessions"], responses=REFUSALS)
    async def scoresheet(name: SessionName) -> ScoresheetText:
        """The game up to the current position, in its standard notation."""
        return await service.look(name, lambda session: session.sheet())

    @app.put("/api/sessions/{name}/current", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def go(name: SessionName, target: GoTo) -> Response:
        """Go to a node of the game: back, forward, or into a branch."""
        return _answer(await service.change(name, _then_state(lambda session: session.go(target.node))))

    @app.put("/api/sessions/{name}/players", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def sit(name: SessionName, seating: Seating) -> Response:
        """Choose the players."""
        return _answer(
            await service.change(name, _then_state(lambda session: session.sit(seating.players, seating.dice)))
        )

    @app.post("/api/sessions/{name}/answer", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def answer(name: SessionName, target: GoTo) -> Response:
        """Let the agent to move at the node play its move, and answer after that."""
        await service.answer(name, target.node)
        return _answer(await service.look(name, state_json))

    @app.websocket("/api/sessions/{name}/stream")
    async def stream(socket: WebSocket, name: SessionName) -> None:
        try:
            await threads.run(lambda: sessions.get(name))
        except ZermeloError as error:
            await socket.accept()
            await socket.close(1008, str(error)[:120])
            return
        except Busy:
            await socket.close(1013, BUSY)
            return
        await socket.accept()
        await service.serve(socket, name)


def _add_errors(app: FastAPI) -> None:
    """Answer errors with one sentence each."""

    @app.exception_handler(ZermeloError)
    def answer_refusal(_request: Request, error: ZermeloError) -> JSONResponse:
        statuses = {UnknownSession: 404, NotSaved: 503, UsageError: 422}
        status = next((status for kind, status in statuses.items() if isinstance(error, kind)), 400)
        return _refusal(status, " ".join(str(error).split()))

    @app.exception_handler(RequestValidationError)
    def answer_malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        return _refusal(422, sentence(error.errors()))

    @app.exception_handler(Busy)
    def answer_busy(_request: Request, _error: Busy) -> JSONResponse:
        return _refusal(503, BUSY)

    @app.exception_handler(HTTPException)
    def answer_http_error(_request: Request, error: HTTPException) -> JSONResponse:
        return _refusal(error.status_code, str(error.detail))

    @app.exception_handler(Exception)
    def answer_crash(_request: Request, error: Exception) -> JSONResponse:
        return _refusal(500, f"there is a mistake in the game or in the server: {where(error)}")


def _then_state(change: Callable[[Session], object]) -> Callable[[Session], JsonText]:
    """A change that returns the new state."""

    def work(session: Session) -> JsonText:
        change(session)
        return state_json(session)

    return work


def _answer(state: JsonText, status: int = 200) -> Response:
    return Response(state, status, media_type="application/json")


def _refusal(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)
