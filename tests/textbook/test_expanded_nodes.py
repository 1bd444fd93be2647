"""Which nodes a search expands, and in which order: drawn trees, worked out by hand from the lectures' rules.

Max moves first; each ghost is a layer of min nodes, or of averages if it moves at random. Nodes have one letter, and
a search is written as the letters in the order in which it comes to them.
"""

import pytest
from hypothesis import given, settings
from looks import looked_at

from sizes import some
from trees import text_of, trees
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled
from zermelo.textbook import (
    alphabeta,
    alphabeta_with_ties,
    average,
    expectimax,
    maximise,
    minimax,
    minimise,
    mixed_layers,
    own,
    record,
)

pytestmark = pytest.mark.plain


def expanded(search, tree, *arguments):
    """The letters of the nodes as they are looked at, and the value at the root."""
    root = record(lambda: search(tree, 0, *arguments))
    found = sorted((node for node in root.nodes() if node.kind != "cut"), key=lambda node: node.entered)
    return "".join(tree.nodes[node.state].name for node in found), root.value


# -- one ghost ---------------------------------------------------------------------------------------------

ONE_GHOST = Tree(
    """R=max(A=min(D=max(a=4 b=7) E=max(c=9 d=1))
             B=min(F=max(e=6 f=2) G=max(g=8 h=3))
             C=min(H=max(i=8 j=5) I=max(k=10 l=0)))"""
)
"""    R                    max     D 7, E 9: A is 7
    A       B       C       min     F 6 is worse than 7, so G need not be seen
    D  E    F  G    H  I    max     H 8; k is more than 8, so l need not be seen: C is 8"""


def test_minimax_expands_every_node_from_left_to_right():
    assert expanded(minimax, ONE_GHOST, 0) == ("RADabEcdBFefGghCHijIkl", 8)


def test_alpha_beta_leaves_out_what_cannot_matter():
    """In E, 9 is more than the 7 of D; in B, 6 is less than the 7 of A; in I, 10 is more than the 8 of H."""
    for search in (alphabeta, alphabeta_with_ties):
        assert expanded(search, ONE_GHOST, 0) == ("RADabEcBFefCHijIk", 8)


def test_expectimax_leaves_out_nothing():
    """A ghost that moves at random: (7 + 9) / 2, (6 + 8) / 2 and (8 + 10) / 2."""
    assert expanded(expectimax, ONE_GHOST, 0) == ("RADabEcdBFefGghCHijIkl", 9)


# -- ties ----------------------------------------------------------------------------------------------------

WORSE_BEHIND_A_TIE = Tree("R=max(A=min(a=4 b=6) B=min(c=4 d=1))")
BETTER_BEHIND_A_TIE = Tree("R=min(A=max(a=5 b=3) B=max(c=5 d=9))")


@pytest.mark.parametrize(
    ("tree", "value", "at_b"),
    [(WORSE_BEHIND_A_TIE, 4, (4, 1)), (BETTER_BEHIND_A_TIE, 5, (5, 9))],
    ids=["below max", "below min"],
)
def test_only_pruning_on_equality_skips_nodes_behind_a_tie(tree, value, at_b):
    """The value of the root is the same; but B seems to be as good as A, which it is not."""
    assert expanded(alphabeta, tree, 0) == ("RAabBc", value)
    assert expanded(alphabeta_with_ties, tree, 0) == ("RAabBcd", value)
    for search, found in zip((alphabeta, alphabeta_with_ties), at_b, strict=True):
        assert record(lambda search=search: search(tree, 0, 0)).children[1].value == found


def test_a_tie_three_plies_above_does_not_prune():
    """Alpha is the 3 of A all the way down to E; c equals it, so that d is seen, and d is not less, so that e is."""
    tree = Tree("R=max(A=min(a=3 b=8) B=min(C=max(E=min(c=3 d=3 e=2) F=min(f=5)) D=max(g=7)))")
    assert expanded(alphabeta_with_ties, tree, 0) == ("RAabBCEcdeFfDg", 5)
    assert expanded(alphabeta, tree, 0) == ("RAabBCEcFfDg", 5)


