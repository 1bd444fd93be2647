import itertools
import random

import pytest

from zermelo.games.go import Go
from zermelo.games.go.life import living_stones
from zermelo.games.go.position import BLACK, WHITE, stones_of
from zermelo.kernel import U64

pytestmark = pytest.mark.plain

go5 = Go(5, komi=0, margin=True)


def alive(rows, game=go5):
    """The stones that live whatever happens, as rows of the board."""
    black, white = stones_of(game.parse_state(f"{rows} B"))
    board = game.board
    marked = {
        place: symbol
        for stones, others, symbol in ((black, white, "X"), (white, black, "O"))
        for place in range(board.size * board.step)
        if sum(int(word) << 64 * i for i, word in enumerate(living_stones(board, stones, others))) >> place & 1
    }
    return "/".join(
        "".join(marked.get(row * board.step + col, ".") for col in range(board.size))
        for row in reversed(range(board.size))
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # two eyes
        (".X.X./XXXX./...../...../.....", ".X.X./XXXX./...../...../....."),
        # one eye, and a large space besides: the chain can be taken if nobody answers
        (".XX../XX.../...../...../.....", "...../...../...../...../....."),
        # a chain across the board whose two sides are all liberties
        ("...../...../...../XXXXX/.....", "...../...../...../...../....."),
        # two chains that share two eyes; the stone in the corner has none
        (".XX.X/X.XX./XX.../...../.....", ".XX../X.XX./XX.../...../....."),
        # two chains that share one eye, and have no other
        (".X.X./XX.XX/..X../..X../.....", "...../...../...../...../....."),
        # both sides
        (".X.XO/XXXXO/OOOOO/.O.O./OOOO.", ".X.XO/XXXXO/OOOOO/.O.O./OOOO."),
        (".X.XO/XXXXO/OOOOO/...../OOOO.", ".X.X./XXXX./...../...../....."),
        (".X.X./XXXXX/OOOOO/.O.O./OOOOO", ".X.X./XXXXX/OOOOO/.O.O./OOOOO"),
        # stones of the other side inside an eye do not matter if every empty point is a liberty
        (".OX.X/XXXXX/...../...../.....", ".OX.X/XXXXX/...../...../.....".replace("O", ".")),
    ],
)
def test_chains_with_two_vital_regions_live(rows, expected):
    """[David Benson, "Life in the Game of Go", 1976]"""
    assert alive(rows) == expected


def test_the_middle_row_of_3x3_lives():
    game = Go(3, komi=0, margin=True)
    assert alive(".../XXX/...", game) == ".../XXX/..."
    assert game.bounds(game.parse_state(".../XXX/... W"), BLACK) == (-1, 9)
    assert game.bounds(game.parse_state("X.X/XXX/.O. W"), WHITE) == (-9, -4)


def test_without_superko_nothing_is_promised():
    game = Go(3, komi=0, ko="simple", margin=True)
    assert game.bounds(game.parse_state("X.X/XXX/.O. W"), BLACK) == (-9, 9)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_passing_keeps_the_promised_margin(size):
    """The other side plays at random, and takes its own chains if that is allowed."""
    rng = random.Random(size)
    promised = 0
    for number, suicide in itertools.product(range(60), (False, True)):
        game = Go(size, komi=0, margin=True, suicide=suicide)
        state = crowded(game, rng)
        low, high = game.bounds(state, BLACK)
        assert -size * size <= low <= high <= size * size
        idle = number % 2
        for _ in range(150):
            if game.is_terminal(state):
                break
            moves = list(game.actions(state))
            is_idle = state.player == idle or rng.random() < 0.02
            state = game.result(state, game.squares if is_idle else rng.choice(moves))
        assert game.score(state) >= low if idle == BLACK else game.score(state) <= high
        promised += low > -size * size or high < size * size
    assert promised > 20


def crowded(game, rng):
    """A position of a random game in which eyes are not filled, so that chains live."""
    state = game.initial()
    for _ in range(rng.randrange(2 * game.squares)):
        after = game.result(state, game.draw_move(state, U64(rng.getrandbits(64)), 0))
        if after.passes == 2:
            break
        state = after
    return state
