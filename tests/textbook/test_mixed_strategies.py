"""Mixed strategies as the lectures teach them: matrix games, regret matching, CFR, best responses."""

import inspect
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.equilibrium.zero_sum import saddle_points, solve_matrix
from zermelo.games import find
from zermelo.textbook import (
    average_strategies,
    best_response,
    cfr,
    counterfactual_value,
    expected_payoffs,
    exploitability,
    fictitious_play,
    match_regrets,
    maximin,
    minimax_value,
    nash_conv,
    record,
    regret_matching,
    solve_matrix_game,
    undominated,
)
from zermelo.textbook.information_sets import no_memories
from zermelo.textbook.matrix_games import action_values, for_columns
from zermelo.textbook.pseudocode import LEARNING

pytestmark = pytest.mark.plain

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
WEIGHTED = [[0, -5, 10], [5, 0, -1], [-10, 1, 0]]
matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-4, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


# -- matrix games --------------------------------------------------------------------------------------


@given(matrices)
def test_mixed_actions_that_make_the_other_indifferent_have_the_value_of_the_linear_programme(matrix):
    value, first, second = solve_matrix_game(matrix)
    assert value == solve_matrix(tuple(tuple(map(Fraction, row)) for row in matrix)).value
    assert sum(first) == sum(second) == 1
    assert min(*first, *second) >= 0
    assert max(action_values(matrix, second)) == value == -max(action_values(for_columns(matrix), first))


@given(matrices)
def test_a_saddle_point_is_where_single_actions_are_worth_the_same(matrix):
    low, high = maximin(matrix), minimax_value(matrix)
    assert low <= solve_matrix_game(matrix)[0] <= high
    assert (low == high) == bool(saddle_points(tuple(map(tuple, matrix))))


@given(matrices)
def test_dominated_actions_do_not_change_the_value(matrix):
    rows, columns = undominated(matrix)
    left = [[matrix[row][column] for column in columns] for row in rows]
    assert solve_matrix_game(left)[0] == solve_matrix_game(matrix)[0]


def test_dominance_leaves_one_cell_of_the_lectures_example():
    assert undominated([[3, 1, 4], [2, 0, 1], [5, 2, 3]]) == ([2], [1])


def test_weighted_rock_paper_scissors():
    """OpenSpiel, lp_solver_test.py."""
    assert solve_matrix_game(WEIGHTED) == (0, *[[Fraction(1, 16), Fraction(10, 16), Fraction(5, 16)]] * 2)


# -- learning in matrix games --------------------------------------------------------------------------


def test_regrets_are_matched_in_proportion():
    assert match_regrets([3, -2, 1]) == (0.75, 0, 0.25)
    assert match_regrets([0, -2]) == (0.5, 0.5)


def test_the_first_rounds_of_regret_matching_by_hand():
    """Matching pennies with a stake of 2 on heads: values (1/2, -1/2) of 0, then heads only."""
    rounds = list(regret_matching([[2, -1], [-1, 1]], rounds=2))
    assert rounds[0].strategies == ((0.5, 0.5), (0.5, 0.5))
    assert rounds[0].regrets == ((0.25, -0.25), (-0.25, 0.25))
    assert rounds[1].strategies == ((1, 0), (0, 1))
    assert rounds[1].regrets == ((0.25, 1.75), (-3.25, 0.25))
    assert rounds[1].averages == ((0.75, 0.25), (0.25, 0.75))


@given(matrices)
def test_both_ways_to_learn_close_in_on_the_value(matrix):
    """By its theorem regret matching is within 8 * sqrt(actions / rounds) of it; fictitious play has bounds."""
    value = solve_matrix_game(matrix)[0]
    *_, learned = regret_matching(matrix, rounds=400)
    best = max(action_values(matrix, learned.averages[1]))
    worst = -max(action_values(for_columns(matrix), learned.averages[0]))
    assert worst - 1e-9 <= value <= best + 1e-9
    assert best - worst <= 2 * 8 * (4 / 400) ** 0.5
    for played in fictitious_play(matrix, rounds=50):
        assert -played.values[1] - 1e-9 <= value <= played.values[0] + 1e-9


