"""How a Monte Carlo tree search goes about it: its techniques, its numbers, and the shape of a node that follows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, has_one_value, knows, listed
from zermelo.core.guards import has_evaluation
from zermelo.kernel import Switches

VISITS, ACTION, CHILDREN, SUM = range(4)
"""The first cells of a node: how often, by which move, where its children are, and what was paid in all."""

MEANING = {
    "solver": "prove wins, defeats and draws, and look at nothing twice that is proved",
    "bounds": "believe what the game can prove of a position",
    "decisive": "end a playout as soon as the game's bounds settle it",
    "tuned": "explore less where payoffs vary little (UCB1-Tuned)",
    "puct": "explore by the share of the prior that a move has (PUCT)",
    "urgency": "an untried move counts as a little worse than the node, instead of coming first",
    "priors": "a move starts with a few imagined visits, as good as it looks",
    "bias": "a move that looks good is preferred, less and less the oftener it was tried (progressive bias)",
    "widening": "look at a few of the moves first, at more and more of them later (progressive widening)",
    "rave": "a move is as good as it was later in the same simulations (RAVE)",
    "grave": "rave, but a node that was seldom visited asks the one above (GRAVE)",
    "transpositions": "positions that are reached by several ways share what is known of their moves",
    "open": "nodes stand for moves, whatever the dice or the hidden cards were (open-loop, information sets)",
    "implicit": "mix means with what minimax makes of the game's evaluation (implicit minimax backups)",
}
LOOKS = frozenset({"puct", "priors", "bias", "widening"})
"""Techniques that need to know how a move looks."""
CLOSED = frozenset({*LOOKS, "transpositions", "rave", "grave", "implicit", "urgency", "tuned"})
"""Techniques that need a node to stand for one position."""
MOST_COUNT = 10**15
"""No number of a technique is larger: it has to fit the search's memory, and nobody counts so far."""


@dataclass(frozen=True)
class Tuning:
    """The numbers of the techniques. Means and guesses are on a scale from -1 to 1."""

    exploration: float = 1.0
    """The constant of UCB1, or of PUCT."""
    expansion: int = 1
    """A node gets children once it was visited so often."""
    playout_plies: int = 5000
    """What is not over by then is judged."""
    urgency: float = 0.1
    """So much worse than the node is an untried move."""
    trust: float = 10.0
    """So many visits a move is imagined to have had."""
    bias: float = 0.5
    widening: float = 0.4
    """Of n visits, n to this power of the moves are looked at; and two more."""
    equivalence: float = 1000.0
    """After so many visits a node's own mean counts as much as that of the same move later."""
    reference: int = 50
    """So many visits a node needs to rely on its own moves later."""
    implicit: float = 0.3
    """The share of minimax."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_count = name in ("expansion", "playout_plies", "reference")
            if not 0 <= value <= MOST_COUNT or (is_count and value != int(value)):
                kind = "a whole number" if is_count else "a number"
                raise UsageError(f"{name} is {value}; it is {kind} from 0 to {MOST_COUNT:,}")
        if not self.implicit <= 1 or not self.widening <= 1:
            raise UsageError("implicit and widening are numbers from 0 to 1")


class Manner(Switches):
    """Switches and the places of a node's cells, all compile-time constants."""

    def __init__(self, game: Game, *names: str, learns: bool = False, shared: bool = False) -> None:
        check_names(game, names)
        self.is_opposed = has_one_value(game)
        self.open = "open" in names
        shares_paths = "transpositions" in names and bool(game.repetition)
        self.solver = "solver" in names and self.is_opposed and not self.open and not shares_paths
        self.bounds = "bounds" in names and self.solver
        self.decisive = "decisive" in names and self.is_opposed
        self.tuned, self.puct, self.urgency = "tuned" in names, "puct" in names, "urgency" in names
        self.priors, self.bias, self.widening = "priors" in names, "bias" in names, "widening" in names
        self.grave = "grave" in names
        self.rave = "rave" in names or self.grave
        self.implicit = "implicit" in names and self.is_opposed
        self.transpositions = "transpositions" in names
        self.header = 3 if self.transpositions else 1
        self.looks = not LOOKS.isdisjoint(names)
        self.prior = knows(game, "prior")
        self.judges = has_evaluation(game)
        self.untried_first = not (self.puct or self.urgency or self.priors or self.rave)
        self.learns = learns
        self.trail = self.rave or learns
        self.shared = shared
        self.lingers = shared and not (self.open or self.trail or self.transpositions or game.chance or game.repetition)
        self.chance = game.chance
        self.repeats = bool(game.repetition)
        self.sums = 1 if self.is_opposed else game.players
        self.low, self.high = SUM + self.sums, SUM + self.sums + 1
        free = self.high + 1 if self.solver else self.low
        self.likelihood, free = free, free + game.chance
        self.next, self.available, self.mover, free = free, free + 1, free + 2, free + 3 * self.open
        self.squares, free = free, free + self.tuned * self.sums
        self.guess, free = free, free + self.looks
        self.share, free = free, free + self.puct
        self.later_visits, self.later_sum, free = free, free + 1, free + 2 * self.rave
        self.implied, free = free, free + self.implicit
        self.width = free

    @property
    def node_bytes(self) -> int:
        """What a node costs."""
        return 8 * self.width


def column_of(how: Manner, mover: int) -> int:
    """Which of a node's sums is the mover's; never one that a node does not have, whatever the rules say."""
    return 0 if how.is_opposed else max(0, min(mover, how.sums - 1))


def check_names(game: Game, names: Collection[str]) -> None:
    """Raise UsageError for a technique that is not there, or that the game knows too little for."""
    for name in names:
        if name not in MEANING:
            raise UsageError(f"there is no technique {name!r}; {listed(MEANING, '', most=30)}")
        if name in ("bounds", "decisive") and not knows(game, "bounds"):
            raise UsageError(f"the technique {name!r} needs a game with `bounds`, and {game} has none")
        if name in CLOSED and "open" in names:
            raise UsageError(f"the technique {name!r} is not there for an open search")
        if name == "implicit" and not has_evaluation(game):
            raise UsageError(f"the technique {name!r} needs a game with `evaluate`, and {game} has none")
        if name in LOOKS and not (knows(game, "prior") or has_evaluation(game)):
            raise UsageError(f"the technique {name!r} needs a game with `prior` or `evaluate`, and {game} has neither")


def fitting_numbers(names: Collection[str]) -> Tuning:
    """Numbers that play well with these techniques: where moves are known to look good, little else is explored."""
    return Tuning(exploration=0.2, expansion=4) if {"priors", "rave"} <= set(names) else Tuning()


def strong(game: Game) -> list[str]:
    """Everything that plays well."""
    if game.hidden:
        return ["open"]
    names = ["solver"]
    if knows(game, "bounds"):
        names.append("bounds")
    if knows(game, "bounds") and knows(game, "candidates"):
        names.append("decisive")
    if knows(game, "prior"):
        names += ["priors", "rave"]
    return names
