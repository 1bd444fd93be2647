"""The output of a server: whole lines from several threads, as long as the reader is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias

from zermelo.core.errors import ZermeloError

WriteLine: TypeAlias = Callable[[str], None]

LONGEST_SENTENCE = 400


class LineWriter:
    """Writes one text after the other. If the reader has gone, it writes nothing: the input will end soon, too."""

    def __init__(self, write: WriteLine) -> None:
        self._write = write
        self._one_at_a_time = threading.Lock()
        self.is_open = True

    def write(self, text: str) -> None:
        with self._one_at_a_time:
            try:
                if self.is_open:
                    self._write(text)
            except (OSError, ValueError):
                self.is_open = False


def one_line(text: str) -> str:
    """The text without line breaks, and cut if it is too long."""
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_SENTENCE else plain[:LONGEST_SENTENCE] + " …"


def describe_error(error: BaseException) -> str:
    """Return an error as a sentence."""
    return one_line(str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}")
