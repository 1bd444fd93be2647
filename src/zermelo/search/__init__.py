"""Compiled searches that answer with an `Analysis`."""

from zermelo.search.alphabeta import Clock, Engine
from zermelo.search.dispatcher import SEARCHES
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.mcts import Mcts
from zermelo.search.perft import divide, perft
from zermelo.search.root import analyse, default_algorithm

__all__ = ["SEARCHES", "Clock", "Engine", "Expectiminimax", "Mcts", "analyse", "default_algorithm", "divide", "perft"]
