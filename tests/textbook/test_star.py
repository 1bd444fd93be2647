"""Star1 and Star2: the value of expectiminimax, for fewer looks."""

import random

import pytest
from looks import is_proved, looked_at

from trees import Inner, text_of
from zermelo.core.game import CHANCE, Game
from zermelo.games.pig import Pig
from zermelo.games.tree import Tree
from zermelo.textbook import UNLIMITED, expectiminimax, mean_interval, star1, star2, trace

pytestmark = pytest.mark.plain

STARS = [star1, star2]


def layered_tree(rng, layers, branching, most=10):
    if not layers:
        return rng.randint(-most, most)
    children = tuple(layered_tree(rng, layers[1:], branching, most) for _ in range(branching))
    return Inner(layers[0], children)


@pytest.mark.parametrize(
    "layers",
    ["max chance min", "max chance min chance", "chance max chance min", "max chance min chance max", "max min chance"],
)
def test_on_layered_trees_star2_looks_at_less_than_star1_and_star1_at_less_than_expectiminimax(layers):
    rng = random.Random(layers)
    sums = [0, 0, 0]
    for _ in range(15):
        tree = Tree(text_of(layered_tree(rng, layers.split(), 4)))
        results = [looked_at(search, tree, 0, 0) for search in (expectiminimax, star1, star2)]
        assert [value for value, _ in results] == pytest.approx([results[0][0]] * 3)
        sums = [total + nodes for total, (_, nodes) in zip(sums, results, strict=True)]
    assert sums[2] <= sums[1] < sums[0]


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("target", [1, 5, 10, 20, 100])
def test_on_pig_the_stars_find_the_value_of_expectiminimax_for_fewer_looks(target, depth):
    game = Pig(target)
    results = [looked_at(search, game, game.initial(), 0, depth) for search in (expectiminimax, star1, star2)]
    assert [value for value, _ in results] == pytest.approx([results[0][0]] * 3)
    nodes = [nodes for _, nodes in results]
    assert nodes[2] <= nodes[1] <= nodes[0]
    assert nodes[2] < nodes[0] or depth < 4 or target == 1


@pytest.mark.parametrize("search", STARS)
def test_a_chance_node_is_left_when_its_interval_leaves_the_window(search):
    """Two of six faces show -10, with utilities up to 10: the mean is at most 10/3 and cannot reach 4."""
    tree = Tree("max(4 chance(-10 -10 10 10 10 10) -10)")
    root = trace(search.__name__, tree)
    assert root.value == 4
    die = root.children[1]
    assert (die.value, die.value_kind) == (pytest.approx(20 / 6), "upper")
    assert die.value == pytest.approx(mean_interval([(1 / 6, -10)] * 2, -10, 10)[1])
    assert [child.kind for child in die.children] == ["terminal"] * 2 + ["cut"] * 4


def test_star2_needs_one_reply_to_each_outcome_where_star1_needs_all():
    """Min's first reply shows that neither outcome is worth more than 0; that is enough against 1."""
    tree = Tree("max(1 chance(min(0 5 5) min(0 5 5)) -10)")
    assert looked_at(star1, tree, 0, 0)[0] == looked_at(star2, tree, 0, 0)[0] == 1
    assert [leaf.value for leaf in trace("star2", tree).leaves()] == [1, 0, 0, -10]
    assert [leaf.value for leaf in trace("star1", tree).leaves()] == [1, 0, 5, 5, 0, -10]


@pytest.mark.parametrize("search", STARS)
@pytest.mark.parametrize(
    "text",
    [
        "chance(7)",
        "chance(chance(chance(-3)))",
        "max(chance(min(2)) chance(max(2)))",
        "chance(5 5 5)",
        "chance(-10 10)",
        "max(chance(-10 10) chance(10 -10) min(-10 10))",
        "min(chance(10 10) chance(10 -10) 10)",
        "chance(1/3:max(-1 1) 1/3:min(-1 1) 1/3:chance(-1 1))",
    ],
)
def test_single_outcomes_equal_utilities_and_utilities_at_the_bounds(search, text):
    tree = Tree(text)
    for player in (0, 1):
        value = expectiminimax(tree, 0, player)
        assert search(tree, 0, player) == pytest.approx(value)
        for alpha, beta in ((-99, -98), (98, 99), (value - 1, value), (value, value + 1), (-10, 10)):
            assert is_proved(search(tree, 0, player, UNLIMITED, alpha, beta), alpha, beta, value, 1e-9)


class Loaded(Game):
    """A die that never shows some of its faces, and a choice between two of them.

    0 -> die 1 or die 2 -> a face, 10 times the die and the face
    """

    chance = True
    utility_range = (-3, 3)

    def __init__(self, *chances):
        self.chances = chances

    def initial(self):
        return 0

    def to_move(self, state):
        return 0 if state == 0 else CHANCE

    def actions(self, state):
        return (1, 2) if state == 0 else range(len(self.chances))

    def result(self, state, action):
        return 10 * state + action

    def outcomes(self, state):
        return enumerate(self.chances)

    def is_terminal(self, state):
        return state >= 10

    def utility(self, state, player):
        found = state % 10 - state // 10
        return found if player == 0 else -found


@pytest.mark.parametrize("search", STARS)
@pytest.mark.parametrize("chances", [(0, 0.5, 0, 0.5), (0, 1), (1, 0), (0.25, 0.75, 0, 0), (0, 0, 0, 1)])
def test_outcomes_of_probability_zero_do_not_count(search, chances):
    game = Loaded(*chances)
    expected = sum(face * chance for face, chance in enumerate(chances)) - 1
    assert expectiminimax(game, 0, 0) == expected
    assert search(game, 0, 0) == expected
    for window in ((-1, 0), (expected, 3), (-3, expected)):
        assert is_proved(search(game, 0, 0, UNLIMITED, *window), *window, expected, 1e-9)


def test_a_trace_says_that_such_an_outcome_never_happens():
    cut = trace("star1", Loaded(0.5, 0, 0.5)).children[0].children[1]
    assert (cut.kind, cut.probability, cut.reason) == ("cut", 0, "never happens")
