import copy
import json
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import depth_of, plain_values, random_tree, text_of, trees
from zermelo.core.errors import BadPosition, IllegalMove, RulesError, UsageError
from zermelo.core.game import CHANCE, legal_actions
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.games.tree.text import read_text, write_text
from zermelo.kernel import kernel
from zermelo.testing import check

pytestmark = pytest.mark.plain

LECTURE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


def values(tree, state=0):
    """What each player gets when all play for themselves, by the rules alone."""
    if tree.is_terminal(state):
        return tuple(tree.utility(state, player) for player in range(tree.players))
    player = tree.to_move(state)
    if player == CHANCE:
        below = [(p, values(tree, tree.result(state, action))) for action, p in tree.outcomes(state)]
        return tuple(sum(p * value[one] for p, value in below) for one in range(tree.players))
    return max((values(tree, tree.result(state, a)) for a in tree.actions(state)), key=lambda value: value[player])


# -- the lectures' figures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (LECTURE, 3),
        ("max(min(-8 -5) min(-10 +8))", -8),  # the ghost example
        ("max(chance(3 12 9) chance(2 4 6) chance(15 6 0))", 8),
        ("chance(1/2:8 1/3:24 1/6:-12)", 10),
    ],
)
def test_the_lectures_trees_have_the_lectures_values(text, value):
    first, second = values(Tree(text))
    assert first == pytest.approx(value)
    assert second == pytest.approx(-value)


def test_three_agents_each_maximise_their_own_entry():
    tree = Tree("p1(p2(p3(<1,6,6> <7,1,2>) p3(<6,1,2> <7,2,1>)) p2(p3(<5,1,7> <1,5,2>) p3(<7,7,1> <5,2,5>)))")
    assert (tree.players, tree.zero_sum, tree.chance) == (3, False, False)
    assert values(tree, tree.parse_state("a")) == (1, 6, 6)
    assert values(tree) == (5, 2, 5)


def test_the_default_is_the_lectures_tree():
    assert Tree().to_text() == LECTURE
    assert Tree().spec() == "tree"
    assert Tree().utility_range == (-14, 14)
    assert Tree().bounds(0, 0) == (2, 14)
    assert Tree().bounds(0, 1) == (-14, -2)


# -- rules against the plain twin ---------------------------------------------------------------------------


@given(trees())
def test_two_player_trees_agree_with_the_plain_evaluation(tree):
    made = Tree(text_of(tree))
    assert (made.players, made.zero_sum) == (2, True)
    assert values(made) == pytest.approx(tuple(map(float, plain_values(tree))))


@given(trees(players=3))
def test_many_player_trees_agree_with_the_plain_evaluation_where_dice_make_no_ties(tree):
    made = Tree(text_of(tree))
    assert made.players == 3
    if not made.chance:
        assert values(made) == tuple(map(float, plain_values(tree)))


@given(st.randoms(use_true_random=False), st.integers(1, 5))
def test_random_trees_have_the_requested_size(rng, players):
    tree = random_tree(rng, players=players, depth=3, branching=2)
    assert depth_of(tree) <= 3
    assert Tree(text_of(tree)).players == players


