"""The one result object: every search returns an `Analysis`, and every view shows one.

Its JSON keys are a public contract. A proven value (`exact`, `lower`, `upper`) is never mixed up with a guess
(`estimate`). Values are one number per player.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from zermelo.core.limit import Limit
from zermelo.core.notebook import HasFigure

Kind: TypeAlias = Literal["exact", "lower", "upper", "estimate"]
DistanceKind: TypeAlias = Literal["exact", "upper"]
Stopped: TypeAlias = Literal["done", "time", "nodes", "depth", "memory", "user"]


@dataclass(frozen=True)
class MoveAnalysis:
    """What the search thinks of one legal move."""

    move: str
    value: tuple[float, ...]
    kind: Kind
    depth: int | None = None
    nodes: int | None = None
    visits: int | None = None
    line: tuple[str, ...] = ()
    distance: int | None = None
    """Plies to the end if the winner hurries and the loser delays; None if unknown."""
    distance_kind: DistanceKind = "exact"
    """`exact`, or `upper`: a selective search may have missed a nearer win."""

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"move": self.move, "value": _numbers(self.value), "kind": self.kind}
        found["depth"] = self.depth
        if self.visits is not None:
            found["visits"] = self.visits
        else:
            found["nodes"] = self.nodes
        found["line"] = list(self.line)
        if self.distance is not None:
            found |= {"distance": self.distance, "distance_kind": self.distance_kind}
        return found


@dataclass(frozen=True)
class Analysis(HasFigure):
    """The answer of a search about one position."""

    game: str
    position: str
    to_move: int
    agent: str
    value: tuple[float, ...]
    kind: Kind
    best: str | None = None
    line: tuple[str, ...] = ()
    distance: int | None = None
    moves: tuple[MoveAnalysis, ...] = ()
    stats: dict[str, Any] = field(default_factory=dict)
    limit: Limit = Limit()
    stopped: Stopped = "done"
    seed: int | None = None
    notes: tuple[str, ...] = ()
    """Sentences for a person: what was chosen and why, what ran slower than it could."""
    distance_kind: DistanceKind = "exact"
    """Whether `distance` is exact or an upper bound, as in `MoveAnalysis`."""
    error: float = 0.0
    """How far an exact value, the position's or a move's, can be off: by rounding, or where an iteration ended."""

    @property
    def is_simulated(self) -> bool:
        """Whether values are means of games that were played to the end."""
        return any(move.visits is not None for move in self.moves)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "position": self.position,
            "to_move": self.to_move,
            "agent": self.agent,
            "seed": self.seed,
            "value": _numbers(self.value),
            "kind": self.kind,
            "best": self.best,
            "line": list(self.line),
            "distance": self.distance,
            **({} if self.distance is None else {"distance_kind": self.distance_kind}),
            **({"error": self.error} if self.error else {}),
            "moves": [move.to_json() for move in self.moves],
            "stats": self.stats,
            "limit": self.limit.to_json(),
            "stopped": self.stopped,
            "notes": list(self.notes),
        }


def _numbers(values: tuple[float, ...]) -> list[float | int | None]:
    """JSON has no infinities: null stands for an unknown value; whole numbers lose their point."""
    return [None if not math.isfinite(v) else int(v) if v == int(v) else float(v) for v in values]
