"""Time management: the time for one move when a whole game is played on one clock.

The lectures' metareasoning: search as long as that is likely to change the move. A move that stays best at every depth
and took nearly all nodes is played early. If the best move has just changed, or its value has fallen, the search takes
longer.
"""

from __future__ import annotations

from dataclasses import dataclass

MOVES_LEFT = 28
"""Expected number of remaining moves, if the clock has no time control."""
LEAST = 0.005


@dataclass(frozen=True)
class Clock:
    """Seconds on the mover's clock; `overhead` is the time that a move takes besides the search."""

    left: float
    increment: float = 0.0
    moves_to_go: int | None = None
    overhead: float = 0.03

    @property
    def usable(self) -> float:
        return max(LEAST, self.left - self.overhead)

    @property
    def intended(self) -> float:
        """Seconds for an ordinary move."""
        moves = MOVES_LEFT if self.moves_to_go is None else max(1, min(self.moves_to_go, MOVES_LEFT))
        return max(LEAST, min(self.usable / moves + 0.75 * self.increment, 0.8 * self.usable))

    @property
    def most(self) -> float:
        """Upper limit in seconds, however unclear the position is."""
        share = 0.9 if self.moves_to_go == 1 else 0.35
        return max(LEAST, min(4 * self.intended, share * self.usable))


def doubt(stable: int, effort: float, drop: float) -> float:
    """Factor for the intended time after a finished depth, from 0.3 to 2.5.

    The best move has been the same for `stable` depths, took `effort` of the last depth's nodes, and its value has
    fallen by `drop`, in units.
    """
    found = 1.5 - 0.1 * min(stable, 7)
    if effort > 0.9:
        found *= 0.6
    found += min(max(drop, 0.0), 1.0)
    return max(0.3, min(found, 2.5))
