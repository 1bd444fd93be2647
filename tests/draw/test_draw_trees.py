import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lecture_trees import alpha_beta, cut, end, expectimax, three_agents, trees, uniform

from zermelo.core.errors import UsageError
from zermelo.draw import tree_svg, tree_text
from zermelo.draw.selection import principal_line, select
from zermelo.draw.svg_trees import place_spots
from zermelo.games.tree import Tree
from zermelo.textbook import trace
from zermelo.textbook.trace import Node

pytestmark = pytest.mark.plain


def parsed(svg):
    return ET.fromstring(svg)


def groups(tree, style):
    found = tree.iter("{http://www.w3.org/2000/svg}g")
    return [group for group in found if style in group.get("class", "").split()]


def kinds(tree):
    return [group.get("data-kind") for group in groups(tree, "node")]


def words(element):
    return [text.text for text in element.iter("{http://www.w3.org/2000/svg}text")]


def hidden_in(text):
    return sum(int(count.replace(",", "")) for count in re.findall(r"(?m)[└┄ ]\+([\d,]+) more$", text))


# -- golden text figures ---------------------------------------------------------------------------


def test_the_alpha_beta_lecture_as_text():
    assert tree_text(alpha_beta()) == (
        "▲ 3  [−∞, ∞]\n"
        "┝━ a1 ▼ 3  [−∞, ∞]\n"
        "│  ┝━ b1 □ 3  [−∞, ∞]\n"
        "│  ├─ b2 □ 12  [−∞, 3]\n"
        "│  └─ b3 □ 8  [−∞, 3]\n"
        "├─ a2 ▼ ≤ 2  [3, ∞]\n"
        "│  ├─ c1 □ 2  [3, ∞]\n"
        "│  ├╌ c2 ✂ 2 ≤ α = 3\n"
        "│  └╌ c3 ✂ 2 ≤ α = 3\n"
        "└─ a3 ▼ ≤ 2  [3, ∞]\n"
        "   ├─ d1 □ 14  [3, ∞]\n"
        "   ├─ d2 □ 5  [3, 14]\n"
        "   └─ d3 □ 2  [3, 5]\n"
        "\n"
        "value 3, line a1 b1; 11 nodes, 2 branches cut"
    )


def test_the_expectimax_lecture_as_text():
    assert tree_text(expectimax()) == (
        "▲ 8\n"
        "┝━ left ● 8\n"
        "│  ├─ 1 (1/3) □ 3\n"
        "│  ├─ 2 (1/3) □ 12\n"
        "│  └─ 3 (1/3) □ 9\n"
        "├─ middle ● 4\n"
        "│  ├─ 1 (1/3) □ 2\n"
        "│  ├─ 2 (1/3) □ 4\n"
        "│  └─ 3 (1/3) □ 6\n"
        "└─ right ● 7\n"
        "   ├─ 1 (1/3) □ 15\n"
        "   ├─ 2 (1/3) □ 6\n"
        "   └─ 3 (1/3) □ 0\n"
        "\n"
        "value 8, line left; 13 nodes"
    )


def test_the_three_agent_lecture_as_text_names_the_players():
    rows = tree_text(three_agents()).split("\n")
    assert rows[:5] == [
        "▲ P1 (5, 2, 5)",
        "├─ l ▲ P2 (1, 6, 6)",
        "│  ├─ l ▲ P3 (1, 6, 6)",
        "│  │  ├─ l □ (1, 6, 6)",
        "│  │  └─ r □ (7, 1, 2)",
    ]
    assert rows[-1] == "value (5, 2, 5), line r r r; 15 nodes"


def test_a_horizon_is_not_a_terminal_node():
    tree = Node(None, "max", 0, value=0.3, value_kind="estimate")
    tree.children = [Node(None, "horizon", 1, "e4", value=0.3, value_kind="estimate"), end(-1, "d4")]
    assert tree_text(tree).split("\n")[:3] == ["▲ ~ 0.3", "┝━ e4 ◇ ~ 0.3", "└─ d4 □ −1"]
    shapes = {group.get("data-kind"): group[0].get("class") for group in groups(parsed(tree_svg(tree)), "node")}
    assert "dashed" in shapes["horizon"].split()
    assert "dashed" not in shapes["terminal"].split()


