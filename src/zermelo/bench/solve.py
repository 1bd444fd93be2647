"""Proofs: the hexapawn table up to 6 x 5 and small Connect Four boards, in one process, against a minute."""

from __future__ import annotations

import time
from collections.abc import Iterator

from zermelo.bench.measurement import Measurement
from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.games.connectfour import ConnectFour
from zermelo.games.hexapawn import Hexapawn
from zermelo.solve import prove

HEXAPAWN = {3: "FssFF", 4: "sssFs", 5: "FsFsF", 6: "sssFF"}
"""The winner, F for the first or s for the second player, for 1 to 5 columns."""
MINUTE = 60.0


def measurements() -> Iterator[Measurement]:
    start = time.perf_counter()
    for rows, winners in HEXAPAWN.items():
        for cols, winner in enumerate(winners, 1):
            _prove(Hexapawn(rows, cols), 1.0 if winner == "F" else -1.0)
    yield _within("hexapawn, 20 boards up to 6 x 5", time.perf_counter() - start)
    for cols, rows in ((5, 4), (5, 5), (6, 5)):  # all drawn: John Tromp's table
        start = time.perf_counter()
        _prove(ConnectFour(cols, rows), 0.0)
        yield _within(f"connect-four {cols} x {rows}", time.perf_counter() - start)


def _prove(game: Game, value: float) -> None:
    found = prove(game).value[0]
    if found != value:
        raise RulesError(f"{game} was proved {found}, but it is known to be {value}")


def _within(name: str, seconds: float) -> Measurement:
    return Measurement(f"solve {name}", round(seconds, 2), MINUTE, "a minute", MINUTE / seconds, "s")
