"""The proof itself: what its results prove within any window, and what its table remembers."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solve_games import judged, needs_compiler

from trees import Inner, random_tree, text_of, trees
from zermelo.games.tree import Tree
from zermelo.kernel import U64
from zermelo.solve.induction import InductionMemory
from zermelo.solve.proof import prove
from zermelo.solve.table import (
    EXACT,
    LOWER,
    MOST_MOVES,
    MOVES,
    TABLE,
    UPPER,
    ProofMemory,
    find,
    keep,
    kind_in,
    move_in,
    pull,
    push,
    value_in,
)

HASTE = 2.0**-20
INFINITY = float("inf")
ends = st.integers(-5, 5) | st.sampled_from([-0.5, 0.5, 1.25, INFINITY, -INFINITY])
windows = st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1]).map(sorted)
both_ways = pytest.mark.parametrize(
    "run", [prove, pytest.param(prove.run, marks=needs_compiler)], ids=["plain", "compiled"]
)


class Bounded(Tree):
    """A tree that knows something about the value of every node."""

    hushed = (*Tree.hushed, "intervals")

    def bounds(self, state, player):
        low, high = self.intervals[state]
        return (low, high) if player == 0 else (-high, -low)


def level_by_level(tree):
    """The subtrees in the order in which `Tree` numbers its nodes."""
    found = [tree]
    for node in found:
        found += node.children if isinstance(node, Inner) else ()
    return found


def is_proved(result, alpha, beta, value):
    """With v the value and r the result: r <= alpha proves v <= r, r >= beta proves v >= r, otherwise v = r."""
    return result == value or (result <= alpha and value <= result) or (result >= beta and value >= result)


def hastened(tree, haste):
    value, plies = judged(tree)
    return value - haste * plies if value > 0 else value + haste * plies if value < 0 else value


@pytest.mark.parametrize("haste", [0.0, HASTE])
@pytest.mark.parametrize("slacks", [(100,), (0, 100), (0, 0, 1, 2, 100)], ids=["no bounds", "exact or none", "bounds"])
def test_results_prove_what_they_say_whatever_bounds_and_table_know(haste, slacks):
    """One memory for many windows, so that what was found in one is used in the next; last, windows at every value."""
    rng = random.Random(1913)
    for most in (2, 6) * 40:
        tree = random_tree(rng, depth=5, branching=3, chance=False, most=most)
        nodes = level_by_level(tree)
        values = [hastened(node, haste) for node in nodes]
        inner = [state for state, node in enumerate(nodes) if isinstance(node, Inner)]
        game, memory = Bounded(text_of(tree)), ProofMemory(1)
        game.intervals = [
            (judged(node)[0] - rng.choice(slacks), judged(node)[0] + rng.choice(slacks)) for node in nodes
        ]
        edges = sorted({-INFINITY, INFINITY, *(value + rng.choice((-1, 1)) * (haste or 1) / 2 for value in values)})
        questions = [(rng.choice((inner[0], *inner)), *sorted(rng.sample(edges, 2))) for _ in range(20 if inner else 0)]
        for state in inner:
            questions += [(state, values[state], INFINITY), (state, -INFINITY, values[state])]
        for state, alpha, beta in questions:
            result = prove(game, state, alpha, beta, haste, 0, 0, memory.address)
            assert is_proved(result, alpha, beta, values[state]), (text_of(tree), state, alpha, beta)


def test_exact_bounds_leave_no_window_and_so_no_search():
    """In an empty window a result would prove two things at once: here that the node worth 5 is worth at most 1."""
    game, memory = Bounded("max(min(five:max(min(1) min(5)) min(1)))"), ProofMemory(1)
    game.intervals = [(1, 1)] + [(-100, 100)] * 9
    assert prove(game, 0, -INFINITY, INFINITY, 0.0, 0, 0, memory.address) == 1
    assert memory.nodes == 1
    assert prove(game, game.parse_state("a.five"), 3.0, INFINITY, 0.0, 0, 0, memory.address) == 5


@both_ways
@settings(max_examples=100)
@given(tree=trees(chance=False), limits=st.lists(windows, min_size=1, max_size=4), haste=st.sampled_from([0.0, HASTE]))
def test_results_prove_what_they_say(run, tree, limits, haste):
    if not isinstance(tree, Inner):
        return
    game, memory = Tree(text_of(tree)), ProofMemory(1)
    for alpha, beta in limits:
        result = run(game, 0, float(alpha), float(beta), haste, 0, 0, memory.address)
        assert is_proved(result, alpha, beta, hastened(tree, haste))


def test_the_best_move_at_the_root_is_remembered():
    memory = ProofMemory(1)
    assert memory.best == -1
    game = Tree("max(min(3 12 8) 1 min(14 5 4) 2)")
    assert prove(game, 0, -INFINITY, INFINITY, 0.0, 0, 0, memory.address) == 4
    assert memory.best == 2


# -- the table --------------------------------------------------------------------------------------------------------


def look(memory, key):
    cell = find(memory.address, key)
    if cell < 0:
        return None
    return value_in(memory.address, cell), kind_in(memory.address, cell), move_in(memory.address, cell)


@pytest.mark.parametrize("kind", [EXACT, LOWER, UPPER])
@pytest.mark.parametrize(("move", "known"), [(0, 0), (254, 254), (255, -1), (1999, -1), (-1, -1)])
def test_an_entry_is_found_again(kind, move, known):
    """A move number is kept if it is below 255; the value and its kind are kept in any case."""
    memory = ProofMemory(1)
    for key in (U64(0), U64(1), U64((1 << 64) - 1), U64(0xFEDC_BA98_7654_3210)):
        assert look(memory, key) is None
        keep(memory.address, key, -2.5, kind, move, nodes=77)
        assert look(memory, key) == (-2.5, kind, known)


def test_keys_that_differ_in_any_bit_are_told_apart():
    memory, key = ProofMemory(1), U64(0x0123_4567_89AB_CDEF)
    keep(memory.address, key, 1.0, EXACT, 0, nodes=1)
    assert all(look(memory, key ^ U64(1 << number)) is None for number in range(64))


def test_effort_stays_and_the_second_place_is_for_the_last():
    """Four keys of one bucket: what took most work is never forgotten for what took less."""
    memory = ProofMemory(1)
    dear, first, second, third = (U64((number << 32) + 5) for number in range(1, 5))
    for key, nodes in ((dear, 1000), (first, 10), (second, 10), (third, 3)):
        keep(memory.address, key, float(nodes), EXACT, 1, nodes)
    assert [look(memory, key) is not None for key in (dear, first, second, third)] == [True, False, False, True]
    keep(memory.address, second, 5.0, LOWER, 2, nodes=1 << 40)
    assert look(memory, second) == (5.0, LOWER, 2)
    assert look(memory, dear) == (1000.0, EXACT, 1)  # it moved to the second place
    assert look(memory, third) is None


def test_an_entry_is_replaced_by_what_is_known_now():
    memory, key = ProofMemory(1), U64(9)
    keep(memory.address, key, 1.0, LOWER, 3, nodes=1000)
    keep(memory.address, key, 2.0, EXACT, 4, nodes=1)
    assert look(memory, key) == (2.0, EXACT, 4)


def test_moves_come_by_score_and_equals_in_their_order():
    memory = ProofMemory(1)
    scores = [1.0, 3.0, 2.0, 3.0, -1.0, 2.0]
    for number, score in enumerate(scores):
        push(memory.address, number, 10 * number, score, number)
    found = []
    for first in range(len(scores)):
        cell = pull(memory.address, first, len(scores))
        assert cell == MOVES + 3 * first
        found.append((memory.cells[cell], memory.cells[cell + 2]))
    assert found == [(10, 1), (30, 3), (20, 2), (50, 5), (0, 0), (40, 4)]


# -- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("megabytes", "reserved"), [(1, 2), (2, 2), (3, 2), (4, 4), (100, 64), (256, 256)])
def test_the_table_is_as_large_as_was_asked(megabytes, reserved):
    """The largest power of two that fits, two megabytes at least; four more are the stack."""
    memory = ProofMemory(megabytes)
    assert 8 * (len(memory.cells) - TABLE) == reserved * 1024 * 1024
    assert 8 * TABLE < 4 * 1024 * 1024 + 256 * 1024
    assert TABLE == MOVES + 3 * MOST_MOVES


@pytest.mark.parametrize(("players", "megabytes"), [(2, 1), (3, 16), (6, 100)])
def test_the_table_of_all_positions_is_no_larger_than_was_asked(players, megabytes):
    size = 8 * len(InductionMemory(players, megabytes).cells)
    assert megabytes * 1024 * 1024 / 2 <= size <= megabytes * 1024 * 1024 + 64


def test_a_limit_counts_from_where_the_proof_is():
    for memory in (ProofMemory(1), InductionMemory(2, 1)):
        memory.cells[0] = 100
        memory.allow(5)
        assert not memory.is_stopped
        memory.cells[0] = 105
        assert memory.is_stopped
        memory.allow(None)
        assert not memory.is_stopped
        memory.stop()
        assert memory.is_stopped
