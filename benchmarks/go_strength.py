"""How much the moves of playouts matter in Go: python benchmarks/go_strength.py [size games simulations]

First the playouts' own moves against moves drawn at random that fill no eyes, without any search. Then both as the
playouts of the same plain search (UCT), with equal simulations (2000) or, written `0.1s`, in equal time.
"""

from __future__ import annotations

import math
import sys
import time

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games.go import Go
from zermelo.kernel import GOLDEN, U64, kernel, mix
from zermelo.search.mcts import Mcts
from zermelo.search.mcts.playout import Playout, Sampled
from zermelo.search.mcts.workspace import MctsWorkspace

MOST_PLIES = 1000
LOST = -0.9
"""Who expects no more than this after a few moves resigns."""


class AnyMove(Playout):
    """Any move that fills no eye."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        return game.any_move(state, work.draw())


@kernel
def duels(game: Game, state: State, games: int, word: U64) -> int:
    """How many games `sample` wins against `any_move`, with Black and White by turns."""
    wins = 0
    for number in range(games):
        end, last, plies = state, NO_ACTION, 0
        while not game.is_terminal(end) and plies < MOST_PLIES:
            word = mix(word + GOLDEN)
            if game.to_move(end) == number % 2:
                last = game.sample(end, last, word)
            else:
                last = game.any_move(end, word)
            end = game.result(end, last)
            plies += 1
        wins += 1 if game.utility(end, number % 2) > 0 else 0
    return wins


def winner(players: tuple[Mcts, Mcts], limit: Limit, seed: int) -> int:
    """Who wins a game: 0 for the one with the black stones."""
    referee = Referee(players[0].game)
    for player in players:
        player.clear()
    while not referee.is_over and len(referee.turns) < MOST_PLIES:
        mover = referee.to_move
        found = players[mover].think(referee, limit, seed=seed + len(referee.turns))
        if found.value[mover] < LOST and len(referee.turns) > 10:
            return 1 - mover
        referee.play_text(found.best)
    return 0 if referee.game.utility(referee.state, 0) > 0 else 1


def match(one: Mcts, other: Mcts, games: int, limit: Limit) -> int:
    """How many games the first wins."""
    wins = 0
    for number in range(games):
        if number % 2 == 0:
            wins += winner((one, other), limit, 1000 * number) == 0
        else:
            wins += winner((other, one), limit, 1000 * number) == 1
    return wins


def format_score(wins: int, games: int) -> str:
    """The score with its standard error, and the difference in Elo that it stands for."""
    share = wins / games
    error = math.sqrt(max(share * (1 - share), 1 / games) / games)
    elo = 400 * math.log10(max(wins, 0.5) / max(games - wins, 0.5))
    return f"{wins} of {games} games: {share:.1%} +- {error:.1%}, {elo:+.0f} Elo"


if __name__ == "__main__":
    words = sys.argv[1:] + ["9", "100", "2000"][len(sys.argv) - 1 :]
    size, games = int(words[0]), int(words[1])
    limit = Limit(time=float(words[2][:-1])) if words[2].endswith("s") else Limit(nodes=int(words[2]))
    game = Go(size, komi=7.5 if size > 7 else 0.5)
    print("without search:", format_score(duels.run(game, game.initial(), 100 * games, U64(1)), 100 * games))
    start = time.process_time()
    wins = match(Mcts(game, policy=Sampled()), Mcts(game, policy=AnyMove()), games, limit)
    print(f"as playouts, {words[2]}:", format_score(wins, games), f"({time.process_time() - start:.0f} s)")
