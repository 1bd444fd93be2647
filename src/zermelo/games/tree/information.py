"""Information sets of explicit trees: what each player has seen at each node.

A player at a node sees its information set, known by its first node; a node without a set is a set of its own. After
that the player knows the set and the branch chosen there, and before the first set nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.errors import RulesError
from zermelo.games.tree.text import Node

NOTHING = -1
"""What a player has seen who has not moved."""
CHOSEN = -2
"""What a player has seen who has chosen the branch to node k, or one that looks like it, is CHOSEN - k."""
NOBODY = -2
"""Who moves at a leaf."""


def first_nodes(nodes: Sequence[Node], movers: Sequence[int], paths: Sequence[str]) -> list[int]:
    """The first node of the information set of each node; RulesError if the moves in a set differ."""
    first: dict[tuple[int, str], int] = {}
    found = []
    for state, node in enumerate(nodes):
        like = first.setdefault((movers[state], node.information), state) if node.information else state
        if _moves_of(nodes[like]) != _moves_of(node):
            raise RulesError(
                f"information set {node.information}: the moves at {paths[like] or 'root'} and at {paths[state]} "
                "differ; a player who cannot tell two nodes apart has the same moves there"
            )
        found.append(like)
    return found


def _moves_of(node: Node) -> list[str]:
    return [branch.name for branch in node.branches]


def views_of(
    first: Sequence[int], movers: Sequence[int], parents: Sequence[int], players: int, paths: Sequence[str]
) -> list[tuple[int, ...]]:
    """What each player has seen at each node; RulesError if a player forgets."""
    views: list[tuple[int, ...]] = []
    first_child: dict[int, int] = {}
    before: dict[int, int] = {}
    """What the player of each set has seen before."""
    for state, (parent, mover) in enumerate(zip(parents, movers, strict=True)):
        seen = list(views[parent]) if state else [NOTHING] * players
        branch = state - first_child.setdefault(parent, state)
        if state and movers[parent] >= 0:
            seen[movers[parent]] = CHOSEN - (first_child[first[parent]] + branch)
        if mover >= 0:
            if before.setdefault(first[state], seen[mover]) != seen[mover]:
                raise RulesError(
                    f"{paths[first[state]] or 'root'} and {paths[state]} cannot be in one information set, because "
                    "the player has seen or done different things before; players remember that"
                )
            seen[mover] = first[state]
        views.append(tuple(seen))
    return views
