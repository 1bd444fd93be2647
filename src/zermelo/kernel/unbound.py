"""Variables that may be read before they are assigned, which is an error in Python and a zero in numba."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks


def doubtful(blocks: dict[int, Any]) -> set[str]:
    """The names of the variables that some path through the blocks reads before it assigns them."""
    graph = compute_cfg_from_blocks(blocks)
    assigned = {label: set(_assigned_variables(block)) for label, block in blocks.items()}
    names = set().union(*assigned.values())
    known = {label: set(names) for label in blocks}  # at the beginning of a block; it shrinks
    known[graph.entry_point()] = set()
    has_changed = True
    while has_changed:
        has_changed = False
        for label in graph.topo_order():
            before = [known[one] | assigned[one] for one, _ in graph.predecessors(label)]
            found = known[label].intersection(*before)
            has_changed |= found != known[label]
            known[label] = found
    return {name for label, block in blocks.items() for name in _early_reads(block, known[label])}


def _assigned_variables(block: Any) -> Iterator[str]:
    for statement in block.body:
        if name := assigned_variable(statement):
            yield name


def _early_reads(block: Any, known: set[str]) -> Iterator[str]:
    known = set(known)
    for statement in block.body:
        yield from set(read_variables(statement)) - known
        if name := assigned_variable(statement):
            known.add(name)


def assigned_variable(statement: Any) -> str | None:
    """The variable that a statement of the user's assigns."""
    if not isinstance(statement, ir.Assign) or _is_copy(statement):
        return None
    name = statement.target.unversioned_name
    return None if name.startswith("$") else str(name)


def read_variables(statement: Any) -> Iterator[str]:
    """The variables that a statement of the user's reads."""
    if isinstance(statement, ir.Del) or _is_copy(statement):
        return
    source = statement.value if isinstance(statement, ir.Assign) else statement
    variables = [source] if isinstance(source, ir.Var) else source.list_vars() if isinstance(source, ir.Inst) else ()
    for variable in variables:
        if not variable.unversioned_name.startswith("$"):
            yield variable.unversioned_name


def _is_copy(statement: Any) -> bool:
    """Whether numba made it: another version of the same variable, or none, at the end of a block."""
    if not isinstance(statement, ir.Assign):
        return False
    value = statement.value
    if isinstance(value, ir.Var):
        return bool(value.unversioned_name == statement.target.unversioned_name)
    return value is ir.UNDEFINED or (isinstance(value, ir.Expr) and value.op in ("undef", "null"))
