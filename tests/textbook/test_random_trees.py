"""Textbook, compiled and plain evaluation agree on hundreds of random trees.

The trees have ties, layers in any order, branches of different length, nodes with a single move, and dice. The plain
evaluations below know nothing of the package: they walk the nested tuples from which the trees were written.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looks import even_dice, is_proved, looked_at

from sizes import some
from trees import Inner, plain_values, text_of, trees
from zermelo.core.meter import Meter, Metered
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled
from zermelo.textbook import (
    UNLIMITED,
    alphabeta,
    expectiminimax,
    maxn,
    maxn_shallow,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
)

pytestmark = pytest.mark.plain

many = settings(max_examples=some(200), deadline=None)
few = settings(max_examples=100, deadline=None)
SLACK = 1e-9

depths = st.sampled_from([UNLIMITED, 0, 1, 2, 3, 4])
ends = st.integers(-6, 6) | st.sampled_from([-0.5, 0.5, 1.25])
windows = st.tuples(ends, ends).filter(lambda ends: ends[0] != ends[1]).map(sorted)


def leaves_of(tree):
    if not isinstance(tree, Inner):
        return [tree]
    return [leaf for child in tree.children for leaf in leaves_of(child)]


def plain_minimax(tree, depth, middle):
    """What the first player gets; `middle` stands in for what lies beyond the depth limit."""
    if not isinstance(tree, Inner):
        return tree
    if depth == 0:
        return middle
    values = [plain_minimax(child, depth - 1, middle) for child in tree.children]
    weights = tree.weights or (1,) * len(values)
    mean = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
    return {"max": max(values), "min": min(values), "chance": mean}[tree.kind]


def value_of(tree, depth):
    """The plain value; like the package's, a missing estimate is the middle of all leaves."""
    leaves = leaves_of(tree)
    return plain_minimax(tree, depth, (min(leaves) + max(leaves)) / 2)


def both(search, tree, *arguments):
    """The value that the textbook finds; the compiled kernel must find the same, bit for bit."""
    found = search(tree, *arguments)
    if is_enabled():
        assert search.run_compiled(tree, *arguments) == found
    return found


# -- two players ---------------------------------------------------------------------------------------


@pytest.mark.both
@given(trees(chance=False), depths, windows)
@many
def test_minimax_and_alpha_beta_find_the_plain_value_and_in_any_window_a_true_bound(nested, depth, window):
    tree, value = Tree(text_of(nested)), value_of(nested, depth)
    for player, own in ((0, value), (1, -value)):
        assert both(minimax, tree, 0, player, depth) == own
        for search in (alphabeta, quiescent_alphabeta):  # no move of these trees is noisy
            assert both(search, tree, 0, player, depth) == own
            assert is_proved(both(search, tree, 0, player, depth, *window), *window, own)


@given(trees(chance=False), depths)
@few
def test_alpha_beta_never_looks_at_more_than_minimax(nested, depth):
    tree = Tree(text_of(nested))
    assert looked_at(alphabeta, tree, 0, 0, depth)[1] <= looked_at(minimax, tree, 0, 0, depth)[1]


# -- dice ----------------------------------------------------------------------------------------------


@pytest.mark.both
@given(trees(), depths, windows)
@many
def test_expectiminimax_and_the_stars_find_the_plain_value_and_in_any_window_a_true_bound(nested, depth, window):
    tree, value = Tree(text_of(nested)), value_of(nested, depth)
    for player, own in ((0, value), (1, -value)):
        assert both(expectiminimax, tree, 0, player, depth) == pytest.approx(own, abs=SLACK)
        for search in (star1, star2):
            assert both(search, tree, 0, player, depth) == pytest.approx(own, abs=SLACK)
            assert is_proved(both(search, tree, 0, player, depth, *window), *window, own, SLACK)


# -- many players --------------------------------------------------------------------------------------


@pytest.mark.both
@given(trees(players=3).map(even_dice))
@many
def test_maxn_finds_the_plain_payoffs_of_three_players(nested):
    assert both(maxn, Tree(text_of(nested)), 0) == plain_values(nested)


