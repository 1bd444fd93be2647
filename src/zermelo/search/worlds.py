"""Hidden information: the textbook's determinisation with iterative deepening; it uses a seat, never the state."""

from __future__ import annotations

import random

from zermelo.core.game import Action
from zermelo.core.seat import Seat
from zermelo.search.deepening import MeteredSearch
from zermelo.search.runtime.root_search import Request, RootMove
from zermelo.textbook import determinised


class DeterminisedSearch(MeteredSearch):
    """Averages over worlds that fit the view, the same ones at all depths. Its values prove nothing."""

    def __init__(self, request: Request) -> None:
        table = request.referee
        self.seed = random.randrange(1 << 32) if request.seed is None else request.seed
        self.view = table.view if isinstance(table, Seat) else table.game.view(table.state, table.to_move)
        super().__init__(request, "determinised")

    def legal(self) -> list[Action]:
        """The legal moves, which are the same in all worlds that fit the view."""
        return self.referee.legal()

    def prepare(self) -> bool:
        return False

    def search_moves(self, depth: int) -> list[RootMove] | None:
        before = self.meter.nodes
        self.meter.saw_horizon = False
        means = determinised(self.metered, self.view, self.player, random.Random(self.seed), depth=depth)
        if self.meter.is_stopped():
            return None
        is_proved, nodes = not self.meter.saw_horizon, (self.meter.nodes - before) // len(means)
        return [
            RootMove(action, mean, self.payoffs_for_all(mean), is_proved=is_proved, nodes=nodes)
            for action, mean in means.items()
            if action in self.listed
        ]
