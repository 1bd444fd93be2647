"""How long a search may take: seconds, nodes, plies, or any mixture; whichever comes first."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass

from zermelo.core.errors import UsageError

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Limit:
    """None means without limit."""

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("time", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and (not math.isfinite(value) or value <= 0):
                raise UsageError(f"the {name} limit is {value}; it must be a number above zero")

    def to_json(self) -> dict[str, float | int | None]:
        return asdict(self)


def parse_duration(text: str) -> float:
    """Seconds from `2s`, `500ms`, `1.5`, `3min` or `1h`."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*", text)
    if not match:
        raise UsageError(f"{text!r} is no duration; write 2s, 500ms, 3min or 1h")
    return float(match[1]) * _UNITS[match[2] or ""]


def parse_count(text: str) -> int:
    """A whole number from `10000`, `10k`, `2M` or `1e6`."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*([kKmMgG]?)\s*", text.replace("_", "").replace(",", ""))
    if not match:
        raise UsageError(f"{text!r} is no count; write 10000, 10k or 2M")
    return round(float(match[1]) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[match[2].lower()])
