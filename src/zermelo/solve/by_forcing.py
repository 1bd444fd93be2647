"""Solving games in which positions may repeat: what both players can force, deeper and deeper, until it is the same."""

from __future__ import annotations

import math

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved
from zermelo.core.game import Action, Game, State
from zermelo.core.limit import Limit
from zermelo.solve.forcing import Forcing
from zermelo.solve.way import Progress, Way

DEEPEST = 120


class ByForcing(Way):
    """Both players ask for a little more than they can force already; for one of the payoffs both get it."""

    def __init__(self, game: Game, state: State, limit: Limit, progress: Progress | None, forcing: Forcing) -> None:
        self.forcing, self.memory = forcing, forcing.desk
        self.memory.allow(limit.nodes)
        super().__init__(game, state, limit, progress)
        self.depth = 0
        self.first: Action | None = None

    def stop(self) -> None:
        self.memory.stop()

    def nodes(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.memory.nodes, "table_hits": self.forcing.hits, "depth": self.depth}

    def value(self, state: State) -> tuple[float, ...]:
        steps = payoffs(self.game)
        low, high = 0, len(steps) - 1
        for is_last in (False, True):
            for self.depth in range(1, DEEPEST + 1):
                low = self._raised(state, 0, steps, low, high)
                high = self._raised(state, 1, steps, high, low)
                if low == high:
                    return steps[low], 0.0 - steps[low]
            if not is_last:
                self.forcing.forgo_table()
        raise self._failure(steps[low], steps[high])

    def _raised(self, state: State, forcer: int, steps: list[float], known: int, end: int) -> int:
        """What a player can force within the depth, of the payoffs from what is known to the end."""
        step = 1 if forcer == 0 else -1
        while known != end:
            wanted = steps[known + step] * step
            is_forced = self.forcing.is_forced(state, forcer, wanted, self.depth)
            if self.memory.is_stopped:
                raise self._failure(*sorted((steps[known], steps[end])))
            if not is_forced:
                break
            known += step
            self.first = self.forcing.best or self.first
        return known

    def allow_more(self) -> None:
        if not self.watch.is_over:
            self.memory.allow(self.memory.nodes + 1_000_000)

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        """The first move only: what is best later depends on the way there."""
        if state is not self.state:
            return None
        mover = self.game.to_move(state)
        is_forced = self.forcing.is_forced(state, mover, value[mover], self.depth)
        return self.forcing.best if is_forced and not self.memory.is_stopped else self.first

    def move_value(self, child: State) -> tuple[float, ...] | None:
        return self.game.utilities(child) if self.game.is_terminal(child) else None

    def _failure(self, low: float, high: float) -> Exception:
        if self.memory.trouble == NO_TROUBLE and self.watch.interrupted:
            raise KeyboardInterrupt
        return NotProved(
            f"{self.game} is not proved after {self.nodes():,} nodes and {self.watch.seconds:.3g} s; its value lies in "
            f"[{low:g}, {high:g}]: give more time or nodes, or ask `best` for an estimate"
        )


def payoffs(game: Game) -> list[float]:
    """The payoffs that are asked for: all margins, or defeat, draw and win."""
    low, high = map(float, game.utility_range)
    if game.margins and math.isfinite(high - low):
        return [low + step for step in range(math.floor(high - low) + 1)]
    return [low, (low + high) / 2, high]
