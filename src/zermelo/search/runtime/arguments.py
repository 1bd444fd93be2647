"""Checks of what the caller of a search gives: names of techniques, and the size of its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from zermelo.core.errors import UsageError
from zermelo.core.game import suggest

Reserved = TypeVar("Reserved")


def vet_techniques(names: Iterable[str], known: Mapping[str, str]) -> None:
    """Raise UsageError for an unknown technique."""
    for name in names:
        if name not in known:
            raise UsageError(f"there is no technique {name!r}; {suggest(known, '', most=30)}")


def vet_megabytes(megabytes: float, kind: str = "table") -> None:
    """Raise UsageError for a size that no table or tree can have."""
    if not 0 < megabytes < 1 << 24:
        raise UsageError(f"a {kind} of {megabytes} megabytes makes no sense; 64 is a good size")


def reserve(megabytes: float, create: Callable[[], Reserved], kind: str = "table") -> Reserved:
    """The table or tree that `create` makes; UsageError if there is no room for it."""
    try:
        return create()
    except (MemoryError, OverflowError, OSError, ValueError):
        raise UsageError(f"there is no room for a {kind} of {megabytes:,} megabytes; give it less") from None
