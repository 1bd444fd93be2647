"""The algorithms of the lectures as the lectures write them; they run on any game and can be traced.

minimax alphabeta expectiminimax maxn star1 star2 ...              call them with a game and a state
<algorithm>.run(game, state, ...)                                  the same source, compiled
cfr best_response regret_matching fictitious_play solve_matrix_game  mixed strategies: hidden cards, choices at once
trace("alphabeta", game, state, depth=3)                           the tree it looked at
record(lambda: maxn_shallow(game, state, 12))                      the tree of any call
"""

from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.best_response import best_response, expected_payoffs, exploitability, nash_conv
from zermelo.textbook.cfr import Learned, average_strategies, cfr, counterfactual_value
from zermelo.textbook.cutoff import Deepening, at_depth, decide, heuristic_minimax, iterative_deepening
from zermelo.textbook.determinisation import determinised
from zermelo.textbook.evaluation import Evaluated, Linear
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.fictitious_play import fictitious_play
from zermelo.textbook.information_sets import InformationSet, Strategies
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
from zermelo.textbook.matrix_games import maximin, minimax_value, solve_matrix_game, undominated
from zermelo.textbook.maxn import maxn, maxn_shallow
from zermelo.textbook.mcts import Tried, mcts
from zermelo.textbook.minimax import INFINITY, UNLIMITED, minimax
from zermelo.textbook.opponents import Model, expectimax, minimax_player, mixture, uniform
from zermelo.textbook.quiescence import quiescent_alphabeta
from zermelo.textbook.regret_matching import match_regrets, regret_matching
from zermelo.textbook.sampling import external_sampling
from zermelo.textbook.star import mean_interval, star1, star2
from zermelo.textbook.ties import alphabeta_with_ties
from zermelo.textbook.trace import Node, TreeObserver, record, trace

__all__ = [
    "INFINITY",
    "UNLIMITED",
    "Deepening",
    "Evaluated",
    "InformationSet",
    "Learned",
    "Linear",
    "Model",
    "Node",
    "Strategies",
    "TreeObserver",
    "Tried",
    "alphabeta",
    "alphabeta_with_ties",
    "at_depth",
    "average",
    "average_strategies",
    "best_reply",
    "best_response",
    "cfr",
    "coalition",
    "counterfactual_value",
    "decide",
    "determinised",
    "expected_payoffs",
    "expectimax",
    "expectiminimax",
    "exploitability",
    "external_sampling",
    "fictitious_play",
    "heuristic_minimax",
    "iterative_deepening",
    "match_regrets",
    "maximin",
    "maximise",
    "maxn",
    "maxn_shallow",
    "mcts",
    "mean_interval",
    "minimax",
    "minimax_player",
    "minimax_value",
    "minimise",
    "mixed_layers",
    "mixture",
    "nash_conv",
    "own",
    "paranoid",
    "quiescent_alphabeta",
    "record",
    "regret_matching",
    "solve_matrix_game",
    "star1",
    "star2",
    "sum_of",
    "trace",
    "undominated",
    "uniform",
]
