"""What an observer records: every position a search looked at, what it cut, and why."""

from math import inf

import pytest
from hypothesis import given, settings
from looks import looked_at

from trees import text_of, trees
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.guards import suitable_algorithms
from zermelo.games import find
from zermelo.games.pig import Pig
from zermelo.games.tree import Tree
from zermelo.kernel import observe
from zermelo.textbook import (
    TreeObserver,
    alphabeta,
    at_depth,
    average,
    coalition,
    expectimax,
    expectiminimax,
    heuristic_minimax,
    maximise,
    maxn,
    maxn_shallow,
    minimax,
    minimax_player,
    minimise,
    mixed_layers,
    mixture,
    own,
    quiescent_alphabeta,
    record,
    star1,
    star2,
    trace,
    uniform,
)
from zermelo.textbook.trace import DEEPEST

pytestmark = pytest.mark.plain

LECTURE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"
SEARCHES = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "quiescence": quiescent_alphabeta,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
    "star1": star1,
    "star2": star2,
    "expectimax": lambda game, state, player, depth: expectimax(game, state, player, uniform, depth),
    "maxn": lambda game, state, player, depth: maxn(game, state, depth),
}


# -- the lecture's tree --------------------------------------------------------------------------------


def test_windows_on_entry():
    root = trace("alphabeta", Tree(LECTURE))
    assert [node.window for node in (root, *root.children)] == [(-inf, inf), (-inf, inf), (3, inf), (3, inf)]
    below = [[child.window for child in node.children] for node in root.children]
    assert below == [
        [(-inf, inf), (-inf, 3), (-inf, 3)],
        [(3, inf), None, None],
        [(3, inf), (3, 14), (3, 5)],
    ]


def test_a_given_window_is_the_roots():
    root = trace("alphabeta", Tree(LECTURE), window=(4, 7))
    assert (root.window, root.value, root.value_kind) == ((4, 7), 3, "upper")
    assert trace("alphabeta", Tree(LECTURE), window=(0, 2)).value_kind == "lower"


def test_values_have_the_right_kinds():
    root = trace("alphabeta", Tree(LECTURE))
    assert [(node.value, node.value_kind) for node in (root, *root.children)] == [
        (3, "exact"),
        (3, "exact"),
        (2, "upper"),
        (2, "upper"),
    ]
    assert {leaf.value_kind for leaf in root.leaves()} == {"exact"}


def test_moves_players_and_kinds():
    root = trace("alphabeta", Tree("max(left:min(3 12) right:max(7 max(1 2)))"))
    assert [(node.move, node.kind, node.player) for node in root.nodes()] == [
        ("", "max", 0),
        ("left", "min", 1),
        ("a", "terminal", None),
        ("b", "terminal", None),
        ("right", "max", 0),
        ("a", "terminal", None),
        ("b", "max", 0),
        ("a", "terminal", None),
        ("b", "terminal", None),
    ]


def test_minimax_shows_the_whole_tree_and_has_no_windows():
    root = trace("minimax", Tree(LECTURE))
    assert root.count() == 13
    assert root.cuts() == []
    assert {node.window for node in root.nodes()} == {None}


def test_steps_are_numbered_as_the_search_goes():
    root = trace("alphabeta", Tree("max(min(3 12) min(2 4))"))
    assert [(node.entered, node.left) for node in root.nodes() if node.kind != "cut"] == [
        (0, 11),
        (1, 6),
        (2, 3),
        (4, 5),
        (7, 10),
        (8, 9),
    ]


@pytest.mark.parametrize("algorithm", ["alphabeta", "quiescence", "star1", "star2"])
def test_a_cut_has_a_reason_in_the_spelling_of_the_figures(algorithm):
    root = trace(algorithm, Tree("min(max(-1/3 -0.5) max(1/2 7))"))
    assert root.value == pytest.approx(-1 / 3)
    assert [cut.reason for cut in root.cuts()] == ["0.5 ≥ β = −0.333"]
    assert [(cut.value, cut.window, cut.left) for cut in root.cuts()] == [(None, None, -1)]


