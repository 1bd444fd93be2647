"""Functions as syntax trees, read from their source files."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType


class ChangedSource(Exception):
    """The file has changed since the function was imported, so its source cannot be used."""


def definition_of(function: FunctionType) -> tuple[ast.Module, ast.FunctionDef]:
    """A module with the function's definition alone, and that definition, without decorators, types and defaults.

    ChangedSource if the file no longer has the function's code; OSError or TypeError if there is no source.
    """
    lines, _ = inspect.findsource(function)
    found = _codes_in("".join(lines)).get((function.__code__.co_qualname, function.__code__.co_firstlineno))
    if found is None or not _is_same(found, function.__code__):
        raise ChangedSource(function.__qualname__)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise TypeError("it is not a plain function")
    definition.decorator_list, definition.returns = [], None
    for argument in definition.args.args:
        argument.annotation = None
    definition.args.defaults = []
    return tree, definition


def code_of(tree: ast.Module, function: FunctionType) -> CodeType:
    """The code of the one definition in a tree, with the function's line numbers."""
    ast.fix_missing_locations(ast.increment_lineno(tree, function.__code__.co_firstlineno - 1))
    module = compile(tree, function.__code__.co_filename, "exec", dont_inherit=True)
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))


@functools.lru_cache(maxsize=64)
def _codes_in(source: str) -> dict[tuple[str, int], CodeType]:
    """The functions of a module's source, by their names and first lines."""
    module = compile(source, "<source>", "exec", dont_inherit=True)
    return {(code.co_qualname, code.co_firstlineno): code for code in _nested_codes(module)}


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_codes(constant)


def _is_same(one: CodeType, other: CodeType) -> bool:
    """Whether the instructions, names and constants of two pieces of code are equal."""
    if (one.co_code, one.co_names, one.co_varnames) != (other.co_code, other.co_names, other.co_varnames):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _is_same(mine, theirs)
        if isinstance(mine, CodeType) and isinstance(theirs, CodeType)
        else (type(mine), repr(mine)) == (type(theirs), repr(theirs))
        for mine, theirs in zip(one.co_consts, other.co_consts, strict=True)
    )
