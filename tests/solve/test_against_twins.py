"""The fast solver against slow ones: backward induction in plain Python, and plain evaluations of random trees."""

import random
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from solve_games import Zoo, even_dice, judged, random_states, twin, values_along

from sizes import some
from trees import Inner, plain_values, random_tree, text_of, trees
from zermelo.core.game import legal_actions
from zermelo.games import find
from zermelo.games.connectfour import ConnectFour
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled
from zermelo.solve import solve

LITTLE = 1
"""Megabytes: the smallest table, so that entries are also forgotten."""

positions = pytest.mark.parametrize(
    ("spec", "plies", "count"),
    [
        ("tic-tac-toe", (3, 7), 25),
        ("nim", (1, 4), 20),
        ("hexapawn", (0, 4), 20),
        pytest.param("hexapawn:rows=4,cols=4", (3, 7), 20, marks=pytest.mark.compiled),
        pytest.param("connect-four:cols=5,rows=4", (11, 18), 25, marks=pytest.mark.compiled),
        pytest.param("connect-four:cols=5,rows=4,scored=true", (11, 18), 25, marks=pytest.mark.long),
    ],
)


@pytest.mark.both
@positions
def test_value_distance_line_and_moves_are_those_of_plain_induction(spec, plies, count):
    game = find(spec)
    solution = twin(game)
    for state in random_states(game, random.Random(spec), plies, count):
        text = game.format_state(state)
        expected, answer = solution(state), solve(game, state, memory_mb=LITTLE)
        assert (answer.value, answer.distance) == (expected.payoffs, expected.distance), text
        found, is_over = values_along(game, state, answer.line, solution)
        assert is_over, text
        assert set(found) == {expected.payoffs}, text
        assert expected.distance is None or len(answer.line) == expected.distance, text
        names = {game.format_action(state, action): action for action in legal_actions(game, state)}
        assert {move.move: move.value for move in answer.moves} == {
            name: solution(game.result(state, action)).payoffs for name, action in names.items()
        }, text
        assert {move.kind for move in answer.moves} == {"exact"}
        assert answer.moves[0].move == answer.best == answer.line[0]


@pytest.mark.both
@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", (3, 6)), ("nim", (1, 4)), ("hexapawn", (1, 4))])
def test_symmetric_positions_have_the_same_value_and_distance(spec, plies):
    game = find(spec)
    for state in random_states(game, random.Random(spec), plies, 20):
        one, other = solve(game, state, memory_mb=LITTLE), solve(game, game.canonical(state), memory_mb=LITTLE)
        assert (one.value, one.distance) == (other.value, other.distance)


@pytest.mark.long
def test_the_score_of_connect_four_counts_the_plies_to_its_end():
    """Two proofs that share neither values nor table keys: a scored win is worth what the distance says."""
    plain, scored = ConnectFour(5, 4), ConnectFour(5, 4, scored=True)
    for state in random_states(plain, random.Random(4), (6, 12), 40):
        win, score = solve(plain, state, memory_mb=LITTLE), solve(scored, state, memory_mb=LITTLE)
        stones = sum(letter in "XO" for letter in plain.format_state(state)) + (win.distance or 0)
        assert score.value[0] == win.value[0] * (scored.win_value(stones) if win.distance else 0)
        assert score.distance == win.distance


# -- random trees: layers in any order, so a player may move twice, and the second player may begin --------------------

few = settings(max_examples=some(150))


@pytest.mark.both
@few
@given(trees(chance=False))
@example(Inner("min", (Inner("min", (1, -2)), Inner("max", (Inner("max", (5, 3)), -4)))))
@example(Inner("max", (Inner("max", (3, Inner("min", (3,)))), Inner("min", (Inner("max", (3,)), 4)))))
def test_trees_of_two_opponents(tree):
    game = Tree(text_of(tree))
    answer = solve(game, memory_mb=LITTLE)
    value, plies = judged(tree)
    assert answer.value == (value, -value)
    assert answer.distance == (plies if value or not isinstance(tree, Inner) else None)
    found, is_over = values_along(game, 0, answer.line, twin(game))
    assert is_over
    assert set(found) == {answer.value}
    if value:
        assert len(answer.line) == plies
    if isinstance(tree, Inner):
        expected = {name: plain_values(child) for name, child in zip("abcd", tree.children, strict=False)}
        assert {move.move: move.value for move in answer.moves} == expected


