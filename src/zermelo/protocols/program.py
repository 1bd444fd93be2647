"""Another program that speaks UCI, in a process of its own.

It is started when it is asked for, and it never outlives us: it is ended when nobody needs it any more, when it fails,
and at the end of our own process. A program that does not answer in time is ended too.
"""

from __future__ import annotations

import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from zermelo.core.errors import UsageError, ZermeloError
from zermelo.core.game import listed

GAMES_DIRECTORIES = "/usr/games:/usr/local/games"
"""Where Debian keeps chess programs, although the path of many users does not go there."""
START, READY, END = 30.0, 180.0, 1.0
"""Seconds to answer `uci`, to get ready (some compile first), and to leave after `quit`."""


class ProgramFault(ZermeloError):
    """Another program crashed, hung, or said what makes no sense."""


@dataclass(frozen=True)
class OfferedOption:
    """An `option` line of another program."""

    name: str
    kind: str = "string"
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def vet(self, program: str, value: str) -> None:
        """UsageError if the value cannot be; the protocol has no way to complain."""
        told = f"{program}: {self.name}={value} cannot be"
        if self.kind == "check" and value not in ("true", "false"):
            raise UsageError(f"{told}; it is true or false")
        if self.kind == "combo" and value.lower() not in map(str.lower, self.choices):
            raise UsageError(f"{told}; {listed(self.choices, 'there is no choice')}")
        if self.kind == "spin":
            try:
                number = int(value)
            except ValueError:
                raise UsageError(f"{told}; it is a whole number") from None
            if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
                raise UsageError(f"{told}; it goes from {self.low} to {self.high}")


class Program:
    """One process; every method raises ProgramFault, with the process ended, if it does not do its part."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = Path(command[0]).name
        self.options: dict[str, OfferedOption] = {}
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
        self._end = weakref.finalize(self, _end, process, threads)
        self._introduce()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def set(self, name: str, value: str) -> None:
        """Set an option; UsageError if the program has no such option, or not with this value."""
        option = self.options.get(name.lower())
        if option is None:
            names = [one.name for one in self.options.values()]
            raise UsageError(f"{self.name} has no option {name!r}; {listed(names, 'it has none at all', most=30)}")
        if option.kind == "button":
            self.send(f"setoption name {option.name}")
        else:
            option.vet(self.name, value)
            self.send(f"setoption name {option.name} value {value}")

    def get_ready(self) -> None:
        """Wait until it has done all it was told."""
        self.send("isready")
        self.answer("readyok", READY)

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._crashed() from None

    def answer(self, word: str, seconds: float) -> list[str]:
        """All lines up to the one that begins with the word; ProgramFault if it does not come in time."""
        deadline = time.monotonic() + seconds
        found: list[str] = []
        while True:
            line = self.next_line(deadline - time.monotonic())
            if line is None:
                raise self.fault(f"did not say {word} within {seconds:g} s and was ended")
            found.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return found

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

    def _introduce(self) -> None:
        self.send("uci")
        for line in self.answer("uciok", START):
            if (option := read_option(line)) is not None:
                self.options[option.name.lower()] = option

    def _crashed(self) -> ProgramFault:
        self.close()
        why = f": {self._last_words[-1]}" if self._last_words else ""
        return ProgramFault(f"{self.name} ended with exit code {self._process.returncode} while we spoke with it{why}")


def find_program(text: str) -> list[str]:
    """The words of a command line, with the program found; UsageError if there is none."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise UsageError(f"{text} is not closed; every quotation mark needs its second") from None
    if not words:
        raise UsageError("uci needs a program, as in uci:stockfish")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES_DIRECTORIES)
    if program is None:
        raise UsageError(f"there is no program {words[0]!r} here; install it, or write its whole path after uci:")
    return [program, *words[1:]]


def read_option(line: str) -> OfferedOption | None:
    """An option from `option name Skill Level type spin default 20 min 0 max 20`; None for other lines."""
    words = line.split()
    if words[:2] != ["option", "name"]:
        return None
    parts: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    here = parts.setdefault("name", [])
    for word in words[2:]:
        if word in ("type", "default", "min", "max"):
            here = parts.setdefault(word, [])
        elif word == "var":
            choices.append(here := [])
        else:
            here.append(word)
    bounds = ["".join(parts.get(bound, [])) for bound in ("min", "max")]
    low, high = (int(bound) if bound.lstrip("-").isdecimal() else None for bound in bounds)
    kind = "".join(parts.get("type", ["string"]))
    return OfferedOption(" ".join(parts["name"]), kind, low, high, tuple(" ".join(choice) for choice in choices))


def _listen(stream: IO[bytes], said: queue.SimpleQueue[str | None]) -> None:
    """Pass on what the program says, and at last that it says nothing more."""
    for line in stream:
        said.put(line.decode(errors="replace").strip())
    said.put(None)


def _remember_last(stream: IO[bytes], last: list[str]) -> None:
    for line in stream:
        if line.strip():
            last[:] = [line.decode(errors="replace").strip()[:200]]


def _end(process: subprocess.Popen[bytes], threads: list[threading.Thread]) -> None:
    """Ask it to leave, then make it; nothing of it stays."""
    assert process.stdin is not None
    try:
        process.stdin.write(b"stop\nquit\n")
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
