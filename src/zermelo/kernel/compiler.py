"""Kernels: module-level functions that run interpreted and compiled from one source.

    @kernel
    def count(game: Game, state: State, depth: int) -> int: ...

    count(game, state, 3)            # interpreted
    count.run(game, state, 3)        # compiled if the game can be, interpreted otherwise

The first parameter is a `Static` object. Arguments are cast to their annotations (`int`, `float`, `bool`), so a kernel
has one compiled signature per game, whatever numbers the caller has. Inside a kernel, other kernels are called by name.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from zermelo.kernel.digest import digest
from zermelo.kernel.states import annotations_of, is_state
from zermelo.kernel.static import Static

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_CASTS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "bool": bool}


class CompileWarning(UserWarning):
    """A game runs interpreted, and the message says why."""


class CannotCompile(Exception):
    """The compiler refused; the message is one sentence with the file and line."""


def is_enabled() -> bool:
    """Whether kernels can be compiled at all: numba is installed and not switched off."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") and _numba_is_installed()


@functools.cache
def _numba_is_installed() -> bool:
    return importlib.util.find_spec("numba") is not None


class Kernel(Generic[Parameters, Result]):
    """A function with two bodies: its own, and the one the compiler makes of it for each game."""

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[Parameters, Result]) -> None:
        self.function = function
        self._signature = inspect.signature(function)
        self._casts = [
            _CASTS.get(str(parameter.annotation), _keep) for parameter in self._signature.parameters.values()
        ]
        functools.update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run interpreted; an observer sees every call, recursive ones included."""
        observer = _observer.get()
        if observer is None:
            return self.function(*args, **kwargs)
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        observer.enter(self.__name__, bound.arguments)
        result = self.function(*args, **kwargs)
        observer.leave(result)
        return result

    def compiled(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run compiled; CannotCompile if the game does not compile."""
        from zermelo.kernel import bridge

        result: Result = bridge.call(self, self._cast(args, kwargs))
        return result

    def prepare(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> bool:
        """Compile for these arguments without running; False if it will run interpreted."""
        reason = why_interpreted(self, args)
        if reason is not None:
            return False
        from zermelo.kernel import bridge

        try:
            bridge.compile_for(self, self._cast(args, kwargs))
        except CannotCompile as error:
            self._refuse(args, error)
            return False
        return True

    def run(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run compiled if the game can be; otherwise interpreted, with one warning that says why."""
        reason = why_interpreted(self, args)
        if reason is None:
            try:
                return self.compiled(*args, **kwargs)
            except CannotCompile as error:
                self._refuse(args, error)
        return self.function(*args, **kwargs)

    def _cast(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return [cast(value) for cast, value in zip(self._casts, bound.args, strict=True)]

    def _refuse(self, args: tuple[Any, ...], error: CannotCompile) -> None:
        """Warn once, and remember."""
        _refusals[self._identity(args)] = str(error)
        warnings.warn(str(error), CompileWarning, stacklevel=3)

    def _identity(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.__qualname__, *(digest(arg) for arg in args if isinstance(arg, Static))

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"


class Observer(Protocol):
    """Sees the calls of kernels without a line in them."""

    def enter(self, name: str, arguments: dict[str, Any]) -> None: ...

    def leave(self, result: Any) -> None: ...


_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextlib.contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """While this lasts, interpreted kernels tell the observer what they do."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


_listeners: list[Callable[[str, str], None]] = []


def on_compile(listener: Callable[[str, str], None]) -> None:
    """Call `listener(kernel, game)` with their names whenever a kernel is not on disk and is about to be compiled."""
    _listeners.append(listener)


def announce(kernel: str, statics: tuple[str, ...]) -> None:
    """Tell the listeners that the compiler starts to work."""
    game = statics[0].partition("[")[0] if statics else ""
    for listener in _listeners:
        listener(kernel.rpartition(".")[2], game)


_refusals: dict[tuple[Any, ...], str] = {}


def kernel(function: Callable[Parameters, Result]) -> Kernel[Parameters, Result]:
    """Make a module-level function a kernel."""
    return Kernel(function)


def why_interpreted(kernel: Kernel[Any, Any], args: tuple[Any, ...]) -> str | None:
    """A sentence if these arguments cannot run compiled; None if they can, as far as can be told beforehand."""
    if not is_enabled():
        return "compiling is switched off"
    if (known := _refusals.get(kernel._identity(args))) is not None:
        return known
    for arg in args:
        if not is_plain(arg):
            return f"a state of type {type(arg).__name__} does not compile"
    return None


def is_plain(value: Any) -> bool:
    """Whether a value is made of numbers only, so that it has a compiled type."""
    if isinstance(value, Static):
        return True
    if isinstance(value, tuple):
        return all(map(is_plain, value)) and (
            not hasattr(value, "_fields") or not is_state(type(value)) or bool(annotations_of(type(value)))
        )
    return isinstance(value, bool | int | float)


def readable(error: BaseException, cls: type) -> str:
    """The compiler's pages of complaint as one sentence that names the user's file and line."""
    text = str(error)
    own = inspect.getsourcefile(cls) if cls.__module__ != "__main__" or hasattr(cls, "__file__") else None
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    here = str(Path(__file__).parent.parent)
    for file, line in reversed(places):
        absolute = os.path.abspath(file)
        if ("numba" not in Path(absolute).parts and not absolute.startswith(here)) or absolute == own:
            return f"{Path(file).name}, line {line}: {_reason(text)}; {cls.__name__} runs interpreted, which is slower"
    return f"{cls.__name__} does not compile ({_reason(text)}); it runs interpreted, which is slower"


def _reason(text: str) -> str:
    """The most telling line of the compiler's message."""
    patterns = (
        r"(Unknown attribute '[^']+')",
        r"(Use of unsupported [^\n]+)",
        r"(Untyped global name '[^']+')",
        r"(Cannot unify [^\n]+?)(?: for |$)",
        r"(NameError: [^\n]+)",
        r"(Variable '[^']+' referenced before assignment)",
        r"((?:Unsupported|Unknown|Invalid|No implementation|cannot|Cannot|The use of|Use of)[^\n]+)",
    )
    for pattern in patterns:
        if match := re.search(pattern, text, re.MULTILINE):
            found = re.sub(r"\x1b\[[0-9;]*m|<[^<>]*>", "", match[1]).strip(" .:")
            return found[:1].lower() + found[1:160]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[-1] if lines else "the compiler gave no reason")[:160]


def _keep(value: Any) -> Any:
    return value
