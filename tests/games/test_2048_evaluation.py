import random

import pytest

from zermelo.core.game import CHANCE, Game
from zermelo.games import find
from zermelo.games.game2048 import Game2048
from zermelo.games.game2048.evaluation import BURDEN, DISORDER, EMPTY, MERGE, chain, promises
from zermelo.kernel import U64, kernel, mix, number
from zermelo.textbook import expectiminimax

pytestmark = pytest.mark.plain


def promise(*tiles):
    ranks = [tile.bit_length() - 1 if tile else 0 for tile in tiles]
    return int(promises(len(tiles))[sum(rank << 4 * col for col, rank in enumerate(ranks))]) / 1000


def test_a_line_promises_what_its_cells_merges_order_and_burden_are_worth():
    two, eight = BURDEN, BURDEN * 3**3.45
    assert promise(0, 0, 0, 0) == pytest.approx(4 * EMPTY, abs=1e-3)
    assert promise(2, 0, 0, 0) == pytest.approx(3 * EMPTY - two, abs=1e-3)
    assert promise(2, 0, 2, 8) == pytest.approx(EMPTY + MERGE - 2 * two - eight - DISORDER, abs=1e-3)
    assert promise(8, 8, 8, 2) == pytest.approx(2 * MERGE - 3 * eight - two, abs=1e-3)
    assert promise(2, 8, 2) == pytest.approx(-2 * two - eight - DISORDER * (3**3.15 - 1), abs=1e-3)


def test_order_is_better_than_disorder_and_it_does_not_matter_which_way():
    assert promise(16, 8, 4, 2) == promise(2, 4, 8, 16) > promise(16, 4, 8, 2) > promise(4, 16, 2, 8)
    assert promise(64, 8) == promise(8, 64)


def test_a_chain_up_to_1024_costs_as_much_as_the_docstring_says():
    assert chain(10) == pytest.approx(188, abs=1)
    game = Game2048()
    ordered = game.parse_state("1024,512,256,128/8,16,32,64/4,2,.,./.,.,.,.").board
    assert game.promise.of(ordered) == pytest.approx(-chain(10) - 2 * EMPTY * 10, abs=1e-2)


def random_states(game, games, seed):
    rng = random.Random(seed)
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state):
            yield state
            state = game.result(state, rng.choice(list(game.actions(state))))


@pytest.mark.parametrize("spec", ["2048", "2048:target=32768", "2048:rows=2,cols=3,target=16", "2048:rows=3,target=0"])
def test_the_estimate_is_inside_the_scale_and_the_same_for_mirror_images(spec):
    game = find(spec)
    low, high = game.utility_range
    for state in random_states(game, 2, seed=6):
        estimate = game.evaluate(state, 0)
        assert low < estimate < high
        assert game.evaluate(game.canonical(state), 0) == estimate


def test_the_estimate_of_the_score_is_more_than_the_score():
    game = Game2048(target=0)
    for state in random_states(game, 2, seed=8):
        assert state.score < game.evaluate(state, 0) <= state.score + game.hopes


@pytest.mark.parametrize(
    ("spec", "value"), [("2048:rows=2,cols=2,target=32", 0.083), ("2048:rows=3,cols=2,target=64", 0.94)]
)
def test_at_the_start_of_a_small_board_the_estimate_is_near_the_proved_value(spec, value):
    game = find(spec)
    assert game.evaluate(game.initial(), 0) == pytest.approx(value, abs=0.08)


def test_the_push_that_keeps_the_most_promise_comes_first():
    game = Game2048()
    state = game.parse_state("2,.,.,./4,.,.,./8,8,.,./512,256,64,64")
    for action in game.actions(state):
        assert game.order(state, action) == game.promise.of(game.push(state.board, action)[0])


@kernel
def played(game: Game, word: U64, depth: int) -> float:
    """The score of a game in which every push is the best by a search to this depth."""
    state = game.initial()
    while not game.is_terminal(state):
        chosen, best, luck = 0, -1.0, number(mix(word) >> 11) * 2.0**-53
        word += U64(0x9E3779B97F4A7C15)
        if game.to_move(state) == CHANCE:
            for action, probability in game.outcomes(state):
                if luck >= 0:
                    chosen = action
                luck -= probability
        else:
            for action in game.actions(state):
                value = expectiminimax(game, game.result(state, action), 0, depth)
                if value > best:
                    chosen, best = action, value
        state = game.result(state, chosen)
    return float(game.utility(state, 0))


@pytest.mark.compiled
def test_looking_one_push_ahead_makes_512_nearly_always():
    game = Game2048(target=512)
    assert sum(played.run(game, mix(U64(seed)), 2) for seed in range(1, 101)) >= 97
