"""Specialisation: a twin of a kernel for given switches, without its dead branches.

The compiler would remove these branches too, but only after typing and lowering them, which is most of the work. The
functions and kernels that the switches are passed to by name are specialised too.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from zermelo.kernel.compiler import Kernel
from zermelo.kernel.digest import digest
from zermelo.kernel.sources import ChangedSource, code_of, definition_of
from zermelo.kernel.static import Switches

_twins: dict[tuple[Any, str], Any] = {}


def specialise(original: Any, switches: dict[str, Switches]) -> Any:
    """The twin of a function or kernel for these switches, by the names of the parameters that take them."""
    key = original, ",".join(f"{name}={digest(switch)}" for name, switch in switches.items())
    if key not in _twins:
        function = original.function if isinstance(original, Kernel) else original
        assert isinstance(function, FunctionType)
        try:
            code = _code(function, switches)
        except (ChangedSource, OSError):  # the compiler drops dead branches too, only later
            _twins[key] = original
            return original
        twin = FunctionType(code, dict(function.__globals__), function.__name__)
        twin.__defaults__, twin.__module__, twin.__qualname__ = (
            function.__defaults__,
            function.__module__,
            function.__qualname__,
        )
        twin.__annotations__ = function.__annotations__
        _twins[key] = Kernel(twin) if isinstance(original, Kernel) else twin
        for name in twin.__code__.co_names:  # after it is known, because it may name itself
            callee = twin.__globals__.get(name)
            if isinstance(callee, Kernel | FunctionType) and _takes(callee, switches):
                twin.__globals__[name] = specialise(callee, switches)
    return _twins[key]


def _takes(callee: Any, switches: dict[str, Switches]) -> bool:
    function = callee.function if isinstance(callee, Kernel) else callee
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
    return any(name in parameters and name in function.__annotations__ for name in switches)


def _code(function: FunctionType, switches: dict[str, Switches]) -> Any:
    tree, _ = definition_of(function)
    values = {
        (name, attribute): value
        for name, switch in switches.items()
        for attribute, value in switch.constants().items()
        if isinstance(value, bool)
    }
    _Folder(values).visit(tree)
    return code_of(tree, function)


class _Folder(ast.NodeTransformer):
    """Replaces the switches by their values and removes unreachable code; conditions have no side effects."""

    def __init__(self, values: dict[tuple[str, str], bool]) -> None:
        self.values = values

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in self.values:
            return ast.copy_location(ast.Constant(self.values[node.value.id, node.attr]), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and _is_known(node.operand):
            return ast.copy_location(ast.Constant(not _value(node.operand)), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        if any(_is_known(part) and _value(part) is decides for part in node.values):
            return ast.copy_location(ast.Constant(decides), node)
        node.values = [part for part in node.values if not _is_known(part)]
        if not node.values:
            return ast.copy_location(ast.Constant(not decides), node)
        return node if len(node.values) > 1 else node.values[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if _is_known(node.test):
            return node.body if _value(node.test) else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        if _is_known(node.test):
            kept = [self.visit(statement) for statement in (node.body if _value(node.test) else node.orelse)]
            return [one for found in kept for one in (found if isinstance(found, list) else [found])] or ast.Pass()
        self.generic_visit(node)
        return node


def _is_known(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _value(node: ast.expr) -> bool:
    assert isinstance(node, ast.Constant)
    return bool(node.value)
