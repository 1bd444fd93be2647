"""`analyse` says what the textbook says, and no more than it knows; alpha-beta, the engine's, may know more."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import random_states

from sizes import some
from trees import Inner, depth_of, plain_values, random_tree, text_of, trees
from zermelo.core.game import legal_actions
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled
from zermelo.search import SEARCHES, analyse, default_algorithm
from zermelo.solve.plain import PlainInduction
from zermelo.textbook import (
    expectimax,
    expectiminimax,
    maxn,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
    uniform,
)

TEXTBOOK = {
    "minimax": minimax,
    "quiescence": quiescent_alphabeta,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
    "star1": star1,
    "star2": star2,
}
OPPOSED = ("minimax", "quiescence", "maxn", "paranoid")
DICE = ("expectiminimax", "star1", "star2", "maxn", "expectimax")


def textbook_value(algorithm, game, state, player, depth):
    """What the textbook says a state is worth to the player."""
    if algorithm == "maxn":
        return maxn(game, state, depth)[player]
    if algorithm == "expectimax":
        return expectimax(game, state, player, uniform, depth)
    return TEXTBOOK[algorithm](game, state, player, depth)


def must_be_textbook(game, state, algorithm, depth):
    """Every root move has the textbook's value; the best of them, the first of several, is the answer."""
    answer = analyse(game, state, algorithm, Limit(depth=depth), lines=99)
    player = game.to_move(state)
    reached = answer.stats["depth"]
    assert reached == depth or answer.stopped == "done"
    expected = {
        game.format_action(state, action): textbook_value(
            algorithm, game, game.result(state, action), player, reached - 1
        )
        for action in legal_actions(game, state)
    }
    found = {move.move: move.value[player] for move in answer.moves}
    assert found == pytest.approx(expected, abs=1e-9)
    assert answer.value[player] == pytest.approx(max(expected.values()), abs=1e-9)
    assert answer.best == answer.moves[0].move == answer.line[0]
    assert answer.moves[0].value == answer.value
    assert [move.depth for move in answer.moves] == [reached] * len(expected)
    return answer


# -- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize("algorithm", OPPOSED)
def test_trees_at_every_depth(algorithm):
    rng = random.Random(5)
    for _ in range(12):
        tree = Tree(text_of(Inner(rng.choice(("max", "min")), (random_tree(rng, chance=False, depth=4), 1))))
        for depth in range(1, 6):
            must_be_textbook(tree, 0, algorithm, depth)


@pytest.mark.both
@pytest.mark.parametrize("algorithm", DICE)
def test_trees_with_dice_at_every_depth(algorithm):
    rng = random.Random(6)
    for _ in range(12):
        tree = Tree(text_of(Inner(rng.choice(("max", "min")), (random_tree(rng, depth=4), Inner("chance", (1, -1))))))
        for depth in range(1, 6):
            must_be_textbook(tree, 0, algorithm, depth)


@pytest.mark.parametrize(
    ("spec", "algorithm", "depth"),
    [
        pytest.param("hexapawn", "minimax", 5, marks=pytest.mark.plain),
        pytest.param("tic-tac-toe", "quiescence", 3, marks=pytest.mark.plain),
        pytest.param("nim", "minimax", 3, marks=pytest.mark.plain),
        pytest.param("pig:target=20", "star1", 4, marks=pytest.mark.plain),
        pytest.param("pig:target=20", "expectimax", 4, marks=pytest.mark.plain),
        pytest.param("trio", "maxn", 3, marks=pytest.mark.both),
        pytest.param("trio", "paranoid", 3, marks=pytest.mark.plain),
        pytest.param("connect-four", "quiescence", 4, marks=pytest.mark.compiled),
    ],
)
def test_games_at_every_depth(spec, algorithm, depth):
    game = find(spec)
    for state in random_states(game, spec, (0, 5), 3):
        for plies in range(1, depth + 1):
            must_be_textbook(game, state, algorithm, plies)


