"""How a person comes in with the token: in the address, in a form, later in a cookie.

A request without the right token gets a page with a field for it if it comes from the address bar of a browser, and
JSON if not.
"""

from __future__ import annotations

import html
import json
import logging
import math
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, urlencode

from zermelo.web.tokens import TokenCheck, Verdict

log = logging.getLogger(__name__)

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

COOKIE = "zermelo_token"
FORM = "application/x-www-form-urlencoded"
LONGEST_FORM = 4096
"""Bytes; the rest of a longer form is not read."""
PUBLIC = ("/health", "/static/style.css", "/static/login.css")
"""Paths that need no token."""
PAGE = (Path(__file__).parent / "static" / "login.html").read_text(encoding="utf-8")
PAGE_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",  # with `no-referrer` the form would come from the origin `null`
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
SENTENCES = {
    Verdict.MISSING: "this server needs a token; open the address that it printed, or reload the page",
    Verdict.WRONG: "this is not the token of this server; open the address that it printed, or reload the page",
    Verdict.BLOCKED: "too many wrong tokens came from this address; wait {seconds} s and try again",
}
PROBLEMS = {
    Verdict.MISSING: "",
    Verdict.WRONG: "This token is not right. Check it and try again.",
    Verdict.BLOCKED: "Too many wrong tokens came from your address. Wait {seconds} s and try again.",
}


class Login:
    """Lets requests with the right token through, and answers all others."""

    def __init__(self, token: str) -> None:
        self._token, self._check = token, TokenCheck(token)

    async def answer(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> bool:
        """Answer a request that is not let through, or that brings the token; False if the request is let through."""
        if scope["path"] in PUBLIC:
            return False
        is_http, address = scope["type"] == "http", (scope.get("client") or ("", 0))[0]
        is_form = is_http and scope["method"] == "POST" and headers.get("content-type", "").startswith(FORM)
        if is_form:
            brought, kept = await _typed_token(receive), []
        else:
            brought, kept = _query_token(scope), [_bearer_token(headers), _cookie_token(headers.get("cookie", ""))]
        verdict = self._check.judge(address, [brought, *kept])
        if verdict is not Verdict.RIGHT:
            status = 429 if verdict is Verdict.BLOCKED else 401
            log.info("refused %s %.80r: %d, token %s", scope["type"], scope["path"], status, verdict.value)
            await self._refuse(scope, receive, send, headers, verdict)
            return True
        if is_http and self._check.is_right(brought):
            await _redirect(scope, send, self._token)
            return True
        return False

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str], verdict: Verdict
    ) -> None:
        seconds = math.ceil(self._check.wait((scope.get("client") or ("", 0))[0]))
        sentence = SENTENCES[verdict].format(seconds=seconds)
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": sentence})
            return
        if "text/html" in headers.get("accept", ""):
            body, about = _page(PROBLEMS[verdict].format(seconds=seconds)), PAGE_HEADERS
        else:
            body, about = json.dumps({"error": sentence}).encode(), {"content-type": "application/json"}
        if verdict is Verdict.BLOCKED:
            status, more = 429, {"retry-after": str(seconds)}
        else:
            status, more = 401, {"www-authenticate": 'Bearer realm="zermelo"'}
        sent = {**about, **more, "cache-control": "no-store", "vary": "accept", "content-length": str(len(body))}
        pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})


def _page(problem: str) -> bytes:
    return PAGE.replace("<!-- problem -->", html.escape(problem)).encode()


async def _typed_token(receive: Receive) -> str:
    """The token in the body of a form."""
    body, is_more = b"", True
    while is_more and len(body) <= LONGEST_FORM:
        message = await receive()
        body += message.get("body", b"")
        is_more = message.get("more_body", False)
    return _token_in(body[:LONGEST_FORM])


def _query_token(scope: Scope) -> str:
    return _token_in(scope.get("query_string", b""))


def _token_in(fields: bytes) -> str:
    try:
        found = parse_qs(fields.decode("latin-1"), max_num_fields=50)
    except ValueError:
        return ""
    return found.get("token", [""])[0].strip()


def _bearer_token(headers: dict[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ").strip()


def _cookie_token(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


async def _redirect(scope: Scope, send: Send, token: str) -> None:
    """Move the token from the address bar or the form into a cookie.

    The cookie is also sent when a link on another site leads here; the gate refuses requests that other sites make.
    """
    rest = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    rest.pop("token", None)
    path = "/" + scope["path"].lstrip("/\\")  # two slashes would redirect to another host
    target = quote(path) + ("?" + urlencode(rest, doseq=True) if rest else "")
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Lax; Path=/{secure}"
    headers = [
        (b"location", target.encode()),
        (b"set-cookie", cookie.encode()),
        (b"cache-control", b"no-store"),
        (b"referrer-policy", b"no-referrer"),
        (b"content-length", b"0"),
    ]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
