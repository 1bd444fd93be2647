"""The nodes that Star1 and Star2 visit in trees with dice, beside plain expectiminimax."""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.bench.measurement import Measurement
from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.core.meter import Meter, Metered
from zermelo.games.pig import Pig
from zermelo.games.tree import Tree
from zermelo.kernel import Kernel
from zermelo.textbook import UNLIMITED, expectiminimax, star1, star2

TREES = 500


def measurements() -> Iterator[Measurement]:
    trees: list[Game] = [Tree(_random_tree(random.Random(seed), 6, "max")) for seed in range(TREES)]
    yield from _compare(f"{TREES} random trees with dice", trees, UNLIMITED)
    for target, depth in ((20, 12), (100, 12)):
        yield from _compare(f"pig to {target}, depth {depth}", [Pig(target)], depth)


def _compare(name: str, games: list[Game], depth: int) -> Iterator[Measurement]:
    plain, values = _nodes(expectiminimax, games, depth)
    for search in (star1, star2):
        nodes, found = _nodes(search, games, depth)
        if any(abs(one - other) > 1e-9 for one, other in zip(values, found, strict=True)):
            raise RulesError(f"{search.__name__} and expectiminimax disagree on {name}")
        yield Measurement(f"{search.__name__}, {name}", nodes, plain, "expectiminimax", plain / nodes, "nodes")


def _nodes(search: Kernel[..., float], games: list[Game], depth: int) -> tuple[int, list[float]]:
    total, values = 0, []
    for game in games:
        meter = Meter.allocate()
        values.append(search.run(Metered(game, meter), game.initial(), 0, depth))
        total += meter.nodes
    return total, values


def _random_tree(rng: random.Random, depth: int, kind: str) -> str:
    """A random tree in which dice and players alternate: max, chance, min, chance, max ..."""
    if depth == 0:
        return str(rng.randint(-10, 10))
    following = {"max": "chance", "min": "chance", "chance": "min" if depth % 4 == 1 else "max"}[kind]
    return f"{kind}({' '.join(_random_tree(rng, depth - 1, following) for _ in range(rng.randint(2, 4)))})"
