"""Games in normal form: their texts, zero-sum values, dominance, correlated equilibria, commitment."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from zermelo.core.errors import UsageError
from zermelo.equilibrium.commitment import stackelberg
from zermelo.equilibrium.correlated import correlated_equilibrium, gain_by_deviating
from zermelo.equilibrium.dominance import eliminate
from zermelo.equilibrium.quantal import logit_equilibrium, logit_path
from zermelo.equilibrium.zero_sum import saddle_points, solve_matrix
from zermelo.games.matrix.nfg import read_nfg, write_nfg
from zermelo.games.matrix.normal_form import NormalForm, read_normal_form, write_normal_form

pytestmark = pytest.mark.plain

DILEMMA = "3,3 0,5; 5,0 1,1"
CHICKEN = "0,0 7,2; 2,7 6,6"


def half(numerator, denominator=2):
    return Fraction(numerator, denominator)


def random_game(rng, sizes, highest=9):
    size = int(np.prod(sizes))
    cells = tuple(tuple(Fraction(rng.randint(-highest, highest)) for _ in sizes) for _ in range(size))
    return NormalForm(tuple(tuple(map(str, range(count))) for count in sizes), cells)


# -- text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [DILEMMA, CHICKEN, "0 -1 1; 1 0 -1; -1 1 0", "1/3 -0.5"])
def test_writing_is_the_inverse_of_reading(text):
    game = read_normal_form(text)
    assert read_normal_form(write_normal_form(game)) == game


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "an example is 3,3 0,5; 5,0 1,1"),
        ("1 2; 3", "the same number of cells, not 2, 1"),
        ("1,2,3", "a cell has two payoffs, as in 3,0; or one"),
        ("1,2 3", "a cell has two payoffs"),
        ("one", "'one' is not a number; write 3, -0.5 or 1/3"),
        ("1/0", "'1/0' divides by zero"),
        ("1e308 0", "'1e308' is too large; a number here has at most 300 digits"),
        ("1e999999999 0", "'1e999999999' is not a number"),
        ("1e-999999999 0", "'1e-999999999' is not a number"),
    ],
)
def test_what_is_not_a_game_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(UsageError, match=sentence.replace("/", ".")):
        read_normal_form(text)


def test_a_file_of_gambit_with_payoffs():
    game = read_nfg(
        'NFG 1 R "Selten (IJGT, 75), Figure 2"\n{ "Player 1" "Player 2" } { 3 2 }\n\n1 1 0 2 0 2 1 1 0 3 2 0\n'
    )
    assert game.title == "Selten (IJGT, 75), Figure 2"
    assert game.payoffs((0, 0)) == (1, 1)
    assert game.payoffs((1, 0)) == (0, 2)
    assert game.payoffs((2, 1)) == (2, 0)


def test_a_file_of_gambit_with_outcomes():
    text = """NFG 1 R "with outcomes" { "A" "B" }
    { { "up" "down" } { "left" "right" } } "a comment"
    { { "first" 1, -1 } { "second" 2, -2 } }
    1 2 0 1"""
    game = read_nfg(text)
    assert game.actions == (("up", "down"), ("left", "right"))
    assert [game.payoffs(profile) for profile in game.profiles()] == [(1, -1), (0, 0), (2, -2), (1, -1)]


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2), (2, 3, 4), (1, 1)])
def test_files_of_gambit_keep_the_game(sizes):
    game = random_game(random.Random(7), sizes)
    again = read_nfg(write_nfg(game))
    assert (again.actions, again.cells) == (game.actions, game.cells)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("EFG 2 R", "begins with NFG 1 R"),
        ('NFG 1 R "t" { "A" "B" } { 2 2 } 1 2', "the file ends too early"),
        ('NFG 1 R "t" { "A" "B" } { 2 }', "2 players, but actions of 1"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1 2 3', "3 is too much"),
        ('NFG 1 R "t" { "A', "is not closed"),
        ('NFG 1 R "t" { "A" } { 1 } { { "x" 1 } } 5', "there is no outcome 5; the file has 1"),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_nfg(text)


def test_a_matrix_needs_two_players():
    with pytest.raises(UsageError, match="a payoff matrix needs two players; this game has 3"):
        random_game(random.Random(1), (2, 2, 2)).matrix(0)


# -- zero-sum --------------------------------------------------------------------------------------------


def test_rock_paper_scissors_is_fair():
    solution = solve_matrix(read_normal_form("0 -1 1; 1 0 -1; -1 1 0").matrix(0))
    assert solution.value == 0
    assert solution.strategies == ((Fraction(1, 3),) * 3,) * 2


def test_weighted_rock_paper_scissors():
    """OpenSpiel's lp_solver_test: 1/16, 10/16, 5/16."""
    solution = solve_matrix(read_normal_form("0 -0.25 0.5; 0.25 0 -0.05; -0.5 0.05 0").matrix(0))
    assert solution.value == 0
    assert solution.strategies[0] == (Fraction(1, 16), Fraction(10, 16), Fraction(5, 16))


@pytest.mark.parametrize("seed", range(30))
def test_a_solution_of_a_matrix_proves_itself(seed):
    rng = random.Random(seed)
    game = random_game(rng, (rng.randint(1, 5), rng.randint(1, 5)))
    matrix = game.matrix(0)
    solution = solve_matrix(matrix)
    value, (first, second) = solution.value, solution.strategies
    assert sum(first) == sum(second) == 1
    assert min(first + second) >= 0
    assert (
        min(sum(x * entry for x, entry in zip(first, column, strict=True)) for column in zip(*matrix, strict=True))
        == value
    )
    assert max(sum(y * entry for y, entry in zip(second, row, strict=True)) for row in matrix) == value
    points = saddle_points(matrix)
    assert all(matrix[i][j] == value for i, j in points)
    assert bool(points) == (max(map(min, matrix)) == min(map(max, zip(*matrix, strict=True))))


