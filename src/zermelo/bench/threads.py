"""Two threads against one: the time to reach the same depth, over several positions and with a fresh memory each.

Wall time, the only one that threads can save; so the machine should have nothing else to do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from zermelo.bench.chess import ENDGAME, KIWIPETE, START
from zermelo.bench.measurement import Measurement
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.search import Engine

CHESS = {START: 13, KIWIPETE: 11, ENDGAME: 17}
OTHELLO = {"": 12, "moves: f5 d6 c3 d3 c4 f4": 11, "moves: f5 f6 e6 f4 g5 e7": 11}
MEGABYTES = 256


def measurements() -> Iterator[Measurement]:
    for name, positions in (("chess", CHESS), ("othello", OTHELLO)):
        game = find(name)
        one, two = reached(game, positions, 1), reached(game, positions, 2)
        title = f"{name}, {len(positions)} positions to depth {min(positions.values())} to {max(positions.values())}"
        yield Measurement(f"two threads, {title}", round(two, 2), round(one, 2), "one thread", one / two, "s")


def reached(game: Game, positions: Mapping[str, int], threads: int) -> float:
    """The seconds until all positions are searched to their depths."""
    total = 0.0
    for text, depth in positions.items():
        referee = Referee.at(game, text)
        engine = Engine(game, MEGABYTES, threads)
        engine.prepare(referee.state)
        began = time.perf_counter()
        engine.think(referee, Limit(depth=depth))
        total += time.perf_counter() - began
    return total
