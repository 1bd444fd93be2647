"""Games in progress, as servers need them."""

from __future__ import annotations

from zermelo.core.referee import Referee


def going_on(referee: Referee) -> Referee:
    """The game without its history and clocks if only they have ended it: a draw is the other program's to call."""
    if not referee.is_over:
        return referee
    without = Referee(referee.game, referee.game.timeless(referee.state))
    return referee if without.is_over else without


def copy_of(referee: Referee) -> Referee:
    """The same game, to be played on by itself."""
    copy = Referee(referee.game, referee.state)
    copy.turns = list(referee.turns)
    return copy
