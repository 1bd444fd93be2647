"""Chess: the engine's speed on one thread, and perft beside Stockfish's `go perft`.

Neither plays the last ply: Stockfish lists its moves, we only count them. The runs alternate, processor time is
measured and the best of each side counts; Stockfish is not charged for its start, the best of which is taken off. The
report names the build of Stockfish, because it matters: Debian's build uses no instructions newer than SSE2, while our
kernels are compiled for this processor.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import search_rate, time_perft
from zermelo.core.errors import RulesError, UsageError
from zermelo.games import find

PEERS = ("stockfish",)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PERFT = {"start": (START, 6, 119_060_324), "Kiwipete": (KIWIPETE, 5, 193_690_690)}
NODES = 5_000_000
GOAL = 3.0
"""The goal in million nodes per second."""
ROUNDS = 3
USUAL_PLACE = Path("/usr/games/stockfish")
"""Debian's path of Stockfish, which is not on every user's PATH."""


def measurements() -> Iterator[Measurement]:
    game = find("chess")
    yield search_rate("chess search", game, {"start": START, "Kiwipete": KIWIPETE, "an endgame": ENDGAME}, NODES, GOAL)
    program = _stockfish()
    for name, (position, depth, leaves) in PERFT.items():
        ours, starts, theirs = [], [], []
        for _ in range(ROUNDS):
            ours.append(time_perft(game, position, depth, leaves))
            starts.append(_their_seconds(program, position, 1, None))
            theirs.append(_their_seconds(program, position, depth, leaves))
        least, other = min(ours), max(min(theirs) - min(starts), 1e-6)
        yield Measurement(
            f"chess perft {depth}, {name}",
            round(leaves / least / 1e6, 1),
            round(leaves / other / 1e6, 1),
            f"Stockfish ({_build(program)})",
            other / least,
            "million leaves/s",
        )


def _stockfish() -> str:
    found = shutil.which("stockfish") or (str(USUAL_PLACE) if USUAL_PLACE.exists() else None)
    if found is None:
        raise UsageError("perft is compared with Stockfish, which is not installed; the package is called stockfish")
    return found


def _their_seconds(program: str, position: str, depth: int, leaves: int | None) -> float:
    """Return the processor time of a run of Stockfish, including its start; RulesError if its count is wrong."""
    before = _children_seconds()
    output = _run_stockfish(program, f"position fen {position}\ngo perft {depth}\nquit\n")
    seconds = _children_seconds() - before
    if leaves is not None and f"Nodes searched: {leaves}\n" not in output:
        raise RulesError(f"Stockfish does not count the known {leaves:,} leaves at depth {depth}")
    return seconds


def _build(program: str) -> str:
    """Return the compilation settings as Stockfish reports them."""
    for line in _run_stockfish(program, "compiler\nquit\n").splitlines():
        if line.startswith("Compilation settings"):
            return line.partition(":")[2].strip()
    return "unknown build"


def _run_stockfish(program: str, orders: str) -> str:
    return subprocess.run([program], input=orders, check=True, capture_output=True, text=True).stdout


def _children_seconds() -> float:
    try:
        import resource
    except ImportError:  # Windows
        raise UsageError("perft is compared with Stockfish, whose processor time this system does not report") from None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
