"""Expectiminimax beside OpenSpiel's, along a random game: nodes per second, and the time of answers.

Two rows for each game, on the same positions for both sides:

  plain     the full tree without cutoffs or a table, and positions at the horizon are worth 0; a node is a call of the
            recursive function, on both sides
  answers   the seconds to search to the same depth: ours with all techniques, our evaluation and an empty table;
            theirs with the plain search, since they have no other

Depth is counted in decisions, as in OpenSpiel: N moves with the rolls between them, and no roll after the last one. The
trees are nearly the same in 2048, where OpenSpiel treats some pushes as illegal. In pig a player who holds does not
roll, so our lines, which count plies, then have one more decision. In backgammon OpenSpiel lists a play once for each
order of the dice, and moves a double in two halves, each a decision; ours visits each position once.

OpenSpiel's search is written in Python and its rules in C++. It also has a search in C++, which Python cannot call. Its
positions store the whole game, so copies of late positions take longer. Times are processor times; the two sides take
turns, and the best run of each counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from zermelo.bench.measurement import Measurement
from zermelo.bench.spiel import convert_position, decisions, load
from zermelo.bench.twin import WithoutEvaluation
from zermelo.core.game import Game, State
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.search import Expectiminimax
from zermelo.search.expectiminimax.expectiminimax import expectiminimax_kernel
from zermelo.search.runtime.path import Ply

PEERS = ("open_spiel",)
SEED = 1
POSITIONS = 5
SECONDS = 0.1
"""Short searches are repeated for this long."""
ROUNDS = 3
MEGABYTES = 1


@dataclass(frozen=True)
class Pair:
    """A game with the same name on both sides, the decisions in a line, and the distance between positions."""

    name: str
    depth: int
    stride: int

    @property
    def plies(self) -> int:
        """Moves and the rolls between them."""
        return 2 * self.depth - 1


PAIRS = (Pair("pig", 7, 12), Pair("2048", 3, 10), Pair("backgammon", 2, 12))


@dataclass
class Side:
    """One side's search of a position: its nodes, and the least seconds it took."""

    search: Callable[[], object]
    nodes: int = 0
    seconds: float = math.inf

    def run(self, seconds: float) -> None:
        self.seconds = min(self.seconds, duration(self.search, seconds))


def measurements() -> Iterator[Measurement]:
    search = load("open_spiel.python.algorithms.minimax", "expectiminimax")
    peer = load("pyspiel", "expectiminimax")
    for pair in PAIRS:
        yield from measure_pair(pair, search, peer, POSITIONS, SECONDS, ROUNDS)


def measure_pair(
    pair: Pair, search: Any, peer: Any, most: int, seconds: float, rounds: int
) -> tuple[Measurement, Measurement]:
    """Measure both sides in turns on at most `most` positions; a short run is repeated for about `seconds`."""
    game, plain, answers, theirs = find(pair.name), [], [], []
    for there, here in islice(positions(pair, game, peer), most):
        plain.append(our_plain_search(game, here, pair.plies))
        answers.append(Side(our_answer(game, here, pair.plies)))
        theirs.append(Side(their_search(search, there, pair.depth), count_calls(search, there, pair.depth)))
    for _ in range(rounds):
        for sides in zip(plain, answers, theirs, strict=True):
            for side in sides:
                side.run(seconds)
    ours, other = rate(plain), rate(theirs)
    whole, others = (sum(side.seconds for side in sides) for sides in (answers, theirs))
    title = f"expectiminimax, {pair.name}, {len(theirs)} positions, {pair.depth} decisions"
    return (
        Measurement(f"{title}, plain", round(ours, 2), round(other, 3), "OpenSpiel", ours / other, "million nodes/s"),
        Measurement(f"{title}, answers", round(whole, 6), round(others, 6), "OpenSpiel", others / whole, "s"),
    )


def rate(sides: list[Side]) -> float:
    """Million nodes per second."""
    return sum(side.nodes for side in sides) / sum(side.seconds for side in sides) / 1e6


def duration(work: Callable[[], object], seconds: float) -> float:
    """Return the processor time of one call, repeated for about this many seconds."""
    repeated, began = 0, time.process_time()
    while True:
        work()
        repeated += 1
        spent = time.process_time() - began
        if spent >= seconds:
            return spent / repeated


def positions(pair: Pair, game: Game, peer: Any) -> Iterator[tuple[Any, State]]:
    """Positions of a random game on both sides, some decisions apart."""
    number = 0
    for there in decisions(peer.load_game(pair.name).new_initial_state(), SEED):
        here = convert_position(game, there)
        if here is not None:
            if number % pair.stride == 0:
                yield there, here
            number += 1


def our_plain_search(game: Game, state: State, plies: int) -> Side:
    """The compiled search without any technique."""
    rules = WithoutEvaluation(game)
    searcher = Expectiminimax(rules, megabytes=MEGABYTES, techniques=[])
    workspace = searcher.workspace()
    arguments = (rules, searcher.how, state, -math.inf, math.inf, plies, Ply(0), 0, workspace)
    run = expectiminimax_kernel.runner(*arguments)

    def look_at_everything() -> int:
        run(*arguments)
        return workspace.nodes

    return Side(look_at_everything, look_at_everything())


def our_answer(game: Game, state: State, plies: int) -> Callable[[], object]:
    """The search as it is, with an empty table each time."""
    searcher = Expectiminimax(game, megabytes=MEGABYTES)
    searcher.prepare(state)

    def think() -> object:
        searcher.clear()
        return searcher.think(state, Limit(depth=plies))

    return think


def their_search(search: Any, state: Any, depth: int) -> Callable[[], object]:
    mover = state.current_player()
    return lambda: search.expectiminimax(state, depth, lambda _: 0.0, mover)


def count_calls(search: Any, state: Any, depth: int) -> int:
    """Count the calls of their function, which calls itself by its name."""
    plain, calls = search.expectiminimax, 0

    def count_call(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return plain(*arguments)

    search.expectiminimax = count_call
    try:
        their_search(search, state, depth)()
    finally:
        search.expectiminimax = plain
    return calls
