"""Preferences say what was said, and what follows from it."""

import math

import pytest

from zermelo.choice import ByScore, ByUtility, Linear, Lottery, Sqrt, Stated, Statement, mix
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain


def test_a_chain_is_as_many_statements_as_it_has_signs():
    assert Stated("A > B ~ C", "D ≺ C") == Stated("A > B", "B ~ C", "D < C")
    assert str(Stated("A > B ~ C")) == "A > B, B ~ C"


@pytest.mark.parametrize(
    ("left", "right", "sign"),
    [
        ("A", "B", ">"),
        ("B", "A", "<"),
        ("A", "C", ">"),
        ("D", "A", "<"),
        ("B", "C", "~"),
        ("B", "E", "~"),
        ("A", "A", "~"),
    ],
)
def test_a_preference_that_follows_from_a_chain_holds(left, right, sign):
    assert Stated("A > B ~ C ~ E", "C > D").compare(left, right) == sign


@pytest.mark.parametrize(("left", "right"), [("B", "C"), ("A", "Z"), ("Y", "Z")])
def test_without_a_chain_there_is_no_preference(left, right):
    assert Stated("A > B", "A > C").compare(left, right) is None


def test_lotteries_with_the_same_chances_are_the_same_prospect():
    stated = Stated("A > [1/2, A; 1/2, [1, B]]")
    assert stated.compare("A", mix("1/2", "B", "A")) == ">"
    assert stated.compare(Lottery((1, "A")), mix("1/2", "B", "A")) == ">"


def test_floats_that_differ_by_rounding_are_equally_good():
    assert ByUtility(lambda x: 0.1 * x).compare(Lottery(("1/3", 1), ("2/3", 4)), 3) == "~"
    assert ByUtility(Sqrt()).compare(Lottery(("1/2", 0), ("1/2", 1000)), 250) == "~"
    assert ByUtility(Sqrt()).compare(Lottery(("1/2", 0), ("1/2", 1000)), 250.000001) == "<"


def test_rational_utilities_are_compared_exactly():
    assert ByUtility(Linear()).compare(10**30 + 1, 10**30) == ">"


def test_a_score_sees_the_reduced_lottery():
    outcomes = ByScore(lambda lottery: len(lottery.branches))
    assert outcomes.compare(mix("1/2", "A", mix("1/2", "A", "A")), "B") == "~"
    assert outcomes.compare(mix("1/2", "A", "B"), "B") == ">"


@pytest.mark.parametrize(
    "stated",
    [
        Stated(),
        Stated("A > B", "B ~ [1/4, A; 3/4, [1/2, C; 1/2, -3/2]]", "C < $20"),
        Stated(Statement("A > B", ">", ("a", "tuple")), Statement("1", "~", "x")),
    ],
)
def test_reprs_rebuild(stated):
    assert eval(repr(stated)) == stated
    assert hash(eval(repr(stated))) == hash(stated)


@pytest.mark.parametrize(
    "text", ["", "A", "A >", "> B", "A > > B", "A >= B", "A = B", "A, B > C", "A > [1, B", "A ? B"]
)
def test_a_text_that_states_nothing_is_refused(text):
    with pytest.raises(UsageError):
        Stated(text)


@pytest.mark.parametrize("statement", [("A", ">"), ("A", "better", "B"), 5])
def test_a_text_that_is_not_a_statement_is_refused(statement):
    with pytest.raises(UsageError, match="states no preference"):
        Stated(statement)


def test_a_score_must_be_a_finite_number():
    with pytest.raises(UsageError, match="finite number"):
        ByScore(lambda _: math.nan).compare("A", "B")
