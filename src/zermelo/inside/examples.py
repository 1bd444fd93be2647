"""Example trees: the figures of the lectures, and random ones, reproducible by a seed."""

from __future__ import annotations

import random
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["max and min", "with dice", "three players"]


class Example(NamedTuple):
    """A tree, and the search to show on it first."""

    title: str
    text: str
    algorithm: str


PAC_MAN = "max(left:max(right:max(right:max(right:6))) right:max(left:max(right:max(right:6)) right:8))"
"""A pellet two steps to the right."""
EXAMPLES = (
    Example("Three by three: 3 12 8", "max(min(3 12 8) min(2 4 6) min(14 5 2))", "alphabeta"),
    Example("Deep: a bound from two levels up", "max(min(max(3 5) max(6 9)) min(max(1 2) max(0 -1)))", "alphabeta"),
    Example("Two ghosts", "max(left:min(-8 -5) right:min(-10 8))", "alphabeta"),
    Example("Pac-Man alone: ten points, one lost a step", PAC_MAN, "minimax"),
    Example("Expectimax in thirds", "max(chance(3 12 9) chance(2 4 6) chance(15 6 0))", "expectiminimax"),
    Example(
        "Dice between the players",
        "max(chance(1/2:min(3 7) 1/2:min(1 4)) chance(1/4:min(-6 2) 3/4:min(0 5)) chance(9/10:-5 1/10:8))",
        "star1",
    ),
    Example("Uneven chances", "max(chance(1/2:8 1/3:24 1/6:-12) 9)", "expectiminimax"),
    Example("A die: bounds of its mean", "max(2 chance(-10 -10 -10 10 10 10))", "star1"),
    Example("A die: 10, 10, −10", "max(7 chance(10 10 -10 -10 10 -10))", "star1"),
    Example(
        "Three players",
        "p1(p2(p3(<1,6,6> <7,1,2>) p3(<6,1,2> <7,2,1>)) p2(p3(<5,1,7> <1,5,2>) p3(<7,7,1> <5,2,5>)))",
        "maxn",
    ),
    Example(
        "Three players, ten points in all",
        "p1(p2(<5,4,1> <4,2,4>) p2(<2,8,0> <5,3,2>) p2(<3,5,2> <1,6,3>))",
        "maxn-shallow",
    ),
)


def random_tree(seed: int, levels: int, branches: int, kind: Kind) -> str:
    """A random tree with `levels` levels of moves, reproducible by its seed."""
    rng = random.Random(f"{seed}/{levels}/{branches}/{kind}")

    def node(level: int) -> str:
        if level == levels:
            return _leaf(rng, kind)
        below = " ".join(node(level + 1) for _ in range(branches))
        return f"{_mover(level, kind)}({below})"

    return node(0)


def _mover(level: int, kind: Kind) -> str:
    if kind == "three players":
        return f"p{level % 3 + 1}"
    layers = ("max", "min") if kind == "max and min" else ("max", "chance", "min", "chance")
    return layers[level % len(layers)]


def _leaf(rng: random.Random, kind: Kind) -> str:
    if kind == "three players":
        return f"<{','.join(str(rng.randint(0, 9)) for _ in range(3))}>"
    return str(rng.randint(-9, 9) if kind == "with dice" else rng.randint(0, 20))
