"""The techniques of expectiminimax beyond the textbook's, each a switch that the compiler folds away.

All but one are sound: they find the value of expectiminimax to the same depth. `narrow` is a bet: it leaves out moves
that look worse than others, and improbable outcomes.
"""

from __future__ import annotations

from zermelo.core.game import Game, knows
from zermelo.core.guards import is_bounded
from zermelo.search.runtime.arguments import vet_techniques
from zermelo.search.runtime.ordering import Ordering

MEANING = {
    "cutoffs": "leave a position as soon as it is too good to be reached (alpha-beta)",
    "stars": "cut the other outcomes of the dice once the mean is outside the window (Star1)",
    "order": "try moves in the order the game suggests",
    "table": "remember positions, chance nodes included (transposition table)",
    "symmetry": "treat positions that are mirror images as one",
    "killers": "try first the moves that refuted a sister position or the last move (killer moves, countermoves)",
    "history": "try first the moves that caused cutoffs anywhere in the tree (history heuristic)",
    "pvs": "search all moves but the first with a null window (principal variation search, PVS)",
    "probes": "search first one good reply to each outcome, which bounds the mean (Star2)",
    "narrow": "leave out moves that look worse than others, and improbable outcomes",
}
SOUND = tuple(name for name in MEANING if name != "narrow")


class Techniques(Ordering):
    """Switches; `models` lets seats follow habits or a search of their own, `reply` only one opponent reply."""

    def __init__(self, *names: str, models: bool = False, reply: bool = False) -> None:
        vet_techniques(names, MEANING)
        self.cutoffs = "cutoffs" in names
        self.stars = "stars" in names
        self.order = "order" in names
        self.table = "table" in names
        self.symmetry = "symmetry" in names and not reply  # what comes first in a mirror image may be another move
        self.killers = "killers" in names
        self.history = "history" in names
        self.pvs = "pvs" in names
        self.probes = "probes" in names and self.stars and not reply
        self.narrow = "narrow" in names
        self.sorts = self.order or self.killers or self.history
        self.models, self.reply = models, reply
        self.quiescence = False  # there are no noisy moves here

    def names(self) -> list[str]:
        """The techniques in use."""
        return [name for name in MEANING if getattr(self, name)]


def useful(game: Game, team_size: int = 1) -> list[str]:
    """The sound techniques whose methods the game has, with finite payoffs where needed, for a team of `team_size`."""
    left_out = {name for name, method in {"order": "order", "symmetry": "canonical"}.items() if not knows(game, method)}
    if not is_bounded(game, team_size):
        left_out |= {"stars", "probes"}
    return [name for name in SOUND if name not in left_out]
