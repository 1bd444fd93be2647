"""Opponents that are not perfect, and layers of any order: maximisers, minimisers, random agents, coalitions."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trees import Inner, text_of, trees
from zermelo.core.errors import RulesError
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.tree import Tree
from zermelo.games.trio import Trio
from zermelo.textbook import (
    average,
    coalition,
    expectimax,
    expectiminimax,
    maximise,
    maxn,
    minimax,
    minimax_player,
    minimise,
    mixed_layers,
    mixture,
    own,
    paranoid,
    sum_of,
    uniform,
)

pytestmark = pytest.mark.plain

LECTURE = Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")


# -- expectimax ----------------------------------------------------------------------------------------


def test_against_a_random_ghost_expectimax_gets_more_than_minimax_promises():
    """Minimax takes the sure 3; against random replies the right branch is worth more."""
    tree = Tree("max(left:min(3 4) right:min(0 20))")
    assert (minimax(tree, 0, 0), expectimax(tree, 0, 0)) == (3, 10)
    assert [expectimax(tree, child, 0) for child in (1, 2)] == [3.5, 10]


@pytest.mark.parametrize("game", [LECTURE, Hexapawn(), Nim((1, 2, 3))], ids=["tree", "hexapawn", "nim"])
def test_expectimax_against_perfect_play_is_minimax(game):
    start = game.initial()
    assert expectimax(game, start, 0, minimax_player(99)) == minimax(game, start, 0)


def test_expectimax_for_a_second_player():
    tree = Tree("min(max(3 12) max(2 4))")
    assert expectimax(tree, 0, 1) == max(-(3 + 12) / 2, -(2 + 4) / 2)


def test_expectimax_rolls_the_games_own_dice_too():
    game = Pig(10)
    start = game.initial()
    assert expectimax(game, start, 0, minimax_player(1), 1) == expectiminimax(game, start, 0, 1)
    tree = Tree("max(chance(1/4:min(0 8) 3/4:4) 3)")
    assert expectimax(tree, 0, 0) == 4


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6), st.floats(0, 1))
def test_a_mixture_adds_up_the_chances_of_its_parts(replies, weight):
    tree = Tree(f"min({' '.join(map(str, replies))})")
    chances = dict(mixture((weight, minimax_player(1)), (1 - weight, uniform))(tree, 0))
    assert set(chances) == set(tree.actions(0))
    assert sum(chances.values()) == pytest.approx(1)
    assert chances[replies.index(min(replies))] == pytest.approx(weight + (1 - weight) / len(replies))


@pytest.mark.parametrize("weights", [(0.8, 0.3), (1.5, -0.5), (0.5, 0.4)])
def test_the_weights_of_a_mixture_sum_to_one(weights):
    with pytest.raises(RulesError, match=r"^the weights of a mixture .*sum to 1"):
        mixture(*((weight, uniform) for weight in weights))


# -- mixed layers --------------------------------------------------------------------------------------

GHOSTS = Tree("p1(p2(p3(<1,0,0> <5,0,0>) p3(<9,0,0> <3,0,0>)) p2(p3(<4,0,0> <2,0,0>) p3(<8,0,0> <0,0,0>)))")
"""Pac-Man and two ghosts, who do not care for payoffs of their own here."""


@pytest.mark.parametrize(
    ("ghosts", "value"),
    [
        ((minimise, minimise), max(min(1, 3), min(2, 0))),
        ((minimise, average), max(min(3, 6), min(3, 4))),
        ((average, minimise), max((1 + 3) / 2, (2 + 0) / 2)),
        ((average, average), max((3 + 6) / 2, (3 + 4) / 2)),
        ((maximise, maximise), 9),
        ((minimise, max), max(min(5, 9), min(4, 8))),
    ],
    ids=["two perfect", "perfect and random", "random and perfect", "two random", "friends", "enemy and friend"],
)
def test_pac_man_against_two_ghosts(ghosts, value):
    assert mixed_layers(GHOSTS, 0, own(0), (maximise, *ghosts)) == value


def test_dice_and_depth_limits_in_mixed_layers():
    tree = Tree("p1(chance(1/4:p2@<8,0>(<0,0> <2,1>) 3/4:<4,1>))")
    assert mixed_layers(tree, 0, own(0), (maximise, average)) == 0.25 * 1 + 0.75 * 4
    assert mixed_layers(tree, 0, own(0), (maximise, average), 2) == 0.25 * 8 + 0.75 * 4
    assert mixed_layers(tree, 0, own(1), (maximise, maximise)) == 1


def plain_sum(tree, members):
    """What the members get together when all others work against them."""
    if not isinstance(tree, Inner):
        return sum(tree[member] for member in members)
    values = [plain_sum(child, members) for child in tree.children]
    return max(values) if int(tree.kind[1:]) - 1 in members else min(values)


@given(trees(players=3, chance=False))
@settings(max_examples=200, deadline=None)
def test_paranoid_search_and_coalitions_on_random_trees(nested):
    tree = Tree(text_of(nested))
    for player in range(3):
        assert paranoid(tree, 0, player) == plain_sum(nested, (player,))
        assert paranoid(tree, 0, player) == expectiminimax(tree, 0, player)
    for members in itertools.combinations(range(3), 2):
        assert coalition(tree, 0, members) == plain_sum(nested, members)
        assert coalition(tree, 0, members) >= sum(plain_sum(nested, (member,)) for member in members)


def test_a_paranoid_player_expects_no_more_than_maxn():
    game = Trio()
    start = game.initial()
    for depth in (2, 4):
        assert paranoid(game, start, 0, depth) <= maxn(game, start, depth)[0]


def test_objectives_evaluate_payoffs():
    assert own(1)((3, 5, 7)) == 5
    assert sum_of(0, 2)((3, 5, 7)) == 10
    assert average([1, 2, 6]) == 3
