"""Two threads against one: alpha-beta's time to reach the same depth, and Monte Carlo's simulations a second.

Alpha-beta searches several positions, with a fresh memory each. Times are wall times, so the figures are meaningful
only on a machine with two idle cores. One and two threads take turns at every position, and the best run of each
counts. The number of nodes that two threads of alpha-beta visit varies from run to run and from position to position,
so a ratio above 2 is chance.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from zermelo.bench.chess import ENDGAME, KIWIPETE, START
from zermelo.bench.measurement import Measurement
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.search import Engine, Mcts

CHESS = {START: 16, KIWIPETE: 14, ENDGAME: 22}
OTHELLO = {"": 20, "moves: f5 d6 c3 d3 c4 f4": 19, "moves: f5 f6 e6 f4 g5 e7": 19}
"""Depths that take seconds: below, starting a thread takes longer than it saves."""
MEGABYTES = 256
MONTE_CARLO = ("connect-four", "othello", "breakthrough", "chess", "go")
SECONDS = 2.0
ROUNDS = 3


def measurements() -> Iterator[Measurement]:
    for name, positions in (("chess", CHESS), ("othello", OTHELLO)):
        game = find(name)
        one = two = 0.0
        for text, depth in positions.items():
            rounds = [(time_to_depth(game, text, depth, 1), time_to_depth(game, text, depth, 2)) for _ in range(ROUNDS)]
            one += min(alone for alone, _ in rounds)
            two += min(together for _, together in rounds)
        title = f"{name}, {len(positions)} positions to depth {min(positions.values())} to {max(positions.values())}"
        yield Measurement(f"two threads, {title}", round(two, 2), round(one, 2), "one thread", one / two, "s")
    for name in MONTE_CARLO:
        game = find(name)
        rates = [(simulation_rate(game, 1), simulation_rate(game, 2)) for _ in range(ROUNDS)]
        alone, together = (max(each) for each in zip(*rates, strict=True))
        title = f"two threads, MCTS, {name}"
        yield Measurement(title, round(together), round(alone), "one thread", together / alone, "simulations/s")


def time_to_depth(game: Game, position: str, depth: int, threads: int) -> float:
    """The seconds until a fresh engine has searched the position to this depth."""
    referee = Referee.at(game, position)
    engine = Engine(game, MEGABYTES, threads)
    engine.prepare(referee.state)
    began = time.perf_counter()
    engine.think(referee, Limit(depth=depth))
    return time.perf_counter() - began


def simulation_rate(game: Game, threads: int) -> float:
    """Simulations a second from the start, in a fresh tree that is large enough."""
    search = Mcts(game, 2 * MEGABYTES, threads)
    search.prepare(game.initial())
    return float(search.think(limit=Limit(time=SECONDS), seed=1).stats["simulations_per_second"])