def test_outcomes_without_probabilities_are_equally_likely():
    assert list(Tree("chance(1 2 3 4)").outcomes(0)) == [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def test_the_kind_of_a_tree_follows_from_its_leaves():
    assert Tree("max(<1,-1> <0,0>)").zero_sum
    assert not Tree("max(<1,-1> <0,1>)").zero_sum
    assert Tree("max(<3> <4>)").players == 1
    assert Tree("p1(<1,1,1,-3>)").zero_sum
    assert Tree("7").is_terminal(0)
    assert not Tree().hidden
    assert Tree("max(min{h}(3 12) min{h}(2 4))").hidden


def test_an_estimate_stands_for_the_subtree_and_is_otherwise_the_middle_of_the_leaves():
    tree = Tree("max(min@2.5(3 12) min(2 4))")
    left, right = tree.result(0, 0), tree.result(0, 1)
    assert (tree.evaluate(left, 0), tree.evaluate(left, 1)) == (2.5, -2.5)
    assert (tree.evaluate(right, 0), tree.evaluate(right, 1)) == (7, -7)
    assert Tree("p1@<1,2>(<0,0> <4,1>)").evaluate(0, 1) == 2


@pytest.mark.compiled
@pytest.mark.parametrize(
    "text",
    [
        "max(min@12(3 12 8) min(2 4 6))",
        "max(min@-12(3 12 8) min(2 4 6))",
        "max(min@20(3 12 8) min(2 4 6))",
        "p1(p2@<1,-1>(<1,-1> <0,0>) <0,0>)",
        "max(min@1e300(1e300 7) 7)",
        "max(min(5 5) 5)",  # the middle is an end
        "max(min(0 0) 0)",
        "p1(p2(<5,5> <5,5>) <5,5>)",
        "max(chance@3(3 1) 2)",
    ],
)
def test_an_estimate_may_be_the_greatest_payoff(text):
    """The scale has room beyond it: to a search, a value at its end is a win."""
    report = check(Tree(text), games=4)
    assert [found for found in report.checks if not found.passed] == []


def test_the_scale_is_what_players_get_where_no_estimate_touches_its_end():
    assert Tree("max(min@11(3 12 8) min(2 4 6))").utility_range == (-12, 12)
    assert Tree("max(chance@3(3 1) 2)").utility_range == (-3, 3)


def test_a_copy_has_memory_of_its_own():
    tree = Tree("max(1 2)")
    twin = copy.deepcopy(tree)
    assert twin.intervals.address != tree.intervals.address
    del tree
    assert values(twin) == (2, -2)


# -- text and JSON are exact inverses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        LECTURE,
        "A=max(left:min(3 12) right:B=min(2 C=4))",
        "chance(heads:1/3:1 tails:2/3:-1)",
        "chance(heads:1 tails:-1)",
        "chance(0.5:8 0.3:24 0.2:-12)",
        "max{h1}@2.5(min{h2}(3 12) min@-1(2 4.25))",
        "p1(p2(p3(<1,2,6> <4,3,2>)) <0.5,1/3,1.5e-07>)",
        "-3",
        "x=<1>",
    ],
)
def test_text_and_json_give_the_same_tree_back(text):
    tree = Tree(text)
    assert tree.to_text() == text
    assert Tree.from_text(tree.to_text()).to_text() == text
    assert Tree.from_json(tree.to_json()).to_text() == text
    assert Tree.from_json(json.dumps(tree.to_json())).to_text() == text


@given(st.one_of(trees(), trees(players=3), trees(players=1)))
def test_every_tree_survives_text_and_json(tree):
    text = text_of(tree)
    root = read_text(text)
    assert read_text(write_text(root)) == root
    assert Tree.from_json(json.loads(json.dumps(Tree(text).to_json()))).nodes[0] == root


def test_white_space_commas_and_comments_mean_nothing():
    spread_out = """
        # the lecture's tree
        max ( min( 3, 12, 8 )   # left
              min(2,4,6)
              min(+14 5.0 20/10) )
    """
    assert Tree(spread_out).to_text() == LECTURE


def test_thirds_are_exact():
    assert Tree("chance(1/3:3 1/3:12 1/3:9)").nodes[0].branches[0].probability == Fraction(1, 3)
    assert Tree.from_json(
        {"kind": "chance", "probabilities": [1 / 3] * 3, "children": [{"kind": "leaf", "utilities": 1}] * 3}
    )


# -- notation ---------------------------------------------------------------------------------------------


def test_moves_are_letters_unless_they_have_names():
    tree = Tree("max(left:min(3 12) min(win:2 4))")
    assert [tree.format_action(0, action) for action in tree.actions(0)] == ["left", "b"]
    game = Referee.at(tree, "moves: b win")
    assert tree.format_state(game.state) == "b.win"
    assert tree.parse_state("b.win") == game.state
    assert game.utilities() == (2, -2)