@pytest.mark.both
@settings(max_examples=some(100))
@given(trees(chance=False), st.integers(1, 6), st.sampled_from((*OPPOSED, "alphabeta")))
def test_exact_values_are_the_values_of_the_game(tree, depth, algorithm):
    """Alpha-beta bets that late moves are bad, so that it may need more depth than the tree has."""
    if not isinstance(tree, Inner):
        return
    lines = 1 if algorithm == "alphabeta" else 99
    answer = analyse(Tree(text_of(tree)), algorithm=algorithm, limit=Limit(depth=depth), lines=lines, megabytes=1)
    if answer.kind == "exact":
        assert answer.value == plain_values(tree)
    assert len(answer.moves) == (1 if algorithm == "alphabeta" else len(tree.children))
    for move in answer.moves:
        assert move.kind != "exact" or move.value == plain_values(tree.children["abcd".index(move.move)])
    if depth >= depth_of(tree) and algorithm != "alphabeta":
        assert (answer.kind, answer.stopped) == ("exact", "done")


@pytest.mark.both
@settings(max_examples=some(60))
@given(trees(chance=False))
def test_without_a_limit_alpha_beta_searches_until_it_is_exact(tree):
    if not isinstance(tree, Inner):
        return
    answer = analyse(Tree(text_of(tree)), megabytes=1)
    assert (answer.value, answer.kind, answer.stopped) == (plain_values(tree), "exact", "done")


@pytest.mark.both
def test_tic_tac_toe_to_the_end_is_an_exact_draw():
    game = find("tic-tac-toe")
    state = game.parse_state("X.O/.../..X o") if not is_enabled() else game.initial()
    answer = analyse(game, state)
    value = (0, 0) if is_enabled() else (1, -1)
    assert (answer.value, answer.kind, answer.stopped) == (value, "exact", "done")


@pytest.mark.both
def test_a_search_that_met_a_horizon_is_an_estimate():
    game = find("tic-tac-toe")
    answer = analyse(game, game.parse_state("X../.O./..X o"), limit=Limit(depth=4))
    assert (answer.kind, answer.stopped, answer.distance) == ("estimate", "depth", None)
    assert {move.kind for move in answer.moves} == {"estimate"}


@pytest.mark.both
def test_paranoid_values_are_what_one_can_be_sure_of_and_others_are_unknown():
    """Two opponents who give everything to hurt the first: it still gets 1; by itself each would rather have more."""
    game = Tree("p1(p2(<1,0,0> <5,5,0>) p3(<0,0,9> <9,0,0>))")
    answer = analyse(game, algorithm="paranoid")
    assert (answer.value[0], answer.kind, answer.best, answer.stopped) == (1, "lower", "a", "done")
    assert all(map(math.isnan, answer.value[1:]))
    assert answer.to_json()["value"] == [1, None, None]
    assert analyse(game, algorithm="maxn").value == (5, 5, 0)


@pytest.mark.both
def test_expectimax_against_random_players_proves_nothing():
    answer = analyse(Tree("max(min(4 0) min(1 2))"), algorithm="expectimax")
    assert (answer.value, answer.kind, answer.best, answer.line) == ((2, -2), "estimate", "a", ("a",))
    assert analyse(Tree("p1(p1(<4> <0>) <1>)"), algorithm="expectimax").kind == "exact"


@pytest.mark.both
def test_one_legal_move_is_searched_like_any_other():
    answer = analyse(Tree("max(min(3 max(4 5)))"))
    assert (answer.best, answer.value, answer.kind, answer.line) == ("a", (3, -3), "exact", ("a", "a"))


# -- the distance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", (3, 7)), ("hexapawn", (0, 4))])
@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax"])
def test_a_distance_is_right_where_one_is_given(spec, plies, algorithm):
    game = find(spec)
    solution = PlainInduction(game, Meter.allocate())
    given_distances = 0
    for state in random_states(game, spec, plies, 40):
        answer = analyse(game, state, algorithm)
        if answer.distance is not None:
            given_distances += 1
            assert answer.distance == solution.solve(state).distance, game.format_state(state)
    assert given_distances > 5


