"""Recursive kernels have one signature per game; those that have more are never taken from disk (numba #6061)."""

import sys

import pytest
from little_rules import Take, lines
from processes import answers, write

from zermelo.core.guards import suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.kernel import U64, Kernel, Static, kernel
from zermelo.search import analyse, perft
from zermelo.solve import solve
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.minimax import minimax


def overloads(kernel):
    from zermelo.kernel.bridge import dispatcher

    return len(dispatcher(kernel).overloads)


def numbers():
    """The same two numbers as callers have them."""
    import numpy as np

    yield 0, 3
    yield 0.0, 3.0
    yield False, True + 2
    yield np.int32(0), np.int64(3)
    yield np.float32(0), np.uint8(3)
    yield np.bool_(False), np.int16(3)


@pytest.mark.parametrize("search", [minimax, alphabeta], ids=lambda search: search.__name__)
def test_a_search_has_one_signature_per_game(search):
    game = Take(5)
    before = overloads(search)
    values = {search.run(game, game.initial(), player, depth) for player, depth in numbers()}
    assert len(values) == 1
    assert overloads(search) == before + 1


def test_windows_of_any_kind_share_the_signature():
    import numpy as np

    game = Take(5)
    alphabeta.run(game, game.initial(), 0)
    before = overloads(alphabeta)
    for alpha, beta in ((-1, 1), (-1.0, 1), (np.float32(-1), np.int8(1)), (False, True)):
        alphabeta.run(game, game.initial(), 0, 9, alpha, beta)
        alphabeta.run(game, game.initial(), 0, 9, beta=beta, alpha=alpha)
    assert overloads(alphabeta) == before


def test_states_of_any_numbers_share_the_signature():
    import numpy as np

    game = Take(5)
    heap = type(game.initial())
    before = overloads(lines)
    for left, player in ((4, 1), (4.0, True), (np.int8(4), np.float64(1))):
        assert lines.run(game, heap(left, player), 9) == 7
    assert overloads(lines) == before + 1


def test_a_state_that_is_a_number_may_come_from_numpy():
    import numpy as np

    assert [doubled.run(Static(), state) for state in (21, np.int32(21), np.int64(21))] == [42, 42, 42]
    assert overloads(doubled) == 1


@kernel
def doubled(static: Static, state: object) -> int:
    return state * 2


def all_kernels():
    """Every kernel of every module of Zermelo that is loaded."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "zermelo"]
    return {value for module in modules for value in vars(module).values() if isinstance(value, Kernel)}


@pytest.mark.parametrize(
    "name",
    [
        "tree:max(min(1 2) min(3 4))",
        "tree:max(chance(1 2) min(3 4))",
        pytest.param("tic-tac-toe", marks=pytest.mark.long),
    ],
)
def test_whatever_is_asked_every_kernel_has_one_signature_per_game(name):
    from zermelo.kernel.bridge import StaticType, dispatcher

    game = find(name)
    for algorithm in suitable_algorithms(game):
        if algorithm not in ("solve", "random", "determinised"):
            analyse(game, game.initial(), algorithm, Limit(depth=2, nodes=5000))
    solve(find("tic-tac-toe"))
    perft(game, None, 2)
    used = [search for search in all_kernels() if overloads(search)]
    assert len(used) >= 5
    for search in used:
        games = [[kind for kind in kinds if isinstance(kind, StaticType)] for kinds in dispatcher(search).overloads]
        assert all(games.count(game) == 1 for game in games), search


def test_numbers_beyond_64_bits_run_interpreted():
    with pytest.warns(UserWarning, match="does not fit into 64 bits"):
        assert plus_one.run(Static(), 1 << 63) == (1 << 63) + 1
    assert plus_one.run(Static(), (1 << 63) - 2) == (1 << 63) - 1
    assert plus_one.run(Static(), -(1 << 63) + 1) == -(1 << 63) + 2
    assert overloads(plus_one) == 1


@kernel
def plus_one(static: Static, number: int) -> int:
    return number + 1


def test_words_and_numbers_in_plain_tuples_are_distinguished():
    """The same numbers, first as words and then as plain ones: the code for the one must not serve the other."""
    top = (U64(1 << 62), U64(3))
    assert halved.run_compiled(Static(), (U64(-2), U64(3))) == halved(Static(), (U64(-2), U64(3)))
    assert halved.run_compiled(Static(), (-2, 3)) == halved(Static(), (-2, 3))
    assert halved.run_compiled(Static(), top) == halved(Static(), top)


@kernel
def halved(static: Static, pair: tuple[int, ...]) -> bool:
    return pair[0] < pair[1]


@kernel
def careless(static: Static, number: int, value: float, is_last: bool = False, word: U64 = U64(7)) -> float:  # noqa: B008
    """Calls itself with numbers of other types than its parameters have, and without some of them."""
    if number == 0 or is_last:
        return value
    if number > 5:
        return careless(static, number - 1, 0.5)
    return careless(static, number - 1, 1) + careless(static, True, value=number, is_last=1, word=U64(3))


def test_numbers_of_other_types_inside_a_recursion_need_no_second_signature():
    assert careless.run_compiled(Static(), 7, 3) == careless(Static(), 7, 3) == 1 + 5 + 4 + 3 + 2 + 1
    assert overloads(careless) == 1


CIRCLES = """
    from zermelo.kernel import Static, kernel

    @kernel
    def even(static: Static, number: int) -> bool:
        return True if number == 0 else odd(static, number - 1)

    @kernel
    def odd(static: Static, number: int) -> bool:
        return False if number == 0 else even(static, number - 1)

    @kernel
    def around(static: Static, number: int) -> int:
        return 10 if odd(static, number) else 20

    @kernel
    def split(static: Static, number: int, value) -> float:
        '''Calls itself with a whole number and with a real one.'''
        return value * 1.0 if number == 0 else split(static, number - 1, 1) + split(static, number - 1, 0.5)

    @kernel
    def straight(static: Static, number: int) -> int:
        return 1 if number == 0 else 2 * straight(static, number - 1)
"""


def test_kernels_that_call_each_other_start_twice(tmp_path):
    """The code of a kernel holds what it calls in a circle, so it can be loaded alone.

    One that calls itself with other types does not: reloaded, it would call through an empty pointer and crash.
    """
    write(tmp_path, "circles.py", CIRCLES)
    script = write(
        tmp_path,
        "script.py",
        """
    import sys
    import circles
    from zermelo.kernel import Static
    from zermelo.kernel.bridge import dispatcher

    for name in sys.argv[1:]:
        kernel = getattr(circles, name)
        extra = (2.0,) if name == "split" else ()
        print(name, kernel.run(Static(), 5, *extra), dispatcher(kernel)._cache.hits)
    """,
    )
    cache = tmp_path / "cache"
    expected = {"even": "False", "odd": "True", "around": "10", "split": "24.0", "straight": "32"}
    orders = [["around", "split", "straight"], ["odd", "straight", "even", "around", "split"], ["even", "split", "odd"]]
    loaded = set()
    for order in orders:
        for name, found in answers(script, cache, *order).items():
            value, hits = found.split()
            assert value == expected[name]
            loaded |= {name} if hits == "1" else set()
    assert loaded == {"odd", "straight", "around", "even"}
    assert {path.name.split(".")[1] for path in cache.iterdir()} == loaded
