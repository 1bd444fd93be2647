"""Curves on logarithmic axes."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from zermelo.draw.svg_curves import Curve, axis, curve_svg, power_text

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


@pytest.mark.parametrize(("power", "text"), [(0, "1"), (2, "100"), (3, "10³"), (-12, "10⁻¹²")])
def test_powers_are_written_short(power, text):
    assert power_text(power) == text
