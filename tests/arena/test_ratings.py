"""Elo differences and their error bars."""

import math
import random

import pytest

from zermelo.arena.ratings import elo, rating

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("score", "difference"), [(0.5, 0), (0.64, 100), (0.76, 200), (10 / 11, 400), (1 / 11, -400)])
def test_the_logistic_curve(score, difference):
    """Elo's table: 200 points are 76 %, 400 points are ten to one."""
    assert elo(score) == pytest.approx(difference, abs=1)


def test_an_even_match_has_no_difference():
    found = rating([1, 0] * 50)
    assert found.elo == 0
    assert found.superiority == pytest.approx(0.5)


def test_more_games_make_narrower_bars():
    small, large = rating([1, 1, 0, 1, 1, 0, 0, 0] * 5), rating([1, 1, 0, 1, 1, 0, 0, 0] * 45)
    assert small.error == pytest.approx(3 * large.error, rel=0.05)


def test_pairs_that_always_split_are_more_certain_than_single_games():
    """Where the opening decides, each pair is 1-1; then 50 % is hardly by chance."""
    split, mixed = rating([1, 0] * 40), rating([1, 1, 0, 0] * 20)
    assert split.error < mixed.error / 4


@pytest.mark.parametrize("games", [1, 2, 10, 100])
def test_a_clean_sweep_gives_a_finite_bound(games):
    won, lost = rating([1.0] * games), rating([0.0] * games)
    assert won.is_bound
    assert lost.is_bound
    assert math.isfinite(won.elo)
    assert lost.elo == -won.elo
    least = 1 / (1 + 10 ** (-won.elo / 400))
    assert least**games == pytest.approx(0.05)  # what is just not refuted at 95 %
    assert won.superiority > 0.5 > lost.superiority


@pytest.mark.parametrize("strength", [0.5, 0.7, 0.9])
def test_the_interval_holds_the_truth_nineteen_times_in_twenty(strength):
    """Simulated matches of 100 pairs, with draws; the bars must not be too narrow, nor much too wide."""
    rng = random.Random(17)
    truth = elo(strength)
    held = 0
    for _ in range(600):
        points = [rng.choices((1, 0.5, 0), (strength - 0.1, 0.2, 0.9 - strength))[0] for _ in range(200)]
        found = rating(points)
        held += found.is_bound or abs(found.elo - truth) <= found.error
    assert 0.92 <= held / 600 <= 0.985


def test_a_rating_needs_a_game():
    with pytest.raises(ValueError, match="needs a game"):
        rating([])
