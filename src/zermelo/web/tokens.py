"""The token that people on other machines need: what it may be, and how many wrong ones one address may try.

A token is compared in constant time. An address that has tried too many different wrong tokens has to wait, and until
then no token from it is looked at, not even the right one. The same wrong token counts once: pages that are still open
when the server starts with another token repeat theirs.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Iterable
from enum import Enum

from zermelo.core.errors import UsageError
from zermelo.web.rates import TokenBucket

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are not mistaken for each other when a person types them."""
GROUPS, GROUP = 3, 4
"""A new token has 12 of them, 59 bits, in groups of four."""
SHORTEST, LONGEST = 8, 200
"""Letters of a token."""
ALLOWED = re.compile(r"[A-Za-z0-9._~-]+")
"""Letters that need no quotes in addresses, cookies and shells."""
WRONG_RATE, WRONG_BURST = 1 / 6, 20.0
"""Wrong tokens per second that one address may try, and how many at once."""
MOST_ADDRESSES = 1000
"""Addresses whose wrong tokens are counted."""
REMEMBERED = 100
"""Wrong tokens of an address that do not count again."""


class Verdict(Enum):
    """What a request says about the token."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"
    BLOCKED = "blocked"
    """The address has tried too many wrong tokens, and has to wait."""


def new_token() -> str:
    """A random token that is easy to type."""
    letters = [secrets.choice(LETTERS) for _ in range(GROUPS * GROUP)]
    return "-".join("".join(letters[start : start + GROUP]) for start in range(0, len(letters), GROUP))


def check_token(token: str) -> str:
    """Return the token; UsageError if it is too short, too long, or needs quotes in an address."""
    if not SHORTEST <= len(token) <= LONGEST:
        raise UsageError(f"a token has {SHORTEST} to {LONGEST} characters, this one has {len(token)}; choose another")
    if not ALLOWED.fullmatch(token):
        raise UsageError("a token may have only letters from a to z, digits, and the characters - . _ ~")
    return token


class TokenCheck:
    """Compares tokens with the right one, and limits the wrong ones."""

    def __init__(self, token: str) -> None:
        self._right = _digest(token)
        self._guesses: OrderedDict[str, Guesses] = OrderedDict()

    def judge(self, address: str, given: Iterable[str]) -> Verdict:
        """Judge a request from the address by the tokens that it carries."""
        tokens = [_digest(one) for one in given if one]
        if not tokens:
            return Verdict.MISSING
        if self.wait(address) > 0:
            return Verdict.BLOCKED
        if any(hmac.compare_digest(one, self._right) for one in tokens):
            return Verdict.RIGHT
        guesses = self._guesses_from(address)
        for one in tokens:
            guesses.count(one)
        return Verdict.WRONG

    def is_right(self, token: str) -> bool:
        """Whether this is the token; for requests that are let through, since nothing is counted."""
        return hmac.compare_digest(_digest(token), self._right)

    def wait(self, address: str) -> float:
        """Seconds for which no token of this address is looked at."""
        guesses = self._guesses.get(_network(address))
        return guesses.bucket.wait() if guesses else 0.0

    def _guesses_from(self, address: str) -> Guesses:
        network = _network(address)
        guesses = self._guesses.setdefault(network, Guesses())
        self._guesses.move_to_end(network)
        if len(self._guesses) > MOST_ADDRESSES:
            self._guesses.popitem(last=False)
        return guesses


class Guesses:
    """The wrong tokens of one address."""

    def __init__(self) -> None:
        self.bucket = TokenBucket(WRONG_RATE, WRONG_BURST)
        self._known: deque[bytes] = deque(maxlen=REMEMBERED)

    def count(self, digest: bytes) -> None:
        """Count a wrong token, unless it was counted before."""
        if digest not in self._known:
            self._known.append(digest)
            self.bucket.take()


def _digest(token: str) -> bytes:
    """All digests have one length, so that comparing them does not show the token's."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _network(address: str) -> str:
    """What counts as one address: an IPv4 address, or the 64 bits of an IPv6 address that name its network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> 64)
