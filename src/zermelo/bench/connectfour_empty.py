"""Connect Four from the empty board, without a book: the first player wins with the last stone but one; one run."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.connectfour import GAME
from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import time_call, within
from zermelo.core.errors import RulesError
from zermelo.solve.proof import Proof

MEGABYTES = 1024
SCORE = 1
"""Of the first player, on Pons' scale: a win with stone number 41. [James D. Allen 1988; Victor Allis 1988]"""
TEN_MINUTES = 600.0


def measurements() -> Iterator[Measurement]:
    proof = Proof(GAME, MEGABYTES)
    proof.prepare(GAME.initial())
    score, seconds = time_call(lambda: proof.value(GAME.initial()))
    if score != SCORE:
        raise RulesError(f"the empty board was proved {score:+g}, but it is known to be {SCORE:+}")
    speed = proof.workspace.nodes / seconds / 1e6
    yield within(
        f"connect-four, empty board, {proof.workspace.nodes:,} nodes, {speed:.1f} million/s", seconds, TEN_MINUTES
    )
