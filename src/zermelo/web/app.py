"""The server's routes: the page, its files, and an API for games, sessions and analyses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from zermelo import __version__
from zermelo.core.errors import UsageError, ZermeloError
from zermelo.games.library.files import where
from zermelo.web import inside, thumbnails
from zermelo.web.catalogue import Catalogue
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
    SessionState,
)
from zermelo.web.pool import Busy, Pool
from zermelo.web.sessions import Sessions, UnknownSession
from zermelo.web.store import NotSaved, Store
from zermelo.web.streams import BUSY, Hub, JsonText, sentence, state_json
from zermelo.web.threads import RuleThreads

STATIC = Path(__file__).parent / "static"
REFUSALS: dict[int | str, dict[str, Any]] = {400: {"model": Refusal}, 404: {"model": Refusal}, 422: {"model": Refusal}}
SessionName = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


def application(catalogue: Catalogue, store: Store, pool: Pool) -> FastAPI:
    """Create the server's application, without its gate."""
    sessions, threads = Sessions(catalogue, store), RuleThreads()
    hub, inside_pools = Hub(pool, sessions, threads), inside.pools_of(catalogue)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        pool.warm()
        yield
        await pool.close()
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
        for one in (pool, *inside_pools):
            one.end()

    app.state.end = end

    @app.get("/api/games", tags=["games"])
    async def games() -> list[GameFacts]:
        """The games that can be played here."""
        return await threads.run(lambda: list(catalogue.all_facts()))

    @app.get("/api/pictures", tags=["games"])
    async def pictures() -> dict[str, str]:
        """A picture of each game, as SVG that takes its colours from the page."""
        return await threads.run(lambda: thumbnails.draw_thumbnails(catalogue))

    @app.post("/api/sessions", tags=["sessions"], response_model=SessionState, responses=REFUSALS, status_code=201)
    async def create(wanted: NewSession) -> Response:
        """Begin a game."""
        return _answer(await threads.run(lambda: state_json(sessions.create(wanted))), 201)

    @app.get("/api/sessions/{name}", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def look(name: SessionName) -> Response:
        """The current state of a game."""
        return _answer(await hub.look(name, state_json))

    @app.delete("/api/sessions/{name}", tags=["sessions"], status_code=204)
    async def forget(name: SessionName) -> None:
        """Forget a game."""
        await threads.run(lambda: sessions.delete(name))

    @app.post("/api/sessions/{name}/moves", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def play(name: SessionName, move: Move) -> Response:
        """Play a move, given as text; it is on disk before this answers."""
        return _answer(await hub.change(name, lambda session: session.play(move.move, move.node)))

    @app.post("/api/sessions/{name}/preview", tags=["sessions"], responses=REFUSALS)
    async def preview(name: SessionName, line: Line) -> Position:
        """The position after moves that are not played."""
        return await threads.run(lambda: sessions.get(name).preview(line.node, line.moves))

    @app.get("/api/sessions/{name}/scoresheet", tags=["sessions"], responses=REFUSALS)
    async def scoresheet(name: SessionName) -> ScoresheetText:
        """The game up to the current position, in its standard notation."""
        return await hub.look(name, lambda session: session.sheet())

    @app.put("/api/sessions/{name}/current", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def go(name: SessionName, target: GoTo) -> Response:
        """Go to a node of the game: back, forward, or into a branch."""
        return _answer(await hub.change(name, lambda session: session.go(target.node)))

    @app.put("/api/sessions/{name}/players", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def sit(name: SessionName, seating: Seating) -> Response:
        """Choose the players."""
        return _answer(await hub.change(name, lambda session: session.sit(seating.players, seating.dice)))

    @app.post("/api/sessions/{name}/answer", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def answer(name: SessionName, target: GoTo) -> Response:
        """Let the agent to move at the node play its move, and answer after that."""
        await hub.answer(name, target.node)
        return _answer(await hub.look(name, state_json))

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
        await hub.serve(socket, name)

    app.include_router(inside.router(catalogue, threads, inside_pools))

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


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


def _answer(state: JsonText, status: int = 200) -> Response:
    return Response(state, status, media_type="application/json")


def _refusal(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)
