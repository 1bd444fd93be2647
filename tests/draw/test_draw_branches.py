"""A game tree as a board."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.picture import Branches, TreeNode
from zermelo.core.referee import Referee
from zermelo.draw import board_svg, board_text, last_cells
from zermelo.draw.selection import MOST_ON_A_BOARD, around
from zermelo.draw.svg_branches import drawn_cells, node_name
from zermelo.games.tree import Tree

pytestmark = pytest.mark.plain

LECTURE = Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")
DICE = Tree("max(left:chance(1/3:<1,2> 2/3:<3,0>) A=p2@<1,1>(<0,0> <2,2>))")
SVG = "{http://www.w3.org/2000/svg}"


def at(game, position):
    return game.picture(game.parse_state(position))


def figure(picture):
    return ET.fromstring(board_svg(picture))


def cells(tree):
    return {int(group.get("data-cell")): group for group in tree.iter(f"{SVG}g") if group.get("data-cell")}


def words(element):
    return [text.text for text in element.iter(f"{SVG}text")]


def deep(branching, depth):
    """A uniform tree, level by level; min and max in turn."""
    nodes, level = [TreeNode("max", player=0)], [0]
    for ply in range(1, depth + 1):
        above, level = level, []
        for parent in above:
            for move in range(branching):
                level.append(len(nodes))
                end = {"kind": "end", "value": float(move)}
                inner = {"kind": ("max", "min")[ply % 2], "player": ply % 2}
                nodes.append(TreeNode(parent=parent, move="abcdefghij"[move], **(end if ply == depth else inner)))
    return tuple(nodes)


# -- text ------------------------------------------------------------------------------------------


def test_the_terminal_shows_the_way_in_heavy_lines_and_where_the_game_is():
    assert board_text(at(LECTURE, "b")).split("\n") == [
        "▲",
        "├─ a ▼",
        "│  ├─ a □ 3",
        "│  ├─ b □ 12",
        "│  └─ c □ 8",
        "┝━ b ▼  ◂ here",
        "│  ├─ a □ 2",
        "│  ├─ b □ 4",
        "│  └─ c □ 6",
        "└─ c ▼",
        "   ├─ a □ 14",
        "   ├─ b □ 5",
        "   └─ c □ 2",
        "b",
    ]


def test_dice_have_their_chances_players_their_numbers_and_estimates_a_sign():
    assert board_text(at(DICE, "left")).split("\n")[:-1] == [
        "▲ P1",
        "┝━ left ●  ◂ here",
        "│  ├─ a (1/3) □ (1, 2)",
        "│  └─ b (2/3) □ (3, 0)",
        "└─ b ▲ P2 ~ (1, 1)",
        "   ├─ a □ (0, 0)",
        "   └─ b □ (2, 2)",
    ]


def test_a_board_does_not_give_the_solution_away():
    """Inner nodes are blank: what they are worth is what the player has to find out."""
    assert [row for row in board_text(at(LECTURE, "root")).split("\n") if "▼" in row] == ["├─ a ▼", "├─ b ▼", "└─ c ▼"]


# -- SVG -------------------------------------------------------------------------------------------


def test_every_node_is_a_cell_and_a_move_touches_the_node_it_leads_to():
    picture = at(LECTURE, "root")
    assert set(cells(figure(picture))) == set(range(13))
    assert picture.touches == {"a": (1,), "b": (2,), "c": (3,)}
    assert at(LECTURE, "b").touches == {"a": (7,), "b": (8,), "c": (9,)}
    assert at(LECTURE, "b.a").touches == {}


def test_the_last_move_is_where_the_game_is():
    referee = Referee.at(LECTURE, "moves: b c")
    assert last_cells(referee) == (referee.state,) == (LECTURE.picture(referee.state).at,)


def test_kinds_have_the_shapes_of_the_textbook():
    kinds = {cell: group.find(f"{SVG}g") for cell, group in cells(figure(at(DICE, "root"))).items()}
    assert [kinds[cell].get("data-kind") for cell in range(4)] == ["max", "chance", "max", "terminal"]
    assert [kinds[cell][0].tag.removeprefix(SVG) for cell in range(4)] == ["path", "ellipse", "path", "rect"]
    assert "a · 1/3" in words(figure(at(DICE, "root")))


def test_a_cell_has_a_box_around_its_node_that_can_be_touched():
    """The page measures the first part of a cell, which has to be where the cell is drawn."""
    for group in cells(figure(at(LECTURE, "root"))).values():
        box, node = group
        x, y = map(float, node.get("transform").removeprefix("translate(").rstrip(")").split())
        assert float(box.get("x")) < x < float(box.get("x")) + float(box.get("width"))
        assert float(box.get("y")) < y < float(box.get("y")) + float(box.get("height"))


def test_the_way_has_the_accent_and_only_the_node_where_the_game_is_has_its_ground():
    found = cells(figure(at(LECTURE, "b.a")))
    shapes = {cell: group.find(f"{SVG}g")[0].get("class").split() for cell, group in found.items()}
    assert [cell for cell, style in shapes.items() if "best" in style] == [0, 2, 7]
    assert [cell for cell, style in shapes.items() if "here" in style] == [7]


def test_at_the_start_the_figure_marks_nothing_and_has_no_caption():
    """It is the figure of an exercise: nothing has been played and nothing is solved."""
    picture = at(LECTURE, "root")
    found = cells(figure(picture))
    styles = {style for group in found.values() for style in group.find(f"{SVG}g")[0].get("class").split()}
    assert not styles & {"best", "here"}
    assert picture.caption == ""
    assert at(LECTURE, "b.a").caption == "b.a"


def test_a_wide_figure_fits_a_narrow_notebook():
    style = figure(at(LECTURE, "root")).find(f"{SVG}style").text
    assert "max-width: 100%; height: auto" in style


def test_the_description_names_the_current_node_and_its_branches():
    assert figure(at(LECTURE, "root"))[1].text == (
        "at the root, max moves; branches: a to min moves, b to min moves, c to min moves"
    )
    assert figure(at(LECTURE, "b.a"))[1].text == "at b.a, the end, 2"
    assert figure(at(DICE, "left"))[1].text == (
        "at left, chance decides; branches: a with chance 1/3 to the end, (1, 2), b with chance 2/3 to the end, (3, 0)"
    )


def test_nodes_are_called_by_the_way_to_them():
    picture = at(DICE, "root")
    assert [node_name(picture, cell) for cell in (0, 1, 2, 6)] == [
        "the root, max moves",
        "left, chance decides",
        "b, player 2 moves",
        "b.b, the end, (2, 2)",
    ]


# -- large trees -----------------------------------------------------------------------------------


def test_a_large_tree_shows_the_way_here_and_what_can_come_next():
    """3^6 ends. Three moves down there are 1 + 3 + 9 + 27 nodes below."""
    nodes = deep(3, 6)
    here = next(cell for cell, node in enumerate(nodes) if nodes[nodes[node.parent].parent].parent == 0)
    picture = Branches(nodes, here)
    shown = drawn_cells(picture)
    assert len(nodes) == 1093
    assert len(shown) <= MOST_ON_A_BOARD
    way = [here]
    while nodes[way[-1]].parent >= 0:
        way.append(nodes[way[-1]].parent)
    below = {cell for cell, node in enumerate(nodes) if node.parent == here}
    assert shown >= {*way, *below}
    rest = [text for text in words(figure(picture)) if text.endswith(" more")]
    assert len(shown) + sum(int(text.strip("+ more").replace(",", "")) for text in rest) == len(nodes)


def test_levels_are_shown_whole():
    depths = [branch.depth for branch in around(Branches(deep(4, 4)), MOST_ON_A_BOARD)]
    assert [depths.count(depth) for depth in range(4)] == [1, 4, 16, 0]


def test_next_moves_are_shown_as_far_as_there_is_room():
    nodes = (TreeNode("max", player=0), *(TreeNode("end", 0, str(move), value=0.0) for move in range(500)))
    assert len(drawn_cells(Branches(nodes))) == MOST_ON_A_BOARD
    assert "+461 more" in board_text(Branches(nodes))


def test_a_long_way_is_shown_in_full():
    nodes = (TreeNode("max", player=0), *(TreeNode("max", k, "a", player=0) for k in range(99)))
    assert len(drawn_cells(Branches(nodes, 99))) == 100


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=150), st.integers(0, 10**6))
def test_drawn_and_counted_nodes_are_all_nodes(parents, here):
    nodes = [TreeNode("max", player=0)]
    nodes += [TreeNode("max", parent % number, str(number), player=0) for number, parent in enumerate(parents, 1)]
    branches = around(Branches(tuple(nodes), here % len(nodes)), MOST_ON_A_BOARD)
    assert len(branches) + sum(branch.hidden for branch in branches) == len(nodes)
    assert [branch.node.state for branch in branches if branch.is_here] == [here % len(nodes)]


@pytest.mark.parametrize("game", [LECTURE, DICE], ids=["lecture", "dice"])
def test_the_nodes_are_the_same_in_every_position(game):
    """So that cells keep their numbers while the game walks."""
    assert len({game.picture(state).nodes for state in range(len(game.nodes))}) == 1
