"""All equilibria of games for two, beside support enumeration, nashpy, and the definition itself."""

import random
from fractions import Fraction
from itertools import pairwise

import nashpy
import numpy as np
import pytest

from equilibrium.test_normal_form import random_game
from zermelo.core.errors import Refused, UsageError
from zermelo.equilibrium import bimatrix
from zermelo.equilibrium.bimatrix import all_equilibria, lemke_howson, support_enumeration
from zermelo.equilibrium.polytope import vertices
from zermelo.games.matrix.normal_form import NormalForm, read_normal_form

pytestmark = pytest.mark.plain

# The 6 x 6 game with 75 equilibria of von Stengel, "New maximal numbers of equilibria in bimatrix games", 1999.
FIRST = (
    (9504, -660, 19976, -20526, 1776, -8976),
    (-111771, 31680, -130944, 168124, -8514, 52764),
    (397584, -113850, 451176, -586476, 29216, -178761),
    (171204, -45936, 208626, -263076, 14124, -84436),
    (1303104, -453420, 1227336, -1718376, 72336, -461736),
    (737154, -227040, 774576, -1039236, 48081, -300036),
)
SWAPPED = (4, 5, 2, 3, 0, 1)


def von_stengel():
    """Both players are in the same situation, up to the names of actions."""
    first = [[Fraction(entry) for entry in row] for row in FIRST]
    second = [[first[SWAPPED[j]][SWAPPED[i]] for j in range(6)] for i in range(6)]
    return NormalForm.of_matrices(first, second)


def strategies(found):
    return {equilibrium.strategies for equilibrium in found}


def test_the_game_with_75_equilibria_has_75():
    found = all_equilibria(von_stengel())
    assert len(found.extreme) == 75
    assert found.is_finite


@pytest.mark.long
def test_support_enumeration_finds_the_75_too():
    assert strategies(support_enumeration(von_stengel())) == strategies(all_equilibria(von_stengel()).extreme)


def test_the_battle_of_the_sexes_has_three_equilibria():
    found = all_equilibria(read_normal_form("3,2 0,0; 0,0 2,3")).extreme
    assert [equilibrium.payoffs for equilibrium in found] == [(3, 2), (Fraction(6, 5), Fraction(6, 5)), (2, 3)]
    assert [equilibrium.is_pure for equilibrium in found] == [True, False, True]


def test_infinitely_many_equilibria_are_a_component():
    found = all_equilibria(read_normal_form("1,1 1,1; 0,0 1,1"))
    assert not found.is_finite
    assert found.components == ((0, 1, 2),)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("highest", [1, 9])
def test_extreme_equilibria_are_equilibria_and_so_are_mixtures_that_share_an_action(seed, highest):
    rng = random.Random(seed)
    game = random_game(rng, (rng.randint(1, 4), rng.randint(1, 4)), highest)
    found = all_equilibria(game)
    assert found.extreme, "every game has an equilibrium"
    assert all(game.is_equilibrium(equilibrium.strategies) for equilibrium in found.extreme)
    assert len(strategies(found.extreme)) == len(found.extreme)
    assert {e.strategies for e in found.extreme if e.is_pure} == {
        tuple(tuple(Fraction(int(a == b)) for b in range(size)) for a, size in zip(profile, game.sizes, strict=True))
        for profile in game.pure_equilibria()
    }
    for one, other in pairwise(found.extreme):
        if one.strategies[0] == other.strategies[0]:
            middle = tuple((a + b) / 2 for a, b in zip(one.strategies[1], other.strategies[1], strict=True))
            assert game.is_equilibrium((one.strategies[0], middle))


@pytest.mark.parametrize("seed", range(40))
def test_a_game_without_ties_has_the_equilibria_of_support_enumeration(seed):
    game = random_game(random.Random(seed), (3, 4), 10**9)
    assert strategies(support_enumeration(game)) == strategies(all_equilibria(game).extreme)


@pytest.mark.parametrize("seed", range(40))
def test_every_path_of_lemke_and_howson_ends_in_an_equilibrium(seed):
    game = random_game(random.Random(seed), (3, 4), 2)
    extreme = strategies(all_equilibria(game).extreme)
    for label in range(7):
        assert lemke_howson(game, label).strategies in extreme


def compare_with_nashpy(seeds, sizes):
    for seed in seeds:
        game = random_game(random.Random(seed), sizes, 10**6)
        first, second = (np.array(game.matrix(player), dtype=float) / 10**6 for player in (0, 1))
        theirs = list(nashpy.Game(first, second).vertex_enumeration())  # rounded, so some of them twice
        ours = [tuple(np.array(mixed, dtype=float) for mixed in one.strategies) for one in all_equilibria(game).extreme]
        assert all(any(is_close(pair, other) for other in theirs) for pair in ours), f"seed {seed}"
        assert all(any(is_close(pair, other) for other in ours) for pair in theirs), f"seed {seed}"


def is_close(one, other):
    return all(np.allclose(a, b, atol=1e-6) for a, b in zip(one, other, strict=True))


def test_equilibria_are_those_of_nashpy():
    compare_with_nashpy(range(40), (3, 3))


@pytest.mark.long
def test_equilibria_of_a_thousand_games_are_those_of_nashpy():
    compare_with_nashpy(range(500), (3, 3))
    compare_with_nashpy(range(500, 800), (2, 4))
    compare_with_nashpy(range(800, 1000), (4, 4))


def test_vertices_are_corners_of_the_polytope():
    rng = random.Random(3)
    matrix = tuple(tuple(Fraction(rng.randint(1, 9)) for _ in range(3)) for _ in range(4))
    for x, tight in vertices(matrix, 1000):
        assert min(x) >= 0
        slacks = [1 - sum(a * b for a, b in zip(row, x, strict=True)) for row in matrix]
        assert min(slacks) >= 0
        assert tight == sum(1 << number for number, value in enumerate((*x, *slacks)) if value == 0)
        assert tight.bit_count() >= 3


def test_a_game_that_is_too_large_for_all_is_refused(monkeypatch):
    monkeypatch.setattr(bimatrix, "MOST_BASES", 10)
    with pytest.raises(Refused, match="6 x 6 actions are too many to find all equilibria; Lemke-Howson finds one"):
        all_equilibria(von_stengel())


def test_a_label_is_an_action():
    with pytest.raises(UsageError, match="a label is a number from 0 to 3"):
        lemke_howson(read_normal_form("3,3 0,5; 5,0 1,1"), 4)
