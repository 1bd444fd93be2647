from math import inf, nan

import pytest

from zermelo.core.numerals import error_text, number_text
from zermelo.draw.numerals import chance_text, count_text, value_text, window_text

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1"),
        (3.0, "3"),
        (0.5, "0.5"),
        (1 / 3, "0.333"),
        (-8, "−8"),
        (-1.25, "−1.25"),
        (-0.0, "0"),
        (inf, "∞"),
        (-inf, "−∞"),
        (nan, "?"),
        (0.1 + 0.2, "0.3"),
        (2.9999999999999996, "3"),
        (-1e-17, "0"),
        (10**15, "1000000000000000"),
        (1234567.89, "1234568"),
        (-1e-300, "−1e−300"),
        (1e308, "1e+308"),
    ],
)
def test_numbers_are_short_and_plain(number, text):
    assert number_text(number) == text


@pytest.mark.parametrize(("number", "text"), [(0.99999, "0.99999"), (0.0001, "0.0001"), (-1.00002, "−1.00002")])
def test_a_number_that_is_nearly_whole_does_not_look_whole(number, text):
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("kind", "text"), [("exact", "0.25"), ("lower", "≥ 0.25"), ("upper", "≤ 0.25"), ("estimate", "~ 0.25")]
)
def test_the_sign_shows_what_a_value_proves(kind, text):
    assert value_text(0.25, kind) == text


def test_values_for_many_players_are_tuples():
    assert value_text((5, 2, 0.5)) == "(5, 2, 0.5)"
    assert value_text((5, 2, 5), "lower") == "≥ (5, 2, 5)"
    assert value_text((8,)) == "8"
    assert value_text(None) == "?"


def test_windows_have_infinite_ends():
    assert window_text((-inf, inf)) == "[−∞, ∞]"
    assert window_text((1 / 3, 14)) == "[0.333, 14]"


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.5, "0.5"), (0.25, "0.25"), (1 / 3, "1/3"), (1 / 36, "1/36"), (1 / 18, "1/18"), (0.123456, "0.123"), (1, "1")],
)
def test_chances_are_fractions_where_decimals_do_not_end(probability, text):
    assert chance_text(probability) == text


def test_counts_have_commas():
    assert count_text(1234) == "1,234"


@pytest.mark.parametrize(
    ("error", "text"), [(1.11e-12, "1.2e-12"), (0.5, "5e-1"), (9.91e-13, "1e-12"), (0.25, "2.5e-1"), (5e-324, "5e-324")]
)
def test_errors_are_rounded_up(error, text):
    assert error_text(error) == text
    assert float(text) >= error
