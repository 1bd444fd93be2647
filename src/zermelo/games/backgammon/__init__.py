"""Backgammon, with the doubling cube, matches and the notations of GNU Backgammon and XG."""

from zermelo.games.backgammon.rules import Backgammon

__all__ = ["Backgammon"]
