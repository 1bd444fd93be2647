"""Random playouts of Go per second of processor time: python benchmarks/go_playouts.py [size games]..."""

import sys
import time

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.games.go import Go
from zermelo.kernel import U64, kernel, mix

MOST_PLIES = 3000


@kernel
def playouts(game: Game, state: State, games: int, word: U64) -> int:
    """Plies of so many random games that fill no eyes."""
    plies = 0
    for _ in range(games):
        end, last = state, plies + MOST_PLIES
        while not game.is_terminal(end) and plies < last:
            word = mix(word + U64(0x9E3779B97F4A7C15))
            end = game.result(end, game.sample(end, NO_ACTION, word))
            plies += 1
        if game.utility(end, 0) == 2:  # so that the score is counted
            return -1
    return plies


def measure(size: int, games: int) -> str:
    game = Go(size)
    playouts.run(game, game.initial(), 1, U64(1))
    start = time.process_time()
    plies = playouts.run(game, game.initial(), games, U64(1))
    seconds = time.process_time() - start
    pace = f"{games / seconds:,.0f} playouts/s, {seconds / plies * 1e9:.0f} ns a ply"
    return f"{size}x{size}: {pace}, {plies / games:.0f} plies a game"


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] or [9, 100_000, 19, 5_000]
    for size, games in zip(numbers[::2], numbers[1::2], strict=True):
        print(measure(size, games))
