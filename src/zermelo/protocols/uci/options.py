"""The options of our engine, as `option` lines offer them and `setoption` sets them.

Hash, Threads       megabytes of the table, threads that share it
MultiPV             so many best moves are told, each with its line
Move Overhead       milliseconds that a move takes on its way to the other program and back
Ponder              changes nothing: a reply to think about is always told
UCI_AnalyseMode     changes nothing: analysis and play are the same search
UCI_Variant         the game; there is no other
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.errors import UsageError
from zermelo.core.limit import most_threads

HIGHEST_HASH = 65_536
MOST_LINES = 256


@dataclass(frozen=True)
class Options:
    """What is set."""

    variant: str
    hash: int = 64
    threads: int = 1
    multipv: int = 1
    move_overhead: int = 30

    def lines(self) -> list[str]:
        """What is offered."""
        return [
            f"option name Hash type spin default {self.hash} min 1 max {HIGHEST_HASH}",
            f"option name Threads type spin default {self.threads} min 1 max {most_threads()}",
            f"option name MultiPV type spin default {self.multipv} min 1 max {MOST_LINES}",
            f"option name Move Overhead type spin default {self.move_overhead} min 0 max 10000",
            "option name Ponder type check default false",
            "option name UCI_AnalyseMode type check default false",
            "option name Clear Hash type button",
            f"option name UCI_Variant type combo default {self.variant} var {self.variant}",
        ]

    def with_option(self, name: str, value: str) -> Options:
        """With one option set anew; UsageError with a sentence if that cannot be."""
        match name.lower():
            case "hash":
                return replace(self, hash=_number(name, value, 1, HIGHEST_HASH))
            case "threads":
                return replace(self, threads=_number(name, value, 1, most_threads()))
            case "multipv":
                return replace(self, multipv=_number(name, value, 1, MOST_LINES))
            case "move overhead":
                return replace(self, move_overhead=_number(name, value, 0, 10_000))
            case "ponder" | "uci_analysemode":
                if value not in ("true", "false"):
                    raise UsageError(f"{name} is true or false, not {value!r}")
                return self
            case "uci_variant":
                if value.lower() != self.variant.lower():
                    raise UsageError(f"this engine plays {self.variant} and not {value!r}")
                return self
        names = ", ".join(line.removeprefix("option name ").partition(" type")[0] for line in self.lines())
        raise UsageError(f"there is no option {name!r}; there are {names}")


def _number(name: str, value: str, low: int, high: int) -> int:
    try:
        found = int(value)
    except ValueError:
        raise UsageError(f"{name} is a whole number, not {value!r}") from None
    if not low <= found <= high:
        raise UsageError(f"{name} goes from {low} to {high}, so {found} cannot be")
    return found