@pytest.mark.both
def test_a_win_in_one_is_one_ply_away():
    game = find("tic-tac-toe")
    answer = analyse(game, game.parse_state("XX./OO./... x"))
    assert (answer.distance, answer.best, answer.stats["depth"]) == (1, "c3", 1)


@pytest.mark.both
@pytest.mark.parametrize(
    ("algorithm", "estimate", "distance"), [("minimax", 9, None), ("alphabeta", 9, None), ("alphabeta", 8, 4)]
)
def test_a_win_that_was_promised_earlier_has_no_proven_distance(algorithm, estimate, distance):
    """At depth 3 the first move already looks won, but an estimate said so.

    Alpha-beta counts the plies to the end, where an estimate cannot be taken for it.
    """
    tree = Tree(f"max(min(max@{estimate}(min@{estimate}(9) min(9)) 9) -9)")
    answer = analyse(tree, algorithm=algorithm)
    assert (answer.value, answer.kind, answer.distance) == ((9, -9), "exact", distance)


# -- the line ---------------------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [("tic-tac-toe", "quiescence"), ("hexapawn", "minimax"), ("trio", "maxn")],
)
def test_a_line_is_legal_and_keeps_the_value_of_the_search(spec, algorithm):
    game = find(spec)
    for state in random_states(game, spec, (0, 3), 5):
        answer = analyse(game, state, algorithm, Limit(depth=4))
        referee, left = Referee(game, state), answer.stats["depth"]
        for move in answer.line:
            player = referee.to_move
            referee.play_text(move)
            left -= 1
            assert textbook_value(algorithm, game, referee.state, player, left) == answer.value[player]
        assert left == 0 or referee.is_over


@pytest.mark.both
@pytest.mark.parametrize("spec", ["hexapawn", "tic-tac-toe"])
def test_a_line_of_alpha_beta_is_legal_and_keeps_what_was_proved(spec):
    game = find(spec)
    solution = PlainInduction(game, Meter.allocate())
    for state in random_states(game, spec, (0, 3) if is_enabled() else (2, 4), 6):
        answer = analyse(game, state, megabytes=1)
        referee = Referee(game, state)
        assert (answer.kind, answer.line[0]) == ("exact", answer.best)
        for move in answer.line:
            referee.play_text(move)
            assert solution.solve(referee.state).payoffs == answer.value


@pytest.mark.both
def test_a_line_ends_where_dice_or_random_players_choose():
    game = Tree("max(max(chance(1 2) 0) min(1 2))")
    assert analyse(game, algorithm="star1").line == ("a", "a")
    assert analyse(Tree("max(max(min(1 2) 0) 1)"), algorithm="expectimax").line == ("a", "a")


@pytest.mark.both
@pytest.mark.parametrize("algorithm", ["star1", "star2", "expectiminimax"])
def test_a_line_through_games_with_dice_keeps_the_value(algorithm):
    game = Tree("max(min(max(chance(1/3:1 2/3:0.7) 0.1) chance(1/7:3 6/7:1)) 0)")
    answer = analyse(game, algorithm=algorithm)
    assert answer.line == ("a", "a", "a")
    assert answer.value[0] == pytest.approx(0.8)


@pytest.mark.both
def test_the_other_players_replies_are_the_paranoid_ones():
    game = Tree("p1(p2(p3(<1,0,0> <7,1,1>) <8,9,0>) <0,0,0>)")
    assert analyse(game, algorithm="paranoid").line == ("a", "a", "a")
    assert analyse(game, algorithm="maxn").line == ("a", "b")


# -- who is asked for what --------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [
        ("hexapawn", "alphabeta"),
        ("pig", "expectiminimax"),
        ("trio", "maxn"),
        ("tree:max(min{h}(3 12) min{h}(2 4))", "mcts"),
        ("nim", "mcts"),
        ("go", "mcts"),
        ("chess", "alphabeta"),
    ],
)
def test_every_game_has_a_default(spec, algorithm):
    found, reason = default_algorithm(find(spec))
    assert found == algorithm
    assert found in SEARCHES
    assert reason
