"""A meter on a game: counts the positions a search asks about, and stops the search, without any code in the search.

Every algorithm asks `is_terminal` once per node. The metered game counts there; once it is asked to stop, it calls
every position terminal, so that any search ends at once. The answer of a stopped search is meaningless.
"""

from __future__ import annotations

from zermelo.core.counters import Counters
from zermelo.core.game import Game, State
from zermelo.core.wrapped import Wrapped


class Meter(Counters):
    """The counters of a search that knows nothing of them."""

    saw_horizon: bool
    """Whether a position was evaluated instead of searched; if not, the search saw every end."""


class Metered(Wrapped):
    """The game with a meter; its state and moves are the game's own."""

    def __init__(self, game: Game, meter: Meter) -> None:
        super().__init__(game)
        self.meter = meter

    def is_terminal(self, state: State) -> bool:
        is_stopped = self.meter.enter_node()
        return self.game.is_terminal(state) or is_stopped

    def utility(self, state: State, player: int) -> float:
        if self.meter.is_stopped():
            return 0.0
        return float(self.game.utility(state, player))

    def evaluate(self, state: State, player: int) -> float:
        self.meter.saw_horizon = True
        return float(self.game.evaluate(state, player))
