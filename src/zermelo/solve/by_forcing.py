"""Solving games with repetitions: search deeper until both players can force the same payoff."""

from __future__ import annotations

import math

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved
from zermelo.core.game import Action, Game, State
from zermelo.core.referee import open_table
from zermelo.search.runtime import Request
from zermelo.solve.forcing import Forcing
from zermelo.solve.method import Method

DEEPEST = 120


class ByForcing(Method):
    """Raises what each player can force, depth by depth, until the two values meet."""

    def __init__(self, request: Request, forcing: Forcing) -> None:
        self.is_compiled = forcing.prepare(open_table(request.referee))
        self.forcing, self.memory = forcing, forcing.workspace
        self.memory.allow(request.limit.nodes)
        super().__init__(request)
        self.depth = 0
        self.first: Action | None = None

    def halt(self) -> None:
        self.memory.stop()

    def count(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"table_hits": self.forcing.hits, "depth": self.depth}

    def value(self, state: State) -> tuple[float, ...]:
        steps = payoffs(self.game)
        low, high = 0, len(steps) - 1
        for is_last in (False, True):
            for self.depth in range(1, DEEPEST + 1):
                low = self._raise_bound(state, 0, steps, low, high)
                high = self._raise_bound(state, 1, steps, high, low)
                if low == high:
                    return steps[low], 0.0 - steps[low]
            if not is_last:
                self.is_compiled = self.forcing.forgo_table(state) and self.is_compiled
        raise self._failure(steps[low], steps[high])

    def _raise_bound(self, state: State, forcer: int, steps: list[float], known: int, end: int) -> int:
        """The index of the best payoff that a player can force within the depth, from `known` up to `end`.

        The strides double: if much can be forced at once, hardly more than one proof is needed.
        """
        side, stride = (1 if forcer == 0 else -1), 1
        while known != end:
            asked = known + side * min(stride, abs(end - known))
            is_forced = self.forcing.is_forced(state, forcer, steps[asked] * side, self.depth)
            if self.memory.is_stopped():
                raise self._failure(*sorted((steps[known], steps[end])))
            if not is_forced and abs(asked - known) == 1:
                break
            if not is_forced:
                stride = 1
                continue
            known, stride = asked, 2 * stride
            if self.forcing.best is not None:
                self.first = self.forcing.best
        return known

    def allow_more(self) -> None:
        """Nothing to do: the proof of the value includes a best move."""

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        """The first move only, because later ones depend on the path. A player who forces nothing may play any move."""
        if state is not self.state:
            return None
        return self.referee.legal()[0] if self.first is None else self.first

    def move_value(self, action: Action) -> tuple[float, ...] | None:
        referee = open_table(self.referee)
        referee.play(action)
        payoffs = referee.utilities() if referee.is_over else None
        referee.undo()
        return payoffs

    def _failure(self, low: float, high: float) -> Exception:
        if self.memory.trouble == NO_TROUBLE and self.watch.interrupted:
            raise KeyboardInterrupt
        return NotProved(
            f"{self.game} is not proved after {self.count():,} nodes and {self.watch.seconds:.3g} s; its value lies in "
            f"[{low:g}, {high:g}]: give more time or nodes, or ask `best` for an estimate"
        )


def payoffs(game: Game) -> list[float]:
    """The possible payoffs: defeat, draw and win, with all margins between them."""
    low, high = map(float, game.utility_range)
    margins = [low + step for step in range(1, math.ceil(high - low))] if game.margins else []
    return sorted({low, *margins, game.middle(), high})
