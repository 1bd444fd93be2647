"""The techniques of Monte Carlo tree search and their parameters. `tree.Columns` lists the cells they add to a node."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, has_one_value, knows
from zermelo.core.guards import has_evaluation
from zermelo.kernel import Switches
from zermelo.search.runtime.arguments import vet_techniques

MEANING = {
    "solver": "prove wins, defeats and draws in the tree, and skip what is proved (MCTS-Solver)",
    "bounds": "use the game's proved bounds of a position",
    "decisive": "end a playout as soon as the game's bounds decide it",
    "tuned": "laboratory: explore less where payoffs vary little (UCB1-Tuned)",
    "puct": "laboratory: explore in proportion to a move's prior (PUCT)",
    "urgency": "laboratory: score an untried move a little below the node's mean (first-play urgency)",
    "priors": "start a move with a few imagined visits at its prior value",
    "bias": "laboratory: add a bonus for the prior that fades with visits (progressive bias)",
    "widening": "laboratory: consider the best moves first, more of them with more visits (progressive widening)",
    "rave": "credit a move with simulations in which it was played later (RAVE)",
    "grave": "laboratory: RAVE with an ancestor's statistics at nodes with few visits (GRAVE)",
    "transpositions": "laboratory: share the statistics of positions that are reached in several ways",
    "open": "let nodes stand for moves, whatever the dice or the hidden cards were (open loop, information sets)",
    "implicit": "laboratory: mix means with the minimax value of the evaluations (implicit minimax backups)",
}
"""What each technique does. Those marked `laboratory` are for experiments: no default and no game uses them."""
LOOKS = frozenset({"puct", "priors", "bias", "widening"})
"""Techniques that need a prior for each move."""
CLOSED = frozenset({*LOOKS, "transpositions", "rave", "grave", "implicit", "urgency", "tuned"})
"""Techniques for trees in which a node stands for one position."""
MOST_COUNT = 10**15
"""Upper limit of the numbers of `Tuning`, so that they fit the search's memory."""


@dataclass(frozen=True)
class Tuning:
    """The parameters of the techniques. Means and priors are on a scale from -1 to 1."""

    exploration: float = 1.0
    """The constant of UCB1, or of PUCT."""
    expansion: int = 1
    """A node gets children after this many visits."""
    playout_plies: int = 5000
    """A playout that is not over after this many plies is evaluated."""
    urgency: float = 0.1
    """First-play urgency: an untried move is scored as the node's mean minus this."""
    trust: float = 10.0
    """Imagined visits of a new move, at the value its prior suggests (technique `priors`)."""
    bias: float = 0.5
    """Progressive bias: the weight of a move's prior value, divided by its visits."""
    widening: float = 0.4
    """Progressive widening: after n visits, n to this power, plus 2, moves are considered."""
    equivalence: float = 1000.0
    """RAVE: after this many visits a move's own mean weighs as much as its RAVE mean."""
    reference: int = 50
    """GRAVE: a node with at least this many visits uses its own RAVE statistics."""
    implicit: float = 0.3
    """The share of the implicit minimax value in a mean."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_count = name in ("expansion", "playout_plies", "reference")
            if not 0 <= value <= MOST_COUNT or (is_count and value != int(value)):
                kind = "a whole number" if is_count else "a number"
                raise UsageError(f"{name} is {value}; it is {kind} from 0 to {MOST_COUNT:,}")
        if not self.implicit <= 1 or not self.widening <= 1:
            raise UsageError("implicit and widening are numbers from 0 to 1")


class Techniques(Switches):
    """The techniques and properties of a search, as compile-time constants."""

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


def column_of(how: Techniques, mover: int) -> int:
    """The mover's column of a node's sums; always a valid one, whatever the rules return."""
    return 0 if how.is_opposed else max(0, min(mover, how.sums - 1))


def check_names(game: Game, names: Collection[str]) -> None:
    """Raise UsageError for a technique that is unknown, or for which the game lacks a method."""
    vet_techniques(names, MEANING)
    for name in names:
        if name in ("bounds", "decisive") and not knows(game, "bounds"):
            raise UsageError(f"the technique {name!r} needs a game with `bounds`, and {game} has none")
        if name in CLOSED and "open" in names:
            raise UsageError(f"the technique {name!r} does not work with `open`")
        if name == "implicit" and not has_evaluation(game):
            raise UsageError(f"the technique {name!r} needs a game with `evaluate`, and {game} has none")
        if name in LOOKS and not (knows(game, "prior") or has_evaluation(game)):
            raise UsageError(f"the technique {name!r} needs a game with `prior` or `evaluate`, and {game} has neither")


def default_tuning(names: Collection[str]) -> Tuning:
    """Parameters that play well with these techniques: priors and RAVE need little exploration."""
    return Tuning(exploration=0.2, expansion=4) if {"priors", "rave"} <= set(names) else Tuning()


def strong(game: Game) -> list[str]:
    """The default techniques for a game: those that make play stronger."""
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
