"""Games that draw moves without listing them draw each as often as any other."""

import random

import pytest

from zermelo.core.game import CHANCE, NO_ACTION, knows, legal_actions
from zermelo.games import all_games, find
from zermelo.kernel import U64

pytestmark = pytest.mark.plain

HALF = 1 << 32
EVEN = [
    find(spec)
    for spec in (
        "breakthrough",
        "breakthrough:rows=5,cols=7",
        "checkers",
        "othello",
        "othello:size=6",
        "tic-tac-toe",
        "tic-tac-toe:m=8,n=8,k=4",
        "2048",
        "hex:rows=5,cols=5",
        "phantom",
    )
]
KNOWING = {"go", "pacman", "chinese-checkers"}
"""Draw no silly moves, or prefer good ones."""


def positions(game, games, rng):
    for _ in range(games):
        state = game.initial()
        for _ in range(300):
            moves = list(legal_actions(game, state))
            if not moves:
                break
            if game.to_move(state) != CHANCE and rng.random() < 0.2:
                yield state, moves
            state = game.result(state, rng.choice(moves))


def test_no_other_game_defines_sample():
    assert {game.name for game in all_games() if knows(game, "sample")} == {game.name for game in EVEN} | KNOWING


@pytest.mark.parametrize("game", EVEN, ids=str)
def test_each_move_has_one_interval_of_words_and_all_are_equally_long(game):
    """The 2^32 upper halves of a word fall into as many intervals as there are moves, equal but for rounding.

    Words of one interval draw one move, words of two different ones different moves: so all moves are drawn, and
    their chances differ by 2^-32 at most. An interval is looked at where it begins and ends, and in between.
    """
    rng, most = random.Random(1), 0
    for state, moves in positions(game, 3, rng):
        drawn = []
        for n in range(len(moves)):
            first, after = (-(-k * HALF // len(moves)) for k in (n, n + 1))
            halves = {first, rng.randrange(first, after), after - 1}
            words = [U64(half << 32 | rng.getrandbits(32)) for half in halves]
            (move,) = {game.sample(state, NO_ACTION, word) for word in words}
            drawn.append(move)
        assert sorted(drawn) == sorted(moves)
        most = max(most, len(moves))
    assert most > 3