payoffs = st.sampled_from([-1e9, -2.5, -0.1, 1e-3, 0.1, 0.3, 1 / 3, 7e5])


@pytest.mark.both
@few
@given(trees(chance=False, branching=3, leaves=12), st.lists(payoffs, min_size=12, max_size=12))
@example(Inner("max", (0, 0, 0)), [-1e9, -1e9, 1e-3])
def test_payoffs_may_be_any_real_numbers(tree, numbers):
    """Not whole, not small, and not on both sides of zero."""
    left = iter(numbers)

    def renumbered(tree):
        if isinstance(tree, Inner):
            return Inner(tree.kind, tuple(map(renumbered, tree.children)))
        return next(left, 0.7)

    tree = renumbered(tree)
    answer = solve(Tree(text_of(tree)), memory_mb=LITTLE)
    value, plies = judged(tree)
    assert answer.value[0] == pytest.approx(value, abs=0)
    # Beside a billion, a thousandth is less than the ply costs of the longest line, so a proof has no distance.
    is_lost = is_enabled() and value == 1e-3 and "-1000000000" in text_of(tree)
    assert answer.distance == (None if is_lost else plies)


@pytest.mark.both
@few
@given(trees(chance=True))
def test_trees_with_dice(tree):
    game = Tree(text_of(tree))
    answer = solve(game, memory_mb=LITTLE)
    assert abs(Fraction(answer.value[0]) - Fraction(plain_values(tree)[0])) <= answer.error < 1e-9
    assert answer.value[1] == -answer.value[0]
    if isinstance(tree, Inner) and tree.kind != "chance":
        solution = twin(game)
        found, _ = values_along(game, 0, answer.line, solution)
        assert all(payoffs == pytest.approx(answer.value, abs=1e-9) for payoffs in found)
        errors = [solution(game.result(0, action)).error for action in game.actions(0)]
        assert answer.error == max(errors, default=0)
        expected = [float(plain_values(child)[0]) for child in tree.children]
        assert sorted(move.value[0] for move in answer.moves) == pytest.approx(sorted(expected), abs=1e-9)


@pytest.mark.both
@few
@given(trees(players=3, chance=True, leaves=12).map(even_dice))
def test_trees_of_three_players_with_dice(tree):
    """Everybody for themselves; of several best moves the first is played."""
    answer = solve(Tree(text_of(tree)), memory_mb=LITTLE)
    assert answer.value == pytest.approx(tuple(map(float, plain_values(tree))), abs=1e-9)
    assert answer.distance == (None if isinstance(tree, Inner) else 0)


@pytest.mark.both
def test_larger_random_trees():
    rng = random.Random(7)
    for number in range(20):
        tree = random_tree(rng, depth=7, branching=4, chance=number % 2 == 1)
        answer = solve(Tree(text_of(tree)), memory_mb=LITTLE)
        assert answer.value == pytest.approx(tuple(map(float, plain_values(tree))), abs=1e-9)


# -- many players ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "plies", "count"), [("trio:cols=3,rows=3", (0, 6), 25)])
def test_many_players_as_plain_induction(spec, plies, count):
    game = find(spec)
    for state in random_states(game, random.Random(spec), plies, count):
        solution = twin(game)
        answer = solve(game, state, memory_mb=8)
        assert answer.value == solution(state).payoffs, game.format_state(state)
        assert answer.distance is None
        found, is_over = values_along(game, state, answer.line, solution)
        assert is_over
        mover = game.to_move(state)
        assert found[-1][mover] == answer.value[mover]
        own = [move.value[mover] for move in answer.moves]
        assert own[0] == max(own) == answer.value[mover]


@pytest.mark.both
def test_twins_are_two_programs():
    """If the compiler is on, the answers above came from different methods."""
    answer = solve(Zoo())
    assert answer.stats["compiled"] == is_enabled()