def test_a_bound_of_an_estimate_is_shown_as_one():
    """The depth ends before -50 is seen: of the second move only a bound of an estimate is known."""
    tree = Tree("max(min(max@3(0) max@12(0)) min(max@2(0) max@-50(0)))")
    text = tree_text(trace("alphabeta", tree, depth=2))
    assert "≤ ~2" in text
    assert "≤ ~3" not in text


def test_hidden_nodes_are_counted_where_they_are_hidden():
    """4 of 1 + 3 + 9 + 27: the principal line to its end, nothing else."""
    assert tree_text(uniform(3, 3), most=4) == (
        "▲ 0\n"
        "┝━ 0 ▼ 0\n"
        "│  ┝━ 0 ▲ 0\n"
        "│  │  ┝━ 0 □ 0\n"
        "│  │  └┄ +2 more\n"
        "│  └┄ +8 more\n"
        "└┄ +26 more\n"
        "\n"
        "value 0, line 0 0 0; 40 nodes; 4 of 40 drawn"
    )


def test_large_counts_have_commas():
    assert "+1,499 more" in tree_text(Node(None, "max", 0, value=0, children=[end(0) for _ in range(1500)]), most=2)


def test_long_names_are_clipped_and_lines_fit_in_80_columns():
    tree = Node(None, "max", 0, value=1, children=[end(1, "m" * 200), cut("x", "r" * 200)])
    assert max(map(len, tree_text(tree).split("\n"))) == 80
    assert tree_text(tree).count("…") == 2


# -- the principal line ----------------------------------------------------------------------------


def test_the_principal_line_follows_the_value_and_ends_at_dice():
    assert [node.move for node in principal_line(alpha_beta())] == ["", "a1", "b1"]
    assert [node.move for node in principal_line(expectimax())] == ["", "left"]
    assert [node.move for node in principal_line(three_agents())] == ["", "r", "r", "r"]


def test_the_first_of_equal_moves_is_the_principal_one():
    """A later move with the same value is only proved to be at most as good."""
    assert [node.move for node in principal_line(uniform(3, 2))] == ["", "0", "0"]


def test_the_principal_line_has_the_accent():
    tree = parsed(tree_svg(alpha_beta()))
    assert [words(group)[0] for group in groups(tree, "on-line")] == ["3", "3", "3"]
    accented = [edge for edge in groups(tree, "edge") if "best" in edge[0].get("class").split()]
    assert [words(edge) for edge in accented] == [["a1"], ["b1"]]


# -- SVG -------------------------------------------------------------------------------------------


def test_the_alpha_beta_lecture_as_svg():
    tree = parsed(tree_svg(alpha_beta()))
    assert kinds(tree) == ["max", *["min"] * 3, *["terminal"] * 4, "cut", "cut", *["terminal"] * 3]
    assert [words(group) for group in groups(tree, "node")][:4] == [
        ["3", "[−∞, ∞]"],
        ["3", "[−∞, ∞]"],
        ["≤ 2", "[3, ∞]"],
        ["≤ 2", "[3, ∞]"],
    ]
    severed = groups(tree, "severed")
    assert [words(edge) for edge in severed] == [["c2"], ["c3"]]
    assert all(len([stroke for stroke in edge if "slash" in stroke.get("class")]) == 2 for edge in severed)
    assert [words(group) for group in groups(tree, "node") if group.get("data-kind") == "cut"] == [["2 ≤ α = 3"]] * 2
    assert tree[1].text == "value 3, line a1 b1; 11 nodes, 2 branches cut"


def test_triangles_point_up_for_max_and_down_for_min():
    for kind, apex in (("max", 0), ("min", 42)):
        shape = groups(parsed(tree_svg(Node(None, kind, 0, value=1))), "node")[0][0]
        corners = re.findall(r"M(\S+) (\S+?)[LH]|L(\S+) (\S+?)[HZ]", shape.get("d"))
        tip = [float(y) for x, y, u, v in corners for x, y in ((x, y), (u, v)) if x == "0"]
        assert tip == [apex]


def test_chance_nodes_are_round_and_their_edges_carry_the_probability():
    tree = parsed(tree_svg(expectimax()))
    round_ones = [group[0].tag for group in groups(tree, "node") if group.get("data-kind") == "chance"]
    assert [tag.rpartition("}")[2] for tag in round_ones] == ["ellipse"] * 3
    assert [words(edge) for edge in groups(tree, "edge")][3:6] == [["1 · 1/3"], ["2 · 1/3"], ["3 · 1/3"]]


