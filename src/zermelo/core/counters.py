"""The counters of a search, in flat memory that compiled code shares with the thread that watches it.

A search stops when its nodes reach the limit. Only the search writes the count and only the watcher writes the limit,
so nothing needs a lock. A search that cannot go on says what the trouble is and sets the limit itself.
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
    """Why a search cannot go on; NO_TROUBLE if it can."""

    @classmethod
    def allocate(cls, nodes: int | None = None) -> Self:
        """Counters that own their memory, for a search of at most `nodes` nodes."""
        found = super().allocate()
        found.allow(nodes)
        return found

    def enter_node(self) -> bool:
        """Count a node; True if the search is stopped."""
        entered = self.nodes + 1
        self.nodes = entered
        return entered >= self.limit

    def is_stopped(self) -> bool:
        return self.nodes >= self.limit

    def stop(self) -> None:
        self.limit = 0

    def give_up(self, trouble: int) -> None:
        """Stop the search from within, and say why."""
        self.trouble = trouble
        self.limit = 0

    def allow(self, nodes: int | None) -> None:
        """Let the search go on for `nodes` more nodes; without limit if None."""
        self.limit = NEVER if nodes is None else self.nodes + nodes
