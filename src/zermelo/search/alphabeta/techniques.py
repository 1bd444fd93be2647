"""What an alpha-beta search may do beyond minimax, each a switch that the compiler folds away.

A search whose techniques are all sound finds the value of minimax to the same depth. The others are bets: they save
most of the tree and are wrong now and then.
"""

from __future__ import annotations

import math

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, knows, suggest
from zermelo.search.runtime.ordering import Ordering

SOUND = (
    "cutoffs",
    "order",
    "bounds",
    "symmetry",
    "table",
    "pvs",
    "killers",
    "history",
    "etc",
    "shallow_tail",
    "bank",
)
CLOSED = ("pvs", "singular", "null_move")
"""The techniques that search with a null window, which is narrower than two values can differ by."""
BETS = ("quiescence", "threats", "one_reply", "singular", "lmr", "null_move", "futility", "late_move_pruning", "see")
MEANING = {
    "cutoffs": "leave a position as soon as it is too good to be reached",
    "order": "try moves in the order the game suggests",
    "bounds": "believe what the game can prove of a position",
    "symmetry": "treat positions that are mirror images as one",
    "table": "remember positions (transposition table)",
    "pvs": "ask of all moves but the first only whether they are better (principal variation search)",
    "killers": "try first what refuted a sister position, or the last move elsewhere (killer moves, countermoves)",
    "history": "try first what was good all over the tree (history heuristic)",
    "etc": "look first for a reply that leads to a remembered position (enhanced transposition cutoffs)",
    "shallow_tail": "store nothing in the table where the game says that it is nearly over",
    "bank": "treat positions that differ only in what is already won as one",
    "quiescence": "judge a position only when no noisy move is left",
    "threats": "search a ply deeper when the mover has to answer a threat (check extension)",
    "one_reply": "search a ply deeper when there is only one move (one-reply extension)",
    "singular": "search a ply deeper after a move without which the position is much worse (singular extension)",
    "lmr": "search late moves less deeply, unless they surprise (late move reductions)",
    "null_move": "cut off if even passing is too good (null-move pruning)",
    "futility": "cut off, or leave out quiet moves, if the evaluation is far away (futility pruning)",
    "late_move_pruning": "leave out the last quiet moves near the horizon (late move pruning)",
    "see": "leave out captures that lose material once all is captured (static exchange evaluation)",
}


class Techniques(Ordering):
    """Switches of alpha-beta.

    `to_the_end` searches without a horizon. `strict` uses a table entry only at exactly the depth asked for, so that a
    value with a horizon is that of minimax.
    """

    def __init__(
        self,
        *names: str,
        to_the_end: bool = False,
        strict: bool = False,
        repeats: bool = False,
    ) -> None:
        for name in names:
            if name not in MEANING:
                raise UsageError(f"there is no technique {name!r}; {suggest(MEANING, '', most=30)}")
        self.cutoffs = "cutoffs" in names
        self.order = "order" in names
        self.bounds = "bounds" in names
        self.symmetry = "symmetry" in names
        self.table = "table" in names
        self.pvs = "pvs" in names
        self.killers = "killers" in names
        self.history = "history" in names
        self.etc = "etc" in names
        self.shallow_tail = "shallow_tail" in names
        self.bank = "bank" in names
        self.quiescence = "quiescence" in names
        self.threats = "threats" in names
        self.one_reply = "one_reply" in names
        self.singular = "singular" in names
        self.lmr = "lmr" in names
        self.null_move = "null_move" in names
        self.futility = "futility" in names
        self.late_move_pruning = "late_move_pruning" in names
        self.see = "see" in names
        self.to_the_end, self.strict, self.repeats = to_the_end, strict, repeats

    def names(self) -> list[str]:
        """The techniques that are switched on."""
        return [name for name in MEANING if getattr(self, name)]


def useful(game: Game) -> list[str]:
    """The techniques for which the game has the methods."""
    needs = {
        "order": "order",
        "bounds": "bounds",
        "symmetry": "canonical",
        "shallow_tail": "is_nearly_over",
        "bank": "bank",
        "quiescence": "is_noisy",
        "threats": "is_threatened",
        "null_move": "may_pass",
        "see": "exchange",
    }
    left_out = {name for name, method in needs.items() if not knows(game, method)}
    if not math.isfinite(game.swing):
        left_out |= {"futility"}
    left_out |= unsound(game)
    if not knows(game, "evaluate"):
        left_out |= {"futility", "lmr", "late_move_pruning", "singular"}
    return [name for name in MEANING if name not in left_out]


def unsound(game: Game) -> set[str]:
    """The techniques that would break proofs about this game."""
    found: set[str] = set()
    if game.repetition:
        found |= {"symmetry", "shallow_tail"}  # a mirror image is not a repetition, and `finish` keeps no path
    if not all(map(math.isfinite, game.utility_range)):
        found |= set(CLOSED)  # no null window fits payoffs of every size
    return found


def fitted(game: Game, how: Techniques) -> Techniques:
    """The same techniques, as far as they are sound for the game; with its rules of repetition."""
    names = [name for name in how.names() if name not in unsound(game)]
    return Techniques(*names, to_the_end=how.to_the_end, strict=how.strict, repeats=bool(game.repetition))


def sound(game: Game) -> Techniques:
    """All techniques that keep the value of minimax to the same depth; none that proves more than the depth shows."""
    names = [name for name in useful(game) if name in SOUND and name not in ("bounds", "shallow_tail", "bank")]
    return Techniques(*names, strict=True, repeats=bool(game.repetition))


def exact(game: Game) -> Techniques:
    """All techniques that pay in a proof of the game's value, without a horizon."""
    names = [name for name in useful(game) if name in SOUND and name not in ("killers", "history")]
    return Techniques(*names, to_the_end=True, repeats=bool(game.repetition))


def strong(game: Game) -> Techniques:
    """All techniques that make play stronger."""
    names = [name for name in useful(game) if name not in ("etc", "shallow_tail", "bank")]
    return Techniques(*names, repeats=bool(game.repetition))
