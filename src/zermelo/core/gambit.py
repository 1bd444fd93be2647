"""The words of Gambit's files, `.nfg` and `.efg`: texts in quotes, braces, commas, and everything between blanks.

[Gambit, "Game representation formats"]
"""

from __future__ import annotations

import re
from typing import NoReturn

from zermelo.core.errors import UsageError

TOKEN = re.compile(r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[{},])|(?P<word>[^\s{},"]+))')


class GambitReader:
    """Takes the words of a file one by one; an error names the place."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        while text[place:].strip():
            match = TOKEN.match(text, place)
            if match is None:
                raise UsageError(f"a text in the file is not closed: {text[place : place + 30].strip()}")
            self.tokens.append(match[0].strip())
            place = match.end()
        self.place = 0

    def texts(self) -> tuple[str, ...]:
        self.expect("{")
        found = []
        while self.next() != "}":
            found.append(self.text())
        self.take()
        return tuple(found)

    def text(self) -> str:
        token = self.take()
        if not token.startswith('"'):
            self.fail(f"a text in quotes is missing before {token}")
        return token[1:-1].replace('\\"', '"')

    def count(self) -> int:
        token = self.take()
        if not token.isdecimal():
            self.fail(f"{token} is not a whole number")
        return int(token)

    def expect(self, mark: str) -> None:
        token = self.take()
        if token != mark:
            self.fail(f"{mark} is missing before {token}")

    def next(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self) -> str:
        token = self.next()
        if token is None:
            self.fail("the file ends too early")
        self.place += 1
        return token

    def fail(self, sentence: str) -> NoReturn:
        raise UsageError(f"{sentence} (at word {self.place} of the file)")


def quoted(text: str) -> str:
    """A text as the files write it."""
    return '"' + text.replace('"', '\\"') + '"'
