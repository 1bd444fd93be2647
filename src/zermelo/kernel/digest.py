"""The digest of a static object: everything that compiled code can fold or inline, in one short text.

It covers the object's constants, the code its methods reach and the constants that this code names, as they are in
memory: no file is read, so an edit after the import cannot give old code a new key. Comments and docstrings do not
count, and neither do methods that compiled code cannot call (`Static.not_compiled`). The package `zermelo.kernel`,
which is the compiler, counts as a whole by `compiler_digest`; if its files have changed since they were imported,
`compiler_has_changed` says so. Packages that others installed count by the time and size of their files; a file that
has changed meanwhile equals no other.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from importlib.abc import InspectLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from zermelo.kernel import states
from zermelo.kernel.records import Field, Located
from zermelo.kernel.static import Static, not_compiled_names

_STANDARD_LIBRARY = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
_COMPILER = Path(__file__).resolve().parent


_IMPORTED = time.time_ns()
_TICK = 20_000_000
"""Nanoseconds by which the time of a file's last change may be behind the clock."""


def digest(instance: Static) -> str:
    """Sixteen hexadecimal digits that change whenever compiled code for the instance could."""
    if instance._digest is not None:
        return instance._digest
    trail = _Trail(type(instance).__mro__)
    found = trail.digest(trail.instance(instance))
    if isinstance(instance, Located):  # all objects of the class are alike
        type(instance)._digest = found
    elif not any(_can_change(value) for value in instance.constants().values()):
        object.__setattr__(instance, "_digest", found)
    return found


def _can_change(value: Any) -> bool:
    """Whether a constant can be changed in place."""
    if isinstance(value, tuple):
        return any(map(_can_change, value))
    if isinstance(value, Static):
        return value._digest is None or not value._is_compiled
    if hasattr(value, "flags") and hasattr(value, "dtype"):
        return bool(value.flags.writeable)
    return not isinstance(value, bool | int | float | complex | str | bytes | enum.Enum | type | FunctionType | None)


def code_digest(function: FunctionType) -> str:
    """The same for a function: its code, and the functions and constants it reaches."""
    trail = _Trail((function,))
    return trail.digest(trail.function(function))


@functools.cache
def compiler_digest() -> str:
    """The digest of `zermelo.kernel`, which compiles functions."""
    total = hashlib.sha256()
    for path in sorted(_COMPILER.glob("*.py")):
        code = importlib.util.find_spec(f"zermelo.kernel.{path.stem}" if path.stem != "__init__" else "zermelo.kernel")
        assert code is not None
        assert isinstance(code.loader, InspectLoader)
        found = code.loader.get_code(code.name)
        assert found is not None
        total.update("\n".join(_instructions(found)).encode())
    return total.hexdigest()


@functools.cache
def compiler_had_changed() -> bool:
    """Whether one of its files may have changed between its import and `compiler_digest`."""
    compiler_digest()
    return compiler_has_changed()


def compiler_has_changed() -> bool:
    """Whether one of its files may have changed since the first of them was imported."""
    return any(
        max(found.st_mtime_ns, found.st_ctime_ns) > _IMPORTED - _TICK
        for found in (path.stat() for path in _COMPILER.glob("*.py"))
    )


def _instructions(code: CodeType) -> Iterator[str]:
    """The code of a module as text, with all that it defines."""
    for nested in _nested_codes(code):
        yield nested.co_code.hex()
        yield repr((nested.co_name, nested.co_names, nested.co_varnames))
        for constant in _constants(nested):
            if isinstance(constant, frozenset):  # its order differs among processes
                yield repr(sorted(map(repr, constant)))
            elif not isinstance(constant, CodeType):
                yield repr(constant)


_HAS_DOCSTRING = 0x4000000
"""A flag of code objects since Python 3.13; before, a text as the first constant of a function is its docstring."""


def _constants(code: CodeType) -> tuple[Any, ...]:
    """The constants of a piece of code without its docstring."""
    if not code.co_flags & inspect.CO_OPTIMIZED:  # a module, or the body of a class, whose name comes first
        place = 0 if code.co_name == "<module>" else 1
        return code.co_consts[:place] + code.co_consts[place + ("__doc__" in code.co_names) :]
    if sys.version_info >= (3, 13):
        has_docstring = bool(code.co_flags & _HAS_DOCSTRING)
    else:
        has_docstring = isinstance((*code.co_consts, None)[0], str) and not code.co_name.startswith("<")
    return code.co_consts[1:] if has_docstring else code.co_consts


def _enclosed_values(function: FunctionType) -> Iterator[Any]:
    """The values of the enclosing variables of an inner function."""
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # not assigned yet
            yield cell.cell_contents


