"""Proofs: exact values, distances to the end, and the size of the proofs; equilibria by name.

The package can be called: `zermelo.solve(game)` is `zermelo.solve.solve(game)`, so command, package and function share
one name although the function is imported only when it is first used.
"""

import sys
from types import ModuleType
from typing import Any

from zermelo.solve.front import solve
from zermelo.solve.solver import prove

__all__ = ["prove", "solve"]


class _CallablePackage(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return solve(*args, **kwargs)


sys.modules[__name__].__class__ = _CallablePackage
