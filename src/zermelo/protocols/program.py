"""Another program in its own process, for any protocol of lines.

The process never outlives ours: it is ended when it is no longer used, when it fails, and when our process exits. A
program that does not answer in time, or sends too much output, which is kept in memory until it is read, is ended too.
All processes that it has started end with it, so an engine behind a shell script does not stay behind.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from zermelo.core.errors import UsageError, ZermeloError

GAMES_DIRECTORIES = "/usr/games:/usr/local/games"
"""Where Debian installs games; the path of many users does not include it."""
EXIT_TIMEOUT = 1.0
"""Seconds to exit after the quit command."""
READ_TIMEOUT = 10.0
"""Seconds in which the program must read its input."""
LONGEST_LINE = 1 << 20
"""Bytes."""
MOST_UNREAD, MOST_SENT = 8 << 20, 64 << 20
"""Bytes that may wait to be read, and that may be sent between two of our commands."""
TICK = 0.01
_HAS_GROUPS = hasattr(os, "killpg")


class ProgramFault(ZermeloError):
    """Another program crashed, hung, or sent invalid output."""


class Program:
    """One process; if it fails, every method ends it and raises ProgramFault."""

    quit_command = "quit"
    """Sent before the process is ended."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = Path(command[0]).name
        try:
            process = subprocess.Popen(
                self.command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a process group of its own, which Ctrl-C does not reach
            )
        except OSError as error:
            raise ProgramFault(f"{self.name} cannot be started: {error.strerror or error}") from None
        self._process = process
        self._reader = _Reader()
        self._last_words: list[str] = []
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        if _HAS_GROUPS:
            os.set_blocking(process.stdin.fileno(), False)
        threads = [
            threading.Thread(target=self._reader.listen, args=(process.stdout,), daemon=True),
            threading.Thread(target=_remember_last, args=(process.stderr, self._last_words), daemon=True),
        ]
        for thread in threads:
            thread.start()
        self._end = weakref.finalize(self, _end, process, self.quit_command, threads)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._reader.begin_answer()
        left, deadline = line.encode() + b"\n", time.monotonic() + READ_TIMEOUT
        try:
            while left:
                left = left[_write(self._process.stdin, left) :]
                if left and not _can_write(self._process.stdin, deadline - time.monotonic()):
                    raise self.fault(f"did not read its input within {READ_TIMEOUT:g} s and was ended")
        except (OSError, ValueError):
            raise self._describe_crash() from None

    def next_line(self, seconds: float) -> str | None:
        """Return its next line; None if there is none within this time."""
        if self._reader.excess:
            raise self._describe_crash()
        try:
            line = self._reader.lines.get(timeout=max(seconds, 0))
        except queue.Empty:
            return None
        if line is None:
            raise self._describe_crash()
        self._reader.read += _weight(line)
        return line.decode(errors="replace").strip()

    def fault(self, words: str) -> ProgramFault:
        """End the process; return the fault, as words that follow its name."""
        self.close()
        return ProgramFault(f"{self.name} {words}")

    def close(self) -> None:
        """End the process: ask it to quit, then terminate it, then kill it."""
        self._end()

    def _describe_crash(self) -> ProgramFault:
        if self._reader.excess:  # it failed because its output is no longer read
            return self.fault(f"{self._reader.excess} and was ended")
        self.close()
        why = f": {self._last_words[-1]}" if self._last_words else ""
        return ProgramFault(f"{self.name} ended with exit code {self._process.returncode} while it was in use{why}")


def find_program(text: str, language: str, example: str) -> list[str]:
    """Split a command line and find its program; UsageError if there is none."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise UsageError(f"{text} has an unclosed quotation mark") from None
    if not words:
        raise UsageError(f"{language} needs a program, as in {language}:{example}")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES_DIRECTORIES)
    if program is None:
        raise UsageError(
            f"the program {words[0]!r} is not installed; install it, or write its full path after {language}:"
        )
    return [program, *words[1:]]


class _Reader:
    """The output of a program that is still to be read. Each counter is written by one thread only."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        """Lines, and None at the end of the output."""
        self.excess = ""
        """How it sent too much, as words that follow its name; the rest of its output is not read."""
        self.read = 0
        self._received = self._received_before = 0

    def begin_answer(self) -> None:
        self._received_before = self._received

    def listen(self, stream: IO[bytes]) -> None:
        """Queue the lines of the program, then None."""
        with stream:
            for line in _lines(stream):
                self._received += _weight(line)
                if len(line) > LONGEST_LINE:
                    self.excess = f"sent a line of more than {_megabytes(LONGEST_LINE)}"
                elif self._received - self.read > MOST_UNREAD:
                    self.excess = f"sent more than {_megabytes(MOST_UNREAD)} at once"
                elif self._received - self._received_before > MOST_SENT:
                    self.excess = f"sent more than {_megabytes(MOST_SENT)} without an answer"
                if self.excess:
                    break
                self.lines.put(line)
        self.lines.put(None)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines without their ends; a line that is too long is returned as soon as it exceeds the limit."""
    rest = b""
    try:
        while chunk := stream.read(1 << 16):
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole
            if len(rest) > LONGEST_LINE:
                yield rest
                rest = b""
    except (OSError, ValueError):  # it was closed
        pass
    if rest:
        yield rest


def _remember_last(stream: IO[bytes], last: list[str]) -> None:
    with stream:
        for line in _lines(stream):
            text = "".join(filter(str.isprintable, line[:1000].decode(errors="replace"))).strip()
            if text:
                last[:] = [text[:200]]


def _write(stream: IO[bytes], text: bytes) -> int:
    """Write without blocking; return the number of bytes written."""
    return stream.write(text) or 0


def _can_write(stream: IO[bytes], seconds: float) -> bool:
    """Wait until the stream can be written to; on systems without non-blocking pipes the write itself waits."""
    return not _HAS_GROUPS or bool(select.select([], [stream], [], max(seconds, 0))[1])


def _weight(line: bytes) -> int:
    """Approximate bytes of memory: an empty line needs some, too."""
    return len(line) + 50


def _megabytes(count: int) -> str:
    return f"{count >> 20} MB"


def _end(process: subprocess.Popen[bytes], quit_command: str, threads: list[threading.Thread]) -> None:
    """Ask the process to quit, then terminate it and all that it has started, within a bounded time."""
    assert process.stdin is not None
    try:
        with process.stdin:
            _write(process.stdin, quit_command.encode() + b"\n")
    except (OSError, ValueError):
        pass
    try:
        if not _has_left(process):
            _signal(process, signal.SIGTERM)
            _has_left(process)
    finally:  # also after Ctrl-C
        _kill(process)
    for thread in threads:
        thread.join(EXIT_TIMEOUT)


def _has_left(process: subprocess.Popen[bytes]) -> bool:
    """Wait for a while; return whether the process and all that it has started are gone."""
    deadline = time.monotonic() + EXIT_TIMEOUT
    while process.poll() is None or _has_others(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(TICK)
    return True


def _has_others(process: subprocess.Popen[bytes]) -> bool:
    """Whether processes that it has started are still running."""
    try:
        if _HAS_GROUPS:
            os.killpg(process.pid, 0)
    except OSError:
        return False
    return _HAS_GROUPS


def _kill(process: subprocess.Popen[bytes]) -> None:
    if _HAS_GROUPS:
        _signal(process, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(EXIT_TIMEOUT)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send the signal to the process group, which the process started."""
    try:
        if _HAS_GROUPS:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
    except OSError:
        pass
