"""Stones that fall into a rack."""

import xml.etree.ElementTree as ET

import pytest

from zermelo.core.picture import Grid, Piece
from zermelo.core.referee import Referee
from zermelo.draw import board_svg, board_text
from zermelo.games import find

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"


def drawn(game, moves):
    return ET.fromstring(board_svg(find(game).picture(Referee.at(find(game), f"moves: {moves}").state)))


def circles(tree, style):
    return [one for one in tree.iter(f"{SVG}circle") if one.get("class") == style]


def test_a_rack_has_a_round_hole_for_every_cell_and_no_squares():
    tree = drawn("connect-four", "4 4")
    cells = [group for group in tree.iter(f"{SVG}g") if "cell" in group.get("class", "").split()]
    assert len(cells) == 42
    assert all(cell.find(f"{SVG}path").get("class") == "plain" for cell in cells)
    assert [rect.get("class") for rect in tree.iter(f"{SVG}rect") if rect.get("class")] == ["paper", "dark"]


def test_discs_have_the_colours_of_their_players_and_a_groove():
    tree = drawn("connect-four", "4 4 3")
    assert (len(circles(tree, "owner-0")), len(circles(tree, "owner-1"))) == (2, 1)
    assert [groove.get("stroke-width") for groove in circles(tree, "rim-0")] == ["1.5", "1.5"]


def test_the_winning_discs_have_thick_rings():
    tree = drawn("connect-four", "4 4 3 3 5 5 2")
    assert [ring.get("stroke-width") for ring in circles(tree, "rim-0")] == ["4"] * 4
    assert [ring.get("stroke-width") for ring in circles(tree, "rim-1")] == ["1.5"] * 3


def test_three_players_have_three_colours_and_their_signs():
    tree = drawn("trio", "1 1 1 2")
    assert [len(circles(tree, f"owner-{player}")) for player in range(3)] == [2, 1, 1]
    assert [text.text for text in tree.iter(f"{SVG}text")][:4] == ["T", "O", "X", "X"]


def test_a_shape_that_is_not_a_disc_gets_a_ring():
    tree = ET.fromstring(board_svg(Grid(1, 2, (Piece("X", 0, "cross"),) * 2, marked=(1,), falling=True)))
    assert len(circles(tree, "line best")) == 1
    assert circles(tree, "rim-0") == []


def test_in_the_terminal_a_rack_is_a_grid_and_its_description_too():
    grid = Grid(1, 2, (Piece("X", 0), None))
    rack = Grid(1, 2, (Piece("X", 0), None), falling=True)
    assert board_text(rack) == board_text(grid)
    assert ET.fromstring(board_svg(rack))[1].text == ET.fromstring(board_svg(grid))[1].text
