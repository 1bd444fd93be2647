"""One alpha-beta that plays every two-player game of perfect information strongly."""

from zermelo.search.engine.clock import Clock
from zermelo.search.engine.engine import Engine
from zermelo.search.engine.techniques import Techniques, exact, sound, strong

__all__ = ["Clock", "Engine", "Techniques", "exact", "sound", "strong"]
