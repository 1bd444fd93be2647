"""Starting the server: where it listens, what it tells, how it ends."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.core.errors import UsageError
from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.security import LARGEST, LOCAL_NAMES, Gate, is_loopback
from zermelo.web.store import Store

log = logging.getLogger(__name__)

USUAL_PORT = 8913
"""Zermelo's paper of 1913."""
SWITCH = 0.0005
"""Seconds after which a thread lets another one go on: with the usual 0.005, endless rules slow everybody down."""
HALF_OPEN = 10.0
"""Seconds between two looks at whether a connection waits for the rest of a request; at the second it is closed."""
TRIED_PORTS = 20
"""If the usual one is taken, one of the next ones will do."""


def serve(
    files: Iterable[str] = (),
    host: str = "127.0.0.1",
    port: int | None = None,
    store: Path | None = None,
    on_start: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C; `on_start` is told the page's address."""
    names = tuple(files)
    is_local = is_loopback(host)
    token = None if is_local else secrets.token_urlsafe(24)
    listening = _bind(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/" + (f"?token={token}" if token else "")
    log.info("listening on %s, port %d", host, listening.getsockname()[1])
    log.info("sessions are stored in %s", store or usual_store())
    app = application(Catalogue(names), Store(store or usual_store()), Pool(files=names))
    config = uvicorn.Config(
        Gate(app, (*LOCAL_NAMES, host.strip("[]").lower()), token),
        log_level="warning",
        ws_max_size=LARGEST,
        ws_max_queue=8,
        timeout_graceful_shutdown=1,
        server_header=False,
        http=ImpatientProtocol,
    )
    sys.setswitchinterval(SWITCH)
    server = _Server(config, lambda: on_start(address), app.state.end)
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says when it can be reached, and ends at once."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None], on_end: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start, self._on_end = on_start, on_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("shutting down")
        self._on_end()
        await super().shutdown(sockets)


class ImpatientProtocol(H11Protocol):
    """Closes connections on which a request is begun, or none at all, and never sent to its end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_later(False)

    def _look_later(self, was_waiting: bool) -> None:
        self.loop.call_later(HALF_OPEN, self._look, was_waiting)

    def _look(self, was_waiting: bool) -> None:
        """Close the connection if the client was owed nothing for a whole interval and has still sent nothing whole."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it may be a socket by now
            return
        is_waiting = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
        if is_waiting and was_waiting:
            self.transport.close()
        else:
            self._look_later(is_waiting)


def usual_store() -> Path:
    """Where sessions are kept; `ZERMELO_DATA_DIR` moves it."""
    if chosen := os.environ.get("ZERMELO_DATA_DIR"):
        return Path(chosen) / "sessions.sqlite"
    from platformdirs import user_data_path

    return user_data_path("zermelo", appauthor=False) / "sessions.sqlite"


def _bind(host: str, port: int | None) -> socket.socket:
    """A socket on the port, or on the first free one from the usual one on."""
    candidates = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + TRIED_PORTS), 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in candidates:
        # asyncio sends at once only on sockets that say that they are TCP; elsewhere an answer's end waits up to 40 ms
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host.strip("[]"), candidate))
        except (OSError, OverflowError) as error:
            found.close()
            reason = getattr(error, "strerror", None) or str(error)
        else:
            return found
    raise UsageError(f"the server cannot listen on {host}:{candidates[0]} ({reason.lower()}); choose another --port")
