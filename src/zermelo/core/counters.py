"""The counters of a search, in flat memory that compiled code shares with the thread that watches it.

A search stops when its nodes reach the limit. Only the search writes the count and only the watcher writes the limit,
so no lock is needed. A search that cannot go on records an error code and sets the limit itself.
"""

from __future__ import annotations

from typing import Self

from zermelo.kernel import Record

NO_TROUBLE = 0
NEVER = 1 << 62


class Counters(Record):
    """The counters of one search; every workspace begins with them."""

    nodes: int
    limit: int
    trouble: int
    """The error code of a search that cannot go on; otherwise NO_TROUBLE."""

    @classmethod
    def allocate(cls, nodes: int | None = None) -> Self:
        """Counters that own their memory, for a search of at most `nodes` nodes."""
        found = super().allocate()
        found.allow(nodes)
        return found

    def enter_node(self) -> bool:
        """Count a node; returns whether the search is stopped."""
        entered = self.nodes + 1
        self.nodes = entered
        return entered >= self.limit

    def is_stopped(self) -> bool:
        return self.nodes >= self.limit

    def stop(self) -> None:
        self.limit = 0

    def give_up(self, trouble: int) -> None:
        """Stop the search from within, with an error code."""
        self.trouble = trouble
        self.limit = 0

    def allow(self, nodes: int | None) -> None:
        """Allow the search `nodes` more nodes; no limit if None."""
        self.limit = NEVER if nodes is None else self.nodes + nodes
