"""What a search looked at: the tree an observer records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from zermelo.core.analysis import Kind
from zermelo.core.game import State

NodeKind: TypeAlias = Literal["max", "min", "chance", "terminal", "horizon", "cut"]
"""`horizon` is a position that was evaluated instead of searched, `cut` one that was never looked at.
In games for many players every player's node is `max`: each maximises their own entry of the tuple."""


@dataclass
class Node:
    """One call of the algorithm, or one branch it cut off."""

    state: State
    kind: NodeKind
    player: int | None = None
    """Who moves here; CHANCE (-1) for dice, None at the end of the game."""
    move: str = ""
    """The move that led here, in notation; empty at the root."""
    probability: float | None = None
    """Of the outcome that led here, if dice did."""
    window: tuple[float, float] | None = None
    """Alpha and beta on entry, for algorithms that have them."""
    value: float | tuple[float, ...] | None = None
    """What the call returned; None for a branch that was cut."""
    value_kind: Kind = "exact"
    """What the value proves: inside the window it is exact, outside a bound; `estimate` where a horizon had a say."""
    reason: str = ""
    """For a cut branch, the inequality that cut it: `2 ≤ α = 3`."""
    entered: int = -1
    """Steps are numbered in the order in which the search enters and leaves nodes, from 0."""
    left: int = -1
    children: list[Node] = field(default_factory=list)
    """In the order of the actions; cut branches among them."""

    def nodes(self) -> Iterator[Node]:
        """This node and all below, in the order they were entered; cut branches where they stand."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def count(self) -> int:
        """How many nodes were looked at; cut branches do not count."""
        return sum(node.kind != "cut" for node in self.nodes())

    def leaves(self) -> list[Node]:
        """The ends and horizons that were looked at, in order."""
        return [node for node in self.nodes() if node.kind in ("terminal", "horizon")]

    def cuts(self) -> list[Node]:
        """The branches that were cut, in order."""
        return [node for node in self.nodes() if node.kind == "cut"]
