"""The techniques of alpha-beta, each a switch that the compiler folds away.

A search with only sound techniques finds the value of minimax to the same depth. The others are bets: they save most of
the tree and are sometimes wrong.
"""

from __future__ import annotations

import math

from zermelo.core.game import Game, knows
from zermelo.search.runtime.arguments import vet_techniques
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
"""Techniques that search with a null window."""
BETS = ("quiescence", "threats", "one_reply", "singular", "lmr", "null_move", "futility", "late_move_pruning", "see")
MEANING = {
    "cutoffs": "leave a position as soon as it is too good to be reached",
    "order": "try moves in the order the game suggests",
    "bounds": "use the game's proved bounds of a position",
    "symmetry": "treat positions that are mirror images as one",
    "table": "remember positions (transposition table)",
    "pvs": "search all moves but the first with a null window (principal variation search, PVS)",
    "killers": "try first the moves that refuted a sister position or the last move (killer moves, countermoves)",
    "history": "try first the moves that caused cutoffs anywhere in the tree (history heuristic)",
    "etc": "look first for a reply whose position the table has (enhanced transposition cutoffs, ETC)",
    "shallow_tail": "store nothing in the table when the game is nearly over",
    "bank": "treat positions that differ only in points already won as one",
    "quiescence": "evaluate only positions without noisy moves (quiescence search)",
    "threats": "search a ply deeper when the mover must answer a threat (check extension)",
    "one_reply": "search a ply deeper when there is only one move (one-reply extension)",
    "singular": "search a ply deeper after a move that is much better than all others (singular extension)",
    "lmr": "search late moves less deeply, and again if they fail high (late move reductions, LMR)",
    "null_move": "cut off if even passing is too good (null-move pruning)",
    "futility": "cut off, or skip quiet moves, if the evaluation is far from the window (futility pruning)",
    "late_move_pruning": "skip the last quiet moves near the horizon (late move pruning)",
    "see": "skip captures that lose material (static exchange evaluation, SEE)",
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
        vet_techniques(names, MEANING)
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
        """The techniques in use."""
        return [name for name in MEANING if getattr(self, name)]


def useful(game: Game) -> list[str]:
    """The techniques whose methods the game has."""
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
    """The techniques that are not sound in this game."""
    found: set[str] = set()
    if game.repetition:
        found |= {"symmetry", "shallow_tail"}  # a mirror image is not a repetition, and `finish` keeps no path
    if not all(map(math.isfinite, game.utility_range)):
        found |= set(CLOSED)  # no null window fits payoffs of every size
    return found


def without_unsound(game: Game, how: Techniques) -> Techniques:
    """The techniques without those that are unsound in this game; with its rules of repetition."""
    names = [name for name in how.names() if name not in unsound(game)]
    return Techniques(*names, to_the_end=how.to_the_end, strict=how.strict, repeats=bool(game.repetition))


def sound(game: Game) -> Techniques:
    """All techniques that keep the value of minimax to the same depth, and prove no more than the depth shows."""
    names = [name for name in useful(game) if name in SOUND and name not in ("bounds", "shallow_tail", "bank")]
    return Techniques(*names, strict=True, repeats=bool(game.repetition))


def exact(game: Game) -> Techniques:
    """All techniques that pay in a proof without a horizon."""
    names = [name for name in useful(game) if name in SOUND and name not in ("killers", "history")]
    return Techniques(*names, to_the_end=True, repeats=bool(game.repetition))


def strong(game: Game) -> Techniques:
    """All techniques that make play stronger."""
    names = [name for name in useful(game) if name not in ("etc", "shallow_tail", "bank")]
    return Techniques(*names, repeats=bool(game.repetition))
