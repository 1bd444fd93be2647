import xml.etree.ElementTree as ET

import pytest

from zermelo.core.picture import Piece, Points
from zermelo.draw import board_svg, board_text

pytestmark = pytest.mark.plain

TRIANGLE = Points(
    ((0.0, 0.0), (-0.5, 1.0), (0.5, 1.0), (-1.0, 2.0), (0.0, 2.0), (1.0, 2.0)),
    (Piece("1", 0, "peg"), None, Piece("2", 5, "peg"), None, None, Piece("x", -1, "peg")),
    links=((0, 1), (0, 2)),
    labels=((-2.75, 2.0, "a1"),),
    marked=(3,),
    caption="a triangle",
)


def test_points_stand_where_they_are_and_marks_and_the_last_move_have_brackets():
    assert board_text(TRIANGLE, last=(1,)).split("\n") == [
        "        1",
        "      (·)2",
        "  a1 [·]· x",
        "a triangle",
    ]


def test_six_players_have_six_colours_in_the_terminal():
    board = Points(tuple((float(k), 0.0) for k in range(6)), tuple(Piece(str(k + 1), k) for k in range(6)))
    codes = board_text(board, color=True).split("\x1b[")[1::2]
    assert len({code.partition("m")[0] for code in codes}) == 6


def test_the_last_move_is_underlined_where_there_is_colour():
    assert "\x1b[4;31m2\x1b[0m" in board_text(TRIANGLE, color=True, last=(2,))


def test_every_point_is_a_cell_of_the_svg_and_every_peg_has_its_colour():
    tree = ET.fromstring(board_svg(TRIANGLE))
    cells = tree.findall(".//*[@data-cell]")
    assert [cell.get("data-cell") for cell in cells] == ["0", "1", "2", "3", "4", "5"]
    circles = [circle.get("class") for circle in tree.iter("{http://www.w3.org/2000/svg}circle")]
    assert [look for look in circles if "owner" in look] == ["owner-0 peg", "owner-5 peg", "owner-x peg"]
    assert [t.text for t in tree.iter("{http://www.w3.org/2000/svg}text")] == ["1", "2", "x", "a1", "a triangle"]


def test_a_board_without_points_is_drawn_too():
    assert board_text(Points((), ())) == ""
    assert ET.fromstring(board_svg(Points((), ()))) is not None


def test_tiles_are_coloured_by_their_number():
    board = Points(((0.0, 0.0),), (Piece("8", 0, "tile-8"),))
    assert "\x1b[33m8\x1b[0m" in board_text(board, color=True)
