"""Trees of games with hidden information: the nodes that a player cannot tell apart are joined."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from zermelo.draw import tree_svg, tree_text
from zermelo.games import find
from zermelo.inside.game_trees import game_tree

pytestmark = pytest.mark.plain
SVG = "{http://www.w3.org/2000/svg}"


def tree_of(spec, depth=None):
    game = find(spec)
    return game_tree(game, game.initial(), depth)


def test_kuhn_has_twelve_sets_of_two_nodes_each():
    sets = {}
    for node in tree_of("kuhn").nodes():
        if node.information_set is not None:
            sets.setdefault(node.information_set, []).append(node)
    assert len(sets) == 12
    assert {len(nodes) for nodes in sets.values()} == {2}
    assert all(len({node.view for node in nodes}) == 1 for nodes in sets.values())


def test_a_dotted_line_joins_each_set_and_no_two_of_a_lane_overlap():
    drawn = ET.fromstring(tree_svg(tree_of("kuhn")))
    groups = [one for one in drawn.iter(f"{SVG}g") if one.get("class") == "information-set"]
    assert len(groups) == 12
    assert {one.find(f"{SVG}title").text for one in groups} >= {"information set: Q check", "information set: K -"}
    spans = {}
    for one in groups:
        start, _, _, low, *_, end, _ = map(float, re.findall(r"-?[\d.]+", one.find(f"{SVG}path").get("d")))
        spans.setdefault(low, []).append((start, end))
    for each in spans.values():
        assert all(left[1] <= right[0] for left, right in pairwise(sorted(each)))


def test_the_terminal_names_what_the_player_sees():
    text = tree_text(tree_of("kuhn"))
    assert "check ▼  {Q check}" in text
    assert text.endswith("58 nodes, 12 information sets")


def test_ends_have_the_first_players_payoff_and_many_players_a_tuple():
    assert {node.value for node in tree_of("kuhn").leaves()} == {-2, -1, 1, 2}
    values = [node.value for node in tree_of("kuhn:players=3").leaves()]
    assert all(len(value) == 3 and sum(value) == 0 for value in values)


def test_a_depth_leaves_open_what_is_below():
    leaves = tree_of("leduc", depth=3).leaves()
    assert {node.kind for node in leaves} == {"horizon"}
    assert all(node.view for node in leaves)
