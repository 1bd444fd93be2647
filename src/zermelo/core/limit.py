"""Limits of a search in seconds, nodes and plies, of which the first one reached applies; and of threads."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from numbers import Real

from zermelo.core.errors import UsageError

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}

MOST: dict[str, int] = {"time": 10**9, "nodes": 10**18, "depth": 10**9}
"""Upper limits, far above any use and safe for 64-bit arithmetic."""
LEAST_CAP = 32
"""Number of threads allowed on any machine."""


@dataclass(frozen=True)
class Limit:
    """The limits of a search; None means no limit."""

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is None:
                continue
            if not _is_number(value) or not value > 0:
                raise UsageError(f"the {name} limit is {value!r}; it must be a number above zero")
            if value > most:
                raise UsageError(f"the {name} limit is {_rough(value)}; it must be at most {_rough(most)}, or left out")
            if name != "time" and value != int(value):
                raise UsageError(f"the {name} limit is {value}; it must be a whole number")
            object.__setattr__(self, name, float(value) if name == "time" else int(value))

    def to_json(self) -> dict[str, float | int | None]:
        return asdict(self)


def parse_duration(text: str) -> float:
    """Parse `2s`, `500ms`, `1.5`, `3min` or `1h` into seconds."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*", text)
    if not match:
        raise UsageError(f"{_short(text)} is not a duration; write 2s, 500ms, 3min or 1h")
    return float(match[1]) * _UNITS[match[2] or ""]


def parse_count(text: str) -> int:
    """Parse `10000`, `10k`, `2M` or `1e6` into a whole number."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*([kKmMgG]?)\s*", text.replace("_", "").replace(",", ""))
    if not match:
        raise UsageError(f"{_short(text)} is not a count; write 10000, 10k or 2M")
    found = float(match[1]) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[match[2].lower()]
    if found > MOST["nodes"]:
        raise UsageError(f"{_short(text)} is too large; a count is at most {_rough(MOST['nodes'])}")
    return int(match[1]) if match[1].isdecimal() and not match[2] else round(found)


def most_threads() -> int:
    """The maximum number of threads, two per processor; more would slow each other down."""
    return max(LEAST_CAP, 2 * (os.cpu_count() or 1))


def vet_threads(count: int) -> int:
    """Raise UsageError if the number of threads is out of range."""
    if not 1 <= count <= most_threads():
        raise UsageError(f"a search has 1 to {most_threads()} threads on this machine, not {count}")
    return count


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def _rough(count: float) -> str:
    """The order of magnitude as text, such as 1e18."""
    return f"1e{len(str(count)) - 1}" if isinstance(count, int) else f"{count:.3g}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