def _named_values(function: FunctionType, code: CodeType) -> Iterator[Any]:
    """The global values that a piece of code names, attributes of modules included (`helpers.table`)."""
    scopes = {id(function.__globals__): function.__globals__}
    waiting = list(scopes.values())
    for scope in waiting:  # it grows on the way
        for value in (scope[name] for name in code.co_names if name in scope):
            if not isinstance(value, ModuleType):
                yield value
            elif id(vars(value)) not in scopes and not is_standard(value.__name__):
                scopes[id(vars(value))] = vars(value)
                waiting.append(vars(value))


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    """The code object and those of the functions defined inside it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _nested_codes(value)


class _Trail:
    """Everything reachable from a value, each object once, in an order that is the same in every process."""

    def __init__(self, owners: Iterable[Any]) -> None:
        self._own_packages = {str(owner.__module__).partition(".")[0] for owner in owners}
        self._numbers: dict[int, int] = {}
        self._met: list[Any] = []

    def digest(self, beginning: Iterator[str]) -> str:
        total = hashlib.sha256("\n".join(beginning).encode())
        for met in self._met:  # it grows on the way
            total.update("\n".join(self._texts(met)).encode())
        return total.hexdigest()[:16]

    def instance(self, instance: Static) -> Iterator[str]:
        yield self._text(type(instance))
        for name, constant in instance.constants().items():
            yield f"{name}={self._text(constant)}"

    def _text(self, value: Any) -> str:
        """A number or a tuple in full; anything else by the number under which it will be described."""
        if isinstance(value, enum.Enum):
            return f"{type(value).__qualname__}.{value.name} {value.value!r}"
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, tuple):
            cls = "" if type(value) is tuple else self._text(type(value))
            return f"{cls}({','.join(map(self._text, value))})"
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self._met)
            self._met.append(value)
        return f"#{self._numbers[id(value)]}"

    def _texts(self, value: Any) -> Iterator[str]:
        if isinstance(value, Static):
            yield digest(value)
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, Field):
            yield f"{value!r} {self._text(value.kind)}"
        elif isinstance(value, FunctionType):
            yield from self.function(value)
        elif isinstance(value, list):
            yield f"list {self._text(tuple(value))}"
        elif isinstance(value, dict):
            yield f"dict {self._text(tuple(value.items()))}"
        elif isinstance(value, set | frozenset):
            yield f"set {sorted(map(repr, value))}"
        elif hasattr(value, "dtype") and hasattr(value, "tobytes"):
            yield f"array {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        else:
            yield type(value).__qualname__
            yield from (self._text(part) for part in _parts(value))
            yield "" if " at 0x" in (shown := repr(value)) else shown

    def _class(self, cls: type) -> Iterator[str]:
        yield f"{cls.__module__}.{cls.__qualname__}"
        if _is_compiler(cls.__module__):
            return
        if issubclass(cls, Static):
            left_out = {*not_compiled_names(cls), "_digest"}  # which records keep in their class
            for name in dir(cls):
                if not name.startswith("__") and name not in left_out:
                    yield f"{name}: {self._text(_attribute(cls, name))}"
        elif issubclass(cls, enum.Enum):
            yield from map(self._text, cls)
        elif states.is_state(cls):
            yield states.identity(cls)
            yield self._text(getattr(cls, "_field_defaults", None))

    def function(self, function: FunctionType) -> Iterator[str]:
        yield f"{function.__module__}.{function.__qualname__}"
        if self._is_foreign(str(function.__module__)):
            yield _file_stamp(function.__code__.co_filename)
            return
        yield self._text(function.__defaults__)
        yield self._text(tuple((function.__kwdefaults__ or {}).items()))
        yield from (self._text(value) for value in _enclosed_values(function))
        if _is_compiler(function.__module__):
            return
        if not is_ours(function.__module__):  # errors in its machine code name the lines
            code = function.__code__
            yield f"{code.co_filename} {code.co_firstlineno} {code.co_linetable.hex()}"
        for code in _nested_codes(function.__code__):
            yield code.co_code.hex()
            yield from (self._text(constant) for constant in _constants(code) if not isinstance(constant, CodeType))
            yield from code.co_names
            yield from (self._text(value) for value in _named_values(function, code))

    def _is_foreign(self, module: str) -> bool:
        """Whether a module is an installed package: its files change only when another version is installed."""
        if is_standard(module):
            return True
        file = Path(str(getattr(sys.modules.get(module), "__file__", "") or ""))
        is_installed = not {"site-packages", "dist-packages"}.isdisjoint(file.parts)
        return is_installed and module.partition(".")[0] not in self._own_packages


def _attribute(cls: type, name: str) -> Any:
    """The attribute itself, without the effect of a property or class method."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _parts(value: Any) -> Iterator[Any]:
    """The functions inside kernels, properties, methods and other wrappers of functions."""
    for name in ("function", "py_func", "fget", "__func__", "__self__", "func"):
        part = getattr(value, name, None)
        if isinstance(part, FunctionType | Static):
            yield part


def is_ours(module: str | None) -> bool:
    """A module of Zermelo."""
    return str(module).partition(".")[0] == "zermelo"


def _is_compiler(module: str | None) -> bool:
    """A module that `compiler_digest` covers."""
    return str(module).startswith("zermelo.kernel")


def is_standard(module: str) -> bool:
    """Part of Python, or one of the libraries that the compiler knows itself."""
    if module == "__main__":
        return False
    top = module.partition(".")[0]
    file = str(getattr(sys.modules.get(module), "__file__", "") or "")
    return (
        top in sys.stdlib_module_names
        or top in ("numpy", "numba", "llvmlite")
        or (file.startswith(_STANDARD_LIBRARY) and "-packages" not in file)
    )


def _file_stamp(file: str) -> str:
    try:
        found = Path(file).stat()
    except OSError:
        return ""
    changed = max(found.st_mtime_ns, found.st_ctime_ns)
    return f"{found.st_mtime_ns} {found.st_size}" + (
        f" {_IMPORTED} {os.getpid()}" if changed > _IMPORTED - _TICK else ""
    )
