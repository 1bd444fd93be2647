"""Lines of play are counted exactly."""

import _thread
import threading
import time

import pytest
from search_games import Merry, random_states

from zermelo.core.errors import UsageError
from zermelo.games import find
from zermelo.search import divide, perft
from zermelo.search.perft import PerftWorkspace, count_lines

SECONDS = 20


@pytest.mark.both
@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("tic-tac-toe", (9, 72, 504, 3024)),
        pytest.param(
            "tic-tac-toe", (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0), marks=pytest.mark.compiled
        ),
        pytest.param(
            "connect-four", (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572), marks=pytest.mark.compiled
        ),
        ("hexapawn", (3, 10, 28, 56, 70, 64, 20, 0)),
        ("trio", (4, 16, 64, 256, 1020)),
        pytest.param("trio", (4, 16, 64, 256, 1020, 4020, 15540, 55156), marks=pytest.mark.compiled),
        ("nim", (12, 113, 810)),
        pytest.param("nim", (12, 113, 810, 4338, 17496, 53442, 123228, 211470), marks=pytest.mark.compiled),
        ("pig", (2, 8, 20, 68, 188, 596, 1724, 5300)),
        ("tree", (3, 9, 0)),
    ],
)
def test_known_counts(spec, counts):
    """Tic-tac-toe's are well known; the others were recomputed with an independent program."""
    game = find(spec)
    assert tuple(perft(game, depth=depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.both
@pytest.mark.parametrize("spec", ["pig:target=12", "hexapawn:rows=4,cols=4", "nim", "trio", "tic-tac-toe"])
def test_compiled_counts_are_the_interpreted_ones(spec):
    game = find(spec)
    for state in random_states(game, spec, (0, 6), 8):
        for depth in (1, 2, 3):
            assert perft(game, state, depth) == count_lines(game, state, depth, PerftWorkspace.allocate())


@pytest.mark.both
@pytest.mark.parametrize("spec", ["pig", "hexapawn:rows=4,cols=4", "nim"])
def test_the_counts_of_the_first_moves_sum_to_the_count(spec):
    game = find(spec)
    for depth in (1, 2, 4):
        found = divide(game, depth=depth)
        assert sum(found.values()) == perft(game, depth=depth)
        assert list(found) == [game.format_action(game.initial(), action) for action in game.actions(game.initial())]


@pytest.mark.both
def test_nothing_is_one_line_and_the_end_has_none():
    game = find("tic-tac-toe")
    over = game.parse_state("XXX/OO./... o")
    assert perft(game, depth=0) == perft(game, over, 0) == 1
    assert perft(game, over, 1) == 0
    assert divide(game, over, 3) == {}


@pytest.mark.plain
@pytest.mark.parametrize(("count", "depth"), [(perft, -1), (divide, 0), (divide, -2)])
def test_a_depth_that_makes_no_sense_is_refused(count, depth):
    with pytest.raises(UsageError):
        count(find("nim"), depth=depth)


class Straight(Merry):
    """One move at every turn, for ever."""

    def actions(self, state):
        yield 1


def test_a_line_that_does_not_fit_on_the_stack_is_refused_in_a_sentence():
    """It ended the process."""
    assert perft(Straight(), depth=1_000_000) == 1
    with pytest.raises(UsageError, match="lines of 100,000,000 plies of straight do not fit on the stack"):
        perft(Straight(), depth=100_000_000)
    with pytest.raises(UsageError, match="the depth is at most"):
        perft(Straight(), depth=1 << 70)


@pytest.mark.plain
def test_interpreted_a_long_line_is_an_error_of_python():
    with pytest.raises(RecursionError):
        perft(Straight(), depth=1_000_000)


def test_control_c_ends_a_count():
    game = find("connect-four")
    perft(game)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        perft(game, depth=20)
    timer.join()
    assert time.monotonic() - began < SECONDS


@pytest.mark.ctrl_c
def test_control_c_ends_an_interpreted_count():
    class Sayings(Merry):
        def initial(self):
            return ("round",)

        def to_move(self, state):
            return 0

        def result(self, state, action):
            return state

        def is_terminal(self, state):
            return False

    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt), pytest.warns():
        perft(Sayings(), depth=60)
    timer.join()
