import re
import xml.etree.ElementTree as ET

import pytest

from zermelo.core.picture import Grid, Piece
from zermelo.draw import board_svg, board_text
from zermelo.draw.mazes import GHOSTS, joints
from zermelo.games import find
from zermelo.games.pacman import PacMan

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"


def maze(*rows, cells=None, **more):
    letters = "".join(rows)
    empty = (None,) * len(letters)
    walls = tuple(cell for cell, letter in enumerate(letters) if letter == "%")
    return Grid(len(rows), len(rows[0]), cells or empty, walls=walls, **more)


# -- the terminal ------------------------------------------------------------------------------------------


def test_walls_are_lines_that_meet():
    text = board_text(maze("%%%%%", "%   %", "%%% %", "% % %", "%%%%%"))
    assert text == "╭───────╮\n│       │\n├───╮   │\n│   │   │\n╰───┴───╯"


def test_a_thick_wall_is_an_outline():
    text = board_text(maze("%%%%%%%", "%     %", "% %%% %", "% %%% %", "% %%% %", "%     %", "%%%%%%%"))
    assert text == (
        "╭───────────╮\n│           │\n│   ╭───╮   │\n│   │   │   │\n│   ╰───╯   │\n│           │\n╰───────────╯"
    )


def test_a_wall_alone_is_a_post_and_two_are_a_bar():
    rows = board_text(maze("%%%%%%%", "%     %", "% % %%%", "%     %", "%%%%%%%")).split("\n")
    assert rows[2] == "│   □   ╶───┤"


def test_pacman_looks_where_it_goes_and_ghosts_have_colours():
    game = find("pacman:layout=tiny")
    state = game.result(game.initial(), game.parse_action(game.initial(), "East"))
    plain, coloured = (board_text(game.picture(state), colour) for colour in (False, True))
    assert "│   < ·     · ╷ · │" in plain
    assert "\x1b[1;33m<\x1b[0m" in coloured
    assert "\x1b[1;31mG\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).replace(" \n", "\n") == plain


def test_scared_ghosts_look_otherwise_and_the_caption_says_for_how_long():
    game = find("pacman:layout=tiny")
    rows = game.format_state(game.initial()).partition(" ")[0].replace("o", "_")
    picture = game.picture(game.parse_state(f"{rows} P1,1- S8,4- fright=12 score=0 round=0 turn=P"))
    assert "\x1b[97;44mg\x1b[0m" in board_text(picture, True)
    assert board_text(picture).endswith("score 0, ghosts scared for 12 rounds")


# -- SVG ---------------------------------------------------------------------------------------------------


def test_every_open_cell_can_be_clicked_and_no_wall_can():
    picture = PacMan().picture(PacMan().initial())
    cells = [
        int(part.get("data-cell"))
        for part in ET.fromstring(board_svg(picture)).iter(f"{SVG}g")
        if part.get("data-cell")
    ]
    assert sorted([*cells, *picture.walls]) == list(range(len(picture.cells)))


def test_all_characters_are_drawn_and_named():
    picture = PacMan("large").picture(PacMan("large").initial())
    tree = ET.fromstring(board_svg(picture))
    titles = [title.text for title in tree.iter(f"{SVG}title")]
    assert {"pacman east", "food", "capsule", *GHOSTS} <= set(titles)
    fills = {part.get("fill") for part in tree.iter(f"{SVG}path")}
    assert set(GHOSTS.values()) <= fills


def test_those_who_listen_hear_who_stands_where():
    picture = find("pacman:layout=tiny").picture(find("pacman:layout=tiny").initial())
    described = ET.fromstring(board_svg(picture)).find(f"{SVG}desc").text
    assert described == "food: 19; ghost 1: row 2 column 9; capsule: row 4 column 4; pacman east: row 5 column 2"


def test_a_piece_of_another_game_is_a_disc_with_its_letter():
    svg = board_svg(maze("%%%", "% %", "%%%", cells=(*(None,) * 4, Piece("R", 0, "robot"), *(None,) * 4)))
    assert ">R</text>" in svg


@pytest.mark.parametrize(("way", "angle"), [("north", 270), ("east", 0), ("south", 90), ("west", 180)])
def test_the_mouth_is_turned(way, angle):
    svg = board_svg(maze("%%%", "% %", "%%%", cells=(*(None,) * 4, Piece("<", 0, f"pacman {way}"), *(None,) * 4)))
    assert f'transform="rotate({angle})"' in svg


def test_a_caught_pacman_leaves_a_mark():
    picture = maze("%%%", "% %", "%%%", cells=(*(None,) * 4, Piece("G", 1, "ghost 1"), *(None,) * 4), marked=(4,))
    assert "\x1b[7mG\x1b[0m" in board_text(picture, True)
    assert board_svg(picture).count("<circle") == 1 + 4  # the mark, and the ghost's eyes


def test_walls_are_joined_both_ways():
    grid = PacMan("large").picture(PacMan("large").initial())
    found = joints(grid)
    for cell, joint in found.items():
        for there, step, back in ((1, -grid.cols, 4), (2, 1, 8), (4, grid.cols, 1), (8, -1, 2)):
            if joint & there:
                assert found[cell + step] & back