def test_the_first_player_is_max_whoever_moves():
    root = trace("minimax", Tree("min(max(1 2) max(3 4))"))
    assert [(node.kind, node.value) for node in (root, *root.children)] == [("min", 2), ("max", 2), ("max", 4)]
    root = trace("expectimax", Tree("min(max(1 2) max(3 4))"))
    assert [(node.kind, node.value) for node in (root, *root.children)] == [
        ("max", -1.5),
        ("chance", -1.5),
        ("chance", -3.5),
    ]


# -- other algorithms ----------------------------------------------------------------------------------


def test_dice_show_their_probabilities():
    root = trace("expectiminimax", Tree("max(chance(1/4:2 3/4:6) 4)"))
    die = root.children[0]
    assert (die.kind, die.player, die.value) == ("chance", CHANCE, 5)
    assert [child.probability for child in die.children] == [0.25, 0.75]
    assert die.probability is None


def test_star1_shows_what_an_outcome_had_to_reach():
    """The first outcome must be worth more than 8 if the mean of the two is to exceed 3, as the other is at most -2."""
    root = trace("star1", Tree("max(3 chance(min(-2 4) 10) -10)"))
    die = root.children[1]
    assert die.window == (3, inf)
    assert [child.window for child in die.children] == [(-4, 10), (8, 10)]
    root = trace("star1", Tree("max(3 chance(min(-5 4) 10) -10)"))
    assert [(cut.move, cut.reason) for cut in root.cuts()] == [("b", "−5 ≤ α = −4"), ("b", "2.5 ≤ α = 3")]


def test_the_probes_of_star2_stand_below_their_outcomes():
    root = trace("star2", Tree("max(1 chance(min(0 5) min(0 5) -3) -10)"))
    die = root.children[1]
    assert [(node.kind, node.move, node.value, node.value_kind) for node in die.children] == [
        ("min", "a", 0, "upper"),
        ("min", "b", 0, "upper"),
        ("terminal", "c", -3, "exact"),
    ]
    assert [node.window for node in die.children] == [None] * 3  # looked at, but not searched
    for outcome in die.children[:2]:
        assert [(node.kind, node.reason) for node in outcome.children] == [("terminal", ""), ("cut", "−1 ≤ α = 1")]


def test_an_outcome_that_is_searched_after_its_probe_stays_one_node():
    root = trace("star2", Tree("chance(min(4 1) max(2 3) 0)"))
    assert [(node.kind, node.value) for node in root.children] == [("min", 1), ("max", 3), ("terminal", 0)]
    assert [[leaf.value for leaf in node.children] for node in root.children] == [[4, 1], [2, 3], []]
    assert [node.window is not None for node in root.children] == [True, True, False]
    assert root.cuts() == []
    first, second, end = root.children
    assert first.children[0].left < first.probe.left < second.probe.entered < end.entered
    assert end.left < first.entered < first.children[1].entered


def test_many_players_have_tuples():
    root = trace("maxn", Tree("p1(p2(<1,2,6> <4,3,2>) p3(<6,1,2> <7,4,1>))"))
    assert [(node.kind, node.player, node.value) for node in (root, *root.children)] == [
        ("max", 0, (6, 1, 2)),
        ("max", 1, (4, 3, 2)),
        ("max", 2, (6, 1, 2)),
    ]


def test_paranoid_search_has_one_maximiser():
    root = trace("paranoid", Tree("p1(p2(<1,2,6> <4,3,2>) p3(<6,1,2> <7,4,1>))"))
    assert [(node.kind, node.player, node.value) for node in (root, *root.children)] == [
        ("max", 0, 6),
        ("min", 1, 1),
        ("min", 2, 6),
    ]


def test_shallow_pruning_shows_how_little_was_left():
    tree = Tree("p1(p2(<1,3,6> <4,2,4>) p2(<1,9,0> <0,0,10> <10,0,0>))")
    root = record(lambda: maxn_shallow(tree, 0, 10))
    assert [(node.value, node.value_kind) for node in (root, *root.children)] == [
        ((1, 3, 6), "exact"),
        ((1, 3, 6), "exact"),
        ((1, 9, 0), "lower"),
    ]
    assert [cut.reason for cut in root.cuts()] == ["1 left ≤ 1"] * 2


