"""Monte Carlo tree search for any game without hidden information: simulations instead of an evaluation."""

from zermelo.search.mcts.searcher import Mcts

__all__ = ["Mcts"]