def test_the_twenty_seventh_move_is_aa():
    tree = Tree(f"max({' '.join(map(str, range(800)))})")
    assert [tree.format_action(0, action) for action in (0, 25, 26, 51, 52, 701, 702)] == [
        "a", "z", "aa", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


@given(trees(players=3))
def test_paths_name_every_node_once(tree):
    made = Tree(text_of(tree))
    names = [made.format_state(state) for state in range(len(made.nodes))]
    assert len(set(names)) == len(names)
    assert [made.parse_state(name) for name in names] == list(range(len(names)))


@pytest.mark.parametrize(
    ("text", "hint"), [("a.d", "try a.a, a.b or a.c"), ("", "try a, b or c"), ("x", "try a, b or c")]
)
def test_an_unknown_node_is_named_with_what_does_exist(text, hint):
    with pytest.raises(BadPosition, match=hint):
        Tree().parse_state(text)


def test_an_unknown_move_is_refused():
    with pytest.raises(IllegalMove, match="d is not legal here; try a, b or c"):
        Referee(Tree()).play_text("d")


# -- finding a tree by its spec -----------------------------------------------------------------------------


def test_everything_after_the_colon_is_the_tree():
    assert find("tree:p1(<1,2> A=p2(<3,4>,<5,6>))").players == 2
    assert find("tree:text=max(1,2)").to_text() == "max(1 2)"
    assert find(f"tree:{LECTURE}").spec() == "tree"


def test_a_root_called_text_keeps_its_name():
    tree = Tree("text=max(1 2)")
    assert find(tree.spec()).to_text() == "text=max(1 2)"


def test_a_tree_is_read_from_a_file(tmp_path):
    (tmp_path / "one.tree").write_text("max(1 2) # a comment\n")
    (tmp_path / "one.json").write_text(json.dumps(Tree("max(1 2)").to_json()))
    assert find(f"tree:{tmp_path}/one.tree").to_text() == find(f"tree:{tmp_path}/one.json").to_text() == "max(1 2)"


def test_a_mistake_in_a_file_names_the_file_and_the_place(tmp_path):
    (tmp_path / "bad.tree").write_text("max(1\n  min(2 3)\n  ?)")
    with pytest.raises(UsageError, match=r"bad.tree: line 3, column 3: '\?' has no meaning here"):
        find(f"tree:{tmp_path}/bad.tree")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UsageError, match=r"bad\.json: this is not JSON"):
        find(f"tree:{tmp_path}/bad.json")
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        find(f"tree:{tmp_path}/none.tree")
    (tmp_path / "noise.tree").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(UsageError, match=r"noise\.tree is not a text"):
        find(f"tree:{tmp_path}/noise.tree")


# -- mistakes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max(min(3 12) min(2", r"line 1, column 18: this bracket is never closed"),
        ("max(3 12", r"line 1, column 4: this bracket is never closed"),
        ("max(3 12))", r"line 1, column 10: this bracket closes nothing"),
        ("max(3) min(4)", r"line 1, column 8: the tree is complete here"),
        ("", r"a number is missing here"),
        ("max 3 4", r"column 5: max is followed by its branches in round brackets"),
        ("mux(3 4)", r"column 1: 'mux' is not a kind of node; write max, min, chance or p1"),
        ("p0(3 4)", r"'p0' is not a kind of node"),
        ("max(3 left:)", r"column 12: a number is missing here, not '\)'"),
        ("max(3 (1,2))", r"column 7: a number is missing here, not '\('; a tuple of utilities is written <1,2,3>"),
        ("max(<1,2)", r"column 9: a number is missing here, not '\)'"),
        ("max(<1,2", r"column 5: this < is never closed by >"),
        ("max(<>)", r"column 5: a tuple has one utility per player"),
        ("max(nan 3)", r"column 5: nan is not a utility; write a finite number"),
        ("max(3 -inf)", r"column 7: -inf is not a utility"),
        ("max(1e999)", r"column 5: '1e999' is too large"),
        ("max(1/0)", r"column 5: '1/0' divides by zero"),
        ("max(3;4)", r"column 6: ';' has no meaning here"),
        ("max{}(3)", r"column 5: an information set has a name"),
        ("max{h(3)", r"column 6: an information set ends with }"),
        ("max(" * 150 + "3" + ")" * 150, r"the tree is deeper than 100 levels"),
        ("9" * 5000, r"column 1: '9+' is not a number"),
    ],
)
def test_a_text_that_is_not_a_tree_is_refused_with_its_place(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        Tree(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max()", r"at the root: max\(\) is empty"),
        ("max(3 min(2 max()))", r"at node b.b: max\(\) is empty"),
        ("chance()", r"at the root: chance\(\) is empty"),
        ("max(chance(0.5:8 0.4:2) 3)", r"at node a: the probabilities sum to 0.9; they must sum to 1"),
        ("chance(0.5:8 2)", r"give all branches of chance a probability, or none"),
        ("chance(0:8 1:2)", r"a probability is above 0, not 0"),
        ("chance(-0.5:8 1.5:2)", r"a probability is above 0, not -0.5"),
        ("max(0.5:8 0.5:2)", r"max chooses; only the branches of chance have probabilities"),
        ("max(<1,2> <1,2,3>)", r"the tree mixes tuples of 2 and tuples of 3"),
        ("max(<1,2> 3)", r"the tree mixes plain numbers and tuples of 2"),
        ("max@3(<1,2> <3,4>)", r"the tree mixes plain numbers and tuples of 2"),
        ("p3(3 4)", r"p3 moves, but the utilities are for 2 players"),
        ("p3(<1,2>)", r"p3 moves, but the utilities are for 2 players"),
        ("max(b:3 4)", r"at the root: two moves are called b"),
        ("max(x:3 x:4)", r"at the root: two moves are called x"),
        ("max(root:3 4)", r"cannot be called root"),
        ("chance{h}(3 4)", r"chance has no information set"),
    ],
)
def test_a_tree_that_is_not_a_game_is_refused_with_its_node(text, sentence):
    with pytest.raises(RulesError, match=sentence):
        Tree(text)


