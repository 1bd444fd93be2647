"""How a Monte Carlo tree search goes about it: its techniques, and the shape of a node that follows from them."""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, knows, listed
from zermelo.kernel import Switches

VISITS, ACTION, CHILDREN, SUM = range(4)
"""The first cells of a node: how often, by which move, where its children are, and what was paid in all."""

MEANING = {
    "solver": "prove wins, defeats and draws, and look at nothing twice that is proved",
    "bounds": "believe what the game can prove of a position",
}


class Manner(Switches):
    """Switches and the places of a node's cells, all compile-time constants."""

    def __init__(self, game: Game, *names: str, shared: bool = False) -> None:
        for name in names:
            if name not in MEANING:
                raise UsageError(f"there is no technique {name!r}; {listed(MEANING, '', most=30)}")
        self.is_opposed = game.players == 1 or (game.players == 2 and game.zero_sum)
        self.solver = "solver" in names and self.is_opposed
        self.bounds = "bounds" in names and self.solver
        self.shared = shared
        self.chance = game.chance
        self.repeats = bool(game.repetition)
        self.sums = 1 if self.is_opposed else game.players
        free = SUM + self.sums
        self.low, self.high = free, free + 1
        free += 2 if self.solver else 0
        self.likelihood = free
        free += 1 if game.chance else 0
        self.width = free

    @property
    def node_bytes(self) -> int:
        """What a node costs."""
        return 8 * self.width


def strong(game: Game) -> list[str]:
    """Everything that plays well."""
    names = ["solver"]
    return [*names, "bounds"] if knows(game, "bounds") else names
