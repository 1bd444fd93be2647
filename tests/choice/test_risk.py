"""Certainty equivalents, premiums and attitudes, against closed forms."""

import math
from fractions import Fraction

import pytest
from drawn_lotteries import spoken
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.choice import (
    Exponential,
    Linear,
    Log,
    Lottery,
    Sqrt,
    Square,
    attitude_over,
    attitude_to,
    certainty_equivalent,
    expected_utility,
    expected_value,
    risk_premium,
)
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain

GAMBLE = Lottery(("1/2", 0), ("1/2", 1000))
SAVED_AND_SPENT = Lottery(("1/4", 100), ("1/4", 400), ("1/2", 900))


@pytest.mark.parametrize(
    ("utility", "equivalent"),
    [
        (Sqrt(), 250),
        (Square(), 1000 / math.sqrt(2)),
        (Log(100), math.sqrt(100 * 1100) - 100),
        (Exponential(0.001), -1000 * math.log((1 + math.exp(-1)) / 2)),
        (Exponential(1), math.log(2)),
        (Exponential(-0.01), 100 * math.log((1 + math.exp(10)) / 2)),
        (lambda x: x**3, 1000 * 0.5 ** (1 / 3)),
    ],
    ids=spoken,
)
def test_the_certainty_equivalent_is_the_closed_form(utility, equivalent):
    assert certainty_equivalent(GAMBLE, utility) == pytest.approx(equivalent, rel=1e-12)
    assert risk_premium(GAMBLE, utility) == pytest.approx(500 - equivalent, rel=1e-9)


def test_the_neutral_pay_no_premium_exactly():
    assert certainty_equivalent(GAMBLE, Linear()) == Fraction(500)
    assert risk_premium(SAVED_AND_SPENT, Linear(3, 7)) == 0


def test_a_gamble_worth_400_leaves_an_insurance_premium_of_100():
    """The lecture's question: most people take $400 for [1/2, $1000; 1/2, $0]."""

    def most_people(amount):
        return amount / 800 if amount <= 400 else 0.5 + (amount - 400) / 1200

    assert certainty_equivalent(GAMBLE, most_people) == pytest.approx(400)
    assert risk_premium(GAMBLE, most_people) == pytest.approx(100)
    assert attitude_to(GAMBLE, most_people) == "averse"


@pytest.mark.parametrize(
    ("utility", "attitude"),
    [
        (Linear(), "neutral"),
        (Linear(0.1, 0.7), "neutral"),
        (Sqrt(), "averse"),
        (Log(1), "averse"),
        (Exponential(1e-6), "averse"),
        (Exponential(-1e-6), "prone"),
        (Square(), "prone"),
        (lambda x: -x, "neutral"),
    ],
    ids=spoken,
)
def test_attitudes_to_a_lottery_and_over_an_interval(utility, attitude):
    assert attitude_to(GAMBLE, utility) == attitude
    assert attitude_over(0, 1000, utility) == attitude


def test_an_s_shaped_utility_is_averse_to_gains_and_prone_to_losses():
    """Kahneman & Tversky 1979."""

    def value(amount):
        return math.sqrt(amount) if amount >= 0 else -2 * math.sqrt(-amount)

    assert attitude_over(0, 100, value) == "averse"
    assert attitude_over(-100, 0, value) == "prone"
    assert attitude_over(-100, 100, value) == "mixed"


def test_a_float_line_far_from_zero_is_neutral():
    assert attitude_over(10**9, 10**9 + 1, lambda x: 0.1 * float(x)) == "neutral"


def test_nothing_at_risk_is_neutral():
    assert attitude_to(500, Sqrt()) == "neutral"
    assert certainty_equivalent(500, Sqrt()) == 500


amounts = st.integers(0, 1000)
gambles = st.tuples(st.integers(1, 9), amounts, amounts).map(
    lambda drawn: Lottery((Fraction(drawn[0], 10), drawn[1]), (1 - Fraction(drawn[0], 10), drawn[2]))
)


@settings(max_examples=40, deadline=None)
@given(gambles, st.sampled_from([Sqrt(), Square(), Log(1), Exponential(0.01), lambda x: -math.exp(x / 500)]))
def test_the_certainty_equivalent_is_as_good_as_the_lottery(lottery, utility):
    equivalent = certainty_equivalent(lottery, utility)
    assert expected_utility(equivalent, utility) == pytest.approx(expected_utility(lottery, utility), rel=1e-9)
    assert min(lottery.chances) <= equivalent <= max(lottery.chances)


@settings(max_examples=40, deadline=None)
@given(gambles)
def test_the_averse_pay_a_premium_and_the_prone_demand_one(lottery):
    is_risky = len(lottery.chances) > 1
    assert (risk_premium(lottery, Sqrt()) > 0) == (attitude_to(lottery, Sqrt()) == "averse") == is_risky
    assert (risk_premium(lottery, Square()) < 0) == (attitude_to(lottery, Square()) == "prone") == is_risky


@settings(max_examples=40, deadline=None)
@given(gambles, st.integers(-100, 100))
def test_constant_aversion_moves_with_the_amounts(lottery, gift):
    richer = Lottery(*((chance, amount + gift) for chance, amount in lottery.branches))
    utility = Exponential(0.01)
    assert certainty_equivalent(richer, utility) == pytest.approx(
        certainty_equivalent(lottery, utility) + gift, rel=1e-9, abs=1e-9
    )
    assert expected_value(richer) == expected_value(lottery) + gift


def test_lotteries_without_a_certainty_equivalent_are_refused():
    with pytest.raises(UsageError, match="does not distinguish"):
        certainty_equivalent(GAMBLE, lambda _: 1)
    with pytest.raises(UsageError, match="does not distinguish"):
        certainty_equivalent(Lottery(("1/2", 900), ("1/2", 1000)), Exponential(1))
    with pytest.raises(UsageError, match="'A' is not an amount"):
        certainty_equivalent("A", len)


@pytest.mark.parametrize(("low", "high"), [(1, 0), (0, 0), (0, math.inf), (math.nan, 1)])
def test_amounts_that_are_not_an_interval_are_refused(low, high):
    with pytest.raises(UsageError, match="not an interval"):
        attitude_over(low, high, Linear())
