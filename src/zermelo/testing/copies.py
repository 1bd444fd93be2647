"""Copies and snapshots of any states, so that a method that changes its argument is detected and harmless."""

from __future__ import annotations

import copy
from dataclasses import fields
from typing import Any

from zermelo.core.frozen import Frozen

_ATOMS = (int, float, complex, str, bytes, bool, type(None))
_DEEPEST = 12


def is_frozen(value: Any) -> bool:
    """Whether nothing inside can change: numbers, texts, and tuples, frozen sets and frozen dataclasses of them."""
    if isinstance(value, (*_ATOMS, Frozen)):
        return True
    declared: Any = getattr(type(value), "__dataclass_params__", None)
    if declared and declared.frozen:
        return all(is_frozen(getattr(value, one.name)) for one in fields(value))
    return isinstance(value, tuple | frozenset) and not hasattr(value, "__dict__") and all(map(is_frozen, value))


def deep_copy(value: Any) -> Any:
    """An equal value without shared mutable parts; objects that equal only themselves are not copied."""
    compare: Any = type(value).__eq__
    if is_frozen(value) or compare is object.__eq__:
        return value
    if type(value) in (list, set):
        return type(value)(deep_copy(item) for item in value)
    if type(value) is dict:
        return {key: deep_copy(item) for key, item in value.items()}
    if isinstance(value, tuple) and not hasattr(value, "__dict__"):
        return tuple.__new__(type(value), [deep_copy(item) for item in value])
    try:
        return copy.deepcopy(value)
    except Exception:  # it cannot be copied; the user's code gets the original
        return value


def snapshot(value: Any, depth: int = 0) -> Any:
    """A snapshot of the value that compares with `==`, without the value's own `==`."""
    kind = type(value).__name__
    if isinstance(value, _ATOMS):
        return kind, repr(value)
    if isinstance(value, Frozen):
        return kind, value
    if depth == _DEEPEST:
        return kind
    if isinstance(value, tuple | list):
        return kind, tuple(snapshot(item, depth + 1) for item in value)
    if isinstance(value, set | frozenset):
        return kind, frozenset(snapshot(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return kind, tuple((snapshot(key, depth + 1), snapshot(item, depth + 1)) for key, item in value.items())
    if hasattr(value, "tolist"):
        return kind, repr(value.tolist())
    attributes = _attributes(value)
    if attributes:
        return kind, tuple((name, snapshot(item, depth + 1)) for name, item in attributes)
    return kind, "" if " at 0x" in repr(value) else repr(value)


def _attributes(value: Any) -> list[tuple[str, Any]]:
    slots = [name for cls in type(value).__mro__ for name in _names(getattr(cls, "__slots__", ()))]
    kept = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return sorted((kept | getattr(value, "__dict__", {})).items())


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)
