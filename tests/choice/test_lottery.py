"""Lotteries are exact, reduce to their chances, and refuse what is not a probability."""

from fractions import Fraction

import pytest
from drawn_lotteries import lotteries
from hypothesis import given, settings

from zermelo.choice import Lottery, expected_value, mix
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain


def test_a_compound_lottery_reduces_to_a_simple_one():
    compound = Lottery(("1/4", "A"), ("3/4", Lottery(("1/3", "A"), ("2/3", "B"))))
    assert compound.reduced() == Lottery(("1/2", "A"), ("1/2", "B"))
    assert compound != compound.reduced()


@pytest.mark.parametrize("half", [Fraction(1, 2), "1/2", "0.5", ".5", 0.5])
def test_probabilities_may_be_given_in_any_form(half):
    assert Lottery((half, "A"), (half, "B")).chances == {"A": Fraction(1, 2), "B": Fraction(1, 2)}


def test_a_float_means_the_decimal_it_prints():
    assert Lottery((0.1, "A"), (0.2, "B"), (0.7, "C")).chances["A"] == Fraction(1, 10)
    assert sum(Lottery(*((1 / 3, name) for name in "ABC")).chances.values()) == 1


def test_the_order_of_the_branches_does_not_matter():
    one, other = Lottery(("1/3", "A"), ("2/3", "B")), Lottery(("2/3", "B"), ("1/3", "A"))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Lottery(("1/3", "B"), ("2/3", "A"))


def test_an_impossible_outcome_has_no_probability():
    assert dict(mix(1, "A", "B").chances) == {"A": 1}


@settings(max_examples=40, deadline=None)
@given(lotteries(["A", "B", 3, Fraction(1, 7)]))
def test_reprs_rebuild_and_texts_parse(lottery):
    assert eval(repr(lottery)) == lottery
    assert Lottery.parse(str(lottery)) == lottery


@settings(max_examples=40, deadline=None)
@given(lotteries([0, 1, 5, -20]))
def test_reducing_keeps_the_expected_value(lottery):
    """Against a twin that walks the tree."""

    def walk(prospect):
        if not isinstance(prospect, Lottery):
            return prospect
        return sum(chance * walk(outcome) for chance, outcome in prospect.branches)

    assert expected_value(lottery.reduced()) == expected_value(lottery) == walk(lottery)
    assert lottery.reduced().reduced() == lottery.reduced()
    assert sum(lottery.chances.values()) == 1


def test_a_long_text_keeps_its_digits():
    assert str(Lottery(("0.1234567", "A"), ("0.8765433", "B"))) == "[0.1234567, A; 0.8765433, B]"
    assert str(Lottery(("0.00001", "A"), ("0.99999", "B"))) == "[0.00001, A; 0.99999, B]"


def test_a_shared_lottery_nested_a_hundred_times_reduces_at_once():
    lottery = Lottery(("1/2", "A"), ("1/2", "B"))
    for _ in range(100):
        lottery = Lottery(("1/2", lottery), ("1/2", lottery))
    assert lottery.chances == {"A": Fraction(1, 2), "B": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("branches", "sentence"),
    [
        ((), "at least one outcome"),
        ((("1/2", "A"), ("1/3", "B")), "sum to 1, but 1/2 + 1/3 = 5/6"),
        (((0.5, "A"), (0.4, "B")), "sum to 1, but 1/2 + 2/5 = 9/10"),
        (((float("nan"), "A"), (1, "B")), "nan is not a probability"),
        (((float("inf"), "A"),), "inf is not a probability"),
        ((("nan", "A"),), "'nan' is not a probability"),
        ((("-1/2", "A"), ("3/2", "B")), "must lie between 0 and 1"),
        (((-0.5, "A"), (1.5, "B")), "must lie between 0 and 1"),
        (((2, "A"), (-1, "B")), "must lie between 0 and 1"),
        ((("1/0", "A"),), "'1/0' is not a probability"),
        ((("1e999999999", "A"),), "is not a probability"),
        (((10**5000, "A"),), "this number is not a probability"),
        (((None, "A"),), "None is not a probability"),
        ((0.5, "A"), "(probability, outcome) pairs"),
        (((1, ["A"]),), "must be hashable"),
    ],
)
def test_pairs_that_make_no_lottery_are_refused_in_one_sentence(branches, sentence):
    with pytest.raises(UsageError) as refusal:
        Lottery(*branches)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A", "is not a lottery"),
        ("[1, A", "do not match"),
        ("[1, A]]", "do not match"),
        ("[1/2, A; 1/2, [1, B]", "do not match"),
        ("[1]", "a comma and an outcome"),
        ("[1, ]", "is not an outcome"),
        ("[p, A; 1-p, C]", "'p' is not a probability"),
        ("[1, " * 60 + "A" + "]" * 60, "nested 50 deep"),
    ],
)
def test_a_text_that_is_not_a_lottery_is_refused(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        Lottery.parse(text)


def test_amounts_may_carry_a_dollar_sign():
    assert Lottery.parse("[1/2, $0; 1/2, -$12.50]").chances.keys() == {0, Fraction(-25, 2)}
