import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lecture_trees import HOSTILE

from zermelo.core.picture import Grid, Panel, Piece, Piles, Text
from zermelo.core.referee import Referee
from zermelo.draw import board_svg, board_text, last_cells
from zermelo.games.hexapawn import Hexapawn

pytestmark = pytest.mark.plain

X, O = Piece("X", 0, "cross"), Piece("O", 1, "ring")  # noqa: E741 - the game's own letters
WON = Grid(
    3, 3, (X, O, X, None, X, O, O, None, X), ("3", "2", "1"), ("a", "b", "c"), marked=(0, 4, 8), caption="X has won"
)
HEAPS = Piles((3, 0, 45), ("A", "B", "C"), caption="nim")
SCORES = Panel((("you", 42), ("they", 99.5), ("turn", -3)), goal=100)
WORDS = Text("root <&>\n  left")
PICTURES = [WON, HEAPS, SCORES, WORDS]


def parsed(svg):
    return ET.fromstring(svg)


def all_of(tree, name, style=""):
    found = tree.iter(f"{{http://www.w3.org/2000/svg}}{name}")
    return [one for one in found if style in one.get("class", "").split() or not style]


# -- text ------------------------------------------------------------------------------------------


def test_a_grid_has_labels_a_frame_and_brackets_round_the_winning_cells():
    assert board_text(WON) == (
        "  ┌─────────┐\n3 │[X] O  X │\n2 │ · [X] O │\n1 │ O  · [X]│\n  └─────────┘\n    a  b  c\nX has won"
    )


def test_hexapawn_looks_like_its_rule_book():
    game = Hexapawn()
    assert board_text(game.picture(game.initial())) == (
        "  ┌─────────┐\n3 │ p  p  p │\n2 │ ·  ·  · │\n1 │ P  P  P │\n  └─────────┘\n    a  b  c"
    )


def test_the_last_move_is_in_round_brackets_or_underlined():
    referee = Referee.at(Hexapawn(), "moves: b1b2")
    picture, last = Hexapawn().picture(referee.state), last_cells(referee)
    plain = board_text(picture, last=last).split("\n")
    assert plain[1:4] == ["3 │ p  p  p │", "2 │ · (P) · │", "1 │ P (·) P │"]
    coloured = board_text(picture, True, last)
    assert "│ ·  \x1b[4;36mP\x1b[0m  · │" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == board_text(picture)


def test_a_winning_line_is_more_than_a_last_move():
    assert board_text(WON, last=(8,)) == board_text(WON)


def test_before_the_first_move_there_is_no_last_move():
    assert last_cells(Referee(Hexapawn())) == ()
    for picture in (HEAPS, SCORES, WORDS):
        assert board_text(picture, last=(0,)) == board_text(picture)


def test_empty_cells_show_their_names_and_cells_without_one_are_blank():
    named = Grid(2, 2, (X, None, None, None), names=("", "1", "12", ""))
    assert board_text(named) == "┌────────┐\n│ X   1  │\n│ 12     │\n└────────┘"
    assert "\x1b[2m 12 \x1b[0m" in board_text(named, color=True)


def test_a_board_without_labels_is_only_its_frame():
    assert board_text(Grid(1, 2, (X, None))) == "┌──────┐\n│ X  · │\n└──────┘"


def test_columns_are_as_wide_as_their_labels():
    rows = board_text(Grid(1, 2, (X, O), col_labels=("left", "right"))).split("\n")
    assert rows[1].index("X") == pytest.approx(rows[3].index("left") + 1.5, abs=1)
    assert rows[1].index("O") == pytest.approx(rows[3].index("right") + 2, abs=1)
    assert len(rows[0]) == len(rows[1]) == len(rows[2])


def test_piles_are_counters_and_a_number():
    assert board_text(HEAPS) == f"A  ●●●  3\nB  0\nC  {'●' * 40}…  45\nnim"


def test_panels_have_bars_that_end_at_their_goal():
    bars = [row.split()[1] for row in board_text(SCORES).split("\n")]
    assert [bar.count("█") for bar in bars] == [13, 30, 0]
    assert {len(bar) for bar in bars} == {30}


