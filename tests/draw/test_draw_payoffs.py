"""Tables of payoffs, as text and as SVG."""

import xml.etree.ElementTree as ET

import pytest

from zermelo.core.picture import Table
from zermelo.draw import board_svg, board_text

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"
CHICKEN = Table(
    ("dare", "swerve"), ("dare", "swerve"), (("0,0", "7,2"), ("2,7", "6,6")), touches={"dare": (2,), "swerve": (3,)}
)


def cells(table):
    tree = ET.fromstring(board_svg(table))
    return {int(one.get("data-cell")): one.find(f"{SVG}rect") for one in tree.iter(f"{SVG}g") if one.get("data-cell")}


def test_a_table_has_names_beside_and_above_its_entries():
    assert board_text(CHICKEN) == "        dare  swerve\ndare     0,0     7,2\nswerve   2,7     6,6"


def test_an_outcome_is_marked():
    assert "[7,2]" in board_text(Table(CHICKEN.rows, CHICKEN.cols, CHICKEN.entries, marked=((0, 1),)))
    assert 'class="marked"' in board_svg(Table(CHICKEN.rows, CHICKEN.cols, CHICKEN.entries, marked=((0, 1),)))


def test_a_column_to_choose_covers_its_entries_and_other_names_only_themselves():
    found = cells(CHICKEN)
    assert sorted(found) == [0, 1, 2, 3]
    assert float(found[2].get("height")) == 3 * float(found[0].get("height"))
    assert float(found[0].get("width")) < float(found[2].get("height"))


def test_the_description_reads_row_by_row():
    described = ET.fromstring(board_svg(CHICKEN))[1].text
    assert described == "dare: dare 0,0, swerve 7,2; swerve: dare 2,7, swerve 6,6"
