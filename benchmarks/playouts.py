"""Random playouts per second of processor time: python benchmarks/playouts.py [GAME GAMES]...

Each is reported for moves that the game draws (`sample`) and for moves drawn from a list of all.
"""

import sys
import time

from zermelo.core.game import CHANCE, NO_ACTION, Game, State, knows
from zermelo.core.limit import parse_count
from zermelo.games import find
from zermelo.kernel import FILL_MASK, GOLDEN, U64, Memory, draw_below, kernel, load, mix

USUAL = ("tic-tac-toe", "1M", "connect-four", "300k", "othello", "50k", "breakthrough", "100k", "chess", "5k")
GO = ("go", "50k", "go:size=19", "5k")
MOST_PLIES = 5000


@kernel
def playouts(game: Game, state: State, games: int, is_listed: bool, word: U64, memory: int) -> int:
    """Plies of this number of random games; -1 if one has no payoff."""
    plies, paid = 0, 0.0
    for _ in range(games):
        end, last, most = state, NO_ACTION, plies + MOST_PLIES
        while not game.is_terminal(end) and plies < most:
            word = mix(word + GOLDEN)
            if is_listed or game.to_move(end) == CHANCE:
                last = load(memory, draw_below(word, game.fill_actions(end, memory, 0)))
            else:
                last = game.sample(end, last, word)
            end = game.result(end, last)
            plies += 1
        if game.is_terminal(end):
            paid += game.utility(end, 0)
    return plies if paid == paid else -1


def measure(game: Game, games: int, is_listed: bool) -> str:
    memory = Memory(FILL_MASK + 1)
    playouts.run(game, game.initial(), 1, is_listed, U64(1), memory.address)
    start = time.process_time()
    plies = playouts.run(game, game.initial(), games, is_listed, U64(1), memory.address)
    seconds = time.process_time() - start
    pace = f"{games / seconds:,.0f} playouts/s, {seconds / plies * 1e9:.0f} ns a ply"
    return f"{game}, {'from a list' if is_listed else 'drawn'}: {pace}, {plies / games:.0f} plies a game"


if __name__ == "__main__":
    words = sys.argv[1:] or [*USUAL, *GO]
    for spec, games in zip(words[::2], words[1::2], strict=True):
        game = find(spec)
        for is_listed in (False, True) if knows(game, "sample") else (True,):
            print(measure(game, parse_count(games), is_listed))
