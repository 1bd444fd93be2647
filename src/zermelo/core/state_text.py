"""The inherited notation of positions: a state of any kind as a text in the way of Python, and back.

    21,0       (21, 0), and a named tuple with @state       {'board': [['.', 'X']], 'turn': 0}
    Heap(left=21,turn=0)      a named tuple, a dataclass, or any object with attributes
    [Color.RED,None]          members of enums by their names

Nothing is evaluated. Classes are looked up by name among those of the game's file and of its first state, and objects
are made without calling their constructors.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.kernel import U64, Static
from zermelo.kernel.compiler import is_plain
from zermelo.kernel.states import is_state

if TYPE_CHECKING:
    import ast

_BASES = (int, float, str, bytes)
_KNOWN: dict[str, Callable[..., Any]] = {
    cls.__name__: cls for cls in (set, frozenset, deque, OrderedDict, Counter, Decimal, Fraction, range, U64)
}
_REAL = {"nan": math.nan, "inf": math.inf}
_FACTORIES: dict[str, type] = {cls.__name__: cls for cls in (int, float, str, list, dict, set, tuple, bool)}
UNREADABLE = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ArithmeticError)
"""What `read` raises for a text that is not a state."""


def write(state: Any) -> str:
    """The state as text: without blanks if there are no texts in it, a tuple without its brackets."""
    text = _text(_without_words(state) if is_plain(state) else state)
    if _is_short(state):
        text = text[1:-1].rstrip(",")
    return text if "'" in text or '"' in text else text.replace(" ", "")


def read(text: str, example: Any, scope: Mapping[str, Any]) -> Any:
    """The state that is written so, with the types of the example, which is another state; UNREADABLE if it is none."""
    import ast

    is_tuple = isinstance(example, tuple)
    if is_tuple and not _is_short(example):  # a named tuple, which may be written without its name
        found = _value(ast.parse(text.strip(), mode="eval").body, scope)
        return found if hasattr(found, "_fields") else _like(example, found)
    if is_tuple and not text.strip():
        return _like(example, ())
    return _like(example, _value(ast.parse(f"({text}\n,)" if is_tuple else text.strip(), mode="eval").body, scope))


def scope_of(owner: type, example: Any) -> dict[str, Any]:
    """The classes that may be named in a position: those in the first state, in the class of the game and its file."""
    found: dict[str, Any] = {}
    for base in reversed(owner.__mro__):
        if base.__module__.partition(".")[0] != "zermelo":
            found |= _classes_in(vars(sys.modules.get(base.__module__, base)))
            found |= _classes_in(vars(base))
    return found | _classes_of(example, {})


def _classes_in(names: Mapping[str, Any]) -> dict[str, Any]:
    return {value.__name__: value for value in list(names.values()) if isinstance(value, type)}


def _classes_of(value: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The classes of the parts of a value, by name."""
    found.setdefault(type(value).__name__, type(value))
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = list(value)
    elif not isinstance(value, (type, enum.Enum, *_BASES)):
        parts = list(_attributes(value).values())
    for part in parts:
        if not isinstance(part, str | int | float | None):
            _classes_of(part, found)
    return found


# -- writing -------------------------------------------------------------------------------------------


def _is_short(state: Any) -> bool:
    """Whether it is a tuple that is written without a name."""
    return isinstance(state, tuple) and (type(state) is tuple or is_state(type(state)))


def _text(value: Any) -> str:
    kind = type(value)
    if kind in (int, str, bool, bytes, float, type(None), complex):
        return repr(value)
    if isinstance(value, enum.Enum):
        return f"{kind.__name__}.{value.name}" if value.name else f"{kind.__name__}({value.value!r})"
    if isinstance(value, U64):
        return f"U64({int(value)})"
    if _is_short(value):
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return f"array({_text(value.tolist())}, {str(value.dtype)!r})" if value.shape else _text(value.tolist())
    if kind is list:
        return f"[{', '.join(map(_text, value))}]"
    if kind is dict:
        return f"{{{', '.join(f'{_text(name)}: {_text(item)}' for name, item in value.items())}}}"
    if isinstance(value, set | frozenset):
        items = f"{{{', '.join(sorted(map(_text, value)))}}}" if value else ""
        return items if kind is set and items else f"{kind.__name__}({items})"
    if kind is defaultdict:
        return f"defaultdict({getattr(value.default_factory, '__name__', None)}, {_text(dict(value))})"
    if kind.__name__ in _KNOWN:
        content = list(value) if kind is deque else dict(value) if isinstance(value, dict) else None
        return repr(value) if content is None else f"{kind.__name__}({_text(content)})"
    if isinstance(value, _BASES):
        base = next(base for base in _BASES if isinstance(value, base))
        return f"{kind.__name__}({base.__repr__(value)})"
    return f"{kind.__name__}({', '.join(f'{name}={_text(item)}' for name, item in _attributes(value).items())})"


