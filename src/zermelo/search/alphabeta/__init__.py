"""One alpha-beta that plays every two-player game of perfect information strongly."""

from zermelo.search.alphabeta.clock import Clock
from zermelo.search.alphabeta.engine import Engine
from zermelo.search.alphabeta.techniques import Techniques, exact, sound, strong

__all__ = ["Clock", "Engine", "Techniques", "exact", "sound", "strong"]
