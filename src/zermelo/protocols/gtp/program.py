"""Another program that speaks GTP: a command, and its answer."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from zermelo.protocols.program import Program, ProgramFault

START, READY = 60.0, 180.0
"""Seconds for the first answer, and for any other that is no move: some compile first."""
_ANSWER = re.compile(r"([=?])(\d*)\s*(.*)")


class Refusal(ProgramFault):
    """The program answered with a question mark; it goes on."""


class GtpProgram(Program):
    """An engine, and the commands that it knows."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self._number = 0
        self.commands = frozenset(self.ask("list_commands", START).split())

    def ask(self, command: str, seconds: float = READY) -> str:
        """The answer; Refusal if it is none, ProgramFault if it does not come in time."""
        self._number += 1
        self.send(f"{self._number} {command}")
        deadline = time.monotonic() + seconds
        while True:
            sign, number, text = self._answer(command, seconds, deadline)
            if number in ("", str(self._number)):
                break
        if sign == "?":
            raise Refusal(f"{self.name} refuses {command!r}: {text or 'it does not say why'}")
        return text

    def _answer(self, command: str, seconds: float, deadline: float) -> tuple[str, str, str]:
        """The next answer: its sign, its number and its text. What is said before it is passed over."""
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
