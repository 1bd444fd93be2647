import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lecture_trees import HOSTILE

from zermelo.core.picture import Card, Hand, Hands
from zermelo.draw import board_svg, board_text
from zermelo.draw.svg_hands import describe_card

pytestmark = pytest.mark.plain

ANN = Hand("Ann", (None, None), 0, (("chips", 3),))
TABLE = Hand("table", (Card("10", "♥"), Card("K", "♠")), numbers=(("pot", 4),))
BOB = Hand("Bob", (Card("Q", "♦"),), 1, (("chips", 2), ("bet", 0.5)))
POKER = Hands((ANN, TABLE, BOB), turn=1, marked=(2,), caption="Bob to call")
SVG = "{http://www.w3.org/2000/svg}"


def drawn(hands):
    """The figure, its cells and their cards' edges."""
    tree = ET.fromstring(board_svg(hands))
    cells = [group for group in tree.iter(f"{SVG}g") if "cell" in group.get("class", "").split()]
    return tree, cells, [cell[0] for cell in cells]


def words(element):
    return [text.text for text in element.iter(f"{SVG}text")]


# -- text ------------------------------------------------------------------------------------------


def test_a_hand_is_a_line_with_its_cards_and_numbers_and_an_arrow_shows_whose_turn_it_is():
    assert board_text(POKER, last=(4,)).split("\n") == [
        "  Ann     ▒    ▒    chips 3",
        "  table [10♥]  K♠   pot 4",
        "▸ Bob    (Q♦)       chips 2   bet 0.5",
        "Bob to call",
    ]


def test_hands_have_their_owners_colours_and_the_last_move_is_underlined():
    coloured = board_text(POKER, color=True, last=(4,))
    assert "\x1b[36mAnn  \x1b[0m" in coloured
    assert "\x1b[4;33mQ♦\x1b[0m" in coloured
    assert "\x1b[1m[10♥]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == board_text(POKER)


def test_an_empty_hand_keeps_its_name():
    assert board_text(Hands((Hand("Ann", (), 0, (("chips", 1),)),))) == "  Ann   chips 1"
    assert board_text(Hands(())) == ""


# -- SVG -------------------------------------------------------------------------------------------


def test_cells_are_the_cards_hand_by_hand():
    _, cells, edges = drawn(POKER)
    assert [cell.get("data-cell") for cell in cells] == ["0", "1", "2", "3", "4"]
    assert [edge.get("class") for edge in edges] == ["marked", "marked", "plain", "plain", "plain"]
    rows = [float(edge.get("y")) for edge in edges]
    assert rows[0] == rows[1] < rows[2] == rows[3] < rows[4]


def test_a_face_down_card_shows_only_its_back():
    """There is nothing to tell: the picture has no card, only its back, the same for all."""
    _, (back, other, *_), _ = drawn(POKER)
    assert words(back) == []
    assert [part.get("d") for part in back.iter()] == [part.get("d") for part in other.iter()]


def test_hearts_and_diamonds_are_red_and_the_suit_is_a_shape():
    _, cells, _ = drawn(POKER)
    suits = [[path.get("class") for path in cell.iter(f"{SVG}path")] for cell in cells[2:]]
    assert suits == [["red"], ["ink"], ["red"]]
    assert [words(cell) for cell in cells[2:]] == [["10"], ["K"], ["Q"]]


def test_the_card_that_wins_has_the_accent():
    _, cells, _ = drawn(POKER)
    assert [len([part for part in cell if part.get("class") == "line best"]) for cell in cells] == [0, 0, 1, 0, 0]


def test_names_numbers_and_colours_stand_beside_the_hands_and_the_arrow_before_the_one_to_move():
    tree, _, edges = drawn(POKER)
    assert [text for text in words(tree) if text not in ("10", "K", "Q")] == [
        *("Ann", "chips 3", "table", "pot 4", "Bob", "chips 2", "bet 0.5", "Bob to call")
    ]
    dots = [(dot.get("class"), float(dot.get("cy"))) for dot in tree.iter(f"{SVG}circle")]
    assert [style for style, _ in dots] == ["owner-0", "owner-1"]
    arrow = [path for path in tree.iter(f"{SVG}path") if path.get("class") == "accented"]
    assert len(arrow) == 1
    assert float(arrow[0].get("d")[1:].split("l")[0].split()[1]) == pytest.approx(dots[1][1], abs=7)
    assert max(float(text.get("x")) for text in tree.iter(f"{SVG}text") if text.text == "bet 0.5") < min(
        float(edge.get("x")) for edge in edges
    )


def test_without_a_player_to_move_there_is_no_arrow():
    tree, _, _ = drawn(Hands((TABLE,)))
    assert not [path for path in tree.iter(f"{SVG}path") if path.get("class") == "accented"]


def test_the_fourteenth_card_begins_a_new_row():
    _, _, edges = drawn(Hands((Hand("all", (None,) * 14),)))
    assert len({edge.get("y") for edge in edges}) == 2
    assert edges[13].get("x") == edges[0].get("x")


def test_cards_do_not_overlap_and_are_as_wide_as_the_longest_words():
    _, _, edges = drawn(Hands((Hand("dominoes", (Card("double six"), Card("5-6"), None)),)))
    boxes = [(float(edge.get("x")), float(edge.get("width"))) for edge in edges]
    assert all(x + width < after for (x, width), (after, _) in itertools.pairwise(boxes))
    assert len({width for _, width in boxes}) == 1
    assert boxes[0][1] > 60


def test_the_description_says_who_holds_what():
    assert drawn(POKER)[0][1].text == (
        "Ann: a card face down, a card face down, chips 3; table: 10 of hearts, K of spades, pot 4; "
        "Bob, to move: Q of diamonds, chips 2, bet 0.5; marked: 10 of hearts"
    )
    assert drawn(Hands((Hand("West", (), 3),), turn=-1))[0][1].text == "West: nothing"


@pytest.mark.parametrize(
    ("card", "spoken"),
    [(None, "a card face down"), (Card("A", "♣"), "A of clubs"), (Card("5-6"), "5-6"), (Card("W", "★"), "W★")],
)
def test_cards_can_be_listened_to(card, spoken):
    assert describe_card(card) == spoken


DICE = Hands((Hand("Ann", (Card("5"), Card("8"))), Hand("Bob", (None,), 1)), dice=True)


def test_dice_have_dots_up_to_six_and_others_are_under_a_cup():
    tree, _, edges = drawn(DICE)
    assert all(edge.get("width") == edge.get("height") for edge in edges)
    dots = [one for one in tree.iter(f"{SVG}circle") if "ink" in one.get("class", "")]
    assert len(dots) == 5
    assert {"8", "?"} <= {text.text for text in tree.iter(f"{SVG}text")}
    assert tree[1].text == "Ann: die 5, die 8; Bob: a die under a cup"


@settings(deadline=None)
@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), min_size=4, max_size=4), st.integers(-2, 9))
def test_any_names_give_well_formed_svg_and_tame_text(names, owner):
    hand = Hand(names[0], (Card(names[1], names[2]), None), owner, ((names[3], 1),))
    hands = Hands((hand,), owner, marked=(0,), caption=names[3])
    ET.fromstring(board_svg(hands))
    assert "\x1b" not in board_text(hands)
