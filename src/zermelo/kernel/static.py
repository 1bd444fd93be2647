"""Static objects, which the compiler treats as constants: games, evaluations, policies.

The numba type of a `Static` instance names its class, its attributes and the sources behind them, so its
methods are inlined and its attributes are folded. Attributes named in `runtime` differ from call to call:
records and arrays of flat memory, numbers, or tuples of numbers. They travel with the call, a record or an array as its
address, and their values are not part of the type.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Static:
    """Base class of compile-time constants of kernels."""

    runtime: tuple[str, ...] = ()
    """Names of attributes that are passed at run time instead of being compiled in."""

    not_compiled: ClassVar[tuple[str, ...]] = ()
    """Names of attributes and methods that compiled code never uses; they do not take part in the type.

    Those of the classes that a class derives from count as well."""

    keeps_type: ClassVar[tuple[str, ...]] = ()
    """Names of methods that return a value of the type of their first argument; compiled code casts it to that."""

    generators: ClassVar[tuple[str, ...]] = ()
    """Names of generator methods `name(state)` that have a twin `fill_name(state, memory, cell)`.

    The twin writes the same numbers into memory and returns the cell after the last. When it is compiled, it is made
    from the source of the generator."""

    not_inlined: ClassVar[tuple[str, ...]] = ()
    """Names of large methods: compiled code calls them instead of inlining them.

    Copies would fill the processor's cache and take the compiler's time. A twin is named `fill_...`."""

    _digest: str | None = None
    _is_compiled: bool = False

    def constants(self) -> dict[str, Any]:
        """The instance's attributes that compiled code may fold."""
        left_out = {*self.runtime, *not_compiled_names(type(self)), "_digest", "_is_compiled"}
        return {name: value for name, value in sorted(vars(self).items()) if name not in left_out}

    def freeze(self) -> None:
        """Make the constants read-only, because compiled code relies on them."""
        if not self._is_compiled:
            object.__setattr__(self, "_is_compiled", True)
            for value in self.constants().values():
                _freeze(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.runtime and name not in not_compiled_names(type(self)):
            if self._is_compiled:
                cls = type(self).__name__
                raise AttributeError(f"{cls}.{name} cannot change once the game is compiled; make a new {cls}")
            object.__setattr__(self, "_digest", None)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        """A copy can be changed until it is compiled itself."""
        return {name: value for name, value in vars(self).items() if name not in ("_digest", "_is_compiled")}


def not_compiled_names(cls: type[Static]) -> frozenset[str]:
    """The attributes and methods that compiled code never uses, of a class and of those that it derives from."""
    return frozenset(name for base in cls.__mro__ for name in vars(base).get("not_compiled", ()))


def _freeze(value: Any) -> None:
    """Make a constant immutable in place: static objects and arrays."""
    if isinstance(value, Static):
        value.freeze()
    elif isinstance(value, tuple):
        for item in value:
            _freeze(item)
    elif hasattr(value, "setflags") and hasattr(value, "dtype"):
        value.setflags(write=False)


class Switches(Static):
    """Static objects whose boolean attributes are folded in the source of a kernel before it is compiled."""
