"""A person with circular preferences can be pumped, and no other."""

from fractions import Fraction

import pytest
from drawn_lotteries import lotteries
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.choice import ByUtility, Linear, Pump, Sqrt, Stated, Statement, Table, Trade, money_pump, transitivity
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain

CIRCLE = Stated("A < B < C < A")


def test_three_swaps_at_a_dollar_lose_three_dollars_a_round():
    """The lecture's pump: A → B → C → A."""
    pump = money_pump(CIRCLE)
    assert pump.trades == (Trade("A", "B", 1), Trade("B", "C", 1), Trade("C", "A", 1))
    assert pump.lost == 3
    assert money_pump(CIRCLE, rounds=100).lost == 300
    assert money_pump(CIRCLE, fee=Fraction(1, 100)).lost == Fraction(3, 100)


def test_the_pump_lists_every_trade():
    assert str(money_pump(CIRCLE)).splitlines() == [
        "Holds A.",
        "1. gives A and $1 for B",
        "2. gives B and $1 for C",
        "3. gives C and $1 for A",
        "Holds A again and is $3 poorer.",
    ]


def test_a_step_to_something_equally_good_is_free():
    pump = money_pump(Stated("A < B ~ C < A"))
    assert pump.lost == 2
    assert "swaps B for C" in str(pump)


def test_a_circle_inside_a_larger_relation_is_found():
    pump = money_pump(Stated("Z > A > B > C > D > A", "C > Y", "Q ~ Z"))
    assert {trade.gives for trade in pump.trades} == set("ABCD")
    assert pump.lost == 4


def test_transitive_preferences_cannot_be_pumped():
    pump = money_pump(Stated("A > B > C"))
    assert pump == Pump(())
    assert pump.lost == 0
    assert "no money can be pumped" in str(pump)


@settings(max_examples=40, deadline=None)
@given(st.lists(lotteries(["A", "B", "C"]), min_size=1, max_size=5))
def test_a_maximiser_of_expected_utility_cannot_be_pumped(prospects):
    table = Table({"A": 1, "B": "1/3", "C": 0})
    assert money_pump(ByUtility(table), prospects).lost == 0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from("ABCDE")] * 2, st.sampled_from(">~<")), min_size=1, max_size=9))
def test_every_trade_follows_a_preference_and_the_round_closes(drawn):
    stated = Stated(*(Statement(left, sign, right) for left, right, sign in drawn))
    trades = money_pump(stated).trades
    assert bool(trades) == (transitivity(stated) is not None)
    for trade, following in zip(trades, trades[1:] + trades[:1], strict=True):
        assert (">" if trade.pays else "~") in stated.signs(trade.gets, trade.gives)
        assert trade.gets == following.gives


def test_pumps_print_as_they_are_written():
    assert eval(repr(money_pump(CIRCLE))) == money_pump(CIRCLE)


@pytest.mark.parametrize("fee", [0, -1, float("nan"), float("inf")])
def test_a_fee_that_is_not_a_price_is_refused(fee):
    with pytest.raises(UsageError, match="above 0"):
        money_pump(CIRCLE, fee=fee)


def test_no_round_at_all_is_refused():
    with pytest.raises(UsageError, match="at least 1"):
        money_pump(CIRCLE, rounds=0)


def test_a_pump_needs_prospects_from_somewhere():
    assert money_pump(ByUtility(Sqrt()), [1, 2, 3]).lost == money_pump(ByUtility(Linear()), [1, 2]).lost == 0
