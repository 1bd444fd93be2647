"""How much alpha-beta saves: with the best move first everywhere, it looks at the least that any proof needs."""

import random

import pytest
from looks import is_proved, looked_at

from trees import Inner, plain_values, text_of
from zermelo.games.tree import Tree
from zermelo.textbook import alphabeta, minimax, trace

pytestmark = pytest.mark.plain

SIZES = [(1, 5), (2, 1), (2, 2), (2, 3), (2, 7), (3, 2), (3, 4), (3, 5), (4, 3), (5, 4), (7, 2), (36, 2)]


def ordered_tree(rng, branching, depth, best_first, kind="max"):
    """A uniform tree with distinct leaves as far as possible, every node's best move first or last."""
    if depth == 0:
        return rng.randint(-(10**6), 10**6)
    below = "min" if kind == "max" else "max"
    children = [ordered_tree(rng, branching, depth - 1, best_first, below) for _ in range(branching)]
    children.sort(key=lambda child: plain_values(child)[0], reverse=(kind == "max") == best_first)
    return Inner(kind, tuple(children))


def fewest_leaves(branching, depth):
    """b^⌈d/2⌉ + b^⌊d/2⌋ - 1 [Knuth & Moore 1975]"""
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


@pytest.mark.parametrize(("branching", "depth"), SIZES)
def test_perfect_ordering_needs_the_leaves_of_the_knuth_moore_formula(branching, depth):
    rng = random.Random(branching * 100 + depth)
    nested = ordered_tree(rng, branching, depth, best_first=True)
    root = trace("alphabeta", Tree(text_of(nested)))
    assert root.value == plain_values(nested)[0]
    assert len(root.leaves()) == fewest_leaves(branching, depth)


@pytest.mark.parametrize(("branching", "depth"), SIZES)
def test_equal_leaves_are_perfectly_ordered(branching, depth):
    text = "7"
    for level in range(depth):
        text = f"{('max', 'min')[level % 2]}({' '.join([text] * branching)})"
    assert len(trace("alphabeta", Tree(text)).leaves()) == fewest_leaves(branching, depth)


@pytest.mark.parametrize(("branching", "depth"), [size for size in SIZES if min(size) > 1])
def test_the_worst_ordering_needs_more(branching, depth):
    rng = random.Random(branching * 100 + depth)
    nested = ordered_tree(rng, branching, depth, best_first=False)
    tree = Tree(text_of(nested))
    leaves = len(trace("alphabeta", tree).leaves())
    assert fewest_leaves(branching, depth) < leaves <= branching**depth
    assert leaves == branching**depth or depth > 2


def test_minimax_needs_all():
    nested = ordered_tree(random.Random(1), 3, 4, best_first=True)
    assert len(trace("minimax", Tree(text_of(nested))).leaves()) == 81


def test_a_narrow_window_needs_fewer_looks_and_still_proves_a_bound():
    nested = ordered_tree(random.Random(2), 4, 5, best_first=False)
    tree, value = Tree(text_of(nested)), plain_values(nested)[0]
    widest, looks = looked_at(alphabeta, tree, 0, 0)
    assert widest == value == minimax(tree, 0, 0)
    for alpha, beta in ((value - 1, value + 1), (value, value + 1), (value - 1, value), (value + 1000, value + 1001)):
        result, fewer = looked_at(alphabeta, tree, 0, 0, 99, alpha, beta)
        assert is_proved(result, alpha, beta, value)
        assert fewer < looks
