"""Alpha-beta for every two-player zero-sum game of perfect information without dice."""

from zermelo.search.alphabeta.clock import Clock
from zermelo.search.alphabeta.engine import Engine
from zermelo.search.alphabeta.mate_distance import MOST_PLIES
from zermelo.search.alphabeta.negamax import negamax
from zermelo.search.alphabeta.techniques import Techniques, exact, sound, strong
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace

__all__ = [
    "MOST_PLIES",
    "AlphaBetaWorkspace",
    "Clock",
    "Engine",
    "Techniques",
    "exact",
    "negamax",
    "sound",
    "strong",
]
