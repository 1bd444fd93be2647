"""Expectiminimax beside OpenSpiel's: nodes per second of the plain search, and how long an answer takes.

Two rows for each game, from the first position with a choice, both sides with the same first roll:

  plain        everything is looked at, nothing is cut off or remembered, and a position at the horizon counts nothing.
               A node is a call of the recursive function, here and there
  an answer    the seconds until the same depth is answered: ours as anybody has it, with all techniques, our
               evaluation and an empty table; theirs is the plain search, since they have no other

Depth is counted in decisions, as OpenSpiel does: so many moves with the rolls between them, and no roll after the last
one. The trees are nearly the same in 2048, where OpenSpiel takes some pushes for illegal. In pig who holds does not
roll, and a line of ours, which counts plies, then has a decision more. In backgammon OpenSpiel lists a play once for
each order of the dice, and moves a double in two halves, each a decision; ours looks at each position once.

OpenSpiel's search is written in Python and its rules in C++. There is one in C++ too, which Python cannot call.
Processor time; the two take turns, and the best of each counts.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.bench.ladder import first_choice
from zermelo.bench.measurement import Measurement
from zermelo.bench.twin import Unjudged
from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.search import Expectiminimax
from zermelo.search.expectiminimax.layered import layered

PEERS = ("open_spiel",)
SECONDS = 0.3
"""Searches are repeated for so long."""
ROUNDS = 3
MEGABYTES = 1


@dataclass(frozen=True)
class Pair:
    """The same game here and there, and how many decisions a line has."""

    title: str
    theirs: str
    decisions: int

    @property
    def plies(self) -> int:
        """Moves and the rolls between them."""
        return 2 * self.decisions - 1


PAIRS = (Pair("pig", "pig", 7), Pair("2048", "2048", 4), Pair("backgammon", "backgammon", 2))


def measurements() -> Iterator[Measurement]:
    search, peer = _open_spiel()
    for pair in PAIRS:
        yield from measured(pair, search, peer, SECONDS, ROUNDS)


def measured(pair: Pair, search: Any, peer: Any, seconds: float, rounds: int) -> Iterator[Measurement]:
    """Both sides in turns; each run takes about so many seconds."""
    game = find(pair.title)
    here, nodes = our_plain_search(game, pair.plies)
    answer, answered = our_answer(game, pair.plies), their_search(search, start_of(peer, pair), pair.decisions)
    their_nodes = counted(search, start_of(peer, pair), pair.decisions)
    plain, whole, theirs = math.inf, math.inf, math.inf
    for _ in range(rounds):
        plain = min(plain, duration(here, seconds))
        whole = min(whole, duration(answer, seconds))
        theirs = min(theirs, duration(answered, seconds))
    ours, other = nodes / plain / 1e6, their_nodes / theirs / 1e6
    title = f"expectiminimax, {pair.title}, {pair.decisions} decisions"
    yield Measurement(f"{title}, plain", round(ours, 1), round(other, 3), "OpenSpiel", ours / other, "million nodes/s")
    yield Measurement(f"{title}, an answer", round(whole, 6), round(theirs, 6), "OpenSpiel", theirs / whole, "s")


def duration(work: Callable[[], object], seconds: float) -> float:
    """The processor time of one piece of work, repeated for so many seconds."""
    repeated, began = 0, time.process_time()
    while True:
        work()
        repeated += 1
        spent = time.process_time() - began
        if spent >= seconds:
            return spent / repeated


def our_plain_search(game: Game, plies: int) -> tuple[Callable[[], object], int]:
    """The compiled search without any technique, ready to be repeated, and its nodes."""
    rules, start = Unjudged(game), first_choice(game)
    searcher = Expectiminimax(rules, megabytes=MEGABYTES, techniques=[])
    desk = searcher.desk()
    arguments = (rules, searcher.how, start, -math.inf, math.inf, plies, 0, 0, desk.address)
    run = layered.runner(*arguments)

    def look_at_everything() -> int:
        run(*arguments)
        return desk.nodes

    return look_at_everything, look_at_everything()


def our_answer(game: Game, plies: int) -> Callable[[], object]:
    """The search as it is, with an empty table each time."""
    searcher, start = Expectiminimax(game, megabytes=MEGABYTES), first_choice(game)
    searcher.prepare(start)

    def think() -> object:
        searcher.clear()
        return searcher.think(start, Limit(depth=plies))

    return think


def start_of(peer: Any, pair: Pair) -> Any:
    """Their first position with a choice, after the first of all rolls."""
    state = peer.load_game(pair.theirs).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def their_search(search: Any, state: Any, decisions: int) -> Callable[[], object]:
    mover = state.current_player()
    return lambda: search.expectiminimax(state, decisions, lambda _: 0.0, mover)


def counted(search: Any, state: Any, decisions: int) -> int:
    """How often their function is called; it finds itself by its name."""
    plain, calls = search.expectiminimax, 0

    def counting(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return plain(*arguments)

    search.expectiminimax = counting
    try:
        their_search(search, state, decisions)()
    finally:
        search.expectiminimax = plain
    return calls


def _open_spiel() -> tuple[Any, Any]:
    """Their search, and their games."""
    try:
        return importlib.import_module("open_spiel.python.algorithms.minimax"), importlib.import_module("pyspiel")
    except ImportError:
        raise UsageError(
            "expectiminimax is compared with OpenSpiel, which is not installed; the package is called open_spiel"
        ) from None
