"""Typed states: named tuples whose compiled type follows their annotations.

    @state
    class Position(NamedTuple):
        mine: U64                 # a 64-bit word
        heaps: tuple[int, ...]    # as many as the first state has
        ply: int

Construction casts every field, interpreted and compiled alike.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import math
import struct
import sys
import typing
from collections.abc import Callable, Iterator
from fractions import Fraction
from numbers import Complex, Integral, Number, Real
from typing import Any, TypeVar

from zermelo.kernel.words import GOLDEN, U64, mix

Class = TypeVar("Class", bound=type)

SCALARS = (U64, int, float, bool)
_annotations: dict[type, tuple[Any, ...]] = {}
_identities: dict[type, str] = {}
_classes: dict[str, type] = {}


def state(cls: Class) -> Class:
    """Mark a `NamedTuple` class as a state of compiled games."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise TypeError(f"@state goes on a NamedTuple class; {cls.__name__} is not one")
    here = sys._getframe(1)  # annotations use the names of the scope where the class is defined
    hints = typing.get_type_hints(cls, here.f_globals, here.f_locals)
    annotations = tuple(hints[name] for name in cls._fields)
    casts = [_cast(cls, name, hints[name]) for name in cls._fields]
    plain_new: Any = cls.__new__

    def cast_new(cls_: type, *args: Any, **kwargs: Any) -> Any:
        made = plain_new(cls_, *args, **kwargs)
        return tuple.__new__(cls_, [cast(value) for cast, value in zip(casts, made, strict=True)])

    functools.update_wrapper(cast_new, plain_new)
    cls.__new__ = cast_new  # type: ignore[method-assign]
    _annotations[cls] = annotations
    fields = ",".join(f"{name}:{_identities.get(hints[name], hints[name])}" for name in cls._fields)
    name = f"{cls.__module__}.{cls.__qualname__}"
    _identities[cls] = f"{name}[{hashlib.sha256(f'{name}({fields})'.encode()).hexdigest()[:8]}]"
    _classes[_identities[cls]] = cls
    return cls


def cast_of(cls: type, field: str) -> Callable[[Any], Any]:
    """The cast that construction applies to a field."""
    annotations = dict(zip(cls._fields, _annotations[cls], strict=True))  # type: ignore[attr-defined]
    return _cast(cls, field, annotations[field])


def is_state(cls: type) -> bool:
    return cls in _annotations


def identity(cls: type) -> str:
    """A name that is equal for state classes of the same name and fields, in this process and in others."""
    return _identities[cls]


def class_of(identity: str) -> type:
    """The last defined state class with that identity."""
    return _classes[identity]


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


