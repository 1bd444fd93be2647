"""Games of the mancala family: seeds are sown from pit to pit."""

from zermelo.games.mancala.kalah import Kalah
from zermelo.games.mancala.oware import Oware

__all__ = ["Kalah", "Oware"]
