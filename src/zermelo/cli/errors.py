"""The one place where errors become sentences: one line on standard error and an exit code, never a traceback.

`ZERMELO_DEBUG=1` shows the traceback instead.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from zermelo.cli.background import is_work_running
from zermelo.cli.terminal import note
from zermelo.core.errors import RulesError, ZermeloError

if TYPE_CHECKING:
    from click import ClickException, Context

LONGEST_SENTENCE = 1000
"""Characters; a longer sentence, which repeats a long input, is cut in the middle."""
INTERRUPTED = 130
"""The exit code of a program that was stopped with Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own) and return its exit code."""
    status = _run(list(sys.argv[1:] if argv is None else argv))
    if argv is None and is_work_running():  # the interpreter must not shut down while the compiler runs
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    return status


def _run(arguments: list[str]) -> int:
    import click

    from zermelo.cli.command import app

    _replace_unencodable(sys.stdout)
    try:
        with _warnings_as_notes():
            status = app.main(arguments, prog_name="zermelo", standalone_mode=False)
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; Python must not report that again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("ZERMELO_DEBUG") not in (None, "", "0"):
            raise
        sentence, code = _usage(error) if isinstance(error, click.ClickException) else describe_error(error)
        print(f"zermelo: {_shorten(sentence)}", file=sys.stderr)
        return code
    return status if isinstance(status, int) else 0


def _replace_unencodable(stream: TextIO) -> None:
    """Write a question mark for each character that the stream's encoding lacks."""
    if getattr(stream, "errors", "") == "strict" and isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def describe_error(error: Exception) -> tuple[str, int]:
    """Return the error as a sentence, and its exit code."""
    if isinstance(error, ZermeloError):
        return _one_line(str(error)), error.exit_code
    from zermelo.games.library.files import recurses_by_itself, where

    if isinstance(error, RecursionError) and not recurses_by_itself(error):
        return "the game is too deep for this algorithm, or never ends; give a --depth", 1
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; give a smaller limit", 1
    sentence, plain = where(error), _one_line(f"{type(error).__name__}: {error}")
    if sentence == plain:
        return f"{plain}; this is a bug in zermelo, and ZERMELO_DEBUG=1 shows where", 1
    return f"the game's file has a mistake: {sentence}; zermelo check tests the whole game", 1


@contextmanager
def no_exits_by_rules() -> Iterator[None]:
    """Turn an exit or an interrupt that a game's rules raise into RulesError: only the user may end the process."""
    pressed: list[bool] = []
    try:
        with _noticing_control_c(pressed):
            yield
    except BaseException as error:
        if isinstance(error, Exception):
            raise
        from zermelo.games.library.files import where

        sentence, plain = where(error), _one_line(f"{type(error).__name__}: {error}")
        if pressed or sentence == plain:
            raise
        what = sentence.replace(": (", " (")
        raise RulesError(f"the game's file has a mistake: it raises {what}, which ends the whole program") from None


@contextmanager
def _noticing_control_c(pressed: list[bool]) -> Iterator[None]:
    """Remember whether Ctrl-C was pressed, as far as this thread receives it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        pressed.append(True)  # perhaps
        yield
        return

    def notice(number: int, frame: FrameType | None) -> None:
        pressed.append(True)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _usage(error: ClickException) -> tuple[str, int]:
    """Return click's message in our form, and its exit code."""
    context: Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "zermelo"
    message = _one_line(error.format_message()).rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; see {command} --help", 2


def _shorten(text: str) -> str:
    """Keep the beginning and the end of a text that is too long: what is wrong, and what would be right."""
    half = LONGEST_SENTENCE // 2
    return text if len(text) <= LONGEST_SENTENCE else f"{text[:half]} … {text[-half:]}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """While this lasts, show each warning as one dim line."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        with suppress(BrokenPipeError):
            note(_one_line(str(message)))

    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = show
        yield
