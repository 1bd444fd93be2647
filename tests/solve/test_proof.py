"""The proof itself: what its results prove within any window, whatever bounds, table and ply cost add."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solve_games import judged

from sizes import some
from trees import Inner, random_tree, text_of, trees
from zermelo.core.game import Game
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.tree import Tree
from zermelo.search.alphabeta.negamax import negamax
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.solve import solve
from zermelo.solve.graph import Graph
from zermelo.solve.proof import Proof, halfway

pytestmark = pytest.mark.plain

PLY_COST = 2.0**-20
INFINITY = float("inf")
ends = st.integers(-5, 5) | st.sampled_from([-0.5, 0.5, 1.25, INFINITY, -INFINITY])
windows = st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1]).map(sorted)


class Bounded(Tree):
    """A tree that knows something about the value of every node."""

    not_compiled = (*Tree.not_compiled, "known_bounds")

    def bounds(self, state, player):
        low, high = self.known_bounds[state]
        return (low, high) if player == 0 else (-high, -low)


class PlainProof(Proof):
    """The same, interpreted: one tree after the other is compiled, and a list of bounds is not."""

    def __init__(self, game, megabytes):
        super().__init__(game, megabytes)
        self._search = negamax.function


def level_by_level(tree):
    """The subtrees in the order in which `Tree` numbers its nodes."""
    found = [tree]
    for node in found:
        found += node.children if isinstance(node, Inner) else ()
    return found


def is_proved(result, alpha, beta, value):
    """With v the value and r the result: r <= alpha proves v <= r, r >= beta proves v >= r, otherwise v = r."""
    return result == value or (result <= alpha and value <= result) or (result >= beta and value >= result)


def delayed_value(tree, ply_cost):
    value, plies = judged(tree)
    return value - ply_cost * plies if value > 0 else value + ply_cost * plies if value < 0 else value


@pytest.mark.parametrize("ply_cost", [0.0, PLY_COST])
@pytest.mark.parametrize("slacks", [(100,), (0, 100), (0, 0, 1, 2, 100)], ids=["no bounds", "exact or none", "bounds"])
def test_results_prove_what_they_say_whatever_bounds_and_table_know(ply_cost, slacks):
    """One memory for many windows, so that what was found in one is used in the next; last, windows at every value."""
    rng = random.Random(1913)
    for most in (2, 6) * 10:
        tree = random_tree(rng, depth=5, branching=3, chance=False, most=most)
        nodes = level_by_level(tree)
        values = [delayed_value(node, ply_cost) for node in nodes]
        inner = [state for state, node in enumerate(nodes) if isinstance(node, Inner)]
        game = Bounded(text_of(tree))
        game.known_bounds = [
            (judged(node)[0] - rng.choice(slacks), judged(node)[0] + rng.choice(slacks)) for node in nodes
        ]
        proof = PlainProof(game, 1)
        edges = sorted({-INFINITY, INFINITY, *(value + rng.choice((-1, 1)) * (ply_cost or 1) / 2 for value in values)})
        questions = [(rng.choice((inner[0], *inner)), *sorted(rng.sample(edges, 2))) for _ in range(20 if inner else 0)]
        for state in inner:
            questions += [(state, values[state], INFINITY), (state, -INFINITY, values[state])]
        for state, alpha, beta in questions:
            result = proof.within(state, alpha, beta, ply_cost)
            assert is_proved(result, alpha, beta, values[state]), (text_of(tree), state, alpha, beta)


def test_exact_bounds_leave_no_window_and_so_no_search():
    """In an empty window a result would prove two things at once: here that the node worth 5 is worth at most 1."""
    game = Bounded("max(min(five:max(min(1) min(5)) min(1)))")
    game.known_bounds = [(1, 1)] + [(-100, 100)] * 9
    proof = PlainProof(game, 1)
    assert proof.within(0, -INFINITY, INFINITY) == 1
    assert proof.workspace.nodes == 1
    assert proof.within(game.parse_state("a.five"), 3.0, INFINITY) == 5


@pytest.mark.both
@settings(max_examples=some(100))
@given(
    tree=trees(chance=False),
    limits=st.lists(windows, min_size=1, max_size=4),
    ply_cost=st.sampled_from([0.0, PLY_COST]),
)
def test_results_prove_what_they_say(tree, limits, ply_cost):
    """Compiled, unless the compiler is switched off."""
    if not isinstance(tree, Inner):
        return
    proof = Proof(Tree(text_of(tree)), 1)
    for alpha, beta in limits:
        result = proof.within(0, float(alpha), float(beta), ply_cost)
        assert is_proved(result, alpha, beta, delayed_value(tree, ply_cost))


@pytest.mark.both
def test_values_with_and_without_haste_are_kept_apart():
    """One table for both, and neither takes the other's values for its own."""
    tree = Inner("max", (Inner("min", (Inner("max", (3, 1)), 3)), 2))
    proof = Proof(Tree(text_of(tree)), 1)
    for ply_cost in (0.0, PLY_COST, 0.0, PLY_COST):
        assert proof.within(0, -INFINITY, INFINITY, ply_cost) == delayed_value(tree, ply_cost)


