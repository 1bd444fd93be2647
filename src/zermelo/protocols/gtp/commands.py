"""Commands and answers as the protocol writes them.

    12 genmove b  # a comment           ->   =12 D4
    play b zz                           ->   ? invalid color or coordinate

An answer ends with an empty line.   [Gunnar Farnebäck, "GTP: Go Text Protocol, version 2, draft 2", 2002]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zermelo.core.errors import ZermeloError

INTERRUPT = re.compile(r"#\s*interrupt\s*", re.IGNORECASE)
"""The comment with which GoGui wants a move now."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Failure(ZermeloError):
    """What follows the question mark."""


@dataclass(frozen=True)
class Command:
    """A line that wants an answer."""

    id: str
    """The number before it, empty if there is none."""
    name: str
    arguments: tuple[str, ...] = ()

    def answer(self, text: str) -> str:
        return f"={self.id} {_without_empty_lines(text)}\n"

    def failure(self, text: str) -> str:
        return f"?{self.id} {text}\n"


def plain(line: str) -> str:
    """The line without control characters, tabs as spaces."""
    return _CONTROL.sub("", line.replace("\t", " ")).strip()


def read_command(line: str) -> Command | None:
    """The command of a line; None if there is only a comment, or nothing."""
    words = plain(line).partition("#")[0].split()
    number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
    if not words:
        return Command(number, "") if number else None
    return Command(number, words[0], tuple(words[1:]))


def _without_empty_lines(text: str) -> str:
    """An empty line would end the answer; the first is none, because of the equals sign before it."""
    first, *rest = text.split("\n")
    return "\n".join([first, *filter(str.strip, rest)])
