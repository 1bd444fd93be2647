"""The doubling cube lies in the middle while it has no owner, and then on its owner's side."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from zermelo.draw import board_svg
from zermelo.games.backgammon import Backgammon

SVG = "{http://www.w3.org/2000/svg}"


def cube_height(owner):
    game = Backgammon(cube=True)
    tree = ET.fromstring(board_svg(replace(game.picture(game.initial()), cube_owner=owner)))
    (cube,) = [group for group in tree.iter(f"{SVG}g") if group.findtext(f"{SVG}title") == "cube"]
    return float(cube.find(f"{SVG}rect").get("y"))


@pytest.mark.plain
def test_the_cube_is_drawn_on_its_owners_side_and_in_the_middle_without_an_owner():
    white, nobody, black = map(cube_height, (0, -1, 1))
    assert black < nobody < white
    assert white - nobody == nobody - black
