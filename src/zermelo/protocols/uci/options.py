"""The options of our engine, as `option` lines offer them and `setoption` sets them.

Hash, Threads       megabytes of the table, threads that share it
MultiPV             number of principal variations to report
Move Overhead       milliseconds that a move takes on its way to the other program and back
Ponder              changes nothing: a move to ponder on is always reported
UCI_AnalyseMode     changes nothing: analysis and play are the same search
UCI_Variant         the game, which cannot be changed
UCI_LimitStrength   whether to play as weakly as UCI_Elo says, in a game with such levels
UCI_Elo             the strength
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.errors import UsageError
from zermelo.core.limit import most_threads

HIGHEST_HASH = 65_536
MOST_LINES = 256


@dataclass(frozen=True)
class Options:
    """The current values."""

    variant: str
    hash: int = 64
    threads: int = 1
    multipv: int = 1
    move_overhead: int = 30
    elos: tuple[int, int] | None = None
    """The lowest and the highest Elo; None if the strength cannot be limited."""
    limit_strength: bool = False
    elo: int = 0

    def lines(self) -> list[str]:
        """The `option` lines."""
        return [
            f"option name Hash type spin default {self.hash} min 1 max {HIGHEST_HASH}",
            f"option name Threads type spin default {self.threads} min 1 max {most_threads()}",
            f"option name MultiPV type spin default {self.multipv} min 1 max {MOST_LINES}",
            f"option name Move Overhead type spin default {self.move_overhead} min 0 max 10000",
            "option name Ponder type check default false",
            "option name UCI_AnalyseMode type check default false",
            "option name Clear Hash type button",
            f"option name UCI_Variant type combo default {self.variant} var {self.variant}",
            *self._strength_lines(),
        ]

    def _strength_lines(self) -> list[str]:
        if self.elos is None:
            return []
        low, high = self.elos
        return [
            "option name UCI_LimitStrength type check default false",
            f"option name UCI_Elo type spin default {high} min {low} max {high}",
        ]

    @property
    def strength(self) -> int | None:
        """The Elo to play at; None for full strength."""
        return (self.elo or (self.elos or (0, 0))[1]) if self.limit_strength else None

    def with_option(self, name: str, value: str) -> Options:
        """Return the options with one changed; UsageError if the name or the value is not valid."""
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
                _switch(name, value)
                return self
            case "uci_limitstrength" if self.elos is not None:
                return replace(self, limit_strength=_switch(name, value))
            case "uci_elo" if self.elos is not None:
                return replace(self, elo=_number(name, value, *self.elos))
            case "uci_variant":
                if value.lower() != self.variant.lower():
                    raise UsageError(f"this engine plays {self.variant}, not {value!r}")
                return self
        names = ", ".join(line.removeprefix("option name ").partition(" type")[0] for line in self.lines())
        raise UsageError(f"there is no option {name!r}; the options are {names}")


def _switch(name: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise UsageError(f"{name} must be true or false, not {value!r}")
    return value == "true"


def _number(name: str, value: str, low: int, high: int) -> int:
    try:
        found = int(value)
    except ValueError:
        raise UsageError(f"{name} must be a whole number, not {value!r}") from None
    if not low <= found <= high:
        raise UsageError(f"{name} must be between {low} and {high}, not {found}")
    return found
