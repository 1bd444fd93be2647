"""The gate before the application: who may send requests, and how large and how many they may be.

It checks the Host header against DNS rebinding, the origin against requests from other sites, the token if other
machines can reach the server, and the size and the rate of requests.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from zermelo.web.login import Login, Message, Receive, Scope, Send
from zermelo.web.rates import TokenBucket

log = logging.getLogger(__name__)

Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 64 * 1024
"""Bytes of a request, and of a message on a socket."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",  # always revalidated: after an upgrade old and new modules must not mix
}
RATE, BURST = 200.0, 1000.0
"""Requests per second that one client may send to the API, and how many at once."""
MOST_CALLERS = 1000
"""Clients whose token buckets are kept."""
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


class Gate:
    """The application behind checks of host, origin, token and size."""

    def __init__(
        self, application: Application, hosts: tuple[str, ...] = LOCAL_NAMES, token: str | None = None
    ) -> None:
        """`hosts` are the accepted Host names; with a token every name is accepted."""
        self._application, self._hosts = application, hosts
        self._login = Login(token) if token is not None else None
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            log.info("refused %s %.80r: %d, %s", scope["type"], scope["path"], *refusal)
            await _refuse(scope, receive, send, *refusal)
        elif self._login is not None and await self._login.answer(scope, receive, send, headers):
            pass
        elif scope["type"] == "http":
            await self._application(scope, _cap(receive), _with_headers(send))
        else:
            await self._application(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._login is None and _name_of(host) not in self._hosts:
            return 421, f"this server does not answer for {host[:80]!r}; open it as http://localhost"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, f"pages of {origin[:80]!r} may not use this server"
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return 400, "the length of the request is not a number"
        if length > LARGEST:
            return 413, TOO_LARGE
        if scope["path"].startswith("/api/") and not self._bucket(scope).take():
            return 429, "too many requests; wait a moment"
        return None

    def _bucket(self, scope: Scope) -> TokenBucket:
        """The token bucket of the client's machine."""
        caller = (scope.get("client") or ("", 0))[0]
        bucket = self._buckets.pop(caller, None) or TokenBucket(RATE, BURST)
        self._buckets[caller] = bucket
        if len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        return bucket


def _name_of(host: str) -> str:
    """The name without the port: `[::1]:8000` is ::1."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": sentence})


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                *message.get("headers", []),
                *((name.encode(), value.encode()) for name, value in HEADERS.items()),
            ]
        await send(message)

    return send_with_headers


TOO_LARGE = f"the request is too large; it may have at most {LARGEST} bytes"


def _cap(receive: Receive) -> Receive:
    """Refuse a request that is longer than its header says and too large."""
    seen = 0

    async def receive_capped() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST:
            raise HTTPException(413, TOO_LARGE)
        return message

    return receive_capped
