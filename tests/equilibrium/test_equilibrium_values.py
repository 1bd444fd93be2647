"""Values from the literature, as fractions."""

from fractions import Fraction

import pytest

from zermelo.equilibrium import nash_conv, programme, solve
from zermelo.equilibrium.flatten import flatten
from zermelo.games import find

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
VALUES = {
    "kuhn": Fraction(-1, 18),
    "leduc": LEDUC,
    "liars-dice:faces=3,wild=none": Fraction(-1, 9),
    "liars-dice:faces=4": Fraction(1, 16),
    "liars-dice:dice=2-1,faces=3,wild=ones": Fraction(1, 3),
}
LONG_VALUES = {
    "liars-dice:faces=4,wild=none": Fraction(-1, 8),
    "liars-dice:faces=5,wild=none": Fraction(-3, 25),
    "liars-dice:faces=2,wild=ones": Fraction(1),
    "liars-dice:faces=3,wild=ones": Fraction(1, 3),
    "liars-dice:faces=4,wild=ones": Fraction(0),
    "liars-dice:dice=2-1,faces=3,wild=none": Fraction(1, 9),
    "liars-dice:faces=6,wild=none": Fraction(-1, 9),
    "liars-dice:faces=5,wild=ones": Fraction(0),
    "liars-dice:faces=6,wild=ones": Fraction(-7, 327),
    "liars-dice:faces=5": Fraction(1, 125),
    "liars-dice": Fraction(-7, 258),
    "liars-dice:dice=2-1,faces=4,wild=none": Fraction(345, 1696),
    "liars-dice:dice=2-1,faces=4,wild=ones": Fraction(1, 4),
}


@pytest.mark.parametrize(
    ("spec", "value"),
    [*VALUES.items(), *(pytest.param(*item, marks=pytest.mark.long) for item in LONG_VALUES.items())],
)
def test_the_value_is_the_known_fraction(spec, value):
    """Kuhn 1950; Lanctot et al. 2017 (12 digits of Leduc); github.com/thomasahle/snyd for dice without highest wild."""
    found = solve(spec, "lp")
    assert (found.value, found.kind) == (value, "exact")
    assert found.exploitability < 1e-12


@pytest.mark.parametrize("spec", ["leduc", "liars-dice:faces=3,wild=none", "liars-dice:dice=2-1,faces=3,wild=ones"])
def test_the_interior_point_method_finds_the_same_fraction(spec, monkeypatch):
    """It takes over when the simplex method has made as many pivots as it may."""
    monkeypatch.setattr(programme, "PATIENCE", 0)
    found = solve(spec, "lp")
    assert (found.value, found.kind) == (VALUES[spec], "exact")


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("liars-dice:dice=2-1,faces=5,wild=none", Fraction(2128, 8375)),
        ("liars-dice:dice=2-1,faces=5,wild=ones", Fraction(34, 125)),
    ],
)
def test_regret_minimisation_comes_close_where_the_programme_is_too_large(spec, value):
    """github.com/thomasahle/snyd; 327,680 information sets."""
    found = solve(spec, "dcfr", to=1e-3)
    assert found.value[0] == pytest.approx(float(value), abs=2 * found.exploitability)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("kuhn", 11 / 12),
        ("kuhn:players=3", 2.0625),
        ("leduc", 4.747222222222222),
        ("leduc:ranks=4,players=3", 12.611221340388003),
        ("liars-dice", 1.561488646384479),
    ],
)
def test_the_nash_conv_of_the_uniform_strategy(spec, expected):
    """OpenSpiel, exploitability_test.py and game playthroughs."""
    assert nash_conv(spec) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("spec", "histories", "ends", "sets"),
    [("kuhn", 58, 30, 12), ("leduc", 9457, 5520, 936), ("liars-dice", 294_883, 147_420, 24_576)],
)
def test_the_numbers_of_histories_ends_and_information_sets(spec, histories, ends, sets):
    form = flatten(find(spec))
    assert (form.histories, form.ends, form.sets) == (histories, ends, sets)
