"""Monte Carlo tree search beside OpenSpiel's, which is written in C++: simulations per second from the first decision.

Both run plain UCT on one thread: all moves, one playout per simulation, no proofs, the same exploration constant for
payoffs between -1 and 1. Times are processor times; the two sides take turns, and the best run of each counts.
OpenSpiel cannot be stopped, so short trial searches set its number of simulations; ours runs at most as many.

Playouts choose among all legal moves, each equally likely. Some things differ: OpenSpiel's chess looks for repetitions
in playouts, ours only in the tree. Its backgammon moves a double in two halves and lists some plays twice, once for
each order of the dice; ours has each position once. A simulation is a game to its end in both. OpenSpiel's search does
not support 2048, which pays points during the game.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.bench.ladder import AllMoves, first_choice
from zermelo.bench.measurement import Measurement
from zermelo.bench.spiel import load
from zermelo.core.errors import RulesError
from zermelo.core.game import State, knows
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.search import Mcts
from zermelo.search.mcts import Tuning
from zermelo.search.mcts.playout import Playout, Sampled
from zermelo.search.mcts.workspace import MctsWorkspace

PEERS = ("open_spiel",)
EXPLORATION = math.sqrt(2)
SIMULATIONS = 100_000
SECONDS = 5.0
FIRST_LOOK = 0.3
ROUNDS = 2
MEGABYTES = 1024


class AnyLegal(Playout):
    """Any legal move of Go."""

    def choose(self, game: Any, state: State, last: int, work: MctsWorkspace) -> int:
        found: int = game.game.draw_legal_move(state, work.draw())
        return found


@dataclass(frozen=True)
class Pair:
    """The same game on both sides."""

    title: str
    ours: str
    theirs: str
    policy: Playout | None = None
    """Our playout policy; None for the game's `sample`, or a random choice from the list of moves."""


PAIRS = (
    Pair("tic-tac-toe", "tic-tac-toe", "tic_tac_toe"),
    Pair("Connect Four", "connect-four", "connect_four"),
    Pair("Othello", "othello:margin=false", "othello"),
    Pair("breakthrough", "breakthrough", "breakthrough"),
    Pair("chess", "chess", "chess"),
    Pair("pig", "pig", "pig(horizon=1000000)"),
    Pair("backgammon", "backgammon:match=1", "backgammon"),
    Pair("Go 9x9", "go:size=9,komi=7.5", "go(board_size=9,komi=7.5)", AnyLegal()),
)


def measurements() -> Iterator[Measurement]:
    peer = load("pyspiel", "Monte Carlo search")
    for pair in PAIRS:
        yield measure_pair(pair, peer, SECONDS, ROUNDS)


def measure_pair(pair: Pair, peer: Any, seconds: float, rounds: int) -> Measurement:
    """Measure both sides in turns; each run takes at most about this many seconds."""
    bot = their_bot(peer, pair.theirs, their_simulations(peer, pair.theirs, seconds))
    ours = theirs = 0.0
    for number in range(rounds):
        ours = max(ours, our_rate(pair, seconds, number))
        theirs = max(theirs, their_rate(peer, pair.theirs, bot))
    return Measurement(f"MCTS, {pair.title}", round(ours), round(theirs), "OpenSpiel", ours / theirs, "simulations/s")


def our_rate(pair: Pair, seconds: float, seed: int) -> float:
    """Simulations per second of processor time."""
    game = find(pair.ours)
    policy = pair.policy or (Sampled() if knows(game, "sample") else Playout())
    search = Mcts(AllMoves(game), MEGABYTES, techniques=(), policy=policy, tuning=Tuning(exploration=EXPLORATION))
    start = first_choice(game)
    search.prepare(start)
    began = time.process_time()
    answer = search.think(start, limit=Limit(nodes=SIMULATIONS, time=seconds), seed=seed)
    return float(answer.stats["simulations"]) / (time.process_time() - began)


def their_simulations(peer: Any, name: str, seconds: float) -> int:
    """Find how many simulations take them about this many seconds, by ever longer trial searches."""
    simulations, spent = 2, 0.0
    while spent < min(FIRST_LOOK, seconds) and simulations < SIMULATIONS:
        simulations *= 2
        began = time.process_time()
        search(peer, name, their_bot(peer, name, simulations))
        spent = time.process_time() - began
    return min(SIMULATIONS, max(1, round(simulations * seconds / max(spent, 1e-6))))


def their_rate(peer: Any, name: str, bot: Any) -> float:
    began = time.process_time()
    simulations = search(peer, name, bot)
    return simulations / (time.process_time() - began)


def their_bot(peer: Any, name: str, simulations: int, seed: int = 1) -> Any:
    evaluator = peer.RandomRolloutEvaluator(1, seed)
    return peer.MCTSBot(
        peer.load_game(name), evaluator, EXPLORATION, simulations, MEGABYTES, solve=False, seed=seed, verbose=False
    )


def their_start(peer: Any, name: str) -> Any:
    """Their first decision, after the first of all rolls."""
    state = peer.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def search(peer: Any, name: str, bot: Any) -> int:
    """Search the first decision; return the number of simulations."""
    root = bot.mcts_search(their_start(peer, name))
    if root.explore_count < 1:
        raise RulesError(f"OpenSpiel made no simulation of {name}")
    return int(root.explore_count)
