"""Iterative deepening at the root: search to depth 1, 2, 3 ... and answer with the last one that was finished.

A value is proved when its search met no horizon. What that proves is the algorithm's own matter.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import RulesError
from zermelo.core.game import Action, Game
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter, Metered
from zermelo.search.watch import Watch

Progress: TypeAlias = Callable[[Analysis], None]

LONGEST = 4096
"""Plies; a game that goes on beyond is not searched to its end."""
SEARCH_SHARE = 0.9
"""Of the time limit; the rest is for the line."""


@dataclass(frozen=True)
class RootMove:
    """What a search found out about one legal move."""

    action: Action
    value: tuple[float, ...]
    is_final: bool = False
    """Every end below it was seen."""
    nodes: int = 0


class Deepening(ABC):
    """One search of one player's moves, deepened until a limit is reached."""

    proves: Kind = "estimate"
    """What a value is when its search met no horizon."""

    def __init__(
        self, game: Game, algorithm: str, player: int, limit: Limit, seed: int | None, progress: Progress | None
    ) -> None:
        self.game, self.algorithm, self.player, self.limit, self.seed = game, algorithm, player, limit, seed
        self.progress = progress
        self.meter = Meter(limit.nodes)
        self.metered = Metered(game, self.meter)
        self.moves = [RootMove(action, (math.nan,) * game.players) for action in self.actions()]
        if not self.moves:
            raise RulesError(f"{game} is not over in {self.position()!r}, yet there is no move")
        self.depth = 0
        self.is_opposed = game.players == 2 and game.zero_sum
        self._value_before = -math.inf
        self.is_compiled = self.prepare()
        self.watch = Watch(self.meter.stop, None if limit.time is None else SEARCH_SHARE * limit.time)

    # -- what each search does for itself -------------------------------------------------------------

    @abstractmethod
    def actions(self) -> list[Action]:
        """The legal moves at the root."""

    @abstractmethod
    def search(self, depth: int) -> list[RootMove] | None:
        """All root moves to this depth, best first; None if it was stopped."""

    @abstractmethod
    def name(self, action: Action) -> str:
        """The notation of a root move."""

    @abstractmethod
    def position(self) -> str:
        """The root as text, as far as the player may know it."""

    @abstractmethod
    def prepare(self) -> bool:
        """Compile before the clock starts; False if it runs interpreted."""

    def line(self) -> tuple[str, ...]:
        """The best line, as far as it can be told."""
        return (self.name(self.moves[0].action),)

    # -- what they share ------------------------------------------------------------------------------

    def deepen(self) -> Analysis:
        """The answer; before depth 1 is finished it is the first legal move, and no value."""
        deepest = min(self.limit.depth or LONGEST, LONGEST)
        try:
            stopped = self._deepen(deepest)
        except KeyboardInterrupt:  # between two depths, or a second time
            if self.depth == 0:
                raise
            stopped = "user"
        if stopped == "depth" and self.limit.depth is None:
            raise RulesError(f"{self.game} did not end within {LONGEST:,} plies; give a depth, a time or a node limit")
        found = replace(self._analysis(), stopped=stopped)
        return found if stopped == "user" or self.depth == 0 else replace(found, line=self.line())

    def _deepen(self, deepest: int) -> Stopped:
        for depth in range(1, deepest + 1):
            moves = self.watch.run(lambda depth=depth: self.search(depth))  # type: ignore[misc]
            if moves is None:
                return "user" if self.watch.interrupted else "time" if self.watch.out_of_time else "nodes"
            if self.depth:
                self._value_before = self.moves[0].value[self.player]
            self.moves, self.depth = moves, depth
            if self.progress is not None:
                self.progress(replace(self._analysis(), stopped="depth"))
            if self._is_final():
                return "done"
        return "depth"

    def ranked(self, moves: list[RootMove]) -> list[RootMove]:
        """Best first; the first of equals stays first."""
        return sorted(moves, key=lambda move: -move.value[self.player])

    def spread(self, own: float) -> tuple[float, ...]:
        """One value per player; unknown for the others where payoffs are not opposed."""
        others = 0.0 - own if self.is_opposed else math.nan
        return tuple(own if player == self.player else others for player in range(self.game.players))

    def _is_final(self) -> bool:
        """The best move's value is final, and no other move can be better."""
        best = self.moves[0]
        return best.is_final and (self._is_highest(best) or all(move.is_final for move in self.moves))

    def _is_highest(self, move: RootMove) -> bool:
        return move.value[self.player] >= self.game.utility_range[1]

    def _distance(self) -> int | None:
        """A proven win of the highest value takes exactly this many plies, if one ply less did not even promise it."""
        is_won = self.moves[0].is_final and self._is_highest(self.moves[0]) and self.proves == "exact"
        is_new = self._value_before < self.game.utility_range[1]
        return self.depth if is_won and is_new and self.is_opposed and not self.game.chance else None

    def _analysis(self) -> Analysis:
        best = self.moves[0]
        names = [self.name(move.action) for move in self.moves]
        return Analysis(
            game=self.game.spec(),
            position=self.position(),
            to_move=self.player,
            agent=self.algorithm,
            value=best.value,
            kind=self.proves if self._is_final() else "estimate",
            best=names[0],
            line=(names[0],),
            distance=self._distance(),
            moves=tuple(
                MoveAnalysis(
                    name, move.value, self.proves if move.is_final else "estimate", depth=self.depth, nodes=move.nodes
                )
                for name, move in zip(names, self.moves, strict=True)
            ),
            stats=self._stats(),
            limit=self.limit,
            seed=self.seed,
            notes=() if self.is_compiled else ("it ran interpreted",),
        )

    def _stats(self) -> dict[str, float | int | bool]:
        seconds = self.watch.seconds
        nodes = min(self.meter.nodes, self.limit.nodes or self.meter.nodes)  # a search that folds up still counts
        return {
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
            "depth": self.depth,
            "compiled": self.is_compiled,
        }
