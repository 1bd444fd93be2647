"""Another program, in a process of its own; what language it speaks is for others to know.

It is started when it is asked for, and it never outlives us: it is ended when nobody needs it any more, when it fails,
and at the end of our own process. A program that does not answer in time is ended too.
"""

from __future__ import annotations

import queue
import shlex
import shutil
import subprocess
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from zermelo.core.errors import UsageError, ZermeloError

GAMES_DIRECTORIES = "/usr/games:/usr/local/games"
"""Where Debian keeps programs that play, although the path of many users does not go there."""
END = 1.0
"""Seconds to leave after it was asked to."""


class ProgramFault(ZermeloError):
    """Another program crashed, hung, or said what makes no sense."""


class Program:
    """One process; every method raises ProgramFault, with the process ended, if it does not do its part."""

    farewell = "quit"
    """What it is told at the end."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = Path(command[0]).name
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us
            )
        except OSError as error:
            raise ProgramFault(f"{self.name} cannot be started: {error.strerror or error}") from None
        self._process = process
        self._said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last_words: list[str] = []
        assert process.stdout is not None
        assert process.stderr is not None
        threads = [
            threading.Thread(target=_listen, args=(process.stdout, self._said), daemon=True),
            threading.Thread(target=_remember_last, args=(process.stderr, self._last_words), daemon=True),
        ]
        for thread in threads:
            thread.start()
        self._end = weakref.finalize(self, _end, process, self.farewell, threads)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._crashed() from None

    def next_line(self, seconds: float) -> str | None:
        """What it says next; None if it says nothing for so long."""
        try:
            line = self._said.get(timeout=max(seconds, 0))
        except queue.Empty:
            return None
        if line is None:
            raise self._crashed()
        return line

    def fault(self, words: str) -> ProgramFault:
        """What it did wrong, in words that follow its name; it is ended."""
        self.close()
        return ProgramFault(f"{self.name} {words}")

    def close(self) -> None:
        """End the process, politely at first."""
        self._end()

    def _crashed(self) -> ProgramFault:
        self.close()
        why = f": {self._last_words[-1]}" if self._last_words else ""
        return ProgramFault(f"{self.name} ended with exit code {self._process.returncode} while we spoke with it{why}")


def find_program(text: str, language: str, example: str) -> list[str]:
    """The words of a command line, with the program found; UsageError if there is none, in words of the language."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise UsageError(f"{text} is not closed; every quotation mark needs its second") from None
    if not words:
        raise UsageError(f"{language} needs a program, as in {language}:{example}")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES_DIRECTORIES)
    if program is None:
        raise UsageError(
            f"there is no program {words[0]!r} here; install it, or write its whole path after {language}:"
        )
    return [program, *words[1:]]


def _listen(stream: IO[bytes], said: queue.SimpleQueue[str | None]) -> None:
    """Pass on what the program says, and at last that it says nothing more."""
    for line in stream:
        said.put(line.decode(errors="replace").strip())
    said.put(None)


def _remember_last(stream: IO[bytes], last: list[str]) -> None:
    for line in stream:
        if line.strip():
            last[:] = [line.decode(errors="replace").strip()[:200]]


def _end(process: subprocess.Popen[bytes], farewell: str, threads: list[threading.Thread]) -> None:
    """Ask it to leave, then make it; nothing of it stays."""
    assert process.stdin is not None
    try:
        process.stdin.write(farewell.encode() + b"\n")
        process.stdin.close()
    except OSError:
        pass
    if not _has_left(process):
        process.terminate()
        if not _has_left(process):
            process.kill()
            process.wait()
    for thread in threads:
        thread.join(END)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _has_left(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(END)
    except subprocess.TimeoutExpired:
        return False
    return True
