"""Start and stop the server."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.core.errors import UsageError
from zermelo.web.addresses import Addresses, addresses_of, is_loopback
from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.security import LARGEST, LOCAL_NAMES, Gate
from zermelo.web.store import Store
from zermelo.web.tokens import check_token, new_token

log = logging.getLogger(__name__)

USUAL_PORT = 8913
"""Zermelo's paper of 1913."""
SWITCH = 0.0005
"""Seconds between thread switches: with the default 0.005, endless rules slow down all other requests."""
HALF_OPEN = 10.0
"""Seconds between two checks of a connection that has sent no complete request; the second one closes it."""
TRIED_PORTS = 20
"""The number of ports to try if the usual one is taken."""


def serve(
    files: Iterable[str] = (),
    host: str = "127.0.0.1",
    port: int | None = None,
    store: Path | None = None,
    on_start: Callable[[Addresses], None] = print,
    token: str = "",
    first: str = "",
    warm: Iterable[tuple[str, dict[str, str]]] = (),
) -> None:
    """Serve until Ctrl-C; `on_start` receives the page's addresses.

    A `token` is needed if one is given or other machines can reach the server. The page shows the game `first`, written
    as in its address bar. The games in `warm`, each with its options, are compiled when the server starts.
    """
    names = tuple(files)
    if token:
        check_token(token)
    elif not is_loopback(host):
        token = new_token()
    listening = _bind(host, port)
    addresses = addresses_of(host, listening, token)
    log.info("listening on %s, port %d", host, listening.getsockname()[1])
    log.info("sessions are stored in %s", store or usual_store())
    app = application(Catalogue(names), Store(store or usual_store()), Pool(files=names), first, warm)
    config = uvicorn.Config(
        Gate(app, (*LOCAL_NAMES, host.strip("[]").lower()), token or None),
        log_level="warning",
        ws_max_size=LARGEST,
        ws_max_queue=8,
        timeout_graceful_shutdown=1,
        server_header=False,
        http=ImpatientProtocol,
    )
    sys.setswitchinterval(SWITCH)
    server = _Server(config, lambda: on_start(addresses), app.state.end)
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Calls `on_start` when it can be reached, and `on_end` before it shuts down."""

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
    """Closes connections that do not send a complete request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_later(False)

    def _look_later(self, was_waiting: bool) -> None:
        self.loop.call_later(HALF_OPEN, self._look, was_waiting)

    def _look(self, was_waiting: bool) -> None:
        """Close the connection if the server has waited for a request for a whole interval."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it may be a WebSocket by now
            return
        is_waiting = self.cycle is None or self.cycle.response_complete or self.cycle.more_body
        if is_waiting and was_waiting:
            self.transport.close()
        else:
            self._look_later(is_waiting)


def usual_store() -> Path:
    """The file of the sessions; `ZERMELO_DATA_DIR` changes its folder."""
    if chosen := os.environ.get("ZERMELO_DATA_DIR"):
        return Path(chosen) / "sessions.sqlite"
    from platformdirs import user_data_path

    return user_data_path("zermelo", appauthor=False) / "sessions.sqlite"


def _bind(host: str, port: int | None) -> socket.socket:
    """Bind a socket to the port, or to the first free one from the usual one."""
    candidates = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + TRIED_PORTS), 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in candidates:
        # asyncio sets TCP_NODELAY only on sockets declared as TCP; without it the end of an answer waits up to 40 ms
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
