"""Another program, in a process of its own; what language it speaks is for others to know.

It is started when it is asked for, and it never outlives us: it is ended when nobody needs it any more, when it fails,
and at the end of our own process. A program that does not answer in time is ended too, and so is one that does not
stop talking: what it says is kept in memory until it is read. With it ends every process that it has started, so an
engine behind a shell script does not stay behind.
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
"""Where Debian keeps programs that play, although the path of many users does not go there."""
EXIT_TIMEOUT = 1.0
"""Seconds to leave after it was asked to."""
READ_TIMEOUT = 10.0
"""Seconds in which it must read what we say."""
LONGEST_LINE = 1 << 20
"""Bytes."""
MOST_UNREAD, MOST_SENT = 8 << 20, 64 << 20
"""Bytes that may wait to be read, and that may be said between two of our sentences."""
TICK = 0.01
_HAS_GROUPS = hasattr(os, "killpg")


class ProgramFault(ZermeloError):
    """Another program crashed, hung, or said what makes no sense."""


class Program:
    """One process; every method raises ProgramFault, with the process ended, if it does not do its part."""

    quit_command = "quit"
    """What it is told at the end."""

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
                start_new_session=True,  # Ctrl-C is for us; and its process group is its own
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
                    raise self.fault(f"did not read what it was told within {READ_TIMEOUT:g} s and was ended")
        except (OSError, ValueError):
            raise self._describe_crash() from None

    def next_line(self, seconds: float) -> str | None:
        """What it says next; None if it says nothing for so long."""
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
        """What it did wrong, in words that follow its name; it is ended."""
        self.close()
        return ProgramFault(f"{self.name} {words}")

    def close(self) -> None:
        """End the process, politely at first."""
        self._end()

    def _describe_crash(self) -> ProgramFault:
        if self._reader.excess:  # it broke off because nobody listens any more
            return self.fault(f"{self._reader.excess} and was ended")
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


class _Reader:
    """What a program has said and nobody has read yet. Each counter is written by one thread only."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        """Lines, and None once it says nothing more."""
        self.excess = ""
        """How it talked too much, in words that follow its name; it is not listened to any more."""
        self.read = 0
        self._received = self._received_before = 0

    def begin_answer(self) -> None:
        self._received_before = self._received

    def listen(self, stream: IO[bytes]) -> None:
        """Pass on what the program says, and at last that it says nothing more."""
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
    """Lines without their ends; one that is longer than a line may be comes as soon as it is too long."""
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
    """How many bytes of it could be written at once; without buffers, None stands for none."""
    return stream.write(text) or 0


def _can_write(stream: IO[bytes], seconds: float) -> bool:
    """Wait until something can be written; where that cannot be asked, writing waits itself."""
    return not _HAS_GROUPS or bool(select.select([], [stream], [], max(seconds, 0))[1])


def _weight(line: bytes) -> int:
    """Bytes of memory, about: an empty line needs some, too."""
    return len(line) + 50


def _megabytes(count: int) -> str:
    return f"{count >> 20} MB"


def _end(process: subprocess.Popen[bytes], quit_command: str, threads: list[threading.Thread]) -> None:
    """Ask it to leave, then make it, with all that it has started; nothing of it stays, and nothing is waited for."""
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
    finally:  # Ctrl-C while it takes its leave
        _kill(process)
    for thread in threads:
        thread.join(EXIT_TIMEOUT)


def _has_left(process: subprocess.Popen[bytes]) -> bool:
    """Whether nothing of it is left, once it has had some time."""
    deadline = time.monotonic() + EXIT_TIMEOUT
    while process.poll() is None or _has_others(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(TICK)
    return True


def _has_others(process: subprocess.Popen[bytes]) -> bool:
    """Whether processes that it has started are there."""
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
    """To the process and all of its group; it began one of its own."""
    try:
        if _HAS_GROUPS:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
    except OSError:
        pass
