"""Another program that speaks GTP: send a command, read its answer."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from zermelo.protocols.program import Program, ProgramFault

START, READY = 60.0, 180.0
"""Seconds for the first answer, and for other answers that are not moves: some programs compile first."""
_ANSWER = re.compile(r"([=?])(\d*)\s*(.*)")


class Refusal(ProgramFault):
    """The program answered with a question mark; it keeps running."""


class GtpProgram(Program):
    """An engine, and the commands that it supports."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self._number = 0
        self.commands = frozenset(self.ask("list_commands", START).split())

    def ask(self, command: str, seconds: float = READY) -> str:
        """Return the answer; Refusal if it is an error, ProgramFault if it does not come in time."""
        self._number += 1
        self.send(f"{self._number} {command}")
        deadline = time.monotonic() + seconds
        while True:
            sign, number, text = self._answer(command, seconds, deadline)
            if number in ("", str(self._number)):
                break
        if sign == "?":
            raise Refusal(f"{self.name} refuses {command!r}: {text or 'no reason given'}")
        return text

    def _answer(self, command: str, seconds: float, deadline: float) -> tuple[str, str, str]:
        """Read the next answer: its sign, its number and its text. Lines before it are skipped."""
        found: re.Match[str] | None = None
        lines: list[str] = []
        while True:
            line = self.next_line(deadline - time.monotonic())
            if line is None:
                raise self.fault(f"did not answer {command!r} within {seconds:g} s and was ended")
            if found is None:
                found = _ANSWER.fullmatch(line)
                lines = [found[3]] if found else []
            elif line:
                lines.append(line)
            else:
                return found[1], found[2], "\n".join(lines).strip()
