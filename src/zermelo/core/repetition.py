"""The rules for repeated positions. The referee and the searches keep the history, so that states stay small."""

from __future__ import annotations

from enum import IntEnum


class Repetition(IntEnum):
    NOTHING = 0
    """Play goes on."""
    DRAW_AT_TWO = 2
    """The second occurrence of a position ends the game as a draw."""
    DRAW_AT_THREE = 3
    """The third occurrence of a position ends the game as a draw."""
    FORBIDDEN = -1
    """A move that repeats an earlier position is illegal (superko)."""
