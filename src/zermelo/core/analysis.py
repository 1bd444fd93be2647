"""The result of every search, an `Analysis`, which every view shows.

It carries actions; `best`, `move` and `line` derive their texts on demand. The JSON keys are a public contract. Proved
values (`exact`, `lower`, `upper`) and guesses (`estimate`) have different kinds. Values are one number per player.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from zermelo.core.errors import IllegalMove
from zermelo.core.game import CHANCE, Action
from zermelo.core.limit import Limit
from zermelo.core.notation import GameNotation, Notation, Verbatim
from zermelo.core.notebook import HasFigure
from zermelo.core.referee import Table, table_for_agent
from zermelo.core.seat import Seat, SeatNotation

Kind: TypeAlias = Literal["exact", "lower", "upper", "estimate"]
DistanceKind: TypeAlias = Literal["exact", "upper"]
Stopped: TypeAlias = Literal["done", "time", "nodes", "depth", "memory", "user"]
VERBATIM = Verbatim()


@dataclass(frozen=True)
class MoveAnalysis:
    """The analysis of one legal move."""

    action: Action
    value: tuple[float, ...]
    kind: Kind
    depth: int | None = None
    nodes: int | None = None
    visits: int | None = None
    actions: tuple[Action, ...] = ()
    """The line that begins with this move; empty if unknown."""
    distance: int | None = None
    """Plies to the end if the winner hurries and the loser delays; None if unknown."""
    distance_kind: DistanceKind = "exact"
    """`exact`, or `upper` from a selective search, which may have missed a nearer win."""
    probability: float | None = None
    """How likely the move is to be played, if the answer is a mixed strategy."""
    notation: Notation = field(default=VERBATIM, repr=False, compare=False)
    """Set by the `Analysis` that the move belongs to."""

    @property
    def move(self) -> str:
        """The move in the game's notation."""
        return self.notation.write((self.action,))[0]

    @property
    def line(self) -> tuple[str, ...]:
        """The line in the game's notation."""
        return self.notation.write(self.actions)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MoveAnalysis:
        """What `to_json` wrote; the actions are texts."""
        return cls(
            data["move"],
            _values(data["value"]),
            data["kind"],
            data["depth"],
            data.get("nodes"),
            data.get("visits"),
            tuple(data["line"]),
            data.get("distance"),
            data.get("distance_kind", "exact"),
            data.get("probability"),
        )

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
        if self.probability is not None:
            found["probability"] = self.probability
        return found


@dataclass(frozen=True, repr=False)
class Analysis(HasFigure):
    """The answer of a search about one position."""

    game: str
    position: str
    """In the game's notation; with hidden information the view of the player to move."""
    to_move: int
    agent: str
    value: tuple[float, ...]
    kind: Kind
    action: Action | None = None
    """The best move; None if there is none."""
    actions: tuple[Action, ...] = ()
    """The best line."""
    distance: int | None = None
    moves: tuple[MoveAnalysis, ...] = ()
    stats: dict[str, Any] = field(default_factory=dict)
    limit: Limit = Limit()
    stopped: Stopped = "done"
    seed: int | None = None
    notes: tuple[str, ...] = ()
    """Sentences for the user, such as which algorithm was chosen and why."""
    distance_kind: DistanceKind = "exact"
    """Whether `distance` is exact or an upper bound, as in `MoveAnalysis`."""
    error: float = 0.0
    """The maximum error of exact values, of the position and of moves, from rounding or an iteration."""
    exploitability: float | None = None
    """Of a mixed strategy: the mean gain of players who answer it best; 0 at an equilibrium."""
    notation: Notation = field(default=VERBATIM, repr=False, compare=False)
    """The notation for actions."""

    def __post_init__(self) -> None:
        own = (replace(move, notation=self.notation) if move.notation is VERBATIM else move for move in self.moves)
        object.__setattr__(self, "moves", tuple(own))

    @classmethod
    def of(cls, referee: Table, agent: str, action: Action | None = None, **more: Any) -> Analysis:
        """The analysis of a position, from a bot's name, its move and any other results.

        The value is unknown by default. In a game with hidden information nothing but the mover's view is used.
        """
        game, table = referee.game, table_for_agent(referee)
        more.setdefault("value", (math.nan,) * game.players)
        more.setdefault("kind", "estimate")
        if action is not None:
            with contextlib.suppress(IllegalMove):
                action = table.find_legal(action)
        more.setdefault("actions", () if action is None else (action,))
        if "to_move" not in more:
            more["to_move"] = CHANCE if table.is_over else table.to_move
        if isinstance(table, Seat):
            position = table.format_view()
            more.setdefault("notation", SeatNotation(table))
        else:
            position = "" if game.hidden else game.format_state(table.state)
            more.setdefault("notation", GameNotation(game, table.state))
        return cls(game=game.spec(), position=position, agent=agent, action=action, **more)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Analysis:
        """What `to_json` wrote; the actions are texts."""
        return cls(
            data["game"],
            data["position"],
            data["to_move"],
            data["agent"],
            _values(data["value"]),
            data["kind"],
            data["best"],
            tuple(data["line"]),
            data["distance"],
            tuple(map(MoveAnalysis.from_json, data["moves"])),
            data["stats"],
            Limit(**data["limit"]),
            data["stopped"],
            data["seed"],
            tuple(data["notes"]),
            data.get("distance_kind", "exact"),
            data.get("error", 0.0),
            data.get("exploitability"),
        )

    def __repr__(self) -> str:
        return f"Analysis.from_json({self.to_json()!r})"

    @property
    def best(self) -> str | None:
        """The best move in the game's notation."""
        return None if self.action is None else self.notation.write((self.action,))[0]

    @property
    def line(self) -> tuple[str, ...]:
        """The best line in the game's notation."""
        return self.notation.write(self.actions)

    @property
    def is_simulated(self) -> bool:
        """Whether values are means of simulated games."""
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
            **({} if self.exploitability is None else {"exploitability": self.exploitability}),
            "moves": [move.to_json() for move in self.moves],
            "stats": self.stats,
            "limit": self.limit.to_json(),
            "stopped": self.stopped,
            "notes": list(self.notes),
        }


Progress: TypeAlias = Callable[[Analysis], None]
"""A callback that receives the results of a search so far."""


def _values(numbers: Iterable[float | None]) -> tuple[float, ...]:
    return tuple(math.nan if number is None else float(number) for number in numbers)


def _numbers(values: tuple[float, ...]) -> list[float | int | None]:
    """A value for JSON: null if it is unknown or infinite, and whole numbers as integers."""
    return [None if not math.isfinite(v) else int(v) if v == int(v) else float(v) for v in values]
