"""Kalah: proofs of small boards, where a last seed in an empty pit captures; each against a few seconds.

Who wins is published (Irving, Donkers & Uiterwijk: "Solving Kalah", ICGA Journal 23, 2000); the tests of the game have
the margins.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import time_call, within
from zermelo.core.errors import RulesError
from zermelo.games import find
from zermelo.solve.proof import Proof

BOARDS = {(3, 6): -10.0, (4, 4): 2.0, (4, 6): 0.0, (5, 3): 8.0, (5, 4): 12.0}
"""The first player's margin, by the numbers of pits and of seeds in a pit."""
SECONDS = 10.0


def measurements() -> Iterator[Measurement]:
    for (holes, seeds), margin in BOARDS.items():
        yield time_proof(holes, seeds, margin, SECONDS, 256)


def time_proof(holes: int, seeds: int, margin: float, most: float, megabytes: float) -> Measurement:
    """Time one proof; RulesError if the value is not the known one."""
    game = find(f"kalah:holes={holes},seeds={seeds},empty_capture=true")
    proof = Proof(game, megabytes)
    proof.prepare(game.initial())
    value, seconds = time_call(lambda: proof.value(game.initial()))
    if value != margin:
        raise RulesError(f"{game} was proved {value:+g}, but it is known to be {margin:+g}")
    return within(f"kalah({holes},{seeds}) = {margin:+g}, {proof.workspace.nodes:,} nodes", seconds, most)
