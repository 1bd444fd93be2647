"""Every axiom is broken by some preference, and none by the maximisation of expected utility."""

from fractions import Fraction
from itertools import product

import pytest
from drawn_lotteries import lotteries, spoken
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.choice import (
    AXIOMS,
    ByScore,
    ByUtility,
    Exponential,
    Lottery,
    Preference,
    Sqrt,
    Square,
    Stated,
    Statement,
    Table,
    Violation,
    continuity,
    expected_value,
    mix,
    monotonicity,
    orderability,
    substitutability,
    transitivity,
    violations,
)
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain

CAUTIOUS = ByScore(lambda lottery: min(lottery.chances))
"""Looks at the worst case only."""


def test_the_axioms_are_five_in_the_order_of_the_lecture():
    names = [axiom.__name__ for axiom in AXIOMS]
    assert names == ["orderability", "transitivity", "continuity", "substitutability", "monotonicity"]


@pytest.mark.parametrize(
    ("axiom", "preference", "prospects", "text"),
    [
        (orderability, Stated("A > B", "A > C"), (), "neither B > C nor B ~ C nor B < C"),
        (orderability, Stated("A > B", "B > A"), (), "A < B and A > B are held at once"),
        (orderability, Stated("A > B", "A ~ B"), (), "A > B and A ~ B are held at once"),
        (orderability, Stated("A > A"), (), "A > A, but a thing is as good as itself"),
        (transitivity, Stated("A > B > C > A"), (), "A > B > C > A goes round in a circle"),
        (transitivity, Stated("A ~ B ~ C", "C > A"), (), "A ~ B ~ C > A goes round in a circle"),
        (continuity, CAUTIOUS, (0, 1, 2), "2 > 1 > 0, yet [p, 2; 1-p, 0] is worse than 1 for every p below 1"),
        (
            continuity,
            ByScore(lambda lottery: max(lottery.chances)),
            (0, 1, 2),
            "2 > 1 > 0, yet [p, 2; 1-p, 0] is better than 1 for every p above 0",
        ),
        (
            continuity,
            ByScore(lambda lottery: -5 if lottery.chances.get("death", 0) > Fraction(1, 20) else len(lottery.chances)),
            ("death", "home", mix("1/2", "home", "sea")),
            "[1/2, home; 1/2, sea] > home > death, yet [p, [1/2, home; 1/2, sea]; 1-p, death] "
            "is worse than home below p = 19/20 and better above, but never as good",
        ),
        (
            substitutability,
            Stated("A ~ B", "[1/2, A; 1/2, C] > [1/2, B; 1/2, C]"),
            (),
            "A ~ B, yet [1/2, A; 1/2, C] > [1/2, B; 1/2, C], though both are A against B but for a part that is shared",
        ),
        (
            monotonicity,
            Stated("A > B", "[1/3, A; 2/3, B] > [2/3, A; 1/3, B]"),
            (),
            "A > B, yet [2/3, A; 1/3, B] < [1/3, A; 2/3, B], though the left side gives A with 2/3, the right with 1/3",
        ),
        (
            monotonicity,
            ByScore(lambda lottery: expected_value(lottery) if len(lottery.chances) == 1 else -1),
            (0, 1),
            "1 > 0, yet [1/4, 1; 3/4, 0] < 0, though the left side gives 1 with 1/4, the right with 0",
        ),
    ],
    ids=lambda part: part.__name__ if callable(part) else None,
)
def test_each_axiom_is_broken_by_an_example(axiom, preference, prospects, text):
    found = axiom(preference, prospects)
    assert found == Violation(axiom.__name__, found.held, text)
    assert str(found) == f"{axiom.__name__}: {text}"
    assert all(sign in preference.signs(left, right) for left, sign, right in found.held)
    assert found in violations(preference, prospects)


def test_answers_that_depend_on_the_order_of_the_question_break_orderability():
    class Polite(Preference):
        """Takes what is named first, unless both are the same."""

        def compare(self, left, right):
            return "~" if left == right else ">"

    assert orderability(Polite(), ["A", "B"]).text == "A < B and A > B are held at once"


def test_allais_paradox_breaks_substitutability():
    """Allais 1953: most take the sure million, and yet the better chance of five."""
    people = Stated("$1 > [0.89, $1; 0.10, $5; 0.01, $0]", "[0.10, $5; 0.90, $0] > [0.11, $1; 0.89, $0]")
    found = substitutability(people)
    assert found.held == (people.statements[0], people.statements[1].mirrored())
    assert "both are 1 against [10/11, 5; 1/11, 0]" in found.text
    assert transitivity(people) is continuity(people) is monotonicity(people) is None


def test_people_who_overweight_small_chances_break_substitutability_only():
    """Rank-dependent weights, at their median estimate 0.61 [Tversky & Kahneman 1992], keep order and monotonicity."""

    def weight(chance):
        up, down = float(chance) ** 0.61, float(1 - chance) ** 0.61
        return up / (up + down) ** (1 / 0.61)

    def score(lottery):
        worth, at_least = 0.0, Fraction(0)
        for amount, chance in sorted(lottery.chances.items(), reverse=True):
            worth += (weight(at_least + chance) - weight(at_least)) * amount
            at_least += chance
        return worth

    found = violations(ByScore(score), [0, 5, 10, mix("1/2", 10, 0)])
    assert [each.axiom for each in found] == ["substitutability"]
    assert "5 > [1/2, 10; 1/2, 0], yet" in found[0].text


def test_silence_breaks_orderability_only():
    assert [found.axiom for found in violations(Stated("A > B", "C > D"))] == ["orderability"]


@pytest.mark.parametrize("utility", [Sqrt(), Square(), Exponential(0.01), lambda x: -x], ids=spoken)
def test_maximisers_of_expected_utility_obey_all_axioms(utility):
    prospects = [0, 1, 4, 49, Lottery(("1/3", 0), ("2/3", 100)), Lottery(("1/7", 1), ("6/7", 50))]
    assert violations(ByUtility(utility), prospects) == []


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.fractions(-10, 10, max_denominator=10**6), min_size=3, max_size=3),
    st.lists(lotteries(["A", "B", "C"]), min_size=2, max_size=3),
)
def test_exact_utilities_obey_all_axioms(utilities, prospects):
    table = Table(dict(zip("ABC", utilities, strict=True)))
    assert violations(ByUtility(table), [*prospects, "A", "C"]) == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from("ABCD")] * 2, st.sampled_from(">~")), max_size=7))
def test_a_circle_is_found_exactly_where_no_order_fits(drawn):
    """Against trying all weak orders of four things."""
    stated = Stated(*(Statement(left, sign, right) for left, right, sign in drawn), "A ~ A")
    levels = (dict(zip("ABCD", heights, strict=True)) for heights in product(range(4), repeat=4))
    fits = any(
        all(at[s.left] > at[s.right] if s.sign == ">" else at[s.left] == at[s.right] for s in stated.statements)
        for at in levels
    )
    assert (transitivity(stated) is None) == fits


def test_a_violation_prints_as_it_is_written():
    found = transitivity(Stated("A > B > C > A"))
    assert eval(repr(found)) == found


def test_nothing_to_check_is_refused():
    with pytest.raises(UsageError, match="nothing to check"):
        transitivity(ByUtility(Sqrt()))
