"""The root of every search: watch, stop, progress, statistics, notes and the `Analysis`.

A search implements `run`, which returns when it is done or stopped, and `findings`, its results so far. Searches with
iterative deepening implement `search`, one depth, instead of `run`.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Protocol

from zermelo.core.analysis import Analysis, DistanceKind, Kind, MoveAnalysis, Progress, Stopped
from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE, Action, Game
from zermelo.core.limit import Limit
from zermelo.core.notation import GameNotation, Notation
from zermelo.core.referee import Table, table_for_agent
from zermelo.search.repetition import refuse_without_limit
from zermelo.search.runtime.watch import Watch
from zermelo.search.runtime.workspace import Workspace

NO_LIMIT = Limit()
REPORT_SECONDS = 0.2
"""Seconds between reports of a search without iterative deepening."""


class CanReportFullness(Protocol):
    """A table that measures its use."""

    def fullness(self) -> int:
        """Used entries per thousand."""


@dataclass(frozen=True)
class Request:
    """The parameters of a search."""

    referee: Table
    """In a game with hidden information, the seat of the player to move."""
    limit: Limit = NO_LIMIT
    name: str = ""
    """The agent's or algorithm's name for display."""
    lines: int = 1
    """Number of best moves that get a value (multi-PV), in searches that otherwise find only the best one."""
    seed: int | None = None
    stop: threading.Event | None = None
    """An event that stops the search."""
    progress: Progress | None = None
    stop_early: bool = False
    """Whether Monte Carlo tree search stops once more time cannot change the move, as in a match."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "referee", table_for_agent(self.referee))


@dataclass(frozen=True)
class RootMove:
    """The results of a search for one legal move."""

    action: Action
    value: float = -math.inf
    """The value for the player who makes it, or an upper bound if `is_bound`."""
    payoffs: tuple[float, ...] = ()
    """The values for all players, if known; empty if they follow from `value`."""
    is_bound: bool = False
    """Whether the search failed low, so that the value is an upper bound."""
    is_proved: bool = False
    """Whether the value or bound holds whatever lies beyond the horizon."""
    is_over: bool = False
    """Whether the move ends the game, according to the referee."""
    nodes: int = 0
    depth: int = 0
    line: tuple[Action, ...] = ()
    finished: RootMove | None = None
    """The last result that is not a bound, and so can be shown as an estimate."""

    def finish(self, depth: int) -> RootMove:
        """The same move with this result recorded as `finished` at a depth."""
        return replace(self, depth=depth, finished=replace(self, depth=depth, finished=None))


@dataclass(frozen=True)
class Findings:
    """The results of a search so far: its part of the `Analysis`."""

    value: tuple[float, ...]
    kind: Kind
    moves: tuple[MoveAnalysis, ...] = ()
    """The moves, best first."""
    line: tuple[Action, ...] = ()
    distance: int | None = None
    distance_kind: DistanceKind = "exact"
    error: float = 0.0
    notes: tuple[str, ...] = ()


