"""The C++ twin: Connect Four, minimax and alpha-beta by hand, compiled on the spot by `g++ -O3 -march=native`.

First, versions that count check that both visit the same nodes. Then the bare algorithms are timed: the runs alternate,
processor time is measured, and the best run of each side counts.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.bench.cpp import build
from zermelo.bench.measurement import Measurement
from zermelo.core.errors import RulesError
from zermelo.core.game import State
from zermelo.core.meter import Meter, Metered
from zermelo.core.wrapped import Wrapped
from zermelo.games.connectfour import ConnectFour
from zermelo.kernel import Kernel
from zermelo.textbook import alphabeta, minimax

SOURCE = "twin.cpp"
ROUNDS = 7
SEARCHES: tuple[tuple[Kernel[..., float], int], ...] = ((minimax, 9), (alphabeta, 15))


class WithoutEvaluation(Wrapped):
    """The rules alone: every position at the horizon is worth 0, as in the twin."""

    def evaluate(self, state: State, player: int) -> float:
        return 0.0


RULES = WithoutEvaluation(ConnectFour())


def measurements() -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory() as folder:
        counting, bare = Path(folder) / "counting", Path(folder) / "bare"
        build(SOURCE, counting, "-DCOUNT")
        build(SOURCE, bare)
        for search, depth in SEARCHES:
            nodes = _count_nodes(counting, search, depth)
            ours, theirs = _race(bare, search, depth)
            yield Measurement(
                f"{search.__name__}, connect-four, depth {depth}, {nodes:,} nodes",
                round(nodes / ours / 1e6, 1),
                round(nodes / theirs / 1e6, 1),
                "C++ twin",
                theirs / ours,
                "million nodes/s",
            )


def _count_nodes(counting: Path, search: Kernel[..., float], depth: int) -> int:
    """Count the nodes that both sides visit; RulesError if they differ in nodes or value."""
    meter = Meter.allocate()
    game = Metered(RULES, meter)
    value = search.run_compiled(game, game.initial(), 0, depth)
    their_value, their_nodes, _ = _theirs(counting, search.__name__, depth)
    if (value, meter.nodes) != (their_value, their_nodes):
        raise RulesError(f"{search.__name__}: {meter.nodes} nodes here and {their_nodes} in the twin; they differ")
    return their_nodes


def _race(bare: Path, search: Kernel[..., float], depth: int) -> tuple[float, float]:
    """The least processor time of each side."""
    search.run_compiled(RULES, RULES.initial(), 0, 1)  # compile, or load
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        search.run_compiled(RULES, RULES.initial(), 0, depth)
        ours.append(time.process_time() - start)
        theirs.append(_theirs(bare, search.__name__, depth)[2])
    return min(ours), min(theirs)


def _theirs(program: Path, name: str, depth: int) -> tuple[float, int, float]:
    command: list[Any] = [program, name, str(depth)]
    value, nodes, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(value), int(nodes), float(seconds)