def test_panels_without_a_goal_have_no_bars():
    assert board_text(Panel((("pot", 7), ("stack", 12.5)))) == "pot       7\nstack  12.5"


def test_words_stay_words():
    assert board_text(WORDS) == "root <&>\n  left"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: type(picture).__name__)
def test_colours_are_used_only_on_request(picture):
    plain, coloured = board_text(picture), board_text(picture, color=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_each_player_has_a_colour_and_marked_cells_are_bold():
    coloured = board_text(WON, color=True)
    assert "\x1b[1;36m[X]\x1b[0m" in coloured
    assert "\x1b[36m X \x1b[0m" in coloured
    assert "\x1b[33m O \x1b[0m" in coloured


def test_a_name_cannot_write_escape_sequences_to_the_terminal():
    assert "\x1b" not in board_text(Text("\x1b[2Jgone", caption="\x1b[31m"))


# -- SVG -------------------------------------------------------------------------------------------


def test_an_svg_grid_has_a_square_for_each_cell_a_shape_for_each_piece_and_all_labels():
    tree = parsed(board_svg(WON))
    assert len(all_of(tree, "g", "cell")) == 9
    assert len(all_of(tree, "path", "owner-0")) == 4
    assert len(all_of(tree, "circle", "owner-1")) == 3
    assert len(all_of(tree, "rect", "marked")) == len(all_of(tree, "rect", "best")) == 3
    words = [text.text for text in all_of(tree, "text")]
    assert words == ["3", "2", "1", "a", "b", "c", "X has won"]


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("stone", "circle"),
        ("pawn", "path"),
        ("triangle", "path"),
        ("knight", "path"),
        ("queen", "path"),
        ("man", "circle"),
    ],
)
def test_known_names_have_their_own_shape(name, shape):
    tree = parsed(board_svg(Grid(1, 1, (Piece("?", 0, name),))))
    assert len(all_of(tree, shape, "owner-0")) == 1
    assert all_of(tree, "text") == []


def test_an_unknown_name_is_a_disc_with_its_symbol():
    tree = parsed(board_svg(Grid(1, 1, (Piece("E", 1, "elephant"),))))
    assert len(all_of(tree, "circle", "owner-1")) == 1
    assert [text.text for text in all_of(tree, "text")] == ["E"]


def test_six_players_have_six_looks():
    """Nobody's piece and a seventh player's are grey."""
    looks = []
    for owner in range(-1, 7):
        tree = parsed(board_svg(Grid(1, 1, (Piece("s", owner),))))
        looks.append(all_of(tree, "circle")[0].get("class"))
    assert len(set(looks)) == 7
    assert looks[0] == looks[-1]


def test_a_board_of_lines_has_crossings_and_stars():
    grid = Grid(2, 3, (None,) * 6, on_lines=True, stars=(4,))
    assert "│ ·  +  · │" in board_text(grid)
    tree = parsed(board_svg(grid))
    paths = [path.get("d") for path in all_of(tree, "path", "line")]
    assert paths == ["M38 38H134M38 86H134M38 38V86M86 38V86M134 38V86"]
    assert [(dot.get("cx"), dot.get("cy")) for dot in all_of(tree, "circle")] == [("86", "86")]


def test_a_chequered_board_has_a_dark_corner_at_the_lower_left():
    """As on a chess board."""
    tree = parsed(board_svg(Grid(2, 2, (None,) * 4, chequered=True)))
    squares = [cell[0].get("class") for cell in all_of(tree, "g", "cell")]
    assert squares == ["light", "dark", "dark", "light"]


def test_svg_piles_have_a_disc_for_each_counter_up_to_thirty():
    tree = parsed(board_svg(HEAPS))
    assert [len(all_of(pile, "circle")) for pile in all_of(tree, "g", "pile")] == [3, 0, 30]
    assert "… 45" in [text.text for text in all_of(tree, "text")]


