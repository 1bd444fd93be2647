"""The algorithms of the lectures as the lectures write them; they run on any game and can be traced.

minimax alphabeta expectiminimax maxn star1 star2 ...              call them with a game and a state
<algorithm>.run(game, state, ...)                                  the same source, compiled
trace("alphabeta", game, state, depth=3)                           the tree it looked at
record(lambda: maxn_shallow(game, state, 12))                      the tree of any call
"""

from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.cutoff import Deepening, at_depth, decide, heuristic_minimax, iterative_deepening
from zermelo.textbook.determinisation import determinised
from zermelo.textbook.evaluation import Evaluated, Linear
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.layers import (
    average,
    best_reply,
    coalition,
    maximise,
    minimise,
    mixed_layers,
    own,
    paranoid,
    sum_of,
)
from zermelo.textbook.maxn import maxn, maxn_shallow
from zermelo.textbook.mcts import Tried, mcts
from zermelo.textbook.minimax import INFINITY, UNLIMITED, minimax
from zermelo.textbook.opponents import Model, expectimax, minimax_player, mixture, uniform
from zermelo.textbook.quiescence import quiescent_alphabeta
from zermelo.textbook.star import mean_interval, star1, star2
from zermelo.textbook.ties import alphabeta_with_ties
from zermelo.textbook.trace import Node, TreeObserver, record, trace

__all__ = [
    "INFINITY",
    "UNLIMITED",
    "Deepening",
    "Evaluated",
    "Linear",
    "Model",
    "Node",
    "TreeObserver",
    "Tried",
    "alphabeta",
    "alphabeta_with_ties",
    "at_depth",
    "average",
    "best_reply",
    "coalition",
    "decide",
    "determinised",
    "expectimax",
    "expectiminimax",
    "heuristic_minimax",
    "iterative_deepening",
    "maximise",
    "maxn",
    "maxn_shallow",
    "mcts",
    "mean_interval",
    "minimax",
    "minimax_player",
    "minimise",
    "mixed_layers",
    "mixture",
    "own",
    "paranoid",
    "quiescent_alphabeta",
    "record",
    "star1",
    "star2",
    "sum_of",
    "trace",
    "uniform",
]
