"""The server's addresses: the page, its files, and an API for games, sessions and what searches think."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from zermelo.core.errors import UsageError, ZermeloError
from zermelo.games.files import where
from zermelo.web import shelf
from zermelo.web.catalogue import Catalogue
from zermelo.web.inside import router as inside_router
from zermelo.web.messages import (
    GameFacts,
    Going,
    Line,
    Move,
    NewSession,
    Position,
    Refusal,
    Seating,
    SessionState,
    Sheet,
)
from zermelo.web.sessions import Session, Sessions, UnknownSession
from zermelo.web.store import Store
from zermelo.web.streams import BUSY, Hub, Written, sentence, written
from zermelo.web.workers import Busy, Pool

STATIC = Path(__file__).parent / "static"
REFUSALS: dict[int | str, dict[str, Any]] = {400: {"model": Refusal}, 404: {"model": Refusal}, 422: {"model": Refusal}}
SessionName = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


def application(catalogue: Catalogue, store: Store, pool: Pool) -> FastAPI:
    """The server's application, without its gate."""
    sessions, hub = Sessions(catalogue, store), Hub(pool)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        pool.warm()
        yield
        await pool.close()
        store.close()

    app = FastAPI(
        title="Zermelo",
        version=version("zermelo"),
        description="Play games, analyse positions and look inside searches.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={status: {"model": Refusal} for status in (401, 403, 413, 421, 429, 503)},
    )
    _add_errors(app)

    @app.get("/api/games", tags=["games"])
    def games() -> list[GameFacts]:
        """The games that can be played here."""
        return list(catalogue.all_facts())

    @app.get("/api/pictures", tags=["games"])
    def pictures() -> dict[str, str]:
        """How each game looks at its start, as SVG that takes its colours from the page."""
        return shelf.pictures(catalogue)

    @app.post("/api/sessions", tags=["sessions"], responses=REFUSALS, status_code=201)
    def create(wanted: NewSession) -> SessionState:
        """Begin a game."""
        return sessions.create(wanted).state()

    @app.get("/api/sessions/{name}", tags=["sessions"], responses=REFUSALS)
    def look(name: SessionName) -> SessionState:
        """A game as it stands."""
        session = sessions.get(name)
        with session.lock:
            return session.state()

    @app.delete("/api/sessions/{name}", tags=["sessions"], status_code=204)
    def forget(name: SessionName) -> None:
        """Forget a game."""
        sessions.delete(name)

    @app.post("/api/sessions/{name}/moves", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def play(name: SessionName, move: Move) -> Response:
        """Play a move, as text; it is on disk when this answers."""
        return await changed(name, lambda session: session.play(move.move, move.node))

    @app.post("/api/sessions/{name}/preview", tags=["sessions"], responses=REFUSALS)
    def preview(name: SessionName, line: Line) -> Position:
        """The position after moves that nobody has played."""
        return sessions.get(name).preview(line.node, line.moves)

    @app.get("/api/sessions/{name}/scoresheet", tags=["sessions"], responses=REFUSALS)
    def scoresheet(name: SessionName) -> Sheet:
        """The game up to where the session is, as its players write it down."""
        return sessions.get(name).sheet()

    @app.put("/api/sessions/{name}/current", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def go(name: SessionName, going: Going) -> Response:
        """Go to a node of the game: back, on, or into a branch."""
        return await changed(name, lambda session: session.go(going.node))

    @app.put("/api/sessions/{name}/players", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def sit(name: SessionName, seating: Seating) -> Response:
        """Say who sits where."""
        return await changed(name, lambda session: session.sit(seating.players, seating.dice))

    @app.post("/api/sessions/{name}/answer", tags=["sessions"], response_model=SessionState, responses=REFUSALS)
    async def answer(name: SessionName, going: Going) -> Response:
        """Let the agent whose turn it is at the node move, and answer when it has."""
        session = await asyncio.to_thread(lambda: sessions.get(name))
        await hub.answer(session, going.node)
        return _answer(await asyncio.to_thread(written, session))

    @app.websocket("/api/sessions/{name}/stream")
    async def stream(socket: WebSocket, name: SessionName) -> None:
        try:
            session = await asyncio.to_thread(lambda: sessions.get(name))
        except ZermeloError as error:
            await socket.accept()
            await socket.close(1008, str(error)[:120])
            return
        await socket.accept()
        await hub.serve(socket, session)

    async def changed(name: str, change: Callable[..., None]) -> Response:
        """Make a change and show it to everybody."""

        def work() -> tuple[Session, Written]:
            session = sessions.get(name)
            with session.lock:
                change(session)
                return session, written(session)

        session, state = await asyncio.to_thread(work)
        hub.show(session, state)
        return _answer(state)

    app.include_router(inside_router(catalogue))

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _add_errors(app: FastAPI) -> None:
    """Errors are one sentence each."""

    @app.exception_handler(ZermeloError)
    def refused(_request: Request, error: ZermeloError) -> JSONResponse:
        status = 404 if isinstance(error, UnknownSession) else 422 if isinstance(error, UsageError) else 400
        return _refusal(status, " ".join(str(error).split()))

    @app.exception_handler(RequestValidationError)
    def malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        return _refusal(422, sentence(error.errors()))

    @app.exception_handler(Busy)
    def busy(_request: Request, _error: Busy) -> JSONResponse:
        return _refusal(503, BUSY)

    @app.exception_handler(HTTPException)
    def missing(_request: Request, error: HTTPException) -> JSONResponse:
        return _refusal(error.status_code, str(error.detail))

    @app.exception_handler(Exception)
    def broken(_request: Request, error: Exception) -> JSONResponse:
        return _refusal(500, f"a mistake in the game or in the server: {where(error)}")


def _answer(state: Written) -> Response:
    return Response(state, media_type="application/json")


def _refusal(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)
