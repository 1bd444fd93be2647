"""The inherited notation of moves: a text without blanks and commas for a move of any kind.

    3          3            (2, 0)              2-0           ((2, 0), (3, 1))    2-0:3-1
    "take 2"   take_2       Direction.LEFT      LEFT          Place(row=2, col=0) Place-2-0

Parts are joined by the first of `-`, `:` and `/` that is in none of them.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterable
from typing import Any

JOINTS = "-:/"
_PIECES = re.compile(r"(?:(?<![\w)\]'\"])-(?=\d))?[^\W_]+(?:\.\d+)?|[^\w\s,;:/()\[\]{}'\"-]+")
"""Words and numbers with their sign, and runs of other signs; what separates them is left out."""


def move_text(move: Any) -> str:
    """The move as its game writes it, if the game has no `format_action`."""
    kind: Any = type(move)
    if kind is int:
        return str(move)
    if _has_own_text(kind):
        return _clean(str(move))
    if isinstance(move, enum.Enum):
        return _clean(move.name or str(move.value))
    if hasattr(move, "tolist"):  # arrays and numbers of numpy
        return move_text(move.tolist())
    if isinstance(move, list | tuple):
        return _join(map(move_text, move))
    if isinstance(move, set | frozenset):
        return _join(sorted(map(move_text, move)))
    if isinstance(move, dict):
        return _join(f"{move_text(name)}={move_text(item)}" for name, item in move.items())
    if dataclasses.is_dataclass(move) and not isinstance(move, type):
        return _join([kind.__name__, *(move_text(getattr(move, one.name)) for one in dataclasses.fields(move))])
    if kind.__repr__ is object.__repr__ and hasattr(move, "__dict__"):
        return _join([kind.__name__, *map(move_text, vars(move).values())])
    return _clean(str(move))


def tokens(text: str) -> list[str]:
    """The words and numbers of a move as a person types it: `(0, 1)`, `0,1` and `0-1` are the same."""
    return _PIECES.findall(text.lower())


def _join(parts: Iterable[str]) -> str:
    texts = list(parts)
    whole = "".join(texts)
    joint = next((joint for joint in JOINTS if joint not in whole), "")
    return joint.join(texts) if joint and texts else f"({'/'.join(texts)})"


def _clean(text: str) -> str:
    """Without blanks and commas, and not empty."""
    return re.sub(r"\s+", "_", re.sub(r"\s*,\s*", "-", text.strip())) or "''"


def _has_own_text(kind: type) -> bool:
    """Whether the author of a class says how it is written."""
    owner = next(base for base in kind.__mro__ if "__str__" in vars(base))
    return owner.__module__.partition(".")[0] not in ("builtins", "enum", "numpy")
