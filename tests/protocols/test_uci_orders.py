"""What `go` is understood to mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import IllegalMove
from zermelo.core.limit import Limit
from zermelo.protocols.uci.orders import WORDS, Order, read_order
from zermelo.search.alphabeta import Clock

pytestmark = pytest.mark.plain

MOVES = {"e2e4": 1, "d2d4": 2}


def read_move(text):
    if text not in MOVES:
        raise IllegalMove(f"{text} is not legal here")
    return MOVES[text]


def order(text, mover=0, overhead=0.0):
    return read_order(text.split(), mover, overhead, read_move)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", Order()),
        ("depth 8", Order(Limit(depth=8))),
        ("nodes 5000 depth 3", Order(Limit(nodes=5000, depth=3))),
        ("movetime 1500", Order(Limit(time=1.5))),
        ("infinite", Order(infinite=True)),
        ("ponder wtime 1000 btime 2000", Order(clock=Clock(1, 0, None, 0), ponder=True)),
        ("wtime 60000 btime 1 winc 500 binc 9 movestogo 12", Order(clock=Clock(60, 0.5, 12, 0))),
        ("mate 3", Order(Limit(depth=8), mate=3)),
        ("mate 3 depth 4", Order(Limit(depth=4), mate=3)),
        ("searchmoves e2e4 d2d4 e2e4 depth 2", Order(Limit(depth=2), only=(1, 2))),
        ("depth 2 searchmoves d2d4", Order(Limit(depth=2), only=(2,))),
    ],
)
def test_orders(text, meant):
    assert order(text) == meant


def test_the_mover_s_clock_counts():
    text = "wtime 1000 btime 2000 winc 10 binc 20"
    assert order(text, mover=0).clock == Clock(1, 0.01, None, 0)
    assert order(text, mover=1).clock == Clock(2, 0.02, None, 0)
    assert order("btime 2000", mover=0).clock == Clock(2, 0, None, 0)


def test_a_fixed_time_comes_before_the_clock_and_infinite_before_both():
    assert order("wtime 1000 btime 1000 movetime 50") == Order(Limit(time=0.05))
    assert order("infinite wtime 1000 movetime 50 depth 7") == Order(Limit(depth=7), infinite=True)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("depth 0", Limit(depth=1)),
        ("depth -3", Limit(depth=1)),
        ("depth 999999999999999999999", Limit(depth=1000)),
        ("nodes 0", Limit(nodes=1)),
        ("nodes 99999999999999999999999999", Limit(nodes=2**53)),
        ("movetime 0", Limit(time=0.001)),
        ("movetime -50", Limit(time=0.001)),
        ("mate 0", Limit(depth=4)),
        ("mate -999999999999999999999", Limit(depth=4)),
    ],
)
def test_numbers_that_cannot_be_are_replaced_by_the_nearest_that_can(text, meant):
    found = order(text)
    assert found.limit == meant
    assert found.complaints == ()


def test_a_clock_below_zero_has_a_millisecond_left():
    assert order("wtime -500 btime 3 winc -7 movestogo 0").clock == Clock(0.001, 0, None, 0)


def test_the_way_there_and_back_is_taken_from_a_fixed_time_but_never_more_than_half():
    assert order("movetime 1000", overhead=0.1).limit.time == pytest.approx(0.9)
    assert order("movetime 100", overhead=0.1).limit.time == pytest.approx(0.05)


def test_mistakes_are_reported_and_the_rest_is_understood():
    found = order("depth many searchmoves h9h9 e2e4 nodes quickly wtime 5")
    assert found.only == (1,)
    assert found.clock == Clock(0.005, 0, None, 0)
    assert found.limit == Limit()
    assert found.complaints == (
        "go: depth needs a whole number after it",
        "go searchmoves: h9h9 is not legal here",
        "go: nodes needs a whole number after it",
    )


words = st.one_of(st.sampled_from(WORDS), st.integers().map(str), st.sampled_from(sorted(MOVES)), st.text(max_size=8))


@given(st.lists(words, max_size=30), st.integers(0, 1), st.floats(0, 10))
def test_any_words_make_an_order(found, mover, overhead):
    read_order(" ".join(found).split(), mover, overhead, read_move)
