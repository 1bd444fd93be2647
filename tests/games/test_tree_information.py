"""Trees with information sets: views, worlds, pictures; and Gambit's files."""

import pickle
import random
import re
from collections import Counter
from fractions import Fraction

import pytest

from zermelo.core.errors import RulesError, UsageError
from zermelo.core.referee import Referee
from zermelo.draw import board_svg, board_text
from zermelo.equilibrium import solve
from zermelo.equilibrium.flatten import flatten
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.kernel import U64
from zermelo.testing import assert_conformant

pytestmark = pytest.mark.plain

PENNIES = "tree:max(H:min{h}(H:1 T:-1) T:min{h}(H:-1 T:1))"
POKER = "tree:chance(K:1/3:max(bet:min{h}(call:2 fold:1) check:1) Q:2/3:max(bet:min{h}(call:-2 fold:1) check:-1))"
THREE = "tree:p1{a}(x:p2{b}(l:<1,2,3> r:<0,0,0>) y:p2{b}(l:p3{c}(<1,1,1> <2,2,2>) r:p3{c}(<3,1,1> <0,2,2>)))"


@pytest.mark.parametrize("spec", [PENNIES, POKER, THREE])
def test_a_tree_with_information_sets_keeps_the_contract(spec):
    assert_conformant(find(spec), games=4, seconds=3)


def test_a_player_cannot_tell_the_nodes_of_a_set_apart():
    tree = find(PENNIES)
    states = [tree.parse_state(path) for path in ("H", "T")]
    views = [tree.view(state, 1) for state in states]
    assert views[0] == views[1]
    assert tree.view(states[0], 0) != tree.view(states[1], 0)
    assert [tree.format_view(views[0], 1), tree.format_view(tree.view(states[1], 0), 0)] == ["h", "T after root"]
    pictures = [tree.view_picture(view, 1) for view in views]
    assert pictures[0].at == 0
    assert set(pictures[0].touches) == {"H", "T"}
    for draw in (board_text, board_svg):
        assert draw(pictures[0]) == draw(pictures[1]) != draw(tree.picture(states[0]))


def test_worlds_are_as_likely_as_chance_makes_them():
    tree, rng = find(POKER), random.Random(0)
    view = tree.view(tree.parse_state("K.bet"), 1)
    worlds = Counter(tree.format_state(tree.worlds(view, 1, U64(rng.getrandbits(64)))) for _ in range(3000))
    assert set(worlds) == {"K.bet", "Q.bet"}
    assert abs(worlds["K.bet"] - 1000) < 100


@pytest.mark.parametrize(("spec", "value"), [(PENNIES, Fraction(0)), (POKER, Fraction(-1, 9))])
def test_the_value_is_the_one_computed_by_hand(spec, value):
    found = solve(spec)
    assert (found.value, found.kind) == (value, "exact")


@pytest.mark.compiled
@pytest.mark.parametrize("spec", [PENNIES, THREE, "matrix:chicken"])
def test_trees_and_tables_are_flattened_by_compiled_rules(spec):
    """A warning would be an error: one kernel serves games that are zero-sum and others."""
    game = find(spec)
    assert len(flatten(game).payoffs) == (1 if game.zero_sum and game.players == 2 else game.players)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max(min{h}(1 2) min{h}(1 2 3))", "information set h: the moves at a and at b differ"),
        ("max(min{h}(l:1 r:2) min{h}(l:1 s:2))", "information set h: the moves at a and at b differ"),
        ("max{h}(max{h}(1 2) 3)", "root and a cannot be in one information set, because the player has seen or done"),
        ("max(a:max{h}(1 2) b:max{h}(1 2))", "a and b cannot be in one information set"),
    ],
)
def test_a_set_in_which_the_player_would_know_or_forget_is_refused(text, sentence):
    with pytest.raises(RulesError, match=re.escape(sentence)):
        Tree(text)


def test_a_set_of_one_node_hides_nothing():
    tree = Tree("max{h}(min{g}(1 2) 3)")
    assert not tree.hidden
    assert tree.view(1, 0) == 1


# -- files of Gambit -------------------------------------------------------------------------------------

DEAL = """
EFG 2 R "A deal of one card" { "Ann Lee" "Bob" }
"a comment"

c "the deal" 1 "cards" { "King" 1/3 "Queen" 2/3 } 0
p "" 1 1 "Ann has the King" { "bet 1" "check" } 0
p "" 2 1 "Bob" { "call" "fold" } 0
t "" 1 "wins 2" { 2, -2 }
t "" 2 "wins" { 1 -1 }
t "" 2
p "" 1 2 "Ann has the Queen" { "bet 1" "check" } 0
p "" 2 1 0
t "" 3 "loses 2" { -2.0 2e0 }
t "" 2 "wins"
t "" 4 "loses" { -1, 1 }
"""
PAID_ON_THE_WAY = """EFG 2 R "An entry fee" { "A" "B" "C" }
p "start" 3 7 "" { "in" "" } 1 "fee" { 0, 1/2, -0.5 }
p "" 1 1 "" { "in" "in" } 0
t "" 2 { 3 3 3 }
t "" 0
p "" 1 1 "" { "in" "in" } 0
t "" 0 ""
t "" 2 ""
"""


