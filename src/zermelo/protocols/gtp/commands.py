"""Commands and answers in the protocol's syntax.

    12 genmove b  # a comment           ->   =12 D4
    play b zz                           ->   ? invalid color or coordinate

An answer ends with an empty line.   [Gunnar Farnebäck, "GTP: Go Text Protocol, version 2, draft 2", 2002]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zermelo.core.errors import ZermeloError

INTERRUPT = re.compile(r"#\s*interrupt\s*", re.IGNORECASE)
"""The comment by which GoGui asks for a move now."""
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Failure(ZermeloError):
    """An error answer: the text after the question mark."""


@dataclass(frozen=True)
class Command:
    """A line that expects an answer."""

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
    """Read the command of a line; None if there is only a comment, or nothing."""
    words = plain(line).partition("#")[0].split()
    number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
    if not words:
        return Command(number, "") if number else None
    return Command(number, words[0], tuple(words[1:]))


def _without_empty_lines(text: str) -> str:
    """Drop empty lines, which would end the answer; the first line follows the equals sign and may be empty."""
    first, *rest = text.split("\n")
    return "\n".join([first, *filter(str.strip, rest)])
