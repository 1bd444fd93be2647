"""What the page is told of a search: numbered nodes, moments, and trees too large to be sent at once."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizes import some
from zermelo.core.errors import RulesError
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.inside.examples import EXAMPLES, random_tree
from zermelo.inside.mcts_recording import Growth
from zermelo.inside.mcts_tree import grow_tree, new_tree
from zermelo.inside.recordings import BrokenOff, Logged, Patient, Traced, record
from zermelo.inside.search_log import LOGGED, SearchLog, log_search, search_and_log
from zermelo.textbook.trace import trace

SEEDS = st.integers(0, 10**9)


def traced(algorithm, game, depth=None):
    return Traced(game, trace(algorithm, game, depth=depth))


def logged_plainly(algorithm, game, depth=None, room=20_000):
    """The compiled twin, run without the compiler."""
    log, state = SearchLog.create(room), game.initial()
    player = max(game.to_move(state), 0) if algorithm == "paranoid" else 0
    search_and_log(game, state, player, log, LOGGED[algorithm], 250 if depth is None else depth)
    return Logged(game, state, log, LOGGED[algorithm])


def assert_same(one, other):
    assert one.summary() == other.summary()
    for number in range(one.size):
        assert one.node(number) == other.node(number)
        assert one.children(number) == other.children(number)


# -- the two recorders agree -----------------------------------------------------------------------


@given(seed=SEEDS, levels=st.integers(1, 4), branches=st.integers(1, 3), has_dice=st.booleans())
def test_the_compiled_twin_records_what_the_observer_records(seed, levels, branches, has_dice):
    game = Tree(random_tree(seed, levels, branches, "with dice" if has_dice else "max and min"))
    plain, cutting = ("expectiminimax", "star1") if has_dice else ("minimax", "alphabeta")
    for algorithm in (plain, cutting) if game.chance == has_dice else ():
        assert_same(traced(algorithm, game), logged_plainly(algorithm, game))


@pytest.mark.parametrize(
    ("name", "algorithm", "depth"),
    [("connect-four", "alphabeta", 3), ("pig", "star1", 4), ("pig", "expectiminimax", 3), ("trio", "paranoid", 2)],
)
def test_they_agree_in_games_with_horizons(name, algorithm, depth):
    game = find(name)
    assert_same(traced(algorithm, game, depth), logged_plainly(algorithm, game, depth))


@pytest.mark.compiler
def test_the_whole_of_tic_tac_toe_is_recorded_in_a_moment():
    """255,168 games, and one node for every way to begin one."""
    game = find("tic-tac-toe")
    log = log_search("minimax", game, game.initial(), None, 1_000_000)
    found = Logged(game, game.initial(), log, has_cuts=False).summary()
    assert (found["leaves"], found["nodes"], found["value"], found["end"]) == (255_168, 549_946, [0.0], "")


# -- moments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_every_moment_belongs_to_a_node_and_children_come_between_their_parent_s(example):
    found = traced(example.algorithm, Tree(example.text))
    for moment in range(found.summary()["moments"]):
        assert moment in (found.node(found.here(moment))["entered"], found.node(found.here(moment))["left"])
        shown = {node["number"] for node in found.at(moment)} | {0}
        assert shown >= set(found.way(found.here(moment)))
    for number in range(1, found.size):
        node, parent = found.node(number), found.node(found.parent(number))
        assert parent["entered"] < node["entered"] <= node["left"] < parent["left"]


def test_the_lecture_s_three_players_get_5_2_5():
    example = next(example for example in EXAMPLES if example.title == "Three players")
    assert traced("maxn", Tree(example.text)).summary()["value"] == [5, 2, 5]


def test_the_top_of_a_tree_has_whole_families():
    found = traced("minimax", find("connect-four"), 3)
    top = found.top(30)
    assert len(top) == 29  # the root, its 7 children, and 3 families of 7
    assert len(found.top(10_000)) == found.size


# -- too large -------------------------------------------------------------------------------------


def test_a_search_that_is_broken_off_can_be_looked_at():
    game, observer = find("connect-four"), Patient(100, 60)
    with pytest.raises(BrokenOff):
        trace("alphabeta", game, depth=6, observer=observer)
    observer.break_off()
    found = Traced(game, observer.root, observer.end)
    assert found.size == 100
    assert found.summary()["end"] == (
        "The tree is larger than the 100 nodes that are kept, and the search was broken off; "
        "a smaller depth shows all of it."
    )
    assert found.node(0)["value"] is found.node(0)["left"] is None
    assert found.at(found.summary()["moments"] - 1)


def test_of_a_search_that_is_broken_off_while_it_probes_every_node_is_reported_once():
    """Each probe hung its outcome twice, so that 30 plies of Star2 in backgammon had 2^15 copies of one line."""
    game, observer = find("backgammon"), Patient(30, 60.0)
    with pytest.raises(BrokenOff):
        trace("star2", game, depth=30, observer=observer)
    observer.break_off()
    waiting, seen = [observer.root], []
    while waiting:
        node = waiting.pop()
        seen.append(id(node))
        waiting += node.children
    assert len(seen) == len(set(seen))


def test_a_recording_looks_at_the_clock_at_every_node():
    game = find("backgammon")
    observer = Patient(10_000, 0.0)
    with pytest.raises(BrokenOff):
        trace("star2", game, depth=30, observer=observer)
    assert observer.end.startswith("After 1 node the time was up")


def test_a_full_log_can_be_looked_at():
    found = logged_plainly("alphabeta", find("connect-four"), 6, room=100)
    assert found._log.is_full
    assert found.summary()["end"].startswith("The tree is larger than the 100 nodes")
    for number in range(found.size):
        assert all(child["kind"] != "cut" or found.node(number)["left"] is not None for child in found.children(number))
    assert found.at(found.summary()["moments"] - 1)


def test_a_search_without_an_end_is_refused():
    from zermelo.core.game import Game

    class Endless(Game):
        name = "endless"
        players, zero_sum = 2, True

        def initial(self):
            return 0

        def to_move(self, state):
            return state % 2

        def actions(self, state):
            yield 0

        def result(self, state, action):
            return state + 1

        def utility(self, state, player):
            return 0.0

    with pytest.raises(RulesError, match="does not end within"):
        record("minimax", Endless(), 0, None)


# -- random trees ----------------------------------------------------------------------------------


@given(seed=SEEDS, levels=st.integers(1, 4), branches=st.integers(1, 3))
def test_a_seed_gives_a_tree_again(seed, levels, branches):
    for kind in ("max and min", "with dice", "three players"):
        text = random_tree(seed, levels, branches, kind)
        assert text == random_tree(seed, levels, branches, kind)
        assert sum(node.kind == "leaf" for node in Tree(text).nodes) == branches**levels


# -- many players ----------------------------------------------------------------------------------


@given(seed=SEEDS, levels=st.integers(1, 4))
def test_max_n_with_pruning_is_worth_what_max_n_is_worth(seed, levels):
    game = Tree(random_tree(seed, levels, 3, "three players"))
    assert trace("maxn-shallow", game).value == trace("maxn", game).value


def test_where_ten_points_are_shared_8_and_5_for_another_are_reasons_to_turn_away():
    """Player 1 has 5: where player 2 takes 8 of 10, or 5, no more is left [Korf 1991]."""
    example = next(example for example in EXAMPLES if example.title == "Three players, ten points in all")
    found = traced(example.algorithm, Tree(example.text))
    cuts = [child for number in range(found.size) for child in found.children(number) if child["kind"] == "cut"]
    assert [(cut["value"], cut["reason"]) for cut in cuts] == [([5, 3, 2], "2 left ≤ 5"), ([1, 6, 3], "5 left ≤ 5")]
    assert found.summary()["value"] == [5, 4, 1]


def test_in_best_reply_search_what_is_cut_is_worth_what_it_is_to_the_player_who_searches():
    below = "p3(p1(<1,6,6> <7,1,2>) p1(<2,2,2> <3,3,3>)) p3(p1(<6,1,2> <7,2,1>) p1(<4,5,4> <4,6,4>))"
    game = Tree(f"p1(p2({below}) <0,0,0>)")
    found = Traced(game, trace("bestreply", game, game.result(game.initial(), 0)))
    cuts = [child for number in range(found.size) for child in found.children(number) if child["kind"] == "cut"]
    assert [(cut["value"], cut["reason"]) for cut in cuts] == [([3], "another replied"), ([6], "another replied")]


@pytest.mark.parametrize(("algorithm", "depth"), [("alphabeta", 3), ("minimax", 3)])
def test_every_node_knows_how_many_are_below_it(algorithm, depth):
    found = traced(algorithm, find("connect-four"), depth)
    assert found.node(0)["below"] == found.size - 1
    for number in range(found.size):
        family = [child for child in found.children(number) if child["kind"] != "cut"]
        assert found.node(number)["below"] == sum(child["below"] + 1 for child in family)


# -- growing trees ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "trio"])
def test_a_growing_tree_goes_back_to_what_it_was(name):
    game = find(name)
    growth = Growth(game, game.initial(), seed=1)
    steps = sorted(random.Random(1).sample(range(1, 50), some(10)))
    before = {}
    for step in steps:
        growth.grow(step, 60)
        before[step] = growth.describe(step, 1000)
        assert before[step]["simulations"] == step == before[step]["items"][0]["visits"]
    for step in reversed(steps):
        assert growth.describe(step, 1000) == before[step]


@pytest.mark.parametrize(
    "name", ["tree:max(min(3 12 8) min(2 4 6))", "tree:p1(p2(<1,2,3> <3,2,1>) p3(<2,2,2> <0,1,5>))"]
)
def test_simulations_go_where_ucb1_is_highest(name):
    """UCB1 = U/N + C √(ln N(parent) / N), for the player who chooses; what was never tried comes first."""
    game = find(name)
    growth = Growth(game, game.initial(), seed=1)
    chosen = 0
    for step in range(1, 60):
        growth.grow(step + 1, 60)
        nodes = {node["number"]: node for node in growth.describe(step, 1000)["items"]}
        after = growth.describe(step + 1, 1000)
        branches = {node["number"]: node["branches"] for node in after["items"]}
        for above, below in itertools.pairwise(after["way"]):
            parent, family = nodes[above], [node for node in nodes.values() if node["parent"] == above]
            if below not in nodes:
                assert len(family) < branches[above]
                break
            sign = -1 if growth.is_opposed and parent["player"] == 1 else 1
            entry = 0 if growth.is_opposed else parent["player"]
            scores = {
                node["number"]: sign * node["value"][entry]
                + growth.exploration * math.sqrt(math.log(parent["visits"]) / node["visits"])
                for node in family
            }
            assert scores[below] == pytest.approx(max(scores.values()))
            assert parent["children"] == parent["branches"]
            chosen += 1
    assert chosen > 50


@pytest.mark.compiler
def test_a_tree_grows_compiled_as_it_grows_interpreted():
    game = find("pig:target=10")
    trees = [new_tree(game, 300, seed=7) for _ in range(2)]
    for tree, grow in zip(trees, (grow_tree, grow_tree.run_compiled), strict=True):
        assert grow(game, game.initial(), tree.address, 300, 1.5) == 300
    assert [trees[0][cell] for cell in range(len(trees[0]))] == [trees[1][cell] for cell in range(len(trees[1]))]


def test_a_tree_without_room_stops_growing():
    game = find("hexapawn")
    tree = new_tree(game, 20, seed=7)
    assert grow_tree(game, game.initial(), tree.address, 1000, 1.5) == 20


def test_visits_of_children_add_up_to_their_parent_s():
    game = find("tic-tac-toe")
    growth = Growth(game, game.initial(), seed=1)
    growth.grow(50, 60)
    items = growth.describe(50, 1000)["items"]
    assert sum(node["visits"] for node in items if node["parent"] == 0) == 50
    assert all(-1 <= node["value"][0] <= 1 for node in items)


@pytest.mark.own_kernels
def test_what_was_hardly_tried_is_reported_only_beside_the_way():
    game = find("tic-tac-toe")
    growth = Growth(game, game.initial(), seed=1)
    growth.grow(600, 60)
    found = growth.describe(600, 1000)
    told = {node["number"] for node in found["items"]}
    assert found["size"] > 500 > len(told)
    assert all(node["visits"] >= 3 or node["parent"] in found["way"] for node in found["items"])
    assert all(node["parent"] in told for node in found["items"][1:])
