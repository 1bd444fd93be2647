"""Kernels: module-level functions that run interpreted and compiled from one source.

    @kernel
    def count(game: Game, state: State, depth: int) -> int: ...

    count(game, state, 3)            # interpreted
    count.run(game, state, 3)        # compiled if the game can be, interpreted otherwise

The first parameter is a `Static` object. Arguments are cast to their annotations (`int`, `float`, `bool`, `U64`), so a
kernel has one compiled signature per game for all kinds of numbers. Inside a kernel, other kernels are called
by name; the global values that it names are constants.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from zermelo.kernel.diagnostics import explain_not_plain, explain_outgrown
from zermelo.kernel.digest import digest
from zermelo.kernel.memory import Outgrown
from zermelo.kernel.static import Static
from zermelo.kernel.words import U64

log = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_CASTS: dict[Any, Callable[[Any], Any]] = {
    name: cast for cast in (int, float, bool, U64) for name in (cast, cast.__name__)
}


def _cast_to(annotation: Any, scope: dict[str, Any]) -> Callable[[Any], Any] | None:
    """What makes a plain number of an argument, by its annotation; a `NewType` counts as the type behind it."""
    kind = scope.get(annotation, annotation) if isinstance(annotation, str) else annotation
    return _CASTS.get(getattr(kind, "__supertype__", kind))


class CompileWarning(UserWarning):
    """Warning that a game runs interpreted; the message says why."""


class CannotCompile(Exception):
    """The compiler refused; the message is one sentence with the file and line."""


def is_enabled() -> bool:
    """Whether kernels can be compiled at all: numba is installed and not switched off."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") and _numba_is_installed()


@functools.cache
def _numba_is_installed() -> bool:
    return importlib.util.find_spec("numba") is not None


