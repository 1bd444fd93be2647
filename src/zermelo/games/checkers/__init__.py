"""English draughts."""

from zermelo.games.checkers.rules import Checkers

__all__ = ["Checkers"]
