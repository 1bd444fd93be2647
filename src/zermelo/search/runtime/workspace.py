"""The workspace of one search thread: counters, table, path, principal variation, move ordering and moves.

Each algorithm adds its fields in a subclass. A workspace keeps its table alive, because kernels know only its address.
"""

from __future__ import annotations

from typing import Protocol, Self

from zermelo.core.counters import Counters
from zermelo.core.referee import Referee
from zermelo.kernel import U64, Memory, Words, inline, stack_pointer
from zermelo.search.runtime.move_stack import MoveStack
from zermelo.search.runtime.ordering import OrderingTables, blank_ordering
from zermelo.search.runtime.path import Path, Ply, put_history_on_path
from zermelo.search.runtime.principal_variation import PrincipalVariation
from zermelo.search.runtime.table import TableView
from zermelo.search.runtime.watch import ROOM

TOO_LONG, TOO_WIDE, STUCK = range(1, 4)
"""Error codes of a search: a line that seems endless, more moves than fit, a position without moves."""


class Entries(Protocol):
    """The workspaces' view of a table."""

    memory: Memory
    clusters: int
    age: int


class Workspace(Counters):
    """The memory of one thread of a search; the table it addresses lives as long as the workspace does."""

    table: TableView = inline(TableView)
    salt: U64
    """Part of every table key: distinguishes equal states whose values may differ."""
    hits: int
    cutoffs: int
    first_cutoffs: int
    """Cutoffs by the first move that was tried."""
    is_proved: bool
    """Whether the last returned value holds whatever lies beyond the horizon."""
    deepest_ply: int
    best: int
    """The number of the root's best move."""
    null_window: float
    stack_top: int
    """The thread's stack pointer at the root."""
    ordering: OrderingTables = inline(OrderingTables)
    path: Path = inline(Path)
    variation: PrincipalVariation = inline(PrincipalVariation)
    moves: MoveStack = inline(MoveStack)

    @classmethod
    def create(cls, table: Entries | None, nodes: int | None = None) -> Self:
        """A workspace that uses this table, for a search of at most `nodes` nodes."""
        found = cls.allocate(nodes)
        found.ordering.copy_from(blank_ordering())
        if table is not None:
            found.keeps_alive += [table, table.memory]
            found.table.entries = Words(table.memory.address)
            found.table.clusters, found.table.age = U64(table.clusters), table.age
        return found

    def remember(self, referee: Referee) -> None:
        """Put the game's history on the path."""
        self.salt = put_history_on_path(self.path, referee)

    def report(self, value: float, is_proved: bool) -> float:
        """Return a value, and record whether it is proved."""
        self.is_proved = is_proved
        return value

    def note_ply(self, ply: Ply) -> None:
        """Record the maximum depth."""
        if ply > self.deepest_ply:
            self.deepest_ply = ply

    def count_cutoff(self, is_first: bool) -> None:
        self.cutoffs += 1
        if is_first:
            self.first_cutoffs += 1

    def is_too_deep(self, ply: Ply) -> bool:
        """Whether a line without a horizon has used up its thread's stack, as is possible with large states."""
        here = stack_pointer()
        if ply <= 1:
            self.stack_top = here
        return self.stack_top - here > ROOM
