"""Iterative deepening at the root: search to depth 1, 2, 3 ... and answer with the last one that was finished.

A value is proved when its search met no horizon. What that proves is the algorithm's own matter. These searches do not
look at the path, so where a rule for repetition does, only a move that ends the game is proved.
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
from zermelo.search.repetition import NOTE, refuse_without_limit
from zermelo.search.runtime.watch import Watch

Progress: TypeAlias = Callable[[Analysis], None]

NO_LIMIT = Limit()
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
    is_over: bool = False
    """The referee says that it ends the game."""


class Deepening(ABC):
    """One search of one player's moves, deepened until a limit is reached."""

    proves: Kind = "estimate"
    """What a value is when its search met no horizon."""

    def __init__(
        self, game: Game, algorithm: str, player: int, limit: Limit, seed: int | None, progress: Progress | None
    ) -> None:
        self.game, self.algorithm, self.player, self.limit, self.seed = game, algorithm, player, limit, seed
        self.progress = progress
        self.meter = Meter.allocate(limit.nodes)
        self.metered = Metered(game, self.meter)
        self.moves = [RootMove(action, (math.nan,) * game.players) for action in self.actions()]
        self.listed = [move.action for move in self.moves]
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
        """The best line, as far as it is known."""
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
        if stopped == "depth" and self.limit == NO_LIMIT:
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
            is_final = self._is_final()
            if self.game.repetition and self.limit == NO_LIMIT and not is_final:
                refuse_without_limit(self.game, self.algorithm)
            if self.progress is not None:
                self.progress(replace(self._analysis(), stopped="depth"))
            if is_final:
                return "done"
        return "depth"

    def ranked(self, moves: list[RootMove]) -> list[RootMove]:
        """Best first; the first of equals stays first, or to max^n is the first one of the list."""
        if self.algorithm == "maxn":
            moves = sorted(moves, key=lambda move: self.listed.index(move.action))
        return sorted(moves, key=lambda move: -move.value[self.player])

    def spread(self, own: float) -> tuple[float, ...]:
        """One value per player; unknown for the others where payoffs are not opposed."""
        others = 0.0 - own if self.is_opposed else math.nan
        return tuple(own if player == self.player else others for player in range(self.game.players))

    def _is_final(self) -> bool:
        """No deeper search finds anything else."""
        return self._is_known([move.action for move in self.moves if move.is_final])

    def _is_known(self, known: list[Action]) -> bool:
        """The best move's value is known, and no other move can be better, or be taken instead if it is as good.

        Which of equals is taken matters to max^n, because the others get something else: it is the first of the list.
        """
        best = self.moves[0]
        if best.action in known and self._is_highest(best):
            earlier = self.listed[: self.listed.index(best.action)] if self.algorithm == "maxn" else []
            return all(action in known for action in earlier)
        return len(known) == len(self.moves)

    def _kind(self, move: RootMove) -> Kind:
        return self.proves if self._is_proved(move) else "estimate"

    def _is_proved(self, move: RootMove) -> bool:
        """Its value is final whatever the path."""
        return move.is_over if self.game.repetition else move.is_final

    def _is_highest(self, move: RootMove) -> bool:
        return move.value[self.player] >= self.game.utility_range[1]

    def _distance(self) -> int | None:
        """A proven win of the highest value takes exactly this many plies, if one ply less did not even promise it."""
        is_won = self._is_proved(self.moves[0]) and self._is_highest(self.moves[0]) and self.proves == "exact"
        is_new = self._value_before < self.game.utility_range[1]
        return self.depth if is_won and is_new and self.is_opposed and not self.game.chance else None

    def _analysis(self) -> Analysis:
        best = self.moves[0]
        names = [self.name(move.action) for move in self.moves]
        is_known = self._is_known([move.action for move in self.moves if self._is_proved(move)])
        return Analysis(
            game=self.game.spec(),
            position=self.position(),
            to_move=self.player,
            agent=self.algorithm,
            value=best.value,
            kind=self.proves if is_known else "estimate",
            best=names[0],
            line=(names[0],),
            distance=self._distance(),
            moves=tuple(
                MoveAnalysis(name, move.value, self._kind(move), depth=self.depth, nodes=move.nodes)
                for name, move in zip(names, self.moves, strict=True)
            ),
            stats=self._stats(),
            limit=self.limit,
            seed=self.seed,
            notes=self._notes(is_known),
        )

    def _notes(self, is_known: bool) -> tuple[str, ...]:
        notes = [] if self.is_compiled else ["it ran interpreted"]
        return (*notes, NOTE) if self.game.repetition and not is_known else tuple(notes)

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
