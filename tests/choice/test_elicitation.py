"""Utilities are found where there are any, and disproved where there are none."""

from fractions import Fraction

import pytest
from drawn_lotteries import lotteries
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from zermelo.choice import (
    ByUtility,
    Contradiction,
    Lottery,
    Sqrt,
    Stated,
    Statement,
    Table,
    ask_person,
    elicit,
    expected_utility,
    standard_gamble,
)
from zermelo.choice.linear_programme import maximise
from zermelo.core.errors import UsageError

pytestmark = pytest.mark.plain


def test_an_indifference_fixes_the_utility():
    assert elicit(Stated("A > B > C", "B ~ [1/4, A; 3/4, C]")) == {"A": 1, "B": Fraction(1, 4), "C": 0}


def test_a_bare_ranking_gives_equal_steps():
    assert elicit(Stated("A > B > C > D")) == {"A": 1, "B": Fraction(2, 3), "C": Fraction(1, 3), "D": 0}


def test_equally_good_outcomes_share_a_utility():
    assert elicit(Stated("pizza ~ pasta", "pasta > soup")) == {"pizza": 1, "pasta": 1, "soup": 0}


def test_indifferences_among_lotteries_are_solved_together():
    """B = (A + C) / 2 and C = (B + D) / 2, with A = 1 and D = 0."""
    found = elicit(Stated("A > D", "B ~ [1/2, A; 1/2, C]", "[1/2, B; 1/2, D] ~ C"))
    assert found == {"A": 1, "B": Fraction(2, 3), "C": Fraction(1, 3), "D": 0}


def test_a_circle_is_a_contradiction():
    found = elicit(Stated("A > B > C > A", "A > D"))
    assert found.statements == (Statement("A", ">", "B"), Statement("B", ">", "C"), Statement("C", ">", "A"))
    assert found.chances == (Fraction(1, 3),) * 3
    assert str(found).startswith("A > B, B > C and C > A cannot all hold: drawn with chances 1/3, 1/3 and 1/3")
    assert eval(repr(found)) == found


def test_a_thing_better_than_itself_is_a_contradiction():
    assert str(elicit(Stated("A > B", "B > B"))) == "B > B cannot hold: B would be better than itself"


def test_allais_preferences_have_no_utility():
    """Allais 1953."""
    people = Stated("$1 > [0.89, $1; 0.10, $5; 0.01, $0]", "[0.10, $5; 0.90, $0] > [0.11, $1; 0.89, $0]")
    assert isinstance(elicit(people), Contradiction)
    assert isinstance(elicit(Stated(people.statements[0])), Table)
    assert isinstance(elicit(Stated(people.statements[1])), Table)


def test_two_prices_for_the_same_thing_are_a_contradiction():
    found = elicit(Stated("A > B > C", "B ~ [1/4, A; 3/4, C]", "B ~ [1/2, A; 1/2, C]"))
    assert {statement.sign for statement in found.statements} == {">", "~"}


statements = st.tuples(lotteries(list("ABCD"), 1), st.sampled_from(">~<"), lotteries(list("ABCD"), 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(statements, min_size=1, max_size=7))
def test_the_answer_carries_its_own_proof(drawn):
    """A table agrees with every statement; a contradiction gives the same lottery from both sides, and is least."""
    stated = Stated(*(Statement(*each) for each in drawn))
    assume(any(each.sign != "~" for each in stated.statements))
    found = elicit(stated)
    if isinstance(found, Table):
        assert all(ByUtility(found).compare(left, right) == sign for left, sign, right in stated.statements)
        assert (max(found.values()), min(found.values())) == (1, 0)
        return
    left, right = (
        Lottery(*((chance, side(said)) for chance, said in zip(found.chances, found.statements, strict=True)))
        for side in (lambda said: said.left, lambda said: said.right)
    )
    assert left.reduced() == right.reduced() == found.lottery
    assert all(chance > 0 for chance in found.chances)
    assert {said.sign for said in found.statements} <= {">", "~"}
    assert any(said.sign == ">" for said in found.statements)
    assert {*found.statements} <= {turned for said in stated.statements for turned in (said, said.mirrored())}
    for spared in found.statements:
        rest = [said for said in found.statements if said != spared]
        if any(said.sign == ">" for said in rest):
            assert isinstance(elicit(Stated(*rest)), Table)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.fractions(0, 1, max_denominator=50), min_size=4, max_size=4),
    st.lists(st.tuples(*[lotteries(list("ABCD"), 1)] * 2), max_size=6),
)
def test_preferences_that_maximise_a_utility_are_never_contradicted(utilities, pairs):
    person = ByUtility(Table(dict(zip("ABCD", utilities, strict=True))))
    said = [Statement(left, person.compare(left, right), right) for left, right in [*pairs, ("A", "B"), ("C", "D")]]
    assume(any(each.sign != "~" for each in said))
    assert isinstance(elicit(Stated(*said)), Table)


def test_without_a_strict_preference_there_is_no_scale():
    with pytest.raises(UsageError, match="no scale"):
        elicit(Stated("A ~ B"))