def test_levels_are_named_by_kind_or_by_player_where_several_do_the_same():
    assert words(parsed(tree_svg(alpha_beta())))[:2] == ["MAX", "MIN"]
    assert words(parsed(tree_svg(expectimax())))[:2] == ["MAX", "CHANCE"]
    assert words(parsed(tree_svg(three_agents())))[:3] == ["PLAYER 1", "PLAYER 2", "PLAYER 3"]


def test_players_are_named_at_the_nodes_of_a_mixed_level():
    tree = three_agents()
    tree.children[0].player = 2
    figure = parsed(tree_svg(tree))
    assert [words(group) for group in groups(figure, "node")][1:3] == [["(1, 6, 6)", "P3"], ["(5, 2, 5)", "P2"]]


def test_an_unfinished_node_is_worth_a_question_mark():
    assert words(groups(parsed(tree_svg(Node(None, "max", 0))), "node")[0]) == ["?"]


@pytest.mark.parametrize("draw", [tree_text, tree_svg])
def test_a_tree_of_no_nodes_is_refused(draw):
    with pytest.raises(UsageError, match="ask for 1 or more"):
        draw(alpha_beta(), most=0)


def test_a_very_deep_tree_is_drawn():
    root = node = Node(None, "max", 0, value=1)
    for _ in range(3000):
        node.children = [Node(None, "max", 0, value=1)]
        node = node.children[0]
    assert tree_text(root, most=50).count("▲") == 50
    assert "+2,951 more" in words(parsed(tree_svg(root, most=50)))


def test_a_level_that_does_not_fit_is_shared_fairly():
    """1 + 4 nodes and 6 of the 16 below: one for each parent, and a second for the first two (or the line's)."""
    branches = select(uniform(4, 2), most=11)
    assert [len(branch.children) for branch in branches[1:5]] == [2, 2, 1, 1]
    assert [branch.hidden for branch in branches[1:5]] == [2, 2, 3, 3]


def test_the_figure_in_the_manual_is_what_the_program_draws():
    figure = Path(__file__).parents[2] / "docs" / "draw" / "alpha-beta.svg"
    assert figure.read_text(encoding="utf-8") == tree_svg(trace("alphabeta", Tree())) + "\n"


# -- properties ------------------------------------------------------------------------------------


def size(node):
    return 1 + sum(map(size, node.children))


@settings(deadline=None)
@given(trees, st.integers(1, 60))
def test_drawn_and_hidden_nodes_are_all_nodes(tree, most):
    branches = select(tree, most)
    assert len(branches) == min(most, size(tree))
    assert len(branches) + sum(branch.hidden for branch in branches) == size(tree)
    assert hidden_in(tree_text(tree, most)) == size(tree) - len(branches)


@settings(deadline=None)
@given(trees, st.integers(1, 60))
def test_every_chosen_node_is_in_the_svg_and_every_hidden_one_counted(tree, most):
    text = tree_svg(tree, most)
    figure = parsed(text)
    drawn = [kind for kind in kinds(figure) if kind != "hidden"]
    assert sorted(drawn) == sorted(branch.node.kind for branch in select(tree, most))
    stubs = [words(group)[0] for group in groups(figure, "node") if group.get("data-kind") == "hidden"]
    assert len(drawn) + sum(int(re.sub(r"\D", "", stub)) for stub in stubs) == size(tree)
    assert len(groups(figure, "severed")) == sum(kind == "cut" for kind in drawn[1:])
    assert tree_svg(tree, most) == text


@settings(deadline=None)
@given(trees, st.integers(1, 60))
def test_no_two_things_in_a_figure_overlap(tree, most):
    spots, _ = place_spots(select(tree, most))
    for one, other in itertools.combinations(spots, 2):
        if one.y == other.y:
            first, second = sorted((one, other), key=lambda spot: spot.x)
            assert first.x + first.extent[1] < second.x - second.extent[0]
        else:
            upper, lower = sorted((one, other), key=lambda spot: spot.y)
            assert upper.y + upper.height + upper.below < lower.y


@settings(deadline=None)
@given(trees)
def test_edge_labels_stay_apart(tree):
    """They stand a little way up the edge; those of one level are at one height where parents have one foot."""
    figure = parsed(tree_svg(tree))
    boxes = []
    for edge in groups(figure, "edge"):
        ground = next((part for part in edge if part.get("class") == "paper"), None)
        if ground is not None:
            x, y, width, height = (float(ground.get(key)) for key in ("x", "y", "width", "height"))
            boxes.append((x, y, x + width, y + height))
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