def test_svg_bars_are_as_long_as_their_share():
    tree = parsed(board_svg(SCORES))
    full = float(all_of(tree, "rect", "light")[0].get("width"))
    lengths = [float(bar.get("width")) / full for bar in all_of(tree, "rect", "owner-0")]
    assert lengths == pytest.approx([0.42, 0.995, 0], abs=0.001)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: type(picture).__name__)
def test_an_svg_stands_alone_and_can_be_listened_to(picture):
    text = board_svg(picture)
    tree = parsed(text)
    assert tree.get("role") == "img"
    assert tree[0].tag.endswith("title")
    assert tree[0].text
    assert tree[1].tag.endswith("desc")
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"<script|<image|href|url\(|@import", text)
    assert board_svg(picture) == text


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: type(picture).__name__)
def test_an_svg_has_its_colours_without_a_style_sheet_too(picture):
    """Some programs read only attributes, and fill everything else with black."""
    tree = parsed(board_svg(picture))
    for one in all_of(tree, "rect") + all_of(tree, "circle") + all_of(tree, "text"):
        assert one.get("fill"), one.attrib
    for one in all_of(tree, "text"):
        assert one.get("text-anchor")


def test_the_description_of_a_board_says_who_stands_where():
    described = parsed(board_svg(WON))[1].text
    assert described == "row 3: X, O, X; row 2: empty, X, O; row 1: O, empty, X; marked: a3, b2, c1"


@settings(deadline=None)
@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), min_size=4, max_size=4), st.integers(-2, 9))
def test_any_names_give_well_formed_svg(names, owner):
    piece = Piece(names[0][:1] or "s", owner, names[1])
    parsed(board_svg(Grid(1, 2, (piece, None), (names[2],), (names[3], names[0]), marked=(1,), caption=names[1])))
    parsed(board_svg(Piles((1, 2), (names[0], names[1]), caption=names[2])))
    parsed(board_svg(Panel(((names[0], 1.5), (names[1], -2)), caption=names[2])))
    parsed(board_svg(Text(names[0], caption=names[2])))


MANCALA = Grid(
    2,
    4,
    tuple(
        Piece(str(seeds), owner, name) if seeds or name == "store" else None
        for seeds, owner, name in [
            *[(5, 1, "store"), (1, 1, "seeds"), (0, 1, "seeds"), (0, -1, "")],
            *[(0, -1, ""), (3, 0, "seeds"), (4, 0, "seeds"), (0, 0, "store")],
        ]
    ),
    ("North", "South"),
    ("", "B/a", "A/b", ""),
)


def test_a_mancala_board_has_round_pits_between_two_long_stores():
    tree = parsed(board_svg(MANCALA))
    cells = {one.get("data-cell"): one for one in all_of(tree, "g") if one.get("data-cell")}
    assert set(cells) == {"0", "1", "2", "5", "6", "7"}  # what is beside a store belongs to it
    assert all_of(cells["0"], "rect")[0].get("height") == all_of(cells["7"], "rect")[0].get("height")
    seeds = {number: len(all_of(cell, "circle")) - (number in "1256") for number, cell in cells.items()}
    assert seeds == {"0": 5, "1": 1, "2": 0, "5": 3, "6": 4, "7": 0}
    counts = {number: [one.text for one in all_of(cell, "text")] for number, cell in cells.items()}
    assert counts == {"0": ["5"], "1": ["1"], "2": [], "5": ["3"], "6": ["4"], "7": ["0"]}


def test_two_rows_of_pits_without_stores_are_squares():
    seeds = Piece("3", 0, "seeds")
    assert "<circle" in board_svg(Grid(2, 3, (seeds,) * 6))
    assert len(all_of(parsed(board_svg(Grid(2, 3, (seeds,) * 6))), "rect")) > 6


@pytest.mark.parametrize("seeds", [0, 1, 6, 48])
def test_a_pit_shows_its_seeds_and_their_number(seeds):
    svg = board_svg(Grid(1, 1, (Piece(str(seeds), 0, "seeds"),)))
    assert svg.count("<circle") == seeds
    assert f">{seeds}</text>" in svg