class Kernel(Generic[Parameters, Result]):
    """A function with an interpreted form and a compiled form for each game."""

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[Parameters, Result]) -> None:
        self.function = function
        self._signature = inspect.signature(function)
        self.parameters = tuple(self._signature.parameters)
        scope = getattr(function, "__globals__", {})
        self.casts = [
            _cast_to(parameter.annotation, scope) or _without_numpy for parameter in self._signature.parameters.values()
        ]
        self.result_cast = _cast_to(self._signature.return_annotation, scope)
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

    def run_compiled(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run compiled; CannotCompile if the game does not compile."""
        arguments = self._arguments(args, kwargs)
        return self._result(self._machine_code(arguments)(*arguments))

    def prepare(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> bool:
        """Compile for these arguments without running; False if it will run interpreted."""
        return self._machine_code_or_warning(self._arguments(args, kwargs)) is not None

    def run(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run compiled if the game can be; otherwise interpreted, with one warning that says why."""
        arguments = self._arguments(args, kwargs)
        code = self._machine_code_or_warning(arguments)
        return self._result(code(*arguments)) if code else self.function(*arguments)  # type: ignore[call-arg]

    def runner(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Callable[..., Result]:
        """A fast `run` for many short calls, with arguments of exactly these types, which it does not check."""
        arguments = self._arguments(args, kwargs)
        code: Callable[..., Result] = self._machine_code_or_warning(arguments) or self.function
        return code if self.result_cast is not U64 else lambda *values: self._result(code(*values))

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return [cast(value) for cast, value in zip(self.casts, bound.args, strict=True)]

    def _machine_code(self, arguments: list[Any]) -> Callable[..., Result]:
        try:
            from zermelo.kernel import bridge
        except ImportError as error:
            raise CannotCompile(f"the compiler cannot be loaded ({error}); everything runs interpreted") from error
        if not log.isEnabledFor(logging.INFO):
            return bridge.compile_for(self, arguments)
        with self._log_compilation(arguments):
            return bridge.compile_for(self, arguments)

    @contextlib.contextmanager
    def _log_compilation(self, arguments: list[Any]) -> Iterator[None]:
        """Log whether the machine code was compiled or loaded from the cache, once per process."""
        before, started = _here.compilations, time.perf_counter()
        yield
        is_compiled, identity = _here.compilations > before, self._identity(arguments)
        if is_compiled or identity not in _logged:
            _logged.add(identity)
            game = next((type(argument).__name__ for argument in arguments if isinstance(argument, Static)), "any game")
            how = "compiled" if is_compiled else "loaded from the cache"
            log.info("%s for %s: %s in %.2f s", self.__name__, game, how, time.perf_counter() - started)

    def _machine_code_or_warning(self, arguments: list[Any]) -> Callable[..., Result] | None:
        reason = why_interpreted(self, arguments)
        if reason is None:
            try:
                return self._machine_code(arguments)
            except CannotCompile as error:
                reason = _refusals[self._identity(arguments)] = str(error)
        if is_enabled() and reason not in _warned:  # one warning per game, whatever the number of kernels
            _warned.add(reason)
            warnings.warn(reason, CompileWarning, stacklevel=3)
        return None

    def _result(self, found: Any) -> Result:
        return U64(found) if self.result_cast is U64 else found  # type: ignore[return-value]

    def _identity(self, arguments: Iterable[Any]) -> tuple[Any, ...]:
        return self, *(digest(argument) for argument in arguments if isinstance(argument, Static))

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"


class Observer(Protocol):
    """Receives the calls of interpreted kernels."""

    def enter(self, name: str, arguments: dict[str, Any]) -> None: ...

    def leave(self, result: Any) -> None: ...


_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextlib.contextmanager
def observe(observer: Observer) -> Iterator[None]:
    """A context in which interpreted kernels report their calls to the observer."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


_listeners: list[Callable[[str, str], None]] = []


def on_compile(listener: Callable[[str, str], None]) -> None:
    """Call `listener(kernel, game)` with their names whenever a kernel is not on disk and is about to be compiled."""
    _listeners.append(listener)


class _Here(threading.local):
    compilations = 0
    """The number of times that the compiler has started in this thread."""


_here = _Here()
_logged: set[tuple[Any, ...]] = set()
"""The kernels and games whose machine code has been logged."""


def announce(kernel: str, statics: tuple[str, ...]) -> None:
    """Notify the listeners that the compiler starts."""
    _here.compilations += 1
    game = statics[0].partition("[")[0] if statics else ""
    log.info("compiling %s for %s", kernel.rpartition(".")[2], game or "any game")
    for listener in _listeners:
        listener(kernel.rpartition(".")[2], game)


_refusals: dict[tuple[Any, ...], str] = {}
_warned: set[str] = set()


def kernel(function: Callable[Parameters, Result]) -> Kernel[Parameters, Result]:
    """Make a module-level function a kernel."""
    return Kernel(function)


def why_interpreted(kernel: Kernel[Any, Any], arguments: Sequence[Any]) -> str | None:
    """A sentence if these arguments cannot run compiled; None if they can, as far as is known before compiling."""
    if not is_enabled():
        return "compiling is switched off"
    statics = [argument for argument in arguments if isinstance(argument, Static)]
    for static in statics:
        if found := why_outgrown(static):
            return found
    for argument in arguments:
        if not is_plain(argument):
            return explain_not_plain(argument, statics)
    return _refusals.get(kernel._identity(arguments))


# -- rules with numbers of more than 64 bits --------------------------------------------------------------

_outgrown: dict[str, str] = {}
"""Games whose numbers needed more than 64 bits, by their digest, with a sentence that says where."""
_uncellular: set[str] = set()
"""Those of them whose moves do not fit into memory cells either."""


def retry_interpreted(game: Static, search: Callable[[], Result]) -> Result:
    """The result of a search, which is repeated interpreted if numbers of the rules need more than 64 bits.

    If the moves do not fit into memory cells, `fits_cells` is False from then on.
    """
    while True:
        try:
            return search()
        except Outgrown as error:
            if not fits_cells(game):
                raise
            if is_enabled() and why_outgrown(game) is None:
                _outgrown[digest(game)] = explain_outgrown(error, [game])
            else:
                _uncellular.add(digest(game))


def fits_cells(game: Static) -> bool:
    """Whether the moves fit into the cells of a search's memory, as far as is known."""
    return not any(digest(static) in _uncellular for static in _with_inner(game))


def why_outgrown(game: Static) -> str | None:
    """The sentence that says where numbers of the rules needed more than 64 bits."""
    return next((found for static in _with_inner(game) if (found := _outgrown.get(digest(static)))), None)


def _with_inner(static: Static) -> Iterator[Static]:
    """A static object and those inside it, such as the game in a wrapper."""
    yield static
    for value in static.constants().values():
        if isinstance(value, Static):
            yield from _with_inner(value)


def is_plain(value: Any) -> bool:
    """Whether a value is made of numbers only, so that it has a compiled type."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    if isinstance(value, int):
        return isinstance(value, U64) or -(1 << 63) < value < 1 << 63
    return isinstance(value, float | Static)


def _without_numpy(value: Any) -> Any:
    """Convert numpy scalars to plain numbers; anything else is returned unchanged."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value
