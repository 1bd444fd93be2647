"""Move buffers: twins of move generators that write into memory, for searches.

A compiled generator keeps its variables in memory from one `yield` to the next, which takes most of the time of a
search. The twin `fill_actions` has a store in place of every `yield` and returns the cell after the last, so its
variables stay in registers. It is made from the source; if that is not possible, it is a loop over the generator.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from zermelo.kernel.memory import FILL_MASK, store
from zermelo.kernel.sources import ChangedSource, code_of, definition_of

_MEMORY, _CELL, _STORE = "fill_memory", "fill_cell", "fill_store"
_twins: dict[tuple[FunctionType, tuple[str, ...]], FunctionType] = {}


class CannotFill(Exception):
    """The source has a form for which there is no twin."""


def make_fill_twin(method: FunctionType, generators: tuple[str, ...]) -> FunctionType:
    """The twin of a method `(self, state)`: `(self, state, memory, cell)`, which returns the cell after the last.

    `generators` names the methods that have a twin, so that one may return what another gives.
    """
    try:
        return _twin(method, generators, is_method=True)
    except (CannotFill, ChangedSource, OSError, TypeError, SyntaxError):
        names: dict[str, object] = {_STORE: store, "FILL_MASK": FILL_MASK}
        lines = (
            f"def fill_{method.__name__}(self, state, {_MEMORY}, {_CELL}):",
            f" for action in self.{method.__name__}(state):",
            f"  {_STORE}({_MEMORY}, {_CELL} & FILL_MASK, action)",
            f"  {_CELL} += 1",
            f" return {_CELL}",
        )
        exec("\n".join(lines), names)
        found = names[f"fill_{method.__name__}"]
        assert isinstance(found, FunctionType)
        return found


def _twin(function: FunctionType, generators: tuple[str, ...], is_method: bool) -> FunctionType:
    key = function, generators
    if key not in _twins:
        if function.__closure__:
            raise CannotFill("it belongs to another function")
        tree, definition = definition_of(function)
        if definition.args.kwonlyargs or definition.args.vararg:
            raise CannotFill("it is not a plain function")
        own = definition.args.args
        added = [ast.arg(_MEMORY), ast.arg(_CELL)]
        definition.args.args = [*own, *added] if is_method else [*added, *own]
        if is_method and function.__defaults__:
            raise CannotFill("it has defaults")
        space = dict(function.__globals__)
        space[_STORE], space["FILL_MASK"] = store, FILL_MASK
        writer = _Writer(space, generators)
        writer.visit(tree)
        definition.body.append(ast.Return(ast.Name(_CELL, ast.Load())))
        code = code_of(tree, function)
        twin = FunctionType(code, space, f"fill_{function.__name__}", function.__defaults__)
        twin.__module__, twin.__qualname__ = function.__module__, f"{function.__qualname__}.fill"
        _twins[key] = twin
    return _twins[key]


class _Writer(ast.NodeTransformer):
    """Turns `yield x` into a store, and `return generator(...)` into `return` of its twin."""

    def __init__(self, space: dict[str, object], generators: tuple[str, ...]) -> None:
        self.space, self.generators = space, generators

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        is_generator = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))
        self.returns_twin = not is_generator
        node.body = [one for statement in node.body for one in _as_list(self.visit(statement))]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.AST]:
        if not isinstance(node.value, ast.Yield):
            self.generic_visit(node)
            return node
        if node.value.value is None:
            raise CannotFill("it yields nothing")
        place = ast.BinOp(ast.Name(_CELL, ast.Load()), ast.BitAnd(), ast.Name("FILL_MASK", ast.Load()))
        written = ast.Call(ast.Name(_STORE, ast.Load()), [ast.Name(_MEMORY, ast.Load()), place, node.value.value], [])
        counted = ast.AugAssign(ast.Name(_CELL, ast.Store()), ast.Add(), ast.Constant(1))
        return [ast.copy_location(ast.Expr(written), node), ast.copy_location(counted, node)]

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        raise CannotFill("it uses what yield gives back")

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        raise CannotFill("it yields from another generator")

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if not self.returns_twin:
            return ast.copy_location(ast.Return(ast.Name(_CELL, ast.Load())), node)
        call = node.value
        if not isinstance(call, ast.Call) or call.keywords:
            raise CannotFill("it returns something else than a generator")
        places: list[ast.expr] = [ast.Name(_MEMORY, ast.Load()), ast.Name(_CELL, ast.Load())]
        if isinstance(call.func, ast.Attribute) and call.func.attr in self.generators:
            call.func.attr = f"fill_{call.func.attr}"
            call.args = [*call.args, *places]
            return node
        callee = self.space.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if isinstance(call.func, ast.Name) and isinstance(callee, FunctionType):
            self.space[f"fill_{call.func.id}"] = _twin(callee, self.generators, is_method=False)
            call.func.id = f"fill_{call.func.id}"
            call.args = [*places, *call.args]
            return node
        raise CannotFill("it returns what an unknown function gives")


def _as_list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]