def replace_item(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced; the index counts from the front."""
    if not 0 <= index < len(items):
        raise IndexError(f"there is no item {index} to replace in a tuple of {len(items)}")
    made = items[:index] + (item,) + items[index + 1 :]
    return type(items)(*made) if is_state(type(items)) else made


def hash_numbers(state: Any) -> U64:
    """A 64-bit hash of a number or of nested tuples of numbers."""
    word = first_word(isinstance(state, tuple))
    for number in numbers_of(state):
        word = mix(word ^ number) + GOLDEN
    return word


def first_word(is_tuple: bool) -> U64:
    """What a hash begins with, so that 1 is not (1,)."""
    return GOLDEN if is_tuple else mix(GOLDEN)


def numbers_of(state: Any) -> Iterator[U64]:
    """The numbers of nested tuples as words: equal states give equal words, in this process and in others."""
    if isinstance(state, tuple):
        for item in state:
            yield from numbers_of(item)
            if isinstance(item, tuple):
                yield end_of_tuple(len(item))
    elif isinstance(state, U64):
        yield state
    elif isinstance(state, int):
        yield from _words_of(int(state))
    elif isinstance(state, float):
        if state.is_integer() and abs(state) < _MOST_WHOLE:
            yield U64(int(state))
        else:
            yield U64(int.from_bytes(struct.pack("<d", state), "little"))
    elif isinstance(state, Number):
        yield from _words_of_number(state)
    else:
        yield _word_of(state)


def end_of_tuple(length: int) -> U64:
    """The end mark of a tuple within a tuple, so that ((1, 2), (3,)) is not ((1,), (2, 3))."""
    return U64(0x517CC1B727220A95) + U64(length)


_MOST_WHOLE = 2.0**63
"""Whole floating-point numbers below this hash like integers, because 1.0 == 1."""


def _words_of(number: int) -> Iterator[U64]:
    """A signed number of 64 bits is one word; a longer one as many as it needs, then their count."""
    if -(1 << 63) <= number < 1 << 63:
        yield U64(number)
        return
    words = number.bit_length() // 64 + 1
    for index in range(words):
        yield U64(number >> 64 * index)
    yield end_of_tuple(words)


def _words_of_number(value: Any) -> Iterator[U64]:
    """The words of a number of another type, such as `Fraction`: those of the int or float that it equals, if any."""
    if isinstance(value, Complex) and not isinstance(value, Real):
        yield from numbers_of(float(value.real))
        if value.imag != 0:
            yield from numbers_of(float(value.imag))
            yield end_of_tuple(2)
        return
    try:
        above, below = value.as_integer_ratio()
    except (AttributeError, ArithmeticError, ValueError):  # not a ratio, such as infinity
        yield from numbers_of(int(value) if isinstance(value, Integral) else float(value))
        return
    above, below = int(above), int(below)
    try:
        real = above / below
    except OverflowError:
        real = math.nan
    if below == 1:
        yield from _words_of(above)
    elif math.isfinite(real) and Fraction(real) == Fraction(above, below):
        yield from numbers_of(real)
    else:
        yield from (*_words_of(above), *_words_of(below), end_of_tuple(2))


class Keyed:
    """The base of classes whose objects are equal if their `_key` is, which is hashed in their place."""

    __slots__ = ()
    _key: Any


def _word_of(value: Any) -> U64:
    """A word for a value that is neither a number nor a tuple, the same in every process where that is possible."""
    if isinstance(value, str):
        return _digest(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, bytes):
        return _digest(value, b"bytes")
    if value is None:
        return U64(0x243F6A8885A308D3)
    if isinstance(value, enum.Enum):
        name = value.value if value.name is None else value.name
        return _digest(f"{type(value).__qualname__}.{name}".encode(), b"enum")
    if isinstance(value, frozenset):
        word = U64(len(value))
        for item in value:
            word = word + mix(hash_numbers(item))
        return word
    if isinstance(value, Keyed):
        return hash_numbers((value._key,))
    declared: Any = getattr(type(value), "__dataclass_params__", None)
    if declared and declared.eq:
        fields = (getattr(value, field.name) for field in dataclasses.fields(value) if field.compare)
        return hash_numbers((_class_word(f"{type(value).__module__}.{type(value).__qualname__}"), *fields))
    return _word_among_alike(value)


def _digest(text: bytes, kind: bytes = b"") -> U64:
    return U64(int.from_bytes(hashlib.blake2b(text, digest_size=8, person=kind).digest(), "little"))


@functools.cache
def _class_word(name: str) -> U64:
    return _digest(name.encode(), b"class")


_alike: dict[int, list[Any]] = {}
"""By their hash, the different objects seen in states; they are kept, so that no word is used for two of them."""


def _word_among_alike(value: Any) -> U64:
    """The word of an object with a hash of its own, which different objects may share, as -1 and -2 do in Python."""
    number = hash(value)
    alike = _alike.setdefault(number, [number])  # it may equal the number itself
    index = next((index for index, other in enumerate(alike) if _is_equal(value, other)), len(alike))
    if index == len(alike):
        alike.append(value)
    return U64(number) if index == 0 else mix(U64(number) ^ mix(U64(index)))


def _is_equal(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(one == other)
    except Exception:  # an object of another class, which its `==` does not expect
        return False


def forget_objects() -> None:
    """Free the objects that were kept for their hashes; only while no search or table uses any."""
    _alike.clear()
