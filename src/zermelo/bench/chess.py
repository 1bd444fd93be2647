"""Chess: the engine's speed on one thread, and perft beside Stockfish's `go perft`.

Both count the last ply without playing it. The runs alternate, processor time is measured, the best of each side
counts, and Stockfish is not charged for its start.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import counted, search_rate
from zermelo.core.errors import RulesError, UsageError
from zermelo.games import find

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PERFT = {"start": (START, 6, 119_060_324), "Kiwipete": (KIWIPETE, 5, 193_690_690)}
NODES = 5_000_000
GOAL = 3.0
"""Million nodes a second."""
ROUNDS = 3
USUAL_PLACE = Path("/usr/games/stockfish")
"""Debian does not put games on everybody's path."""


def measurements() -> Iterator[Measurement]:
    game = find("chess")
    yield search_rate("chess search", game, {"start": START, "Kiwipete": KIWIPETE, "an endgame": ENDGAME}, NODES, GOAL)
    program = _stockfish()
    for name, (position, depth, leaves) in PERFT.items():
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(counted(game, position, depth, leaves))
            theirs.append(_theirs(program, position, depth, leaves))
        least, other = min(ours), min(theirs)
        yield Measurement(
            f"chess perft {depth}, {name}",
            round(leaves / least / 1e6, 1),
            round(leaves / other / 1e6, 1),
            "Stockfish",
            other / least,
            "million leaves/s",
        )


def _stockfish() -> str:
    found = shutil.which("stockfish") or (str(USUAL_PLACE) if USUAL_PLACE.exists() else None)
    if found is None:
        raise UsageError("perft is compared with Stockfish, which is not installed; the package is called stockfish")
    return found


def _theirs(program: str, position: str, depth: int, leaves: int) -> float:
    """The seconds of processor time that Stockfish takes, without those of a start that counts next to nothing."""
    _, start = _told(program, position, 1)
    output, seconds = _told(program, position, depth)
    if f"Nodes searched: {leaves}" not in output:
        raise RulesError(f"Stockfish does not count {leaves:,} leaves, as is known")
    return max(seconds - start, 1e-6)


def _told(program: str, position: str, depth: int) -> tuple[str, float]:
    before = _children_seconds()
    orders = f"position fen {position}\ngo perft {depth}\nquit\n"
    output = subprocess.run([program], input=orders, check=True, capture_output=True, text=True).stdout
    return output, _children_seconds() - before


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