# -- the value --------------------------------------------------------------------------------------------------------


@pytest.mark.both
@settings(max_examples=some(100))
@given(trees(chance=False, most=40))
def test_the_value_is_exact_and_the_best_move_has_it(tree):
    if not isinstance(tree, Inner):
        return
    proof = Proof(Tree(text_of(tree)), 1)
    value = judged(tree)[0]
    assert proof.value(0) == value
    if proof.best is not None:  # None if the bounds left no question
        assert judged(tree.children[proof.best])[0] == value


@pytest.mark.both
def test_the_value_of_hexapawn():
    """The second player wins.   [Gardner 1962]"""
    game = Hexapawn()
    proof = Proof(game, 1)
    assert proof.value(game.initial()) == -1
    assert proof.hits > 0


@pytest.mark.both
def test_the_best_move_at_the_root_is_remembered():
    proof = Proof(Tree("max(min(3 12 8) 1 min(14 5 4) 2)"), 1)
    assert proof.best is None
    assert proof.value(0) == 4
    assert proof.best == 2


@pytest.mark.parametrize("wide", [(-1, 1), (-64, 64), (0, 1), (0.25, 0.5), (-1e9, 1e9), (-3, 90)])
def test_questions_halve_the_interval(wide):
    """A question below the lower end, or at the upper end, would teach nothing."""
    rng = random.Random(8)
    for _ in range(200):
        low, high = sorted(rng.uniform(*wide) for _ in range(2))
        if low < high:
            assert low <= halfway(low, high) < high


def test_whole_payoffs_are_searched_in_whole_numbers():
    assert [halfway(-1, 1), halfway(0, 1), halfway(-1, 0), halfway(-64, 64)] == [0, 0, -1, -32]
    assert all(halfway(low, low + 1) == low for low in range(-9, 9))


# -- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("megabytes", [1, 3, 16, 100])
def test_a_proof_takes_the_requested_table_and_a_workspace(megabytes):
    proof = Proof(Tree("max(1 2)"), megabytes)
    size = 8 * len(proof.table.memory)
    assert abs(size - megabytes * 1024 * 1024) <= 0.05 * megabytes * 1024 * 1024
    assert len(proof.workspace.keeps_alive[0]) == AlphaBetaWorkspace.cells
    assert 8 * AlphaBetaWorkspace.cells < 5 * 1024 * 1024


@pytest.mark.parametrize(("tree", "megabytes"), [("max(1 2)", 1), ("p1(<1,2,3>)", 16), ("p1(<1,2,3,4,5,6>)", 100)])
def test_the_table_of_all_positions_is_at_most_the_requested_size(tree, megabytes):
    _, table, block = Graph.create(Tree(tree), 0, megabytes).keeps_alive
    assert megabytes * 1024 * 1024 / 2 <= 8 * len(table) <= megabytes * 1024 * 1024
    assert 8 * len(block) == megabytes * 1024 * 1024


def test_a_limit_counts_from_where_the_proof_is():
    for counters in (Proof(Tree("max(1 2)"), 1).workspace, Graph.create(Tree("max(1 2)"), 0, 1)):
        counters.nodes = 100
        counters.allow(5)
        assert not counters.is_stopped()
        counters.nodes = 105
        assert counters.is_stopped()
        counters.allow(None)
        assert not counters.is_stopped()
        counters.stop()
        assert counters.is_stopped()


class Waits(Game):
    """Player 0 has one move; then player 1 wins, or waits as long as it likes. Payoffs are out of 1, or out of 2."""

    margins = True
    ways = ((1,), (2, 1), ())

    def __init__(self, most=1):
        self.most = most
        self.utility_range = (-most, most)

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield from range(len(self.ways[state]))

    def result(self, state, action):
        return self.ways[state][action]

    def is_terminal(self, state):
        return state == 2

    def utility(self, state, player):
        return -1 if player == 0 else 1


@pytest.mark.parametrize("most", [1, 2])
def test_an_exact_value_has_a_best_move_even_if_further_questions_run_into_cycles(most, monkeypatch):
    """The value is proved without a search of the cycle, so the loser's best move was not recorded."""
    monkeypatch.setattr(Proof, "prepare", lambda *_: True)
    monkeypatch.setitem(negamax.function.__globals__, "MOST_PLIES", 100)
    answer = solve(Waits(most), memory_mb=1)
    assert answer.kind == "exact"
    assert answer.value == (-1, 1)
    assert answer.line == ("0", "0")


class Choice(Game):
    """Three hundred moves, of which one wins at once."""

    winner = 255

    def initial(self):
        return -1

    def to_move(self, state):
        return 0

    def actions(self, state):
        yield from range(300) if state < 0 else ()

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return 1 if (state == self.winner) == (player == 0) else -1


@pytest.mark.parametrize("winner", [0, 254, 255, 256])
def test_a_proof_knows_its_best_move_whatever_its_number(winner):
    """255 stands for none in the table, which has a byte for it."""
    game = Choice()
    game.winner = winner
    proof = PlainProof(game, 0.1)
    assert proof.value(-1) == 1
    assert proof.best == winner
