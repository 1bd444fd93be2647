"""The gate before the application: who may send requests, and how large and how many they may be.

It checks the Host header against DNS rebinding, the origin against requests from other sites, the token if other
machines can reach the server, and the size and the rate of requests.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.exceptions import HTTPException

log = logging.getLogger(__name__)

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 64 * 1024
"""Bytes of a request, and of a message on a socket."""
COOKIE = "zermelo_token"
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


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Gate:
    """The application behind checks of host, origin, token and size."""

    def __init__(
        self, application: Application, hosts: tuple[str, ...] = LOCAL_NAMES, token: str | None = None
    ) -> None:
        """`hosts` are the accepted Host names; with a token every name is accepted."""
        self._application, self._hosts, self._token = application, hosts, token
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refusal := self._refusal(scope, headers):
            log.info("refused %s %.80r: %d, %s", scope["type"], scope["path"], *refusal)
            await _refuse(scope, receive, send, *refusal)
        elif self._token is not None and self._is_token(_query_token(scope)) and scope["type"] == "http":
            await _redirect(scope, send, self._token)
        elif scope["type"] == "http":
            await self._application(scope, _cap(receive), _with_headers(send))
        else:
            await self._application(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._token is None and _name_of(host) not in self._hosts:
            return 421, f"this server does not answer for {host[:80]!r}; open it as http://localhost"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, f"pages of {origin[:80]!r} may not use this server"
        if self._token is not None and not self._is_known(scope, headers):
            return 401, "this server needs the token that it printed at its start; open the address that it printed"
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

    def _is_known(self, scope: Scope, headers: dict[str, str]) -> bool:
        bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
        return any(map(self._is_token, (bearer, _cookie_token(headers.get("cookie", "")), _query_token(scope))))

    def _is_token(self, given: str) -> bool:
        assert self._token is not None
        return hmac.compare_digest(given.encode(), self._token.encode())


def _name_of(host: str) -> str:
    """The name without the port: `[::1]:8000` is ::1."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _query_token(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


def _cookie_token(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


async def _redirect(scope: Scope, send: Send, token: str) -> None:
    """Move the token from the address bar into a cookie."""
    rest = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    rest.pop("token", None)
    path = "/" + scope["path"].lstrip("/\\")  # two slashes would redirect to another host
    target = quote(path) + ("?" + urlencode(rest, doseq=True) if rest else "")
    cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
    headers = [(b"location", target.encode()), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


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


class TokenBucket:
    """Limits messages to a rate per second, with bursts."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self) -> bool:
        """Count a message; return whether it is within the limit."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