LEAF = {"kind": "leaf", "utilities": 3}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], r"a node is an object with a kind"),
        ({"utilities": 3}, r"a node is an object with a kind"),
        ({"kind": "leaf"}, r"a leaf has utilities"),
        ({"kind": "leaf", "utilities": []}, r"a list of utilities has one per player"),
        ({"kind": "leaf", "utilities": float("nan")}, r"nan is not a utility"),
        ({"kind": "leaf", "utilities": True}, r"True is not a number"),
        ({"kind": "leaf", "utilities": "three"}, r"'three' is not a number"),
        ({"kind": "mux", "children": [LEAF]}, r"'mux' is not a kind of node"),
        ({"kind": "max"}, r"the children of a max node are a list"),
        ({"kind": "max", "child": [LEAF]}, r"a node has no 'child'; its keys are"),
        ({"kind": "max", "children": [LEAF], "moves": ["a", "b"]}, r"has 1 children; its moves and probabilities"),
        ({"kind": "max", "children": [LEAF], "moves": ["1"]}, r"moves are names"),
        ({"kind": "max", "children": [LEAF], "name": "a b"}, r"name 'a b' is not a name"),
    ],
)
def test_json_that_is_not_a_tree_is_refused(data, sentence):
    with pytest.raises(UsageError, match=sentence):
        Tree.from_json(data)


def test_json_too_deep_is_refused():
    data = LEAF
    for _ in range(150):
        data = {"kind": "max", "children": [data]}
    with pytest.raises(UsageError, match="deeper than 100 levels"):
        Tree.from_json(data)


@given(st.text(alphabet="maxinchep12()<>{}:=@., -#/\n", max_size=40))
def test_no_text_gives_anything_but_a_tree_or_one_sentence(text):
    try:
        tree = Tree(text)
    except (UsageError, RulesError):
        return
    assert Tree(tree.to_text()).nodes == tree.nodes


# -- compiled ---------------------------------------------------------------------------------------------


def test_all_trees_of_a_class_share_one_compiled_type():
    one, other = Tree("max(min(3 12) 8)"), Tree("min(A=max@2(1 2 3) -40)")
    assert one.constants() == other.constants()
    assert one.constants() != Tree("p1(<1,2,3>)").constants()


@kernel
def first_value(tree: Tree, state: int) -> float:
    """What the first player gets when all play for themselves."""
    if tree.is_terminal(state):
        return tree.utility(state, 0)
    player = tree.to_move(state)
    if player == CHANCE:
        total = 0.0
        for action, probability in tree.outcomes(state):
            total += probability * first_value(tree, tree.result(state, action))
        return total
    sign = 1 if player == 0 else -1
    best = -math.inf
    for action in tree.actions(state):
        best = max(best, sign * first_value(tree, tree.result(state, action)))
    return sign * best


@pytest.mark.compiled
def test_one_compiled_kernel_serves_hundreds_of_trees():
    rng = random.Random(1)
    seen = set()
    for _ in range(300):
        tree = random_tree(rng, depth=5)
        made = Tree(text_of(tree))
        seen.add(str(made.constants()))
        assert first_value.run_compiled(made, 0) == pytest.approx(float(plain_values(tree)[0]))
    assert len(seen) == 1  # with and without dice


def test_random_play_reaches_only_leaves():
    rng = random.Random(7)
    for _ in range(20):
        tree = Tree(text_of(random_tree(rng, players=3)))
        state = tree.initial()
        while not tree.is_terminal(state):
            state = tree.result(state, rng.choice(list(legal_actions(tree, state))))
        assert tree.nodes[state].kind == "leaf"
