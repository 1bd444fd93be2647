"""Increasing changes of utility keep choices among sure things; only positive affine ones keep all."""

import math
from fractions import Fraction

import pytest
from drawn_lotteries import lotteries, spoken
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.choice import Linear, Lottery, Sqrt, Square, Table, Transformed, deciding_choice, disagreement

pytestmark = pytest.mark.plain

AMOUNTS = [0, 100, 250, 1000]
GAMBLE = Lottery(("1/2", 0), ("1/2", 1000))


@pytest.mark.parametrize("increasing", [Sqrt(), Square(), Linear(2, 5), math.exp, lambda u: u**3], ids=spoken)
def test_increasing_changes_keep_choices_among_sure_things(increasing):
    amounts = [0, 1, 2, 5]
    assert disagreement(amounts, Linear(), Transformed(Linear(), increasing)) is None


def test_a_change_that_is_not_affine_alters_a_choice_among_lotteries():
    assert disagreement([400, GAMBLE], Linear(), Sqrt()) == (400, GAMBLE)
    assert disagreement([400, GAMBLE], Linear(), Linear(2, 5)) is None


@pytest.mark.parametrize("change", [Sqrt(), Square(), Linear(-1), Linear(0)], ids=spoken)
def test_the_deciding_choice_is_decided_differently(change):
    changed = Transformed(Linear(), change) if not isinstance(change, Linear) else change
    choice = deciding_choice(AMOUNTS, Linear(), changed)
    assert disagreement(choice, Linear(), changed) == choice


def test_the_deciding_lottery_has_simple_chances():
    assert deciding_choice(AMOUNTS, Linear(), Sqrt()) == (100, Lottery(("1/5", 1000), ("4/5", 0)))


utilities = st.lists(st.fractions(-5, 5, max_denominator=30), min_size=4, max_size=4).map(
    lambda drawn: Table(dict(zip("ABCD", drawn, strict=True)))
)


@settings(max_examples=40, deadline=None)
@given(
    utilities,
    st.fractions(Fraction(1, 100), 100, max_denominator=100),
    st.fractions(-50, 50, max_denominator=100),
    st.lists(lotteries(list("ABCD")), max_size=4),
)
def test_positive_affine_changes_keep_all_choices(table, slope, intercept, prospects):
    changed = Transformed(table, Linear(slope, intercept))
    assert deciding_choice("ABCD", table, changed) is None
    assert disagreement(prospects, table, changed) is None


@settings(max_examples=40, deadline=None)
@given(utilities, utilities)
def test_there_is_a_deciding_choice_unless_the_change_is_positive_affine(one, other):
    """Affine exactly where the vectors (U(x) - U(y)) and (V(x) - V(y)) point the same way."""
    mine, theirs = ([table[a] - table[b] for a in "ABCD" for b in "ABCD"] for table in (one, other))
    is_parallel = all(mine[i] * theirs[j] == mine[j] * theirs[i] for i in range(16) for j in range(16))
    points_the_same_way = sum(m * t for m, t in zip(mine, theirs, strict=True)) > 0 or not (any(mine) or any(theirs))
    choice = deciding_choice("ABCD", one, other)
    assert (choice is None) == (is_parallel and points_the_same_way)
    if choice:
        assert disagreement(choice, one, other) == choice


def test_float_utilities_agree_to_rounding():
    assert deciding_choice(AMOUNTS, Sqrt(), Transformed(Sqrt(), Linear(0.1, 0.7))) is None


def test_without_outcomes_there_is_no_deciding_choice():
    assert deciding_choice([], Linear(), Sqrt()) is None
    assert deciding_choice([5], Linear(), Linear(-1)) is None
