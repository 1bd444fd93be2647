"""What a terminal can show: colour, a line that tells how far the work is, notes beside the answer.

Answers go to standard output, everything about the work to standard error. Pipes get plain text, and `NO_COLOR` a
terminal without colours.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from types import TracebackType
from typing import TextIO


def has_colour(stream: TextIO) -> bool:
    """Whether colour is welcome there."""
    return has_cursor(stream) and not os.environ.get("NO_COLOR")


def has_cursor(stream: TextIO) -> bool:
    """Whether a line there can be written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def styled(text: str, codes: str, stream: TextIO | None = None) -> str:
    """The text in an ANSI style, where colour is welcome."""
    return f"\x1b[{codes}m{text}\x1b[0m" if has_colour(stream or sys.stdout) else text


def aside(text: str) -> None:
    """One dim line on standard error: something worth knowing that is no answer."""
    if getattr(_here, "is_holding", False):
        _held.put(text)
        return
    clear = "\r\x1b[K" if has_cursor(sys.stderr) else ""
    print(clear + styled(text, "2", sys.stderr), file=sys.stderr, flush=True)


def note(text: str) -> None:
    """An aside that is called a note."""
    aside(f"note: {text}")


_here = threading.local()
_held: queue.SimpleQueue[str] = queue.SimpleQueue()


def hold_asides() -> None:
    """From now on this thread's asides wait for `show_asides`, since somebody may be typing."""
    _here.is_holding = True


def show_asides() -> None:
    """Say what threads in the background had to say."""
    while not _held.empty():
        aside(_held.get())


class StatusLine:
    """One line of a terminal that is written over again and again, and is gone at the end; nothing elsewhere."""

    def __init__(self, interval: float = 0.1) -> None:
        self._interval = interval
        self._shown = float("-inf")
        self._is_on = has_cursor(sys.stderr)

    def show(self, text: str) -> None:
        """Show this instead, unless something was shown a moment ago."""
        now = time.monotonic()
        if self._is_on and now - self._shown >= self._interval:
            self._shown = now
            width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            sys.stderr.write("\r\x1b[K" + styled(text[: max(width - 1, 1)], "2", sys.stderr))
            sys.stderr.flush()

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_on and self._shown > float("-inf"):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