def test_fictitious_play_of_rock_paper_scissors_goes_round():
    rounds = list(fictitious_play(ROCK_PAPER_SCISSORS, rounds=300))
    assert [played.actions for played in rounds[:3]] == [(0, 0), (1, 1), (1, 1)]
    assert rounds[-1].frequencies[0] == pytest.approx([1 / 3] * 3, abs=0.06)


def test_regret_matching_with_payoffs_for_both_avoids_the_worst_of_chicken():
    """Chicken: 0,0 7,2; 2,7 6,6. Regrets per round vanish, so average play is a coarse correlated equilibrium."""
    *_, last = regret_matching([[0, 7], [2, 6]], [[0, 7], [2, 6]], rounds=2000)
    assert all(max(regrets) / 2000 < 0.01 for regrets in last.regrets)


# -- CFR and best responses ----------------------------------------------------------------------------


def best_by_enumeration(game, strategies, player):
    """The best of all pure strategies of the player, each evaluated."""
    *_, table = cfr(game, 1)
    own = [here for here in table if here.player == player]
    found = []
    for choices in product(*(range(len(table[here].actions)) for here in own)):
        pure = {here: [float(move == choice) for move in range(2)] for here, choice in zip(own, choices, strict=True)}
        found.append(expected_payoffs(game, {**strategies, **pure})[player])
    return max(found)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("iterations", [0, 1, 7])
def test_the_best_response_is_the_best_pure_strategy(player, iterations):
    kuhn = find("kuhn")
    strategies = average_strategies(list(cfr(kuhn, iterations))[-1]) if iterations else {}
    value, answer = best_response(kuhn, strategies, player)
    assert value == pytest.approx(best_by_enumeration(kuhn, strategies, player))
    pure = {here: [float(action == chosen) for action in range(2)] for here, chosen in answer.items()}
    assert expected_payoffs(kuhn, {**strategies, **pure})[player] == pytest.approx(value)


def test_the_uniform_strategy_of_kuhn_poker():
    """OpenSpiel, exploitability_test.py: NashConv 11/12; the best responses win 1/2 and 5/12."""
    kuhn = find("kuhn")
    assert [best_response(kuhn, {}, player)[0] for player in (0, 1)] == pytest.approx([1 / 2, 5 / 12])
    assert nash_conv(kuhn, {}) == pytest.approx(11 / 12)
    assert nash_conv(find("kuhn:players=3"), {}) == pytest.approx(2.0625)


@pytest.mark.parametrize("plus", [False, True])
def test_cfr_reaches_the_value_of_kuhn_poker(plus):
    kuhn = find("kuhn")
    *_, table = cfr(kuhn, 300, plus)
    strategies = average_strategies(table)
    assert len(table) == 12
    assert expected_payoffs(kuhn, strategies) == pytest.approx((-1 / 18, 1 / 18), abs=3e-3)
    assert exploitability(kuhn, strategies) < 5e-3


def test_the_tables_of_earlier_iterations_stay_as_they_were():
    kept = list(cfr(find("kuhn"), 3))
    assert kept[0] == next(cfr(find("kuhn"), 1))
    assert kept[0] != kept[1]


def test_a_traced_update_shows_the_strategies_of_the_moment():
    kuhn = find("kuhn")
    *_, table = cfr(kuhn, 50)
    start = kuhn.parse_state("KJ")
    root = record(lambda: counterfactual_value(kuhn, start, 0, 1.0, 1.0, no_memories(kuhn), dict(table)))
    assert [node.kind for node in root.nodes()].count("terminal") == 5
    assert root.value_kind == "estimate"
    check, bet = root.children
    here = next(here for here in table if here.text(kuhn) == "K -")
    assert (check.probability, bet.probability) == pytest.approx(table[here].strategy)
    assert root.value == pytest.approx(check.probability * check.value + bet.probability * bet.value)


# -- pseudocode ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", LEARNING)
def test_lines_of_pseudocode_stand_for_lines_of_the_textbook(algorithm):
    source, lines = LEARNING[algorithm]
    text = [line.strip() for line in inspect.getsource(inspect.getmodule(inspect.unwrap(source))).splitlines()]
    for line in lines[1:]:
        parts = [part.strip() for part in line.source.split("⏎")]
        there = zip(*(text[shift:] for shift in range(len(parts))), strict=False)
        assert any(all(part in row for part, row in zip(parts, rows, strict=True)) for rows in there), line.text