def test_a_file_gives_chance_information_sets_outcomes_and_names():
    tree = Tree.from_efg(DEAL)
    assert tree.to_text() == (
        "the_deal=chance(King:1/3:max{Ann_has_the_King}(bet_1:min{Bob}(call:2 fold:1) check:1) "
        "Queen:2/3:max{Ann_has_the_Queen}(bet_1:min{Bob}(call:-2 fold:1) check:-1))"
    )
    assert tree.seats == ("Ann Lee", "Bob")
    assert tree.full_title() == "Game Tree (A deal of one card)"
    assert solve(tree).value == Fraction(-1, 9)


def test_outcomes_on_the_way_are_added_and_zero_is_no_outcome():
    tree = Tree.from_efg(PAID_ON_THE_WAY)
    assert tree.players == 3
    assert tree.to_text() == (
        "start=p3(in:p1{h1}(in:<3,3.5,2.5> in_2:<0,0.5,-0.5>) p1{h1}(in:<0,0.5,-0.5> in_2:<3,3.5,2.5>))"
    )


@pytest.mark.parametrize("text", [DEAL, PAID_ON_THE_WAY])
def test_reading_what_was_written_gives_the_same_file(text):
    tree = Tree.from_efg(text)
    again = Tree.from_efg(tree.to_efg())
    assert again.to_efg() == tree.to_efg()
    assert (again.to_text(), again.seats, again.full_title()) == (tree.to_text(), tree.seats, tree.full_title())


@pytest.mark.parametrize(
    "spec", [PENNIES, POKER, THREE, "tree:chance(1/7:<0.1,2e3> 6/7:p1(<1/3,0> x:p2(left:<1,2> right:<-3,4>)))"]
)
def test_a_tree_survives_the_file(spec):
    tree = find(spec)
    assert Tree.from_efg(tree.to_efg()).to_text() == tree.to_text()


def test_a_file_is_a_game_by_its_name(tmp_path):
    file = tmp_path / "deal.efg"
    file.write_text(DEAL, encoding="utf-8")
    tree = find(f"tree:{file}")
    assert tree.spec() == f"tree:{file}"
    assert pickle.loads(pickle.dumps(tree)).to_text() == tree.to_text()
    game = Referee.at(tree, "moves: Queen bet_1 fold")
    assert game.utilities() == (1.0, -1.0)
    assert_conformant(tree, games=3, seconds=2)


def test_a_file_may_begin_with_a_mark_of_its_encoding(tmp_path):
    """Some editors write one."""
    file = tmp_path / "deal.efg"
    file.write_text(DEAL, encoding="utf-8-sig")
    assert find(f"tree:{file}").to_text() == Tree.from_efg(DEAL).to_text()


def test_branches_of_probability_zero_are_left_out():
    tree = Tree.from_efg('EFG 2 R "" { "A" "B" } c "" 1 "" { "x" 0 "y" 1 } 0 t "" 1 { 1 -1 } t "" 2 { 2 -2 }')
    assert tree.to_text() == "chance(y:1:2)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('NFG 1 R ""', 'begins with EFG 2 R "title"'),
        ('EFG 2 R "" { } t "" 0', "a game has 1 to 99 players, not 0"),
        ('EFG 2 R "" { "A" "B" } p "" 3 1 "" { "x" } 0 t "" 0', "there is no player 3; the file names 2"),
        ('EFG 2 R "" { "A" "B" } p "" 1 1 0 t "" 0', "information set 1 has no moves"),
        ('EFG 2 R "" { "A" "B" } t "" 1', "outcome 1 has no payoffs"),
        ('EFG 2 R "" { "A" "B" } t "" 1 { 1 }', "an outcome has 2 payoffs, not 1"),
        ('EFG 2 R "" { "A" "B" } t "" 1 { 1 two }', "'two' is not a number"),
        ('EFG 2 R "" { "A" "B" } x "" 1', "x is not a node; a node is c, p or t"),
        ('EFG 2 R "" { "A" "B" } t "" 0 t "" 0', "the tree is complete before t"),
        ('EFG 2 R "" { "A" "B" } p "" 1 1 "" { "x" "y" } 0 t "" 0', "the file ends too early"),
        ('EFG 2 R "open', "a text in the file is not closed"),
        (
            'EFG 2 R "" { "A" } p "" 1 1 "" { "x" "y" } 0 p "" 1 2 "" { "l" } 0 t "" 0 p "" 1 2 "" { "r" } 0',
            "information set 2 has other moves than before",
        ),
    ],
)
def test_a_broken_file_is_refused_with_the_place(text, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        Tree.from_efg(text)
