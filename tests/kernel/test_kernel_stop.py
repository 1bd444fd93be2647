"""Stopping: a compiled search in another thread sees the flag at once, and a limit in nodes is exact."""

import threading

import pytest
from little_rules import Switch, Take, lines

from zermelo.core.meter import Meter, Metered
from zermelo.kernel import kernel
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.minimax import minimax

FAR = 3_000_000_000
"""Nodes until a search that cannot be stopped ends all the same: half a minute or so."""


@kernel
def endless(game: Metered, limit: int) -> int:
    """Games one after the other in one loop: nothing in it but the flag can end it."""
    games, state = 0, game.initial()
    while game.meter.nodes < limit:
        if game.is_terminal(state):
            if game.meter.is_stopped():
                break
            games, state = games + 1, game.initial()
        for action in game.actions(state):
            state = game.result(state, action)
            break
    return games


@kernel
def waiting(game: Metered, limit: int) -> int:
    """Nothing but the flag: a compiler that looked it up once would wait for ever."""
    rounds = 0
    while game.meter.limit > 0 and rounds < limit:
        rounds += 1
    game.meter.nodes = 1
    return rounds


@pytest.mark.parametrize("search", [endless, waiting], ids=lambda search: search.__name__)
def test_a_compiled_loop_is_stopped_from_outside(search):
    meter = Meter.allocate()
    game = Metered(Take(20), meter)
    assert search.prepare(game, 0)
    found = []
    thread = threading.Thread(target=lambda: found.append(search.run(game, FAR)), daemon=True)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive(), "the search holds no lock that this thread needs"
    meter.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert 0 < found[0] < FAR


def test_a_compiled_recursion_is_stopped_from_outside_and_its_nodes_can_be_watched():
    meter = Meter.allocate()
    game = Metered(Switch(25), meter)  # 25! lines
    assert minimax.prepare(game, game.initial(), 0)
    thread = threading.Thread(target=lambda: minimax.run(game, game.initial(), 0), daemon=True)
    thread.start()
    seen = 0
    for _ in range(3):
        while meter.nodes <= seen:
            thread.join(0.001)
        seen = meter.nodes
    meter.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert meter.is_stopped()


@pytest.mark.both
@pytest.mark.parametrize("limit", [1, 2, 10, 100, 1000, 10**6])
@pytest.mark.parametrize("way", ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)])
def test_a_limit_in_nodes_is_exact_and_reproducible(limit, way):
    """Only the nodes of the line that is being looked at come on top: they ask whether to go on, and fold up."""

    def counted(search):
        meter = Meter.allocate(limit)
        game = Metered(Take(8), meter)
        value = getattr(search, "run_compiled" if way == "compiled" else "__call__")(game, game.initial(), 0, 9)
        return value, meter.nodes, meter.is_stopped()

    for search in (minimax, alphabeta):
        assert counted(search) == counted(search)
    _, nodes, is_stopped = counted(minimax)
    total = whole_tree(8)
    assert is_stopped == (limit <= total)
    assert nodes == total if not is_stopped else limit <= nodes <= limit + 3 * 8


def whole_tree(stones):
    """The nodes of `Take` with up to three stones a move."""
    return 1 + sum(whole_tree(stones - taken) for taken in range(1, min(3, stones) + 1))


@pytest.mark.parametrize("limit", [1, 7, 50, 333, None])
def test_compiled_and_interpreted_searches_stop_at_the_same_node(limit):
    meters = []
    for search in (alphabeta, alphabeta.run_compiled):
        meter = Meter.allocate(limit)
        game = Metered(Switch(5), meter)
        meters.append((search(game, game.initial(), 0), meter.nodes, meter.is_stopped(), meter.saw_horizon))
    assert meters[0] == meters[1]


def test_meters_of_one_game_share_the_code():
    from zermelo.kernel.bridge import dispatcher

    game = Take(6)
    lines.run_compiled(Metered(game, Meter.allocate()), game.initial(), 9)
    before = len(dispatcher(lines).overloads)
    for _ in range(3):
        meter = Meter.allocate()
        lines.run_compiled(Metered(game, meter), game.initial(), 9)
        assert meter.nodes == whole_tree(6)
    assert len(dispatcher(lines).overloads) == before
