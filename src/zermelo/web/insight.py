"""The inside of a search for the page: the recorded tree as a flat list, parents first."""

from __future__ import annotations

import math
from typing import Any

from zermelo.core.game import Game, State
from zermelo.core.guards import fitting
from zermelo.draw.numerals import chance_text, value_text
from zermelo.textbook.trace import Node, trace

TRACED = ("minimax", "alphabeta", "quiescence", "expectiminimax", "star1", "star2", "maxn", "paranoid", "expectimax")
"""The algorithms whose trees can be shown."""
PLAIN = {"alphabeta": "minimax", "quiescence": "minimax", "star1": "expectiminimax", "star2": "expectiminimax"}
"""What an algorithm that cuts is compared with."""


def algorithms(game: Game) -> list[str]:
    """Those whose trees can be shown for the game."""
    return [name for name in TRACED if name in fitting(game)]


def insight(game: Game, state: State, algorithm: str, depth: int | None, most: int) -> dict[str, Any]:
    """The tree of an algorithm, and that of its plain twin, which cuts nothing, where it has one."""
    root = trace(algorithm, game, state, depth=depth, most=most)
    found: dict[str, Any] = {"algorithm": algorithm, "depth": depth, "tree": told_tree(root), **_counts(root)}
    if algorithm in PLAIN:
        twin = trace(PLAIN[algorithm], game, state, depth=depth, most=most)
        found["plain"] = {"algorithm": PLAIN[algorithm], "tree": told_tree(twin), **_counts(twin)}
    return found


def told_tree(root: Node) -> list[dict[str, Any]]:
    """Every node with the number of its parent; the root's is null."""
    told: list[dict[str, Any]] = []
    waiting: list[tuple[Node, int | None]] = [(root, None)]
    while waiting:
        node, parent = waiting.pop()
        waiting += [(child, len(told)) for child in reversed(node.children)]
        told.append(
            {
                "parent": parent,
                "kind": node.kind,
                "player": node.player,
                "move": node.move,
                "chance": None if node.probability is None else chance_text(node.probability),
                "window": None if node.window is None else [_finite(bound) for bound in node.window],
                "number": None if node.value is None or isinstance(node.value, tuple) else _finite(node.value),
                "value": None if node.value is None else value_text(node.value, node.value_kind),
                "reason": node.reason,
                "entered": node.entered,
                "left": node.left,
            }
        )
    return told


def _counts(root: Node) -> dict[str, int]:
    return {"nodes": root.count(), "leaves": len(root.leaves()), "cut": len(root.cuts())}


def _finite(number: float) -> float | None:
    """JSON has no infinities."""
    return float(number) if math.isfinite(number) else None
