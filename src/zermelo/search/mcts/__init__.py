"""Monte Carlo tree search for any game: simulations instead of an evaluation."""

from zermelo.search.mcts.playout import Playout, Sampled, Sensible
from zermelo.search.mcts.policies import Decisive, LastGoodReply, Mast
from zermelo.search.mcts.searcher import Mcts
from zermelo.search.mcts.techniques import Tuning

__all__ = ["Decisive", "LastGoodReply", "Mast", "Mcts", "Playout", "Sampled", "Sensible", "Tuning"]
