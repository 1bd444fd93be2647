"""Othello."""

from zermelo.games.othello.rules import Othello

__all__ = ["Othello"]
