"""What an alpha-beta search may do beyond minimax, each a switch that the compiler folds away.

A search whose techniques are all sound finds the value of minimax to the same depth. The others are bets: they save
most of the tree and are wrong now and then.
"""

from __future__ import annotations

import math

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, knows, listed
from zermelo.search.engine.ordering import Ordering

SOUND = (
    "cutoffs",
    "order",
    "bounds",
    "symmetry",
    "table",
    "scout",
    "killers",
    "history",
    "transposed",
    "ending",
    "bank",
)
CLOSED = ("scout", "singular", "null_move")
"""The techniques that ask with a closed window: a number above alpha, but less than two values can differ by."""
BETS = ("quiescence", "threats", "forced", "singular", "reductions", "null_move", "futility", "late", "exchange")
MEANING = {
    "cutoffs": "leave a position as soon as it is too good to be reached",
    "order": "try moves in the order the game suggests",
    "bounds": "believe what the game can prove of a position",
    "symmetry": "take positions that are mirror images for one",
    "table": "remember positions",
    "scout": "ask of all moves but the first only whether they are better",
    "killers": "try first what refuted a sister position, or the last move elsewhere",
    "history": "try first what was good all over the tree",
    "transposed": "look for a reply that leads to a remembered position before any is searched",
    "ending": "remember nothing where the game says that it is nearly over",
    "bank": "take positions that differ only in what is already won for one",
    "quiescence": "judge a position only when no noisy move is left",
    "threats": "look a ply deeper when the mover has to answer a threat",
    "forced": "look a ply deeper when there is only one move",
    "singular": "look a ply deeper at a move without which the position is much worse",
    "reductions": "look less deep at late moves, unless they surprise",
    "null_move": "believe in a cut-off if even passing is too good",
    "futility": "believe in a cut-off, or in none, if the evaluation is far away",
    "late": "leave out the last quiet moves near the horizon",
    "exchange": "leave out captures that lose material once all is captured",
}


class Techniques(Ordering):
    """Switches. `to_the_end` searches without a horizon, `strict` believes only what was
    searched to the very depth that is asked for, so that a value with a horizon is minimax's own."""

    def __init__(
        self,
        *names: str,
        to_the_end: bool = False,
        strict: bool = False,
        repeats: bool = False,
    ) -> None:
        for name in names:
            if name not in MEANING:
                raise UsageError(f"there is no technique {name!r}; {listed(MEANING, '', most=30)}")
        self.cutoffs = "cutoffs" in names
        self.order = "order" in names
        self.bounds = "bounds" in names
        self.symmetry = "symmetry" in names
        self.table = "table" in names
        self.scout = "scout" in names
        self.killers = "killers" in names
        self.history = "history" in names
        self.transposed = "transposed" in names
        self.ending = "ending" in names
        self.bank = "bank" in names
        self.quiescence = "quiescence" in names
        self.threats = "threats" in names
        self.forced = "forced" in names
        self.singular = "singular" in names
        self.reductions = "reductions" in names
        self.null_move = "null_move" in names
        self.futility = "futility" in names
        self.late = "late" in names
        self.exchange = "exchange" in names
        self.to_the_end, self.strict, self.repeats = to_the_end, strict, repeats

    def names(self) -> list[str]:
        """The techniques that are switched on."""
        return [name for name in MEANING if getattr(self, name)]


def useful(game: Game) -> list[str]:
    """The techniques that the game knows enough for."""
    needs = {
        "order": "order",
        "bounds": "bounds",
        "symmetry": "canonical",
        "ending": "is_nearly_over",
        "bank": "bank",
        "quiescence": "is_noisy",
        "threats": "is_threatened",
        "null_move": "may_pass",
        "exchange": "exchange",
    }
    left_out = {name for name, method in needs.items() if not knows(game, method)}
    if not math.isfinite(game.swing):
        left_out |= {"futility"}
    left_out |= unsound(game)
    if not knows(game, "evaluate"):
        left_out |= {"futility", "reductions", "late", "singular"}
    return [name for name in MEANING if name not in left_out]


def unsound(game: Game) -> set[str]:
    """The techniques that would break proofs about this game."""
    found: set[str] = set()
    if game.repetition:
        found |= {"symmetry", "ending"}  # a mirror image is no repetition, and the ending keeps no path
    if not all(map(math.isfinite, game.utility_range)):
        found |= set(CLOSED)  # for payoffs of any size no window is narrow enough for some and wide enough for others
    return found


def fitted(game: Game, how: Techniques) -> Techniques:
    """The same techniques, as far as they are sound for the game; with its rules of repetition."""
    names = [name for name in how.names() if name not in unsound(game)]
    return Techniques(*names, to_the_end=how.to_the_end, strict=how.strict, repeats=bool(game.repetition))


def sound(game: Game) -> Techniques:
    """Everything that keeps the value of minimax to the same depth; what is proved beyond the horizon is left out."""
    names = [name for name in useful(game) if name in SOUND and name not in ("bounds", "ending", "bank")]
    return Techniques(*names, strict=True, repeats=bool(game.repetition))


def exact(game: Game) -> Techniques:
    """Everything that pays in a proof of the value of the game, without a horizon."""
    names = [name for name in useful(game) if name in SOUND and name not in ("killers", "history")]
    return Techniques(*names, to_the_end=True, repeats=bool(game.repetition))


def strong(game: Game) -> Techniques:
    """Everything that plays well."""
    names = [name for name in useful(game) if name not in ("transposed", "ending", "bank")]
    return Techniques(*names, repeats=bool(game.repetition))
