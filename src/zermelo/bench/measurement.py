"""The list of benchmarks, and the measurements that they report."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.core.errors import UsageError
from zermelo.core.game import suggest

BENCHMARKS = {
    "twin": "compiled textbook search against the same search by hand in C++",
    "star": "nodes of Star1 and Star2 against plain expectiminimax",
    "solve": "proofs of hexapawn and small Connect Four boards, against a minute",
    "start": "how long the command takes to answer, cold and warm",
    "chess": "search speed, and perft against Stockfish",
    "othello": "exact endgames and perft",
    "checkers": "search speed and perft",
    "kalah": "proofs of small boards",
    "connectfour": "exact scores of random positions against a solver by hand in C++",
    "expectiminimax": "plain expectiminimax, and time to an answer, against OpenSpiel's",
    "mcts": "Monte Carlo tree search against OpenSpiel's in C++",
    "equilibrium": "counterfactual regret minimisation against OpenSpiel's in C++, and goals for exact solutions",
    "threads": "two threads against one",
}
ON_REQUEST = {
    "connectfour_hard": "exact scores of positions near the start of Connect Four, which takes minutes",
    "connectfour_empty": "the exact score of Connect Four, which takes minutes",
    "kalah64": "the proof of six pits with four seeds, which takes minutes",
}
"""Run only by name."""


@dataclass(frozen=True)
class Measurement:
    """A measurement beside a peer's; `ratio` is above 1 if ours is better, whatever the unit."""

    name: str
    ours: float
    peer: float
    peer_name: str
    ratio: float
    unit: str

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ours": self.ours,
            "peer": self.peer,
            "peer_name": self.peer_name,
            "ratio": round(self.ratio, 3),
            "unit": self.unit,
        }


def measure(
    names: Collection[str] = (), on_skip: Callable[[str], None] | None = None, against: str = ""
) -> Iterator[Measurement]:
    """Run benchmarks by name, or all but the very long ones; then `on_skip` receives the reason if one cannot run.

    `against` names the peer, for benchmarks that have a choice.
    """
    chosen = list(names) or list(BENCHMARKS)
    known = {**BENCHMARKS, **ON_REQUEST}
    for name in chosen:
        if name not in known:
            raise UsageError(f"there is no benchmark {name!r}; {suggest([*known, 'ladder GAME'], '', most=20)}")
    if against:
        _must_know_peer(names, against)
    for name in chosen:
        try:
            yield from importlib.import_module(f"zermelo.bench.{name}").measurements()
        except UsageError as error:
            if on_skip is None or names:
                raise
            on_skip(f"{name}: {error}")


def _must_know_peer(names: Collection[str], against: str) -> None:
    """UsageError if one of these benchmarks is not measured against this peer."""
    if not names:
        raise UsageError("--against needs the name of a benchmark; write zermelo bench mcts --against open_spiel")
    for name in names:
        peers = getattr(importlib.import_module(f"zermelo.bench.{name}"), "PEERS", ())
        if against not in peers:
            raise UsageError(
                f"{name} is not measured against {against!r}; "
                + (suggest(peers, "") if peers else "it has no peer to choose: leave out --against")
            )
