"""A position of Go, seen by the side to move."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.point_sets import Points
from zermelo.kernel import U64, state

BLACK, WHITE = 0, 1
NOWHERE = -1
"""No point is forbidden by a ko."""


@state
class Position(NamedTuple):
    mine: tuple[U64, ...]
    """The stones of the side to move."""
    theirs: tuple[U64, ...]
    ko: int
    """The point of the board where the side to move must not take back at once, or NOWHERE."""
    player: int
    passes: int
    """The number of consecutive passes; two end the game."""


def stones_of(state: Position) -> tuple[Points, Points]:
    """The stones of Black and of White."""
    return (state.mine, state.theirs) if state.player == BLACK else (state.theirs, state.mine)
