"""2048."""

from zermelo.games.game2048.rules import Game2048

__all__ = ["Game2048"]