class RootSearch(ABC):
    """The search of one position within a limit."""

    unit = "nodes"
    """The unit of `count`: nodes or simulations."""
    is_compiled = False
    why_interpreted = "it ran interpreted"
    """The note of an answer that was not compiled."""

    def __init__(self, request: Request, seconds: float | None = None) -> None:
        """`seconds` replaces the time of the limit."""
        self.request, self.referee, self.limit = request, request.referee, request.limit
        self.game, self.state = self.referee.game, self.referee.known_state
        self.player = CHANCE if self.referee.is_over else self.referee.to_move
        self.notation: Notation = GameNotation(self.game, self.state)
        self.watch = Watch(self.halt, self.limit.time if seconds is None else seconds)
        self._reported = 0.0

    # -- what each search implements ------------------------------------------------------------------

    @abstractmethod
    def halt(self) -> None:
        """Make `run` return soon; may be called from another thread, and more than once."""

    @abstractmethod
    def run(self) -> Stopped:
        """Search until it is done or stopped."""

    @abstractmethod
    def count(self) -> int:
        """The number of nodes or simulations so far."""

    @abstractmethod
    def findings(self) -> Findings:
        """The results so far."""

    def details(self) -> dict[str, Any]:
        """Statistics in addition to the shared ones."""
        return {}

    def check(self) -> None:  # noqa: B027 - most searches raise their errors themselves
        """Raise an error that the compiled search recorded."""

    def tick(self) -> None:  # noqa: B027 - most searches report when they have finished a depth
        """Called a few times a second while the search runs."""

    # -- shared by all searches -----------------------------------------------------------------------

    def answer(self) -> Analysis:
        """Run the search under the watch, and return its analysis."""
        stopped = self.watch.run(self.run, self._tick)
        self.check()
        return self.analysis(stopped)

    def _tick(self) -> None:
        if self.request.stop is not None and self.request.stop.is_set():
            self.watch.request_stop()
        self.tick()

    def reason(self) -> Stopped:
        """Why the search was stopped."""
        if self.watch.interrupted or self.watch.is_stop_requested:
            return "user"
        return "time" if self.watch.out_of_time else "nodes"

    def report(self, stopped: Stopped) -> None:
        """Report the results so far to the caller's `progress`."""
        if self.request.progress is not None:
            self.send(self.analysis(stopped))

    def send(self, found: Analysis) -> None:
        self._reported = self.watch.seconds
        if self.request.progress is not None:
            self.request.progress(found)

    @property
    def is_report_due(self) -> bool:
        """Whether REPORT_SECONDS have passed since the last report."""
        return self.request.progress is not None and self.watch.seconds >= self._reported + REPORT_SECONDS

    def analysis(self, stopped: Stopped) -> Analysis:
        """The results so far as an `Analysis`."""
        found = self.findings()
        line = found.line or (found.moves[0].actions if found.moves else ())
        return Analysis.of(
            self.referee,
            self.request.name,
            line[0] if line else None,
            to_move=self.player,
            value=found.value,
            kind=found.kind,
            actions=line,
            distance=found.distance,
            distance_kind=found.distance_kind,
            error=found.error,
            notation=self.notation,
            moves=found.moves,
            stats=self.stats(),
            limit=self.limit,
            stopped=stopped,
            seed=self.request.seed,
            notes=(*(() if self.is_compiled else (self.why_interpreted,)), *found.notes),
        )

    def stats(self) -> dict[str, Any]:
        """All statistics: count, time and speed, then those of the search."""
        return self.stats_of(self.count(), self.watch.seconds, self.details())

    def stats_of(self, count: int, seconds: float, details: dict[str, Any]) -> dict[str, Any]:
        """Statistics of a part of the search: its count, its time, then `details`."""
        return {
            self.unit: count,
            "seconds": round(seconds, 6),
            f"{self.unit}_per_second": round(count / seconds) if seconds > 0 else 0,
            **details,
            "compiled": self.is_compiled,
        }

    def payoffs_for_all(self, own: float) -> tuple[float, ...]:
        """The values of all players from the mover's; unknown for the others unless the game is zero-sum for two."""
        own = 0.0 + own
        others = 0.0 - own if self.game.players == 2 and self.game.zero_sum else math.nan
        return tuple(own if player == self.player else others for player in range(self.game.players))


class DeepeningSearch(RootSearch):
    """Iterative deepening: search to depth 1, 2, 3 ... and answer with the last finished depth. [Slate & Atkin 1977]"""

    deepest: int
    """Maximum depth in plies."""
    sees_repetition = False
    """Whether the search takes the path into account; otherwise it may never end in a game with repetitions."""

    def __init__(self, request: Request, seconds: float | None = None) -> None:
        super().__init__(request, seconds)
        self.depth = 0

    @abstractmethod
    def search(self, depth: int) -> bool:
        """Search all root moves to this depth; False if stopped."""

    @abstractmethod
    def is_final(self) -> bool:
        """Whether no deeper search can change the answer."""

    def is_clear(self) -> bool:
        """Whether to stop early, because more time is unlikely to change the answer."""
        return False

    def run(self) -> Stopped:
        for depth in range(1, min(self.limit.depth or self.deepest, self.deepest) + 1):
            if not self.search(depth):
                return self.reason()
            self.depth = depth
            is_final = self.is_final()
            if not is_final and self.game.repetition and self._has_no_end():
                refuse_without_limit(self.game, self.request.name)
            self.report("depth")
            if is_final:
                return "done"
            if self.is_clear():
                return "time"
        if self._has_no_end():
            raise RulesError(
                f"{self.game} did not end within {self.deepest:,} plies; give a depth, a time or a node limit"
            )
        return "depth"

    def _has_no_end(self) -> bool:
        """Whether neither a limit nor the caller can stop it."""
        return self.limit == NO_LIMIT and self.request.stop is None and not self.sees_repetition


def table_statistics(work: Workspace, table: CanReportFullness) -> dict[str, Any]:
    """Statistics of a search with a table."""
    return {
        "deepest_ply": work.deepest_ply,
        "table_hits": work.hits,
        "table_fullness": table.fullness() / 1000,
        "cutoffs": work.cutoffs,
        "first_move_cutoff_rate": round(work.first_cutoffs / work.cutoffs, 3) if work.cutoffs else 0.0,
    }


def stuck_sentence(game: Game) -> str:
    """The error text for rules with a position that is not over and has no moves."""
    return f"somewhere {game} is not over, yet there is no move; `zermelo check` finds where"