def test_a_modelled_opponents_search_is_not_part_of_the_tree():
    model = mixture((0.8, minimax_player(2)), (0.2, uniform))
    root = trace("expectimax", Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"), model=model)
    assert root.value == pytest.approx(0.8 * 3 + 0.2 * 23 / 3)
    ghost = root.children[0]
    assert (ghost.kind, ghost.player) == ("chance", 1)
    assert [child.probability for child in ghost.children] == pytest.approx([0.8 + 0.2 / 3, 0.2 / 3, 0.2 / 3])
    assert root.count() == 13


def test_a_move_that_the_model_never_plays_is_cut():
    root = trace("expectimax", Tree("max(min(3 12 8) min(2 4 6))"), model=minimax_player(1))
    assert [(cut.move, cut.reason) for cut in root.children[0].cuts()] == [
        ("b", "never happens"),
        ("c", "never happens"),
    ]


def test_mixed_layers_show_who_is_perfect_and_who_is_random():
    tree = Tree("p1(p2(p3(<1,0,0> <5,0,0>) p3(<9,0,0> <3,0,0>)))")
    root = record(lambda: mixed_layers(tree, 0, own(0), (maximise, minimise, average)))
    assert [node.kind for node in root.nodes()][:4] == ["max", "min", "chance", "terminal"]
    assert (root.value, root.children[0].children[0].value) == (3, 3)
    assert [node.probability for node in root.leaves()] == [0.5] * 4
    root = record(lambda: coalition(tree, 0, (0, 2)))
    assert [node.kind for node in root.nodes()][:3] == ["max", "min", "max"]


# -- horizons ------------------------------------------------------------------------------------------


def test_a_horizon_makes_everything_above_an_estimate():
    """Even a bound: nothing that rests on a horizon is proved."""
    tree = Tree("max(min@3(0 0) 5 min(2 min@1(0 9)))")
    root = trace("alphabeta", tree, depth=2)
    assert [(node.kind, node.value_kind) for node in root.children] == [
        ("min", "exact"),
        ("terminal", "exact"),
        ("min", "upper"),
    ]
    root = trace("alphabeta", tree, depth=1)
    assert [(node.kind, node.value, node.value_kind) for node in root.children] == [
        ("horizon", 3, "estimate"),
        ("terminal", 5, "exact"),
        ("horizon", 4.5, "estimate"),
    ]
    assert (root.value, root.value_kind) == (5, "estimate")


def test_a_bound_that_rests_on_a_horizon_is_an_estimate():
    root = trace("alphabeta", Tree("max(5 min(min@1(0 9) 2))"), depth=2)
    assert (root.children[1].value, root.children[1].value_kind) == (1, "estimate")
    assert (root.value, root.value_kind) == (5, "estimate")
    assert [cut.reason for cut in root.cuts()] == ["1 ≤ α = 5"]


def test_depth_zero_is_a_horizon_at_once():
    root = trace("minimax", Tree("max@7(3 12)"), depth=0)
    assert (root.kind, root.player, root.value, root.children) == ("horizon", 0, 7, [])


def test_a_cut_off_test_makes_horizons_too():
    tree = Tree(LECTURE)
    root = record(lambda: heuristic_minimax(tree, 0, 0, at_depth(1), tree.evaluate))
    assert [node.kind for node in root.nodes()] == ["max"] + ["horizon"] * 3


def test_the_end_of_the_game_is_a_tree_of_one_node():
    root = trace("alphabeta", Tree("max(5 3)"), 1)
    assert (root.kind, root.player, root.value, root.count()) == ("terminal", None, 5, 1)


def test_a_tree_may_begin_with_dice():
    root = trace("star1", Pig(10), Pig(10).parse_state("0-0 0 1 rolling"), depth=2)
    assert (root.kind, len(root.children)) == ("chance", 6)


# -- any game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("tic-tac-toe", 2),
        ("hexapawn", 5),
        ("connect-four", 2),
        ("nim:heaps=1-2-3", 4),
        ("pig", 5),
        ("trio", 4),
        ("tree", 2),
    ],
)
def test_tracing_changes_no_value_and_misses_no_position(name, depth):
    game = find(name)
    start = game.initial()
    for algorithm in set(suitable_algorithms(game)) & set(SEARCHES):
        value, nodes = looked_at(SEARCHES[algorithm], game, start, game.to_move(start), depth)
        root = trace(algorithm, game, depth=depth)
        assert (root.value, root.count()) == (value, nodes), algorithm


