"""Terminal output: colour, a progress line, and notes beside the answer.

Answers go to standard output, progress and notes to standard error. Pipes get plain text, and `NO_COLOR` switches
colours off.
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
    """Whether to write colours to the stream."""
    return has_cursor(stream) and not os.environ.get("NO_COLOR")


def has_cursor(stream: TextIO) -> bool:
    """Whether the stream can overwrite a line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def style(text: str, codes: str, stream: TextIO | None = None) -> str:
    """The text in an ANSI style if the stream shows colours."""
    return f"\x1b[{codes}m{text}\x1b[0m" if has_colour(stream or sys.stdout) else text


def write_message(text: str) -> None:
    """Print one dim line on standard error, beside the answer."""
    if getattr(_here, "is_holding", False):
        _held.put(text)
        return
    clear = "\r\x1b[K" if has_cursor(sys.stderr) else ""
    print(clear + style(text, "2", sys.stderr), file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Print a message that starts with `note:`."""
    write_message(f"note: {text}")


_here = threading.local()
_held: queue.SimpleQueue[str] = queue.SimpleQueue()


def hold_messages() -> None:
    """From now on hold this thread's messages until `show_held_messages`, since the user may be typing."""
    _here.is_holding = True


def show_held_messages() -> None:
    """Print the messages of background threads."""
    while not _held.empty():
        write_message(_held.get())


class StatusLine:
    """A progress line of a terminal, overwritten by the next one and cleared at the end; nothing in a pipe."""

    def __init__(self, interval: float = 0.1) -> None:
        self._interval = interval
        self._shown = float("-inf")
        self._is_on = has_cursor(sys.stderr)

    def show(self, text: str) -> None:
        """Replace the line, unless it was replaced less than `interval` seconds ago."""
        now = time.monotonic()
        if self._is_on and now - self._shown >= self._interval:
            self._shown = now
            width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            sys.stderr.write("\r\x1b[K" + style(text[: max(width - 1, 1)], "2", sys.stderr))
            sys.stderr.flush()

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_on and self._shown > float("-inf"):
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
