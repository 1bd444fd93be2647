"""Hidden information: the textbook's determinisation, deepened; it sees a view, never the state."""

from __future__ import annotations

import random
from collections.abc import Collection

from zermelo.core.game import Action, Game, View
from zermelo.core.limit import Limit
from zermelo.search.deepening import Deepening, Progress, RootMove
from zermelo.textbook import determinised


class Worlds(Deepening):
    """Averages over worlds that fit the view; all depths look at the same ones. Its values prove nothing."""

    def __init__(
        self,
        game: Game,
        view: View,
        player: int,
        limit: Limit,
        seed: int | None,
        progress: Progress | None,
        forbidden: Collection[Action] = (),
    ) -> None:
        """`forbidden` moves would repeat a position; the view does not show that."""
        self.view, self.forbidden = view, forbidden
        self.luck = random.randrange(1 << 32) if seed is None else seed
        self.world = game.worlds(view, player, random.Random(self.luck))
        super().__init__(game, "determinised", player, limit, seed, progress)

    def actions(self) -> list[Action]:
        """The same in all worlds that look the same."""
        return [action for action in self.game.actions(self.world) if action not in self.forbidden]

    def prepare(self) -> bool:
        return False

    def search(self, depth: int) -> list[RootMove] | None:
        before = self.meter.nodes
        self.meter.saw_horizon = False
        means = determinised(self.metered, self.view, self.player, random.Random(self.luck), depth=depth)
        if self.meter.is_stopped():
            return None
        is_final, nodes = not self.meter.saw_horizon, (self.meter.nodes - before) // len(means)
        return self.ranked(
            [
                RootMove(action, self.spread(mean), is_final, nodes)
                for action, mean in means.items()
                if action not in self.forbidden
            ]
        )

    def name(self, action: Action) -> str:
        return self.game.format_action(self.world, action)

    def position(self) -> str:
        """Empty: the true state must not be shown."""
        return ""
