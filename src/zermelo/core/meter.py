"""A meter on a game: counts and stops a search without any code in the search.

Every algorithm calls `is_terminal` once per node. The metered game counts these calls; once stopped, it reports every
position as terminal, so that any search ends at once. The result of a stopped search is meaningless.
"""

from __future__ import annotations

from zermelo.core.counters import Counters
from zermelo.core.game import Game, State
from zermelo.core.wrapped import Wrapped


class Meter(Counters):
    """The counters of a search without code for counting."""

    saw_horizon: bool
    """Whether a position was evaluated at the horizon; if not, the search is complete."""


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
