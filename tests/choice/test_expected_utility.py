"""Expected utility gives the lectures' numbers."""

import math
from fractions import Fraction

import pytest

from zermelo.choice import (
    ByUtility,
    Exponential,
    Linear,
    Log,
    Lottery,
    Sqrt,
    Square,
    Table,
    Transformed,
    choose,
    expected_utility,
    expected_value,
)
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain

GAMBLE = Lottery(("1/2", 0), ("1/2", 1000))


@pytest.mark.parametrize(
    ("utility", "of_the_gamble", "of_the_sure_500"),
    [(Linear(), 500, 500), (Sqrt(), 15.81, 22.36), (Square(), 500_000, 250_000)],
    ids=str,
)
def test_half_a_chance_of_1000_against_500_for_sure(utility, of_the_gamble, of_the_sure_500):
    """The lecture's lottery [1/2, $0; 1/2, $1000]."""
    assert expected_utility(GAMBLE, utility) == pytest.approx(of_the_gamble, abs=0.005)
    assert expected_utility(500, utility) == pytest.approx(of_the_sure_500, abs=0.005)


def test_the_choice_depends_on_the_utility():
    assert choose([500, GAMBLE], Sqrt()) == 500
    assert choose([500, GAMBLE], Square()) == GAMBLE
    assert ByUtility(Linear()).compare(500, GAMBLE) == "~"


def test_the_way_to_the_airport_takes_35_minutes():
    """The lecture's traffic: 20, 30 or 60 minutes with 1/4, 1/2, 1/4."""
    assert expected_value(Lottery((0.25, 20), (0.5, 30), (0.25, 60))) == 35


def test_the_chance_node_of_the_lecture():
    assert expected_value(Lottery(("1/2", 8), ("1/3", 24), ("1/6", -12))) == 10


def test_rational_utilities_give_an_exact_mean():
    thirds = Lottery(("1/3", 1), ("2/3", 2))
    assert expected_value(thirds) == Fraction(5, 3)
    assert isinstance(expected_utility(thirds, Square()), Fraction)


def test_the_petersburg_game_has_a_mean_without_bound_and_a_small_worth():
    """Bernoulli 1738: 2^k ducats with chance 2^-k; to log utility the endless game is worth 4 ducats."""
    rounds = 60
    game = Lottery(*((Fraction(1, 2**k), 2**k) for k in range(1, rounds)), (Fraction(1, 2 ** (rounds - 1)), 2**rounds))
    assert expected_value(game) == rounds + 1
    assert math.exp(expected_utility(game, Log())) == pytest.approx(4)


def test_any_callable_and_any_table_is_a_utility():
    lottery = Lottery(("1/2", "A"), ("1/2", "BBB"))
    assert expected_utility(lottery, len) == 2
    assert expected_utility(lottery, Table({"A": 1, "BBB": "1/2"})) == Fraction(3, 4)


@pytest.mark.parametrize(
    "utility",
    [
        Linear(),
        Linear(Fraction(1, 2), -3),
        Sqrt(),
        Square(),
        Log(),
        Log(100),
        Exponential(0.01),
        Transformed(Sqrt(), Linear(2, 1)),
        Table({"A": 1, "B": "1/4", "C": 0.3}),
    ],
    ids=repr,
)
def test_utilities_print_as_they_are_written(utility):
    assert eval(repr(utility)) == utility


@pytest.mark.parametrize(
    ("utility", "outcome", "sentence"),
    [
        (Sqrt(), -1, "√x has no value for -1"),
        (Square(), -1, "less would be better"),
        (Log(), 0, "must be above 0"),
        (Log(10), -10, "must be above 0"),
        (Exponential(1), -1000, "too large"),
        (Linear(), "A", "'A' is not an amount"),
        (Linear(), True, "True is not an amount"),
        (Linear(), math.inf, "inf is not an amount"),
        (lambda _: math.nan, 1, "finite number"),
        (lambda _: "much", 1, "finite number"),
        (lambda x: 1 / x, 0, "has no value for 0: division by zero"),
        ({"A": 1}.__getitem__, "B", "has no value for 'B'"),
        (Table({"A": 1}), "B", "no utility for 'B'; it has A"),
    ],
)
def test_a_utility_that_is_not_a_number_is_refused(utility, outcome, sentence):
    with pytest.raises(UsageError, match=sentence):
        expected_utility(Lottery((1, outcome)), utility)


def test_other_mistakes_are_refused():
    with pytest.raises(UsageError, match="other than 0"):
        Exponential(0)
    with pytest.raises(UsageError, match="other than 0"):
        Exponential(math.nan)
    with pytest.raises(UsageError, match="nothing to choose from"):
        choose([], Linear())
    with pytest.raises(UsageError, match="'much' for 'A' is not one"):
        Table({"A": "much"})
    with pytest.raises(UsageError, match="nan for 'A' is not one"):
        Table({"A": math.nan})