@given(st.sampled_from([1, 4, 6]).flatmap(lambda players: trees(players=players).map(even_dice)))
@few
def test_maxn_finds_the_plain_payoffs_of_any_number_of_players(nested):
    assert maxn(Tree(text_of(nested)), 0) == plain_values(nested)


@given(trees(chance=False))
@few
def test_maxn_for_two_players_whose_payoffs_sum_to_zero_is_minimax(nested):
    value = value_of(nested, UNLIMITED)
    assert maxn(Tree(text_of(nested)), 0) == (value, -value)


def shifted(tree, shift):
    if isinstance(tree, Inner):
        return tree._replace(children=tuple(shifted(child, shift) for child in tree.children))
    return tuple(payoff + shift for payoff in tree)


@pytest.mark.both
@given(trees(players=3, leaves=30).map(even_dice), st.sampled_from([-2, 0, 4, 9]), depths)
@many
def test_shallow_pruning_keeps_the_payoffs_of_maxn_ties_included(nested, shift, depth):
    tree = Tree(text_of(shifted(nested, shift)))
    total = max(sum(tree.evaluations(state)) for state in range(len(tree.nodes)))
    assert both(maxn_shallow, tree, 0, total, depth) == both(maxn, tree, 0, depth)


def constant_sum(tree, total):
    """The tree with the last player's payoff changed so that each leaf sums to the total."""
    if isinstance(tree, Inner):
        return tree._replace(children=tuple(constant_sum(child, total) for child in tree.children))
    return (*tree[:-1], total - sum(tree[:-1]))


@given(st.lists(trees(players=3, chance=False, leaves=40), min_size=3, max_size=3))
@few
def test_shallow_pruning_looks_at_no_more_than_maxn(branches):
    tree = Tree(text_of(constant_sum(Inner("p1", tuple(branches)), 6)))
    (plain, looks), (pruned, fewer) = looked_at(maxn, tree, 0), looked_at(maxn_shallow, tree, 0, 6)
    assert plain == pruned
    assert fewer <= looks


def test_shallow_pruning_knows_what_the_others_get_at_least():
    """Of 13 points 9 are taken and the third player has at least 1: the 3 that are left may still matter."""
    tree = Tree("p1(p2(<2,4,7> <5,3,5>) p2(<3,9,1> <1,10,2>))")
    assert maxn_shallow(tree, 0, 13) == maxn(tree, 0) == (2, 4, 7)


def test_shallow_pruning_prunes():
    """When the second player has 9 of 10, no more than 1 is left for the first, who has that already."""
    tree = Tree("p1(p2(<1,3,6> <4,2,4>) p2(<1,9,0> <0,0,10> <10,0,0>))")
    assert looked_at(maxn, tree, 0) == ((1, 3, 6), 8)
    assert looked_at(maxn_shallow, tree, 0, 10) == ((1, 3, 6), 6)


# -- one kernel for all trees --------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("search", [minimax, alphabeta, expectiminimax, star1, star2], ids=lambda s: s.__name__)
def test_one_compiled_kernel_serves_all_trees(search):
    from zermelo.kernel import bridge

    texts = [f"max(min({n} 12 8) chance(2 {n} 6) min(14 5 2) {-n})" for n in range(50)]
    search.run_compiled(Tree(texts[0]), 0, 0)
    before = len(bridge.dispatcher(search).overloads)
    for text in texts:
        search.run_compiled(Tree(text), 0, 0)
    assert len(bridge.dispatcher(search).overloads) == before


@pytest.mark.compiled
def test_one_compiled_kernel_serves_all_metered_trees():
    for number in range(20):
        tree, meter = Tree(f"max(min(3 {number} 8) chance(2 4 6) min(14 5 2))"), Meter.allocate()
        assert star1.run_compiled(Metered(tree, meter), 0, 0) == star1(tree, 0, 0)
        assert meter.nodes == looked_at(star1, tree, 0, 0)[1]
