"""Match equity: how likely a side wins a match of backgammon, by the points that both still need.

If both sides need two points or more, by Rick Janowski's formula: 1/2 + 0.85 * lead / (6 + points the trailer
needs). After the Crawford game the trailer doubles at once, so that games count two points. A quarter of all wins are
taken to be gammons.
"""

from __future__ import annotations

import functools
from typing import Any

GAMMONS = 0.25


@functools.cache
def trailer_chance(needed: int) -> float:
    """The chance of a side that needs this many points if the other needs one, after the Crawford game."""
    if needed <= 0:
        return 1.0
    return ((1 - GAMMONS) * trailer_chance(needed - 2) + GAMMONS * trailer_chance(needed - 4)) / 2


def before_crawford(needed: int) -> float:
    """The same for the Crawford game itself, which is played without the cube."""
    return ((1 - GAMMONS) * trailer_chance(needed - 1) + GAMMONS * trailer_chance(needed - 2)) / 2


def leader_chance(mine: int, theirs: int, is_after_crawford: bool) -> float:
    """The chance of a side that needs no more points than the other."""
    if mine <= 0:
        return 1.0
    if mine == theirs:
        return 0.5
    if mine == 1:
        return 1 - (trailer_chance(theirs) if is_after_crawford else before_crawford(theirs))
    return 0.5 + 0.85 * (theirs - mine) / (theirs + 6)


@functools.cache
def match_chances(length: int) -> Any:
    """The chances by the points that the first and the other side need; the second half is for after Crawford."""
    import numpy

    found = numpy.empty((2, length + 1, length + 1))
    for is_after in (False, True):
        for mine in range(length + 1):
            for theirs in range(length + 1):
                if mine <= theirs:
                    found[int(is_after), mine, theirs] = leader_chance(mine, theirs, is_after)
                else:
                    found[int(is_after), mine, theirs] = 1 - leader_chance(theirs, mine, is_after)
    return found
