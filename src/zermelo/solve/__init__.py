"""Proofs: exact values, distances to the end, and how much work they took.

The package can be called: `zermelo.solve(game)` is `zermelo.solve.solve(game)`, so command, package and function share
one name although the function is imported only when it is first used.
"""

import sys
from types import ModuleType
from typing import Any

from zermelo.core.analysis import Analysis
from zermelo.solve.solver import solve

__all__ = ["solve"]


class _CallablePackage(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Analysis:
        return solve(*args, **kwargs)


sys.modules[__name__].__class__ = _CallablePackage
