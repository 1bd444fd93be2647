"""Mate distance in the score: each ply lowers a win and raises a loss by the ply cost, so values show the distance.

The workspace has the ply cost; it is 0 if the payoff is a margin, because then only the margin counts.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace

INFINITE = float("inf")
MOST_PLIES = 5_000
"""Plies after which a line counts as endless."""


def delayed(work: AlphaBetaWorkspace, value: float, plies: float) -> float:
    """The value seen `plies` plies earlier: a win is a little lower, a loss a little higher."""
    ply_cost = work.ply_cost
    if ply_cost == 0.0:  # constant during a search, hence well predicted; the sign tests below are not
        return value
    if value > 0:
        return value - plies * ply_cost
    if value < 0:
        return value + plies * ply_cost
    return value


def is_distinct(work: AlphaBetaWorkspace, payoff: float) -> bool:
    """Whether ply costs cannot turn a payoff into a draw's, so that a value that rests on it can be proved."""
    return work.ply_cost == 0.0 or payoff == 0.0 or abs(payoff) > MOST_PLIES * work.ply_cost


def known_bounds(game: Game, state: State, player: int, work: AlphaBetaWorkspace) -> tuple[float, float]:
    """The game's own `bounds` of a non-terminal state, with ply costs: the end is 1 to MOST_PLIES plies away."""
    lowest, highest = game.bounds(state, player)
    floor, ceiling = float(lowest), float(highest)
    floor = delayed(work, floor, 1.0 if floor < 0 else float(MOST_PLIES))
    ceiling = delayed(work, ceiling, 1.0 if ceiling > 0 else float(MOST_PLIES))
    return floor, ceiling
