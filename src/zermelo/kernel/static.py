"""Objects the compiler treats as constants: games, evaluations, policies, observers.

The numba type of a `Static` instance names its class, its attributes and the sources behind them, so its
methods are inlined and its attributes are folded. Attributes named in `runtime` are numbers (mostly addresses of
flat memory) or tuples of numbers that differ from call to call; they travel with the call and are no part of the type.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Static:
    """Base of everything that a kernel takes as a compile-time constant."""

    runtime: tuple[str, ...] = ()
    """Names of attributes that are passed at run time instead of being compiled in."""

    hushed: ClassVar[tuple[str, ...]] = ()
    """Names of attributes that compiled code never reads; they do not take part in the type."""

    _digest: str | None = None

    def constants(self) -> dict[str, Any]:
        """The instance's attributes that compiled code may fold."""
        left_out = {*self.runtime, *self.hushed, "_digest"}
        return {name: value for name, value in sorted(vars(self).items()) if name not in left_out}

    def __setattr__(self, name: str, value: Any) -> None:
        if self._digest is not None and name != "_digest" and name not in self.runtime and name not in self.hushed:
            cls = type(self).__name__
            raise AttributeError(f"{cls}.{name} cannot change once the game is compiled; make a new {cls}")
        object.__setattr__(self, name, value)