# -- dominance -------------------------------------------------------------------------------------------


def test_silence_is_dominated_in_the_prisoners_dilemma():
    left, steps = eliminate(read_normal_form(DILEMMA))
    assert left.sizes == (1, 1)
    assert left.cells == ((1, 1),)
    assert [(step.player, step.action) for step in steps] == [(0, 0), (1, 0)]


def test_an_action_can_be_dominated_by_a_mixed_action_only():
    left, steps = eliminate(read_normal_form("3,0 0,0; 0,0 3,0; 1,0 1,0"))
    assert [(step.player, step.action, step.by) for step in steps] == [(0, 2, (half(1), half(1), 0))]
    assert left.sizes == (2, 2)


def test_weak_dominance_is_asked_for():
    game = read_normal_form("1,1 1,1; 1,1 0,0")
    assert eliminate(game)[1] == []
    assert [(step.player, step.action) for step in eliminate(game, weakly=True)[1]] == [(0, 1)]


@pytest.mark.parametrize("seed", range(20))
def test_strictly_dominated_actions_are_in_no_equilibrium(seed):
    from zermelo.equilibrium.bimatrix import all_equilibria

    game = random_game(random.Random(seed), (4, 4), 4)
    _, steps = eliminate(game)
    for equilibrium in all_equilibria(game).extreme:
        assert all(equilibrium.strategies[step.player][step.action] == 0 for step in steps)


# -- a mediator, a leader, noise -----------------------------------------------------------------------------


def test_the_best_correlated_equilibrium_of_chicken():
    """Aumann's: a quarter each for the two pure equilibria, a half for both to swerve; 10.5 in all."""
    found = correlated_equilibrium(read_normal_form(CHICKEN))
    assert found.distribution == {(0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4), (1, 1): Fraction(1, 2)}
    assert sum(found.payoffs) == Fraction(21, 2)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sizes", [(3, 3), (2, 2, 3)])
def test_no_player_gains_by_leaving_a_correlated_equilibrium(seed, sizes):
    game = random_game(random.Random(seed), sizes)
    strict, coarse = correlated_equilibrium(game), correlated_equilibrium(game, coarse=True)
    assert sum(strict.distribution.values()) == sum(coarse.distribution.values()) == 1
    assert gain_by_deviating(game, strict.distribution) <= 0
    assert gain_by_deviating(game, coarse.distribution, coarse=True) <= 0
    assert sum(coarse.payoffs) >= sum(strict.payoffs)
    for profile in game.pure_equilibria():
        assert sum(game.payoffs(profile)) <= sum(strict.payoffs)


def test_commitment_pays_in_the_textbook_example():
    """Conitzer & Sandholm 2006, figure 1: committing to each row half of the time earns 3.5 instead of 2."""
    found = stackelberg(read_normal_form("2,1 4,0; 1,0 3,1"))
    assert (found.mixed, found.answer, found.payoffs[0]) == ((half(1), half(1)), 1, half(7))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("leader", [0, 1])
def test_a_leader_gets_at_least_what_any_grid_of_commitments_gets(seed, leader):
    game = random_game(random.Random(seed), (3, 4))
    found = stackelberg(game, leader)
    gains, answers = game.own_matrix(leader), game.matrix(1 - leader)
    answers = answers if leader == 0 else tuple(zip(*answers, strict=True))
    rows = len(gains)
    for weights in product(range(5), repeat=rows):
        if sum(weights) != 4:
            continue
        means = [sum(w * row[k] for w, row in zip(weights, answers, strict=True)) for k in range(len(answers[0]))]
        best = max(
            sum(w * row[k] for w, row in zip(weights, gains, strict=True))
            for k, mean in enumerate(means)
            if mean == max(means)
        )
        assert Fraction(best) / 4 <= found.payoffs[leader]


def test_without_precision_all_actions_are_equally_likely():
    found = logit_equilibrium(read_normal_form("5,1 0,0 2,2"), 0.0)
    assert [list(mixed) for mixed in found.strategies] == [[1.0], pytest.approx([1 / 3] * 3)]


@pytest.mark.parametrize("precision", [float("nan"), float("inf"), -1.0])
def test_a_precision_that_is_no_number_is_refused(precision):
    """Not a number was followed for 100,000 steps."""
    with pytest.raises(UsageError, match="a precision is a number of 0 or more"):
        logit_equilibrium(read_normal_form("5,1 0,0 2,2"), precision)


@pytest.mark.parametrize("seed", range(8))
def test_a_logit_equilibrium_is_a_fixed_point(seed):
    game = random_game(random.Random(seed), (3, 3), 3)
    points = list(logit_path(game, 5.0))
    assert points[-1].precision == pytest.approx(5.0)
    for point in points:
        matrices = [np.array([[float(entry) for entry in row] for row in game.own_matrix(player)]) for player in (0, 1)]
        for player in (0, 1):
            weights = np.exp(point.precision * (matrices[player] @ point.strategies[1 - player]))
            assert point.strategies[player] == pytest.approx(weights / weights.sum(), abs=1e-7)


def test_a_precise_logit_equilibrium_is_an_equilibrium_of_nash():
    found = logit_equilibrium(read_normal_form(DILEMMA), 30.0)
    assert [mixed[1] for mixed in found.strategies] == pytest.approx([1, 1])
