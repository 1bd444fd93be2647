"""A meter on a game: counts the positions a search asks about, and stops the search, without any code in the search.

Every algorithm asks `is_terminal` once per node. The metered game counts there; once it is asked to stop, it calls
every position terminal, so that any search ends at once. The answer of a stopped search is meaningless.
"""

from __future__ import annotations

from zermelo.core.counters import FREE_CELLS, LIMIT, NODES, OldCounters
from zermelo.core.game import Game, State
from zermelo.core.wrapped import Wrapped
from zermelo.kernel import load, store

HORIZON = FREE_CELLS


class Meter(OldCounters):
    """The counters of a search that knows nothing of them."""

    def __init__(self, node_limit: int | None = None) -> None:
        super().__init__(8, node_limit)

    def count(self) -> None:
        """One more node, for searches in plain Python."""
        self.cells[NODES] += 1

    def clear_horizon(self) -> None:
        self.cells[HORIZON] = 0

    @property
    def saw_horizon(self) -> bool:
        """Whether a position was evaluated instead of searched; if not, the search saw every end."""
        return self.cells[HORIZON] != 0


class Metered(Wrapped):
    """The game with a meter; its state and moves are the game's own."""

    runtime = ("memory",)
    not_compiled = ("meter",)

    def __init__(self, game: Game, meter: Meter) -> None:
        super().__init__(game)
        self.meter = meter
        self.memory = meter.address

    def is_terminal(self, state: State) -> bool:
        nodes = load(self.memory, NODES) + 1
        store(self.memory, NODES, nodes)
        return self.game.is_terminal(state) or nodes >= load(self.memory, LIMIT)

    def utility(self, state: State, player: int) -> float:
        if load(self.memory, NODES) >= load(self.memory, LIMIT):
            return 0.0
        return float(self.game.utility(state, player))

    def evaluate(self, state: State, player: int) -> float:
        store(self.memory, HORIZON, 1)
        return float(self.game.evaluate(state, player))
