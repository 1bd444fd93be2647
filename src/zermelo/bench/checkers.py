"""Checkers: perft to 10 plies against its known count, and the engine's speed on one thread."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import search_rate, time_perft, within
from zermelo.games import find

DEPTH, LEAVES = 10, 18_391_564
NODES = 5_000_000
GOAL = 5.0
"""The goal in million nodes per second."""
SECOND = 1.0


def measurements() -> Iterator[Measurement]:
    game = find("checkers")
    seconds = min(time_perft(game, "", DEPTH, LEAVES) for _ in range(3))
    yield within(f"checkers perft {DEPTH}, {LEAVES:,} leaves", seconds, SECOND)
    yield search_rate("checkers search", game, {"start": ""}, NODES, GOAL)