def test_with_equal_leaves_nothing_is_pruned():
    """Pruning on equality sees the fewest nodes there are; without it, as many as minimax."""
    tree = Tree("R=max(A=min(a=1 b=1 c=1) B=min(d=1 e=1 f=1) C=min(g=1 h=1 i=1))")
    assert expanded(alphabeta_with_ties, tree, 0) == expanded(minimax, tree, 0) == ("RAabcBdefCghi", 1)
    assert expanded(alphabeta, tree, 0) == ("RAabcBdCg", 1)


@pytest.mark.both
@given(trees(chance=False, most=2))
@settings(max_examples=some(200), deadline=None)
def test_a_result_on_the_edge_of_the_window_is_exact_without_pruning_on_equality(nested):
    tree = Tree(text_of(nested))
    value, all_nodes = looked_at(minimax, tree, 0, 0)
    searches = [alphabeta_with_ties, alphabeta_with_ties.run_compiled] if is_enabled() else [alphabeta_with_ties]
    for search in searches:
        found, nodes = looked_at(search, tree, 0, 0)
        assert found == value
        assert looked_at(alphabeta, tree, 0, 0)[1] <= nodes <= all_nodes
        for alpha in range(-2, 2):
            for beta in range(alpha + 1, 3):
                found = search(tree, 0, 0, 1 << 20, float(alpha), float(beta))
                assert found == value or (found < alpha and value <= found) or (found > beta and value >= found)


# -- several ghosts ------------------------------------------------------------------------------------------

TWO_GHOSTS = Tree(
    """R=p1(A=p2(C=p3(a=<6,0,0> b=<9,0,0>) D=p3(c=<8,0,0> d=<2,0,0>))
            B=p2(E=p3(e=<3,0,0> f=<1,0,0>) F=p3(g=<9,0,0> h=<9,0,0>)))"""
)
"""    R                Pac-Man
    A       B           the first ghost
    C  D    E  F        the second one"""


def test_each_ghost_has_a_layer_of_its_own():
    """E is 1, less than the 2 of A; so is B then, whatever F is."""
    assert expanded(minimax, TWO_GHOSTS, 0) == ("RACabDcdBEefFgh", 2)
    assert expanded(alphabeta_with_ties, TWO_GHOSTS, 0) == ("RACabDcdBEef", 2)


def test_random_ghosts_are_means_of_means():
    """A is (7.5 + 5) / 2, B is (2 + 9) / 2."""
    assert expanded(expectimax, TWO_GHOSTS, 0) == ("RACabDcdBEefFgh", 6.25)


def test_one_perfect_and_one_random_ghost():
    """The first is perfect: the less of 7.5 and 5, of 2 and 9. The second is: the mean of 6 and 2, of 1 and 9."""
    for behaviours, value in (((maximise, minimise, average), 5), ((maximise, average, minimise), 5)):
        assert expanded(mixed_layers, TWO_GHOSTS, own(0), behaviours) == ("RACabDcdBEefFgh", value)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_round_of_pac_man_is_a_ply_for_each_character(rounds):
    """Two ghosts: depth 2, as courses count it, is six plies, and positions are judged when it is Pac-Man's turn."""
    game = find("pacman:layout=small")
    for search in (minimax, alphabeta, alphabeta_with_ties):
        layers = kinds_by_ply(record(lambda search=search: search(game, game.initial(), 0, 3 * rounds)))
        assert layers[:-1] == [{kind} for kind in ("max", "min", "min") * rounds]
        assert layers[-1] == {"horizon"}


def kinds_by_ply(root):
    """What kinds of nodes there are at each depth, ends of the game apart."""
    layers, found = [root], []
    while layers:
        if kinds := {node.kind for node in layers} - {"terminal", "cut"}:
            found.append(kinds)
        layers = [child for node in layers for child in node.children]
    return found
