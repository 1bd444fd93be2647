"""Another program that speaks UCI: its options, and whether it is ready."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.core.errors import UsageError
from zermelo.core.game import suggest
from zermelo.protocols.program import Program

START, READY = 30.0, 180.0
"""Seconds to answer `uci`, and to get ready: some programs compile first."""


@dataclass(frozen=True)
class OfferedOption:
    """An `option` line of another program."""

    name: str
    kind: str = "string"
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def check(self, program: str, value: str) -> None:
        """Raise UsageError if the value is not valid; the protocol has no error answers."""
        refusal = f"{program}: {self.name}={value} is not valid"
        if self.kind == "check" and value not in ("true", "false"):
            raise UsageError(f"{refusal}; it must be true or false")
        if self.kind == "combo" and value.lower() not in map(str.lower, self.choices):
            raise UsageError(f"{refusal}; {suggest(self.choices, 'there is no choice')}")
        if self.kind == "spin":
            try:
                number = int(value)
            except ValueError:
                raise UsageError(f"{refusal}; it must be a whole number") from None
            if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
                raise UsageError(f"{refusal}; it must be between {self.low} and {self.high}")


class UciProgram(Program):
    """An engine."""

    quit_command = "stop\nquit"

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self.options: dict[str, OfferedOption] = {}
        self._introduce()

    def set(self, name: str, value: str) -> None:
        """Set an option; UsageError if the program has no such option, or the value is not valid."""
        option = self.options.get(name.lower())
        if option is None:
            names = [one.name for one in self.options.values()]
            raise UsageError(f"{self.name} has no option {name!r}; {suggest(names, 'it has no options', most=30)}")
        if option.kind == "button":
            self.send(f"setoption name {option.name}")
        else:
            option.check(self.name, value)
            self.send(f"setoption name {option.name} value {value}")

    def get_ready(self) -> None:
        """Wait until it has processed all commands."""
        self.send("isready")
        self.answer("readyok", READY)

    def answer(self, word: str, seconds: float) -> list[str]:
        """Read all lines up to the one that begins with the word; ProgramFault if it does not come in time."""
        deadline = time.monotonic() + seconds
        found: list[str] = []
        while True:
            line = self.next_line(deadline - time.monotonic())
            if line is None:
                raise self.fault(f"did not send {word} within {seconds:g} s and was ended")
            found.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return found

    def _introduce(self) -> None:
        self.send("uci")
        for line in self.answer("uciok", START):
            if (option := read_option(line)) is not None:
                self.options[option.name.lower()] = option


def read_option(line: str) -> OfferedOption | None:
    """Read `option name Skill Level type spin default 20 min 0 max 20`; None for other lines."""
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
