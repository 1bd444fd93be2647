"""Haste: a win loses a little with every ply and a defeat gains it, so that values tell the distance to the end.

The desk says how much; nothing where the payoff is a margin and only the margin counts.
"""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import load_real
from zermelo.search.engine.desk import HASTE

INFINITE = float("inf")
MOST_PLIES = 5_000
"""A longer line counts as endless."""


def slowed(memory: int, value: float, plies: float) -> float:
    """The value so many plies earlier: with haste a win is worth a little less, a defeat is a little less bad."""
    haste = load_real(memory, HASTE)
    if haste == 0.0:  # which is always so, or never, while the sign of a value is anyone's guess
        return value
    if value > 0:
        return value - plies * haste
    if value < 0:
        return value + plies * haste
    return value


def is_told(memory: int, payoff: float) -> bool:
    """Whether a payoff can be told from a draw whatever the haste: a value that rests on it may count as proved."""
    haste = load_real(memory, HASTE)
    return haste == 0.0 or payoff == 0.0 or abs(payoff) > MOST_PLIES * haste


def known_bounds(game: Game, state: State, player: int, memory: int) -> tuple[float, float]:
    """What the game proves of a state that is not the end: the end is a ply away or more, and not endlessly far."""
    lowest, highest = game.bounds(state, player)
    floor, ceiling = float(lowest), float(highest)
    floor = slowed(memory, floor, 1.0 if floor < 0 else float(MOST_PLIES))
    ceiling = slowed(memory, ceiling, 1.0 if ceiling > 0 else float(MOST_PLIES))
    return floor, ceiling
