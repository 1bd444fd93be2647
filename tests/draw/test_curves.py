"""Curves on logarithmic axes."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from zermelo.draw.svg_curves import LINE, Curve, axis, curve_svg, power_text, spread

pytestmark = pytest.mark.plain


def test_a_power_law_is_a_straight_line():
    points = [(10.0**power, 10.0**-power) for power in range(5)]
    drawn = ET.fromstring(curve_svg([Curve("CFR", points)], "iterations", "exploitability"))
    paths = [one.get("d") for one in drawn.iter("{http://www.w3.org/2000/svg}path") if "best" in one.get("class")]
    places = [tuple(map(float, place.split())) for place in paths[0].removeprefix("M").split("L")]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(places)]
    assert slopes == pytest.approx([slopes[0]] * 4, rel=0.01)


def test_axes_end_at_powers_of_ten_around_the_values():
    assert axis([3, 700], 0, 100)[:2] == (0, 3)
    assert axis([1], 0, 100)[:2] == (0, 1)
    assert axis([0.0], 0, 100).at(0.0) == 0
    assert axis([], 0, 100)[:2] == (0, 1)


def test_the_description_says_where_the_curve_ends():
    drawn = curve_svg([Curve("CFR+", [(1, 1), (8, 0.25)]), Curve("CFR", [])], "iterations", "exploitability")
    assert "CFR+: exploitability 0.25 after 8 iterations; CFR: no points yet" in drawn


def test_several_curves_differ_and_their_names_stay_apart():
    curves = [Curve(name, [(1, 1), (100, 0.01 + 0.0001 * place)]) for place, name in enumerate(("CFR", "CFR+", "DCFR"))]
    drawn = ET.fromstring(curve_svg([*curves, Curve("LCFR", [])], "iterations", "exploitability"))
    names = {text.text: float(text.get("y")) for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    heights = sorted(names[curve.name] for curve in curves)
    assert all(two - one >= LINE - 0.1 for one, two in pairwise(heights))
    assert "LCFR" not in names
    dashes = [one.get("stroke-dasharray") for one in drawn.iter("{http://www.w3.org/2000/svg}path")]
    assert len({*dashes[-3:]}) == 3


def test_names_are_moved_no_further_than_needed():
    assert spread([50, 90], 0, 100) == [50, 90]
    assert spread([95, 95, 20], 0, 100) == [87, 100, 20]
    assert spread([-9, -9], 0, 100) == [0, 13]


@pytest.mark.parametrize(("power", "text"), [(0, "1"), (2, "100"), (3, "10³"), (-12, "10⁻¹²")])
def test_powers_are_written_short(power, text):
    assert power_text(power) == text