def _without_words(value: Any) -> Any:
    """With numbers for words: the first state says which of them are words."""
    if _is_short(value):
        return tuple(map(_without_words, value))
    return int(value) if isinstance(value, U64) else value


def _attributes(value: Any) -> dict[str, Any]:
    """The fields of a named tuple or a dataclass, and the attributes of any other object."""
    if hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    names = [one.name for one in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    slots = [name for cls in type(value).__mro__ for name in _names(vars(cls).get("__slots__", ()))]
    found = {name: getattr(value, name) for name in (*names, *slots) if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


# -- reading -------------------------------------------------------------------------------------------


def _value(node: ast.expr, scope: Mapping[str, Any]) -> Any:
    """What an expression says that is made of literals, names of enum members and objects."""
    import ast

    def values(nodes: list[ast.expr]) -> list[Any]:
        return [_value(one, scope) for one in nodes]

    match node:
        case ast.Constant(value):
            return value
        case ast.Tuple(items):
            return tuple(values(items))
        case ast.List(items):
            return values(items)
        case ast.Set(items):
            return set(values(items))
        case ast.Dict(names, items):
            return dict(zip(values([name for name in names if name is not None]), values(items), strict=True))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, scope)
        case ast.BinOp(left, ast.Add(), right):
            return complex(_value(left, scope)) + complex(_value(right, scope))
        case ast.Name(name) if name in _REAL:
            return _REAL[name]
        case ast.Attribute(ast.Name(name), member) if _is_enum(scope.get(name)):
            return scope[name][member]
        case ast.Call(ast.Name("array"), [content, ast.Constant(str() as kind)], []):
            import numpy as np

            return np.array(_value(content, scope), dtype=kind)
        case ast.Call(ast.Name("defaultdict"), [factory, content], []):
            return defaultdict(_FACTORIES.get(getattr(factory, "id", "")), _value(content, scope))
        case ast.Call(ast.Name(name), items, []) if _is_known(name, scope):
            return _KNOWN[name](*values(items))
        case ast.Call(ast.Name(name), [], fields) if isinstance(scope.get(name), type):
            return _object(scope[name], {str(one.arg): _value(one.value, scope) for one in fields})
        case ast.Call(ast.Name(name), [item], []) if isinstance(scope.get(name), type):
            cls = scope[name]
            if issubclass(cls, (enum.Enum, *_BASES, set, frozenset)):
                return cls(_value(item, scope))
    raise ValueError("not a value")


def _is_known(name: str, scope: Mapping[str, Any]) -> bool:
    """Whether the name is that of a known type here."""
    return name in _KNOWN and scope.get(name) in (None, _KNOWN[name])


def _is_enum(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, enum.Enum)


def _object(cls: Any, attributes: dict[str, Any]) -> Any:
    if issubclass(cls, Static):
        raise TypeError("a game is not a part of a state")
    if hasattr(cls, "_fields"):
        return cls(**attributes)
    made = cls.__new__(cls)
    for name, value in attributes.items():
        if name.startswith("__"):
            raise ValueError("not an attribute")
        object.__setattr__(made, name, value)
    return made


def _like(example: Any, found: Any) -> Any:
    """`found`, rebuilt with the words and named tuples of `example`; TypeError or ValueError if the shapes differ."""
    if isinstance(example, U64):
        return U64(found)
    if type(found) is not tuple or not isinstance(example, tuple):
        if isinstance(example, tuple) and not hasattr(found, "_fields"):
            raise TypeError("another shape")
        return found
    if not hasattr(example, "_fields") and len(found) != len(example):
        return found  # a state that grows
    items = [_like(one, other) for one, other in zip(example, found, strict=True)]
    return type(example)(*items) if hasattr(example, "_fields") else tuple(items)
