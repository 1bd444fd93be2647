"""The inside of a search for the page: the recorded tree as a flat list, parents first."""

from __future__ import annotations

import math
import random
from typing import Any

from zermelo.core.game import CHANCE, Game, State
from zermelo.core.guards import fitting
from zermelo.draw.numerals import chance_text, value_text
from zermelo.textbook.mcts import Tried, back_propagate, expand, select, simulate, tried
from zermelo.textbook.trace import Node, trace

TRACED = ("minimax", "alphabeta", "quiescence", "expectiminimax", "star1", "star2", "maxn", "paranoid", "expectimax")
"""The algorithms whose trees are recorded while they run."""
EXPLORATION = math.sqrt(2)
PLAIN = {"alphabeta": "minimax", "quiescence": "minimax", "star1": "expectiminimax", "star2": "expectiminimax"}
"""What an algorithm that cuts is compared with."""


def algorithms(game: Game) -> list[str]:
    """Those whose trees can be shown for the game."""
    fit = fitting(game)
    simulated = ["mcts"] if "mcts" in fit and not game.hidden else []
    return [name for name in TRACED if name in fit] + simulated


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


def growth(game: Game, state: State, simulations: int, seed: int) -> dict[str, Any]:
    """How a tree of Monte Carlo tree search grows: its nodes in the order of their birth, and every simulation."""
    rng = random.Random(seed)
    root = tried(game, state, rng)
    numbers = {id(root): 0}
    told, history = [_born(game, root, None, None)], []
    for _ in range(simulations):
        way = select(game, root, rng, EXPLORATION)
        is_new = bool(way[-1].untried)
        if is_new:
            way.append(expand(game, way[-1], rng))
            numbers[id(way[-1])] = len(told)
            told.append(_born(game, way[-1], way[-2], numbers[id(way[-2])]))
        payoffs = simulate(game, way[-1].state, rng)
        back_propagate(way, payoffs)
        history.append({"node": numbers[id(way[-1])], "is_new": is_new, "paid": list(payoffs)})
    is_opposed = game.players <= 2 and game.zero_sum
    return {"algorithm": "mcts", "tree": told, "simulations": history, "is_opposed": is_opposed}


def _born(game: Game, node: Tried, above: Tried | None, parent: int | None) -> dict[str, Any]:
    is_opposed = game.players <= 2 and game.zero_sum
    kind = "terminal" if node.mover is None else "chance" if node.mover == CHANCE else "max"
    found: dict[str, Any] = {"parent": parent, "kind": kind, "player": node.mover, "move": "", "chance": None}
    if kind == "max" and is_opposed and node.mover == 1:
        found["kind"] = "min"
    if above is not None:
        found["move"] = game.format_action(above.state, node.action)
        if above.mover == CHANCE:
            found["chance"] = chance_text(dict(game.outcomes(above.state))[node.action])
    return found


def _counts(root: Node) -> dict[str, int]:
    return {"nodes": root.count(), "leaves": len(root.leaves()), "cut": len(root.cuts())}


def _finite(number: float) -> float | None:
    """JSON has no infinities."""
    return float(number) if math.isfinite(number) else None
