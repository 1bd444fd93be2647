"""The counters of a search, in flat memory that compiled code shares with the thread that watches it.

A search stops when its nodes reach the limit. Only the search writes the count and only the watcher writes the limit,
so nothing needs a lock. A search that cannot go on says what the trouble is and sets the limit itself.
"""

from __future__ import annotations

from zermelo.kernel import Memory, store, store_real

NODES, LIMIT, TROUBLE = range(3)
FREE_CELLS = 3
"""The first cell that a search may use for itself."""
NO_TROUBLE = 0
NEVER = 1 << 62


class Counters:
    """The first cells of a search's memory."""

    def __init__(self, cells: int, nodes: int | None = None) -> None:
        self.cells = Memory(cells)
        self.allow(nodes)

    @property
    def address(self) -> int:
        return self.cells.address

    @property
    def nodes(self) -> int:
        return self.cells[NODES]

    @property
    def is_stopped(self) -> bool:
        return self.cells[NODES] >= self.cells[LIMIT]

    @property
    def trouble(self) -> int:
        return self.cells[TROUBLE]

    def set_real(self, cell: int, value: float) -> None:
        store_real(self.address, cell, value)

    def stop(self) -> None:
        self.cells[LIMIT] = 0

    def allow(self, nodes: int | None) -> None:
        """Let the search go on for so many nodes more; without limit if None."""
        self.cells[LIMIT] = NEVER if nodes is None else self.cells[NODES] + nodes


def give_up(memory: int, trouble: int) -> None:
    """Stop the search from within, and say why."""
    store(memory, TROUBLE, trouble)
    store(memory, LIMIT, 0)
