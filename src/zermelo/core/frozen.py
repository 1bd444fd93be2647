"""States, moves and views of any kind as values: what can change is frozen on its way out of the rules.

Searches keep positions in tables, so a state must be hashable and must not change. The rules of a game may use what
they like: `freeze` makes a value of it, and `thaw` gives the rules a fresh copy of what they wrote.

Frozen things are equal if Python's `==` says so, whatever the order of a dict or a set. A table needs more than `==`
in a few places: True is not 1, an item of a subclass is not one of its base class, NaN equals NaN, and objects without
an `==` of their own are equal if their attributes are.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import marshal
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from zermelo.core.errors import RulesError
from zermelo.kernel import Keyed, Static

_SIMPLE = frozenset({int, str, type(None)})
"""Types whose values are their own keys."""
_ATOMS = frozenset({*_SIMPLE, bool, float, complex, bytes})
_THINGS = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType, Static, enum.Enum)
"""They are equal only to themselves, and are never copied."""
_BASES = (int, float, str, bytes)
_TRUE, _FALSE, _NAN = ("bool", 1), ("bool", 0), ("float", "nan")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Frozen(Keyed):
    """A thing that can change, as a value that cannot. It reads like a copy of the thing."""

    _key: Any
    """Nested tuples and frozen sets: what is compared and hashed."""
    _hash: int = field(compare=False)
    _thaw: Callable[[], Any] = field(compare=False)
    """Makes a copy that shares nothing with any other."""

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Frozen):
            return self._hash == other._hash and bool(self._key == other._key)
        if type(other).__hash__ is None:
            return bool(self._key == _Reading().key(other))
        return NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        return freeze, (self._thaw(), type(self).__name__)

    # -- it reads like the thing itself ----------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._thaw(), name)

    def __getitem__(self, place: Any) -> Any:
        return self._thaw()[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._thaw())

    def __contains__(self, item: Any) -> bool:
        return item in self._thaw()

    def __len__(self) -> int:
        return len(self._thaw())

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return repr(self._thaw())


def freeze(value: Any, kind: str = "") -> Any:
    """The value itself if it can be hashed and cannot change; otherwise, or if a kind is given, a `Frozen`.

    `kind` says what it is, for the sentence about rules that do not compile.
    """
    if isinstance(value, Frozen) or (not kind and is_value(value)):
        return value
    reading = _Reading()
    try:
        key = reading.key(value)
        return _class_of(kind or kind_of(value))(key, hash(key), _copier(value, reading))
    except RecursionError:
        raise RulesError(f"{kind_of(value)} of the rules contains itself or is nested too deeply") from None
    except (TypeError, ValueError, AttributeError, copy.Error) as error:
        raise RulesError(
            f"{kind_of(value)} of the rules cannot be copied ({error}); "
            "make states and moves of numbers, texts, tuples, lists, dicts and objects of such"
        ) from error


def thaw(value: Any) -> Any:
    """What was frozen, as a fresh copy; anything else as it is."""
    return value._thaw() if isinstance(value, Frozen) else value


def is_value(value: Any) -> bool:
    """Whether it can be hashed and nothing in it can change, as far as Python knows."""
    kind = type(value)
    if kind in _ATOMS or (kind is tuple and _ATOMS.issuperset(map(type, value))):
        return True
    if isinstance(value, (*_THINGS, Frozen)):
        return True
    if isinstance(value, tuple | frozenset) and not hasattr(value, "__dict__"):
        return all(map(is_value, value))
    declared: Any = getattr(kind, "__dataclass_params__", None)
    if declared and declared.frozen and declared.eq:
        return all(is_value(getattr(value, one.name)) for one in dataclasses.fields(value))
    return _hashes_itself(value)


def kind_of(value: Any) -> str:
    """`dict`; `tuple with a list in it`."""
    name = "numpy array" if _is_array(value) else type(value).__name__
    if isinstance(value, tuple | frozenset):
        for item in value:
            if not is_value(item):
                return f"{name} with a {kind_of(item).partition(' with ')[0]} in it"
    return name


# -- keys ----------------------------------------------------------------------------------------------


class _Reading:
    """Reads one thing from the outside in: its key, and what there is to know for copying it."""

    def __init__(self) -> None:
        self.objects = 0
        """How many parts are not plain tuples, lists, dicts, sets and atoms."""
        self.has_unread = False
        """Whether there are parts that the key does not look at."""
        self.things: dict[int, Any] = {}
        """By their identity."""
        self._met: dict[int, tuple[int, Any]] = {}

    def key(self, value: Any) -> Any:
        """Tuples that begin with the name of a type, frozen sets, and atoms."""
        kind = type(value)
        if kind in _SIMPLE:
            return value
        if kind is bool:
            return _TRUE if value else _FALSE
        if kind is float:
            return value if value == value else _NAN
        if kind is list or kind is tuple:
            if _SIMPLE.issuperset(map(type, value)):
                return (kind.__name__, *value)
            return (kind.__name__, *map(self.key, value))
        if kind is dict:
            return "dict", self._bag((name, value[name]) for name in value)
        if kind is set or kind is frozenset:
            return kind.__name__, frozenset(value) if _SIMPLE.issuperset(map(type, value)) else self._bag(value)
        if kind in _ATOMS:
            return kind.__name__, value
        self.objects += 1
        return self._other(value, f"{kind.__module__}.{kind.__qualname__}")

    def _bag(self, items: Iterable[Any]) -> frozenset[Any]:
        """The keys of the items in any order; objects that look the same count as often as they are there."""
        keys = list(map(self.key, items))
        found = frozenset(keys)
        return found if len(found) == len(keys) else frozenset(Counter(keys).items())

    def _other(self, value: Any, name: str) -> Any:
        if isinstance(value, Frozen):
            return value._key
        if isinstance(value, enum.Enum):
            return name, value.name, value.value if value.name is None else None
        if isinstance(value, _THINGS):
            self.things[id(value)] = value
            return name, value
        if _is_array(value):
            return self._array(value, name)
        if hasattr(value, "dtype") and getattr(value, "shape", None) == () and type(value.item()) in _ATOMS:
            return self.key(value.item())  # a number of numpy
        attributes = getattr(value, "__dict__", None) or None
        if isinstance(value, set | frozenset):
            return name, self._bag(value), self.key(attributes)
        if isinstance(value, tuple):
            return name, *map(self.key, value), self.key(attributes)
        if isinstance(value, _BASES) and attributes is None:
            base: Any = next(base for base in _BASES if isinstance(value, base))
            return name, self.key(base.__str__(value) if base is str else base(value))
        return self._object(value, name)

    def _array(self, value: Any, name: str) -> Any:
        if value.dtype.hasobject:
            return name, value.dtype.str, value.shape, *map(self.key, value.ravel().tolist())
        content = value + 0 if value.dtype.kind in "fc" else value  # 0.0 for -0.0
        return name, value.dtype.str, value.shape, content.tobytes()

    def _object(self, value: Any, name: str) -> Any:
        declared: Any = getattr(type(value), "__dataclass_params__", None)
        if declared and declared.eq:
            fields = dataclasses.fields(value)
            compared = [one.name for one in fields if one.compare]
            self.has_unread |= len(compared) < len(fields)
            return name, *(self.key(getattr(value, one)) for one in compared if hasattr(value, one))
        if _hashes_itself(value):
            self.has_unread = True
            return name, copy.deepcopy(value)
        if id(value) in self._met:
            return "again", self._met[id(value)][0]
        parts = _parts(value)
        arguments, state, list_items, dict_items = parts
        self._met[id(value)] = len(self._met), (value, parts)  # kept, so that no identity is used twice
        pairs = [(self.key(one), self.key(other)) for one, other in dict_items]
        items = tuple(pairs) if isinstance(value, OrderedDict) else frozenset(pairs)
        return name, *map(self.key, arguments), self.key(state), tuple(map(self.key, list_items)), items


def _parts(value: Any) -> tuple[tuple[Any, ...], Any, tuple[Any, ...], tuple[Any, ...]]:
    """The arguments, state, items and pairs that an object is made of, as `copy` and `pickle` see it."""
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        raise TypeError(f"{reduced} has no parts")
    arguments, state, list_items, dict_items = (*reduced[1:], None, None, None)[:4]
    return tuple(arguments), state, tuple(list_items or ()), tuple(dict_items or ())


def _hashes_itself(value: Any) -> bool:
    """Whether its class has an `==` and a hash of its own, which are taken at their word."""
    cls: Any = type(value)
    if cls.__eq__ is object.__eq__ or cls.__hash__ is None or cls.__hash__ is object.__hash__:
        return False
    try:
        hash(value)
    except Exception:
        return False
    return True


def _is_array(value: Any) -> bool:
    return type(value).__name__ == "ndarray" and getattr(value, "shape", ()) != ()


# -- copies --------------------------------------------------------------------------------------------


def _copier(value: Any, reading: _Reading) -> Callable[[], Any]:
    """What makes copies; for plain tuples, lists, dicts and sets, and one object around them, from packed bytes."""
    if reading.objects <= 1 and not reading.has_unread:
        build, content = _as_plain(value) if reading.objects else (None, value)
        try:
            if reading.objects == 0 or build is not None:
                packed = marshal.dumps(content)
                return functools.partial(_unpack, packed, build) if build else functools.partial(marshal.loads, packed)
        except ValueError:  # nested too deeply
            pass
    kept = copy.deepcopy(value, dict(reading.things))
    return lambda: copy.deepcopy(kept, dict(reading.things))


def _unpack(packed: bytes, build: Callable[[Any], Any]) -> Any:
    return build(marshal.loads(packed))


def _as_plain(value: Any) -> tuple[Callable[[Any], Any] | None, Any]:
    """How to build the object, and of what; None if it is not a named tuple or an object with mere attributes."""
    cls: Any = type(value)
    if isinstance(value, tuple) and not hasattr(value, "__dict__"):
        return functools.partial(tuple.__new__, cls), tuple(value)
    if _has_mere_attributes(value, cls):
        return functools.partial(_object_with, cls), dict(vars(value))
    return None, None


_COPYING = ("__new__", "__reduce__", "__reduce_ex__", "__getstate__")
_COPYING_TOO = ("__setstate__", "__getnewargs__", "__getnewargs_ex__", "__deepcopy__")


def _has_mere_attributes(value: Any, cls: Any) -> bool:
    """Whether a new object with these attributes is a copy."""
    return (
        hasattr(value, "__dict__")
        and cls.__basicsize__ <= _Bare.__basicsize__
        and all(getattr(cls, name) is getattr(object, name) for name in _COPYING)
        and not any(hasattr(cls, name) for name in _COPYING_TOO)
    )


class _Bare:
    """An object without slots."""


def _object_with(cls: Any, attributes: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    vars(made).update(attributes)
    return made


_classes: dict[str, type[Frozen]] = {}


def _class_of(kind: str) -> type[Frozen]:
    """`Frozen` under the name of what is frozen, which is what sentences say about it."""
    if kind not in _classes:
        _classes[kind] = type(kind, (Frozen,), {"__slots__": (), "__doc__": Frozen.__doc__})
    return _classes[kind]