# -- the standard gamble ---------------------------------------------------------------------------


def test_the_standard_gamble_finds_the_utility_behind_the_answers():
    asked = []

    def person(left, right):
        asked.append((left, right))
        return ByUtility(Sqrt()).compare(left, right)

    found = standard_gamble([100, 1000, 0, 250, 810], person)
    assert list(found) == [1000, 810, 250, 100, 0]
    for amount, utility in found.items():
        assert float(utility) == pytest.approx((amount / 1000) ** 0.5, abs=1 / 2000)
    assert found[250] == Fraction(1, 2)
    assert len(asked) < 40


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from("ABCDEF"), st.fractions(0, 1, max_denominator=20), min_size=2))
def test_the_standard_gamble_keeps_ties_and_never_turns_an_order(utilities):
    assume(len(set(utilities.values())) > 1)
    person = ByUtility(Table(utilities))
    found = standard_gamble(utilities, person.compare, precision="1/100")
    low, high = min(utilities.values()), max(utilities.values())
    for outcome, utility in utilities.items():
        assert abs(found[outcome] - (utility - low) / (high - low)) <= Fraction(1, 200)
    assert all(found[a] >= found[b] for a in found for b in found if person.compare(a, b) == ">")
    assert all(found[a] == found[b] for a in found for b in found if person.compare(a, b) == "~")


def test_a_person_answers_at_the_terminal(monkeypatch, capsys):
    answers = iter(["2", "1", "=", "what?", "1", "="])
    questions = []

    def answered(question):
        questions.append(question)
        return next(answers)

    monkeypatch.setattr("builtins.input", answered)
    signs = [ask_person("tea", Lottery(("1/2", "coffee"), ("1/2", "milk"))) for _ in range(3)]
    assert signs == ["<", ">", "~"]
    assert "1  tea" in questions[0]
    assert "2  [1/2, coffee; 1/2, milk]" in questions[0]
    assert ask_person("tea", "milk") == ">"
    assert "1, 2 or =" in capsys.readouterr().out


def test_the_end_of_the_input_is_an_error_with_a_remedy(monkeypatch):
    def gone(_question):
        raise EOFError

    monkeypatch.setattr("builtins.input", gone)
    with pytest.raises(UsageError, match="answer each with 1, 2 or ="):
        ask_person("tea", "milk")


def test_the_standard_gamble_refuses_what_gives_no_scale():
    with pytest.raises(UsageError, match="two outcomes"):
        standard_gamble(["A"], lambda _left, _right: "~")
    with pytest.raises(UsageError, match="two outcomes"):
        standard_gamble(["A", "B"], lambda _left, _right: "~")
    with pytest.raises(UsageError, match="must be '>', '~' or '<'"):
        standard_gamble(["A", "B"], lambda _left, _right: None)
    with pytest.raises(UsageError, match="between 0 and 1"):
        standard_gamble(["A", "B"], lambda _left, _right: ">", precision=0)


# -- the linear programme underneath ---------------------------------------------------------------


def test_a_linear_programme_with_its_prices():
    """max 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6), prices 0, 3/2, 1 [Hillier & Lieberman]."""
    best, prices = maximise([3, 5], [[1, 0], [0, 2], [3, 2]], [4, 12, 18])
    assert best == [2, 6]
    assert prices == [0, Fraction(3, 2), 1]


def test_a_programme_that_cycles_without_care_ends():
    """Beale 1955: the largest-coefficient rule goes round for ever; the optimum is 1/20."""
    goal = [Fraction(3, 4), -150, Fraction(1, 50), -6]
    rows = [[Fraction(1, 4), -60, Fraction(-1, 25), 9], [Fraction(1, 2), -90, Fraction(-1, 50), 3], [0, 0, 1, 0]]
    best, _ = maximise(goal, rows, [0, 0, 1])
    assert sum(c * x for c, x in zip(goal, best, strict=True)) == Fraction(1, 20)


numbers = st.integers(-5, 5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=4), st.tuples(numbers, numbers, numbers), st.data())
def test_prices_prove_the_optimum(rows, goal, data):
    """Weak duality: any x and y with equal values are both optimal [Dantzig 1963]."""
    rows = [*rows, (1, 1, 1)]
    limits = [data.draw(st.integers(0, 9)) for _ in rows]
    best, prices = maximise(goal, rows, limits)
    assert all(x >= 0 for x in best)
    assert all(y >= 0 for y in prices)
    assert all(sum(a * x for a, x in zip(row, best, strict=True)) <= b for row, b in zip(rows, limits, strict=True))
    assert all(sum(row[j] * y for row, y in zip(rows, prices, strict=True)) >= goal[j] for j in range(3))
    value = sum(c * x for c, x in zip(goal, best, strict=True))
    assert value == sum(b * y for b, y in zip(limits, prices, strict=True))


def test_the_elicited_utility_explains_choices_never_asked_about():
    found = elicit(Stated("car > bike > bus", "bike ~ [0.6, car; 0.4, bus]"))
    assert expected_utility(Lottery(("1/2", "car"), ("1/2", "bus")), found) < found["bike"]
