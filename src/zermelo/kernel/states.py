"""Typed states: named tuples whose compiled type follows their annotations.

    @state
    class Position(NamedTuple):
        mine: U64                 # a 64-bit word
        heaps: tuple[int, ...]    # as many as the first state has
        ply: int

Construction casts every field, interpreted and compiled alike.
"""

from __future__ import annotations

import functools
import struct
import typing
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from zermelo.kernel.words import U64, mix

Class = TypeVar("Class", bound=type)

SCALARS = (U64, int, float, bool)
_annotations: dict[type, tuple[Any, ...]] = {}


def state(cls: Class) -> Class:
    """Mark a `NamedTuple` class as a state of compiled games."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise TypeError(f"@state goes on a NamedTuple class; {cls.__name__} is none")
    hints = typing.get_type_hints(cls)
    annotations = tuple(hints[name] for name in cls._fields)
    casts = [_cast(cls, name, hints[name]) for name in cls._fields]
    plain_new: Any = cls.__new__

    def cast_new(cls_: type, *args: Any, **kwargs: Any) -> Any:
        made = plain_new(cls_, *args, **kwargs)
        return tuple.__new__(cls_, [cast(value) for cast, value in zip(casts, made, strict=True)])

    functools.update_wrapper(cast_new, plain_new)
    cls.__new__ = cast_new  # type: ignore[method-assign]
    _annotations[cls] = annotations
    return cls


def is_state(cls: type) -> bool:
    return cls in _annotations


def annotations_of(cls: type) -> tuple[Any, ...]:
    """The field types of a state class, in order."""
    return _annotations[cls]


def _cast(cls: type, name: str, annotation: Any) -> Callable[[Any], Any]:
    if annotation in SCALARS:
        return typing.cast(Callable[[Any], Any], annotation)
    if annotation in _annotations:
        return lambda value: value
    if typing.get_origin(annotation) is tuple:
        items = [item for item in typing.get_args(annotation) if item is not Ellipsis]
        if items and all(item in SCALARS and item is items[0] for item in items):
            item = items[0]
            return lambda value: tuple(map(item, value))
    raise TypeError(
        f"{cls.__name__}.{name} is annotated {annotation!r}; "
        "a state's field is U64, int, float, bool, another state, or a tuple of one of the first four"
    )


def replaced(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """The tuple with one item exchanged."""
    return items[:index] + (item,) + items[index + 1 :]


def hash_numbers(state: Any) -> U64:
    """A 64-bit hash of a number or of nested tuples of numbers."""
    word = U64(0x9E3779B97F4A7C15)
    for number in numbers_of(state):
        word = mix(word ^ number) + U64(0x9E3779B97F4A7C15)
    return word


def numbers_of(state: Any) -> Iterator[U64]:
    """The numbers of nested tuples as words; anything else hashable counts by its hash."""
    if isinstance(state, tuple):
        for item in state:
            yield from numbers_of(item)
    elif isinstance(state, float):
        yield U64(int.from_bytes(struct.pack("<d", state), "little"))
    else:
        yield U64(state if isinstance(state, int) else hash(state))
