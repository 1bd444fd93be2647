"""The one place where errors become sentences: one line on standard error and an exit code, never a traceback.

`ZERMELO_DEBUG=1` shows the traceback instead.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from zermelo.cli.background import is_anybody_at_work
from zermelo.cli.terminal import note
from zermelo.core.errors import ZermeloError

if TYPE_CHECKING:
    from click import ClickException, Context

INTERRUPTED = 130
"""The exit code of a program that was stopped with Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own) and return its exit code."""
    status = _run(list(sys.argv[1:] if argv is None else argv))
    if argv is None and is_anybody_at_work():  # the interpreter must not be taken apart under the compiler
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    return status


def _run(arguments: list[str]) -> int:
    import click

    from zermelo.cli.command import app

    try:
        with _warnings_as_notes():
            status = app.main(arguments, prog_name="zermelo", standalone_mode=False)
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the answer has seen enough; Python must not complain at its own end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("ZERMELO_DEBUG") not in (None, "", "0"):
            raise
        sentence, code = _usage(error) if isinstance(error, click.ClickException) else told(error)
        print(f"zermelo: {sentence}", file=sys.stderr)
        return code
    return status if isinstance(status, int) else 0


def told(error: Exception) -> tuple[str, int]:
    """An error as a sentence, and the exit code it deserves."""
    if isinstance(error, ZermeloError):
        return _one_line(str(error)), error.exit_code
    if isinstance(error, RecursionError):
        return "the game goes too deep for this algorithm, or never ends; give it a --depth", 1
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; give it a smaller limit", 1
    from zermelo.games.files import where

    sentence, plain = where(error), _one_line(f"{type(error).__name__}: {error}")
    if sentence == plain:
        return f"{plain}; that is a mistake in zermelo, and ZERMELO_DEBUG=1 shows where", 1
    return f"the game's file has a mistake: {sentence}; zermelo check looks at the whole game", 1


def _usage(error: ClickException) -> tuple[str, int]:
    """What the parser of the command line has to say, in our form."""
    context: Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "zermelo"
    message = _one_line(error.format_message()).rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; {command} --help shows what there is", 2


def _one_line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """While this lasts, what the program warns of is one dim line each."""

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
