"""The digest of a static object: everything that compiled code can fold or inline, in one short text.

It covers the object's constants, the code its methods reach, the source files behind them, and the whole of
Zermelo. A cache keyed by it can be stale only if the compiler itself changes; the cache adds that.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from zermelo.kernel.static import Static

_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib")})
_PACKAGE = Path(__file__).resolve().parent.parent


def digest(instance: Static) -> str:
    """Sixteen hexadecimal digits that change whenever compiled code for the instance could."""
    if instance._digest is None:
        parts = [package_digest(), *_described(instance)]
        found = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        object.__setattr__(instance, "_digest", found)
        return found
    return instance._digest


@functools.cache
def package_digest() -> str:
    """Of every source file of Zermelo."""
    total = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()


def _described(instance: Static) -> Iterator[str]:
    cls = type(instance)
    yield f"{cls.__module__}.{cls.__qualname__}"
    for name, value in instance.constants().items():
        yield f"{name}={constant_text(value)}"
    seen: set[int] = set()
    for name in dir(cls):
        if not name.startswith("__"):
            value = getattr(cls, name)
            yield f"{name}: " + (_code_text(value, seen) if isinstance(value, FunctionType) else constant_text(value))
    for module in sorted(_modules_behind(cls)):
        yield f"{module}: {_source_digest(module)}"


def constant_text(value: Any) -> str:
    """A text that is equal for equal constants; objects that no compiled code can fold count by their type."""
    if isinstance(value, Static):
        return digest(value)
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(map(constant_text, value))})"
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        return f"array {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    return type(value).__qualname__


def _code_text(function: FunctionType, seen: set[int]) -> str:
    """The code of a function and of the functions and constants it names."""
    if id(function) in seen:
        return "seen"
    seen.add(id(function))
    parts = [constant_text(function.__defaults__)]
    for code in nested_codes(function.__code__):
        parts.append(code.co_code.hex())
        parts.extend(constant_text(value) for value in code.co_consts if not isinstance(value, CodeType))
        parts.extend(code.co_names)
        parts.extend(
            _code_text(value, seen) if isinstance(value, FunctionType) else constant_text(value)
            for value in named_values(function, code)
        )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """The code object and those of the functions defined inside it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from nested_codes(value)


def named_values(function: FunctionType, code: CodeType) -> Iterator[Any]:
    """The global values a piece of code names, looking through modules (`helpers.table`)."""
    modules = []
    for name in code.co_names:
        if name in function.__globals__:
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                modules.append(value)
            else:
                yield unwrapped(value)
    for module in modules:
        if not _is_library(module):
            for name in code.co_names:
                if name in vars(module):
                    yield unwrapped(vars(module)[name])


def unwrapped(value: Any) -> Any:
    """The plain function behind a kernel; anything else as it is."""
    return getattr(value, "function", value) if type(value).__name__ == "Kernel" else value


def _modules_behind(cls: type) -> set[str]:
    """The user's modules whose sources the class can reach through imports."""
    found: set[str] = set()
    waiting = [base.__module__ for base in cls.__mro__]
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        if name in found or module is None or name.partition(".")[0] in ("zermelo", "builtins"):
            continue
        if _is_library(module):
            continue
        found.add(name)
        for value in list(vars(module).values()):
            if isinstance(value, ModuleType):
                waiting.append(value.__name__)
            elif isinstance(value, FunctionType | type):
                waiting.append(value.__module__)
    return found


def _is_library(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    if module.__name__.partition(".")[0] in sys.stdlib_module_names and module.__name__ != "__main__":
        return True
    return file is not None and str(file).startswith(_LIBRARIES)


def _source_digest(module: str) -> str:
    file = getattr(sys.modules[module], "__file__", None)
    if file is None:  # typed into a prompt or a notebook: the code itself was digested
        return ""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""