@given(trees())
@settings(max_examples=200, deadline=None)
def test_tracing_changes_no_value_and_misses_no_position_of_a_random_tree(nested):
    tree = Tree(text_of(nested))
    for algorithm in ("expectiminimax", "star1", "star2"):
        value, nodes = looked_at(SEARCHES[algorithm], tree, 0, 0, 99)
        root = trace(algorithm, tree)
        assert (root.value, root.count()) == (value, nodes)
        assert len({node.state for node in root.nodes()}) == root.count() + len(root.cuts())


@given(trees())
@settings(max_examples=100, deadline=None)
def test_the_steps_of_a_node_or_of_its_probe_enclose_those_below(nested):
    for node in trace("star2", Tree(text_of(nested))).nodes():
        for child in node.children:
            if child.kind != "cut":
                spans = [span for span in (node, node.probe) if span]
                assert sum(span.entered < child.entered < child.left < span.left for span in spans) >= 1


class Waiting(Game):
    """One may wait as long as one likes; the position stays the very same. Two ways lead to the end."""

    players = 1
    zero_sum = False

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return [] if state else ["wait", "left", "right"]

    def result(self, state, action):
        return 0 if action == "wait" else 1

    def utility(self, state, player):
        return 1


def test_a_move_that_repeats_the_very_same_position_is_a_node_of_its_own():
    value, nodes = looked_at(minimax, Waiting(), 0, 0, 3)
    root = trace("minimax", Waiting(), depth=3)
    assert (root.value, root.count()) == (value, nodes) == (1, 10)
    assert root.children[0].children[0].children[0].kind == "horizon"


def test_two_moves_to_the_same_position_are_two_branches():
    root = trace("alphabeta", Waiting(), depth=2)
    assert [node.move for node in root.children] == ["wait", "left", "right"]
    assert [node.move for node in root.children[0].children] == ["wait", "left", "right"]


def test_your_own_observer_sees_all_calls():
    observer = TreeObserver()
    with observe(observer):
        assert alphabeta(Tree(LECTURE), 0, 0) == 3
    assert observer.root.count() == 11


# -- refusals ------------------------------------------------------------------------------------------


def test_a_tree_too_large_is_refused():
    with pytest.raises(Refused, match=r"^the tree has more than 500 nodes; give a smaller depth$"):
        trace("minimax", find("connect-four"), depth=4, most=500)
    assert trace("minimax", Tree(LECTURE), most=13).count() == 13


def test_an_endless_game_is_refused():
    with pytest.raises(RulesError, match=rf"^waiting does not end within {DEEPEST} plies; give a smaller depth$"):
        trace("minimax", Waiting())


@pytest.mark.parametrize(
    ("algorithm", "options", "sentence"),
    [
        ("minimax", {"window": (0, 1)}, "minimax has no window; try alphabeta, star1, star2 or quiescence"),
        ("alphabeta", {"window": (1, 1)}, "alpha is below beta in a window, unlike 1 and 1"),
        ("alphabeta", {"model": uniform}, "alphabeta has no model of an opponent; try expectimax"),
        ("alphabeta", {"depth": -1}, "a depth is 0 or more, not -1"),
        ("random", {}, "there is no tree of random; try minimax, expectiminimax, paranoid, .* or expectimax"),
        ("astar", {}, "there is no algorithm 'astar'; try .*"),
    ],
)
def test_a_mistaken_request_gets_a_sentence(algorithm, options, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}$"):
        trace(algorithm, Tree(LECTURE), **options)


def test_an_algorithm_that_does_not_fit_is_refused():
    with pytest.raises(Refused, match=r"alpha-beta needs .*no dice"):
        trace("alphabeta", Pig(10), depth=2)


def test_without_a_kernel_there_is_nothing_to_record():
    with pytest.raises(UsageError, match="no kernel was called"):
        record(lambda: 3)
