"""Recordings for the page: numbered nodes, moments, and trees too large to be sent at once."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import RulesError
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.inside.examples import EXAMPLES, random_tree
from zermelo.inside.mcts_recording import MctsRecording
from zermelo.inside.mcts_tree import GrowingTree, Line, Node, TreeNode, grow_tree
from zermelo.inside.recordings import BoundedObserver, LimitReached, LoggedRecording, TracedRecording, record
from zermelo.inside.search_log import LOGGED, SearchLog, log_search, search_and_log
from zermelo.kernel import Numbers
from zermelo.textbook.trace import trace

pytestmark = pytest.mark.plain

SEEDS = st.integers(0, 10**9)


def traced(algorithm, game, depth=None):
    return TracedRecording(game, trace(algorithm, game, depth=depth))


def logged_plainly(algorithm, game, depth=None, room=20_000):
    """The compiled twin, run without the compiler."""
    log, state = SearchLog.create(room), game.initial()
    player = max(game.to_move(state), 0) if algorithm == "paranoid" else 0
    search_and_log(game, state, player, log, LOGGED[algorithm], 250 if depth is None else depth)
    return LoggedRecording(game, state, log, LOGGED[algorithm])


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


@pytest.mark.compiled
def test_the_whole_of_tic_tac_toe_is_recorded_in_a_moment():
    """255,168 games, and one node for every way to begin one."""
    game = find("tic-tac-toe")
    log = log_search("minimax", game, game.initial(), None, 1_000_000)
    found = LoggedRecording(game, game.initial(), log, has_cuts=False).summary()
    assert (found["leaves"], found["nodes"], found["value"], found["end"]) == (255_168, 549_946, [0.0], "")


# -- moments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_every_moment_belongs_to_a_node_and_children_come_between_their_parent_s(example):
    found = traced(example.algorithm, Tree(example.text))
    for moment in range(found.summary()["moments"]):
        assert moment in moments_of(found.node(found.node_at(moment)))
        shown = {node["number"] for node in found.at(moment)} | {0}
        assert shown >= set(found.path_to(found.node_at(moment)))
    for number in range(1, found.size):
        node, parent = found.node(number), found.node(found.parent(number))
        assert parent["entered"] < node["entered"] <= node["left"] < parent["left"]


PROBED = "max(5 chance(1/2:min(4 9) 1/2:min(8 9)) chance(min(3 4) min(0 9) min(8 9)))"


def moments_of(node):
    """All moments of a node, in order."""
    spans = [node, *([node["probe"]] if "probe" in node else [])]
    found = {span[end] for span in spans for end in ("entered", "left")}
    return sorted(found | ({node["stand_pat"]["moment"]} if "stand_pat" in node else set()))


def test_a_probe_of_star2_is_a_step_of_its_own():
    """The dice are entered, both outcomes are probed by one reply each, and then searched in full."""
    found = traced("star2", Tree(PROBED))
    b, *_ = (node for node in found.children(0) if node["move"] == "b")
    first, second = found.children(b["number"])
    steps = {"enter": "probe min", "leave": "probe min"}
    assert first["probe"] == {"entered": 3, "left": 5, "value": [4.0], "proof": "upper", "steps": steps}
    assert second["probe"] == {"entered": 6, "left": 8, "value": [8.0], "proof": "upper", "steps": steps}
    assert (first["entered"], first["left"], first["value"], first["proof"]) == (9, 11, [4.0], "exact")
    assert found.children(first["number"])[0]["left"] == 4  # the reply is searched once


def test_branches_of_an_outcome_that_is_only_probed_are_cut_with_its_dice():
    found = traced("star2", Tree(PROBED))
    c = found.children(0)[2]
    outcomes = found.children(c["number"])
    assert [node["kind"] for node in outcomes] == ["min", "min", "cut"]
    assert all(node["probe"]["entered"] == node["entered"] for node in outcomes[:2])
    assert {node["left"] for one in outcomes[:2] for node in found.children(one["number"])[1:]} == {c["left"]}


def test_every_moment_of_a_search_has_one_node():
    for algorithm, name, depth in (("star2", "pig", 4), ("quiescence", "chess", 1), ("quiescence", "othello", 2)):
        found = traced(algorithm, find(name), depth)
        nodes = [found.node(number) for number in range(found.size)]
        assert sorted(moment for node in nodes for moment in moments_of(node)) == list(
            range(found.summary()["moments"])
        )


def test_standing_pat_is_a_step_between_entering_and_the_first_noisy_move():
    game = find("chess")
    start = game.parse_state("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    found = TracedRecording(game, trace("quiescence", game, start, depth=0))
    root = found.node(0)
    assert (root["entered"], root["stand_pat"]["moment"]) == (0, 1)
    assert root["stand_pat"]["value"] == [game.evaluate(start, 0)]
    capture, *_ = (node for node in found.children(0) if node["kind"] != "cut")
    assert capture["entered"] == 2
    assert capture["stand_pat"]["moment"] == capture["left"]  # without noisy moves it is the value


def test_the_lecture_s_three_players_get_5_2_5():
    example = next(example for example in EXAMPLES if example.title == "Three players")
    assert traced("maxn", Tree(example.text)).summary()["value"] == [5, 2, 5]


def test_the_top_of_a_tree_has_whole_families():
    found = traced("minimax", find("connect-four"), 3)
    top = found.top(30)
    assert len(top) == 29  # the root, its 7 children, and 3 families of 7
    assert len(found.top(10_000)) == found.size


# -- too large -------------------------------------------------------------------------------------


def test_a_stopped_recording_can_be_viewed():
    game, observer = find("connect-four"), BoundedObserver(100, 60)
    with pytest.raises(LimitReached):
        trace("alphabeta", game, depth=6, observer=observer)
    observer.break_off()
    found = TracedRecording(game, observer.root, observer.end)
    assert found.size == 100
    assert found.summary()["end"] == (
        "The tree is larger than the 100 nodes that are kept, and the search was stopped; "
        "a smaller depth shows all of it."
    )
    assert found.node(0)["value"] is found.node(0)["left"] is None
    assert found.at(found.summary()["moments"] - 1)


def test_a_recording_stopped_during_a_probe_lists_every_node_once():
    """Each probe hung its outcome twice, so that 30 plies of Star2 in backgammon had 2^15 copies of one line."""
    game, observer = find("backgammon"), BoundedObserver(30, 60.0)
    with pytest.raises(LimitReached):
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
    observer = BoundedObserver(10_000, 0.0)
    with pytest.raises(LimitReached):
        trace("star2", game, depth=30, observer=observer)
    assert observer.end.startswith("After 1 node the time was up")


def test_a_full_log_can_be_viewed():
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
    assert [(cut["value"], cut["reason"]) for cut in cuts] == [
        ([5, 3, 2], {"kind": "left", "value": 2, "bound": 5}),
        ([1, 6, 3], {"kind": "left", "value": 5, "bound": 5}),
    ]
    assert found.summary()["value"] == [5, 4, 1]


def test_in_best_reply_search_what_is_cut_is_worth_what_it_is_to_the_player_who_searches():
    below = "p3(p1(<1,6,6> <7,1,2>) p1(<2,2,2> <3,3,3>)) p3(p1(<6,1,2> <7,2,1>) p1(<4,5,4> <4,6,4>))"
    game = Tree(f"p1(p2({below}) <0,0,0>)")
    found = TracedRecording(game, trace("bestreply", game, game.result(game.initial(), 0)))
    cuts = [child for number in range(found.size) for child in found.children(number) if child["kind"] == "cut"]
    assert [(cut["value"], cut["reason"]["kind"]) for cut in cuts] == [([3], "replied"), ([6], "replied")]


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
    recording = MctsRecording(game, game.initial(), seed=1)
    steps = sorted(random.Random(1).sample(range(1, 50), 10))
    before = {}
    for step in steps:
        recording.grow(step, 60)
        before[step] = recording.describe(step, 1000)
        assert before[step]["simulations"] == step == before[step]["items"][0]["visits"]
    for step in reversed(steps):
        assert recording.describe(step, 1000) == before[step]


@pytest.mark.parametrize(
    "name", ["tree:max(min(3 12 8) min(2 4 6))", "tree:p1(p2(<1,2,3> <3,2,1>) p3(<2,2,2> <0,1,5>))"]
)
def test_simulations_go_where_ucb1_is_highest(name):
    """UCB1 = U/N + C √(ln N(parent) / N), for the player who chooses; what was never tried comes first."""
    game = find(name)
    recording = MctsRecording(game, game.initial(), seed=1)
    chosen = 0
    for step in range(1, 60):
        recording.grow(step + 1, 60)
        nodes = {node["number"]: node for node in recording.describe(step, 1000)["items"]}
        after = recording.describe(step + 1, 1000)
        branches = {node["number"]: node["branches"] for node in after["items"]}
        for above, below in itertools.pairwise(after["way"]):
            parent, family = nodes[above], [node for node in nodes.values() if node["parent"] == above]
            if below not in nodes:
                assert len(family) < branches[above]
                break
            sign = -1 if recording.is_opposed and parent["player"] == 1 else 1
            entry = 0 if recording.is_opposed else parent["player"]
            scores = {
                node["number"]: sign * node["value"][entry]
                + recording.exploration * math.sqrt(math.log(parent["visits"]) / node["visits"])
                for node in family
            }
            assert scores[below] == pytest.approx(max(scores.values()))
            assert parent["children"] == parent["branches"]
            chosen += 1
    assert chosen > 50


@pytest.mark.compiled
def test_a_tree_grows_compiled_as_it_grows_interpreted():
    game = find("pig:target=10")
    trees = [GrowingTree.create(game, 300, seed=7) for _ in range(2)]
    for tree, grow in zip(trees, (grow_tree, grow_tree.run_compiled), strict=True):
        assert grow(game, game.initial(), tree, 300, 1.5) == 300
    assert contents(trees[0]) == contents(trees[1])


def contents(tree):
    """All that is known of the simulations and of the nodes."""
    lines = [cells(tree.line(number), Line.cells + tree.players) for number in range(tree.done)]
    return lines, [cells(tree.node(Node(number)), TreeNode.cells + 2 * tree.players) for number in range(tree.count)]


def cells(record, count):
    found = Numbers(record.address)
    return [found[cell] for cell in range(count)]


def test_a_tree_without_room_stops_growing():
    game = find("hexapawn")
    tree = GrowingTree.create(game, 20, seed=7)
    assert grow_tree(game, game.initial(), tree, 1000, 1.5) == 20


def test_visits_of_children_add_up_to_their_parent_s():
    game = find("tic-tac-toe")
    recording = MctsRecording(game, game.initial(), seed=1)
    recording.grow(50, 60)
    items = recording.describe(50, 1000)["items"]
    assert sum(node["visits"] for node in items if node["parent"] == 0) == 50
    assert all(-1 <= node["value"][0] <= 1 for node in items)


@pytest.mark.compiled
def test_rarely_visited_nodes_are_reported_only_beside_the_path():
    game = find("tic-tac-toe")
    recording = MctsRecording(game, game.initial(), seed=1)
    recording.grow(600, 60)
    found = recording.describe(600, 1000)
    told = {node["number"] for node in found["items"]}
    assert found["size"] > 500 > len(told)
    assert all(node["visits"] >= 3 or node["parent"] in found["way"] for node in found["items"])
    assert all(node["parent"] in told for node in found["items"][1:])
