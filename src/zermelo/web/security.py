"""Who may talk to the server, and how much they may say.

The gate stands before everything else. It looks at the address bar's host, so that no foreign name can be made to
point here; at the origin, so that no foreign page can send orders; at the token, where the server can be reached from
other machines; and at the size of what is sent.
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
    "cache-control": "no-cache",  # asked for again each time: after an upgrade old modules must not meet new ones
}
RATE, BURST = 200.0, 1000.0
"""Requests a second that one caller may send to the API, and how many at once."""
MOST_CALLERS = 1000
"""Whose bucket is remembered."""
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Gate:
    """The application behind checks of host, origin, token and size."""

    def __init__(
        self, application: Application, hosts: tuple[str, ...] = LOCAL_NAMES, token: str | None = None
    ) -> None:
        """`hosts` are the names under which the server may be called; with a token any name will do."""
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
            return 421, f"this server is not called {host[:80]!r}; open it as http://localhost"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, f"pages of {origin[:80]!r} may not talk to this server"
        if self._token is not None and not self._is_known(scope, headers):
            return 401, "this server wants the token that it printed when it was started: open the address it gave"
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return 400, "the length of the request is no number"
        if length > LARGEST:
            return 413, TOO_LARGE
        if scope["path"].startswith("/api/") and not self._bucket(scope).take():
            return 429, "too many requests; wait a moment"
        return None

    def _bucket(self, scope: Scope) -> TokenBucket:
        """The caller's, by the machine that calls."""
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
    """`[::1]:8000` is ::1."""
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
    """Keep the token in a cookie and take it out of the address bar."""
    rest = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    rest.pop("token", None)
    path = "/" + scope["path"].lstrip("/\\")  # two slashes would lead to another machine
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


TOO_LARGE = f"that is more than the {LARGEST} bytes that a request may have"


def _cap(receive: Receive) -> Receive:
    """A request without an honest length is cut off as well."""
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
    """So many messages a second, and a few more at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more is within the bucket."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
