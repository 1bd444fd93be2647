"""The board of backgammon, as a person sees it."""

from xml.etree import ElementTree

import pytest

from zermelo.core.referee import Referee
from zermelo.draw import board_text, last_cells
from zermelo.draw.svg_boards import board_svg
from zermelo.games.backgammon import Backgammon

pytestmark = pytest.mark.plain

RACE = "XGID=ca--FBBB----------------B-:1:-1:1:63:0:0:0:0:10"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_terminal_shows_stacks_bar_dice_cube_and_pips():
    game = Backgammon(cube=True)
    assert board_text(game.picture(game.parse_state(RACE))) == "\n".join(
        (
            " 13 14 15 16 17 18      19 20 21 22 23 24",
            "┌──────────────────┬───┬──────────────────┐",
            "│ ·  ·  ·  ·  ·  · │   │ ·  ·  ·  ·  ·  X │  O Black",
            "│                  │   │                X │  99 pips",
            "│                  │   │                  │  11 off",
            "│                  │   │                  │",
            "│                  │   │                  │",
            "│                  │   │     [6] [3]      │  cube 2 O",
            "│                  │ O │       6          │",
            "│                  │ O │       X          │",
            "│                  │ O │       X          │  X White",
            "│                X │   │ X  X  X          │  108 pips",
            "│ ·  ·  ·  ·  ·  X │   │ X  X  X  ·  ·  O │  1 off",
            "└──────────────────┴───┴──────────────────┘",
            " 12 11 10  9  8  7       6  5  4  3  2  1",
            "White to play",
        )
    )


def test_the_last_play_is_marked_at_its_points():
    referee = Referee.at(Backgammon(), "moves: 31 8/5+6/5")
    lower = board_text(referee.game.picture(referee.state), last=last_cells(referee)).splitlines()[-2]
    assert lower.split() == ["12", "11", "10", "9", "8<", "7", "6<", "5<", "4", "3", "2", "1"]


def test_black_counts_from_the_other_end():
    referee = Referee.at(Backgammon(), "moves: 13 8/5+6/5")
    assert last_cells(referee) == (16, 19, 18, 19)


def test_captions_show_the_player_to_move():
    game = Backgammon(cube=True, match=3)
    referee = Referee(game)
    told = [game.caption(referee.state)]
    for move in ("31", "8/5+6/5", "double", "pass"):
        referee.play_text(move)
        told.append(game.caption(referee.state))
    assert told == [
        "each side rolls a die to begin",
        "White to play",
        "Black to roll or double",
        "Black doubles; White takes or passes",
        "each side rolls a die to begin",
    ]


def test_the_svg_has_every_checker_and_every_cell():
    game = Backgammon(cube=True)
    picture = game.picture(game.parse_state(RACE))
    root = ElementTree.fromstring(board_svg(picture))
    cells = [int(part.get("data-cell")) for part in root.iter(f"{SVG}g") if part.get("data-cell")]
    assert sorted(cells) == list(range(picture.cells))
    by_owner = [sum(part.get("class") == f"owner-{owner}" for part in root.iter(f"{SVG}circle")) for owner in (0, 1)]
    assert by_owner == [14 - 1, 4]  # the sixth checker on a point is told by a number
    titles = [part.text for part in root.iter(f"{SVG}title")]
    assert {"6", "3", "cube"} <= set(titles)
