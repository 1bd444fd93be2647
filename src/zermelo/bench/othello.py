"""Othello: exact endgames, and perft to 9 plies against its known count.

The rate of endgames is measured with a table of the size that `solve` uses, touched before the clock starts: otherwise
small trees would measure how fast the system allocates pages. The time of a single proof includes that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import rate, time_call, time_perft, within
from zermelo.core.errors import RulesError
from zermelo.core.game import Game, State, legal_actions
from zermelo.games import find
from zermelo.kernel import popcount
from zermelo.solve.proof import Proof

DEPTH, LEAVES = 9, 3_005_288
GOAL = 15.0
"""The goal in million nodes per second."""
ENDGAMES = [(empties, seed) for empties in (14, 15, 16) for seed in range(4)]
TWENTY_EMPTIES = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
MARGIN = 38.0
"""The margin of the side to move: number 40 of the endgame test of the French federation."""
TEN_SECONDS = 10.0
SECOND = 1.0


def measurements() -> Iterator[Measurement]:
    game = find("othello")
    seconds = min(time_perft(game, "", DEPTH, LEAVES) for _ in range(3))
    yield within(f"othello perft {DEPTH}, {LEAVES:,} leaves", seconds, SECOND)
    nodes, spent = 0, 0.0
    for empties, seed in ENDGAMES:
        _, seen, took = time_proof(game, endgame(game, empties, seed), is_touched=True)
        nodes, spent = nodes + seen, spent + took
    yield rate(f"othello, {len(ENDGAMES)} endgames of 14 to 16 empties, {nodes:,} nodes", nodes, spent, GOAL)
    value, nodes, spent = time_proof(game, game.parse_state(TWENTY_EMPTIES))
    if value != MARGIN:
        raise RulesError(f"the endgame of 20 empties was proved {value:+g}, but it is known to be {MARGIN:+g}")
    yield within(f"othello, an endgame of 20 empties, {nodes:,} nodes", spent, TEN_SECONDS)


def time_proof(game: Game, state: State, is_touched: bool = False) -> tuple[float, int, float]:
    """The margin of the side to move, and the nodes and seconds of its proof."""
    proof = Proof(game)
    proof.prepare(state)
    if is_touched:
        proof.table.memory.clear()
    value, seconds = time_call(lambda: proof.value(state))
    return value if game.to_move(state) == 0 else -value, proof.workspace.nodes, seconds


def endgame(game: Game, empties: int, seed: int) -> State:
    """A position with this many empty squares, from a random game that reaches it."""
    rng = random.Random(seed)
    while True:
        state = game.initial()
        while not game.is_terminal(state):
            if 64 - popcount(state.mine | state.theirs) == empties:
                return state
            state = game.result(state, rng.choice(list(legal_actions(game, state))))
