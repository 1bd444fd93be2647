"""The C++ twin: Connect Four, minimax and alpha-beta by hand, compiled on the spot by `g++ -O3 -march=native`.

Both sides look at the same nodes and count them; the runs alternate, and the best of each counts.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.bench.measurement import Measurement
from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import State
from zermelo.core.meter import Meter, Metered
from zermelo.core.wrapped import Wrapped
from zermelo.games.connectfour import ConnectFour
from zermelo.kernel import Kernel
from zermelo.textbook import alphabeta, minimax

ROUNDS = 7
SEARCHES: tuple[tuple[Kernel[..., float], int], ...] = ((minimax, 9), (alphabeta, 15))


class Unjudged(Wrapped):
    """The rules alone: every position at the horizon counts nothing, as in the twin."""

    def evaluate(self, state: State, player: int) -> float:
        return 0.0


def measurements() -> Iterator[Measurement]:
    source = _source()
    compiler = shutil.which("g++")
    if compiler is None:
        raise UsageError("the C++ twin needs g++ to be installed")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "twin"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for search, depth in SEARCHES:
            yield _compare(program, search, depth)


def _compare(program: Path, search: Kernel[..., float], depth: int) -> Measurement:
    _ours(search, 1)  # compile, or load
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_ours(search, depth))
        theirs.append(_theirs(program, search.__name__, depth))
    (value, nodes, _), (their_value, their_nodes, _) = ours[0], theirs[0]
    if (value, nodes) != (their_value, their_nodes):
        raise RulesError(f"{search.__name__}: {nodes} nodes here and {their_nodes} in the twin; they differ")
    fastest, peer = min(s for *_, s in ours), min(s for *_, s in theirs)
    name = f"{search.__name__}, connect-four, depth {depth}, {nodes:,} nodes"
    rates = nodes / fastest / 1e6, nodes / peer / 1e6
    return Measurement(name, round(rates[0], 1), round(rates[1], 1), "C++ twin", peer / fastest, "million nodes/s")


def _ours(search: Kernel[..., float], depth: int) -> tuple[float, int, float]:
    meter = Meter()
    game = Metered(Unjudged(ConnectFour()), meter)
    start = time.perf_counter()
    value = search.compiled(game, game.initial(), 0, depth)
    return value, meter.nodes, time.perf_counter() - start


def _theirs(program: Path, name: str, depth: int) -> tuple[float, int, float]:
    command: list[Any] = [program, name, str(depth)]
    value, nodes, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(value), int(nodes), float(seconds)


def _source() -> Path:
    """In the repository, or beside this file where it was installed."""
    places = (Path(__file__).parents[3] / "benchmarks" / "twin.cpp", Path(__file__).with_name("twin.cpp"))
    for place in places:
        if place.exists():
            return place
    raise UsageError("the C++ twin benchmarks/twin.cpp is missing; run this in a clone of the repository")
