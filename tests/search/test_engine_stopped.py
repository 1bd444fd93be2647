"""A search that was stopped shows only values that it found: no bound of an unfinished depth is called an estimate."""

import math
import random

import pytest

from sizes import some
from trees import Inner, plain_values, random_tree, text_of
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.games.tree import Tree
from zermelo.search.alphabeta import Engine, sound, strong
from zermelo.textbook import minimax

NAMES = "abcd"


def judged(tree, rng):
    """The same tree, whose inner nodes have an estimate."""
    if not isinstance(tree, Inner):
        return tree
    return Inner(f"{tree.kind}@{rng.randint(-30, 30) / 10}", tuple(judged(child, rng) for child in tree.children))


def wide_trees(seed, count):
    """Trees with four moves at the root, as texts with estimates and as they are."""
    rng = random.Random(seed)
    for _ in range(count):
        branches = tuple(random_tree(rng, chance=False, depth=4, branching=3) for _ in NAMES)
        tree = Inner(rng.choice(("max", "min")), branches)
        yield tree, Tree(text_of(judged(tree, rng)))


@pytest.mark.both
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_an_estimate_is_a_value_that_some_depth_gave_the_move(lines):
    """Minimax to the depth that is named; a search that fails low returns a bound, and that is another number."""
    seen = set()
    for _, game in wide_trees("estimates", some(12)):
        player, how = game.to_move(0), sound(game)
        for nodes in range(2, 60, 3):
            answer = Engine(game, 0.1, techniques=how).think(0, Limit(nodes=nodes), lines=lines)
            for move in answer.moves:
                if move.kind != "estimate" or move.value[0] != move.value[0]:
                    continue
                child = game.result(0, NAMES.index(move.move))
                assert move.value[player] == minimax(game, child, player, move.depth - 1), (game.text, nodes, move)
            seen.add(len({move.depth for move in answer.moves}))
    assert lines == 1 or seen > {1}, "some were stopped between two lines"


@pytest.mark.both
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_bounds_and_exact_values_hold_whenever_a_search_is_stopped(lines):
    kinds = set()
    for tree, game in wide_trees("bounds", some(12)):
        player = game.to_move(0)
        for nodes in (*range(2, 40, 3), 60, 100, 300):
            answer = Engine(game, 0.1, techniques=strong(game)).think(0, Limit(nodes=nodes), lines=lines)
            for move in answer.moves:
                kinds.add(move.kind)
                true = plain_values(tree.children[NAMES.index(move.move)])
                if move.kind == "exact":
                    assert move.value == true, (game.text, nodes, move)
                elif move.kind == "upper":
                    assert move.value[player] >= true[player], (game.text, nodes, move)
            assert answer.kind != "exact" or answer.value == plain_values(tree)
    assert kinds >= {"exact", "estimate"} | ({"upper"} if lines == 4 else set())


@pytest.mark.both
def test_a_move_that_was_not_reached_keeps_the_depth_of_its_value():
    """The second line of depth 2 was not finished: c fails low against b, which is not an estimate."""
    game = Tree("max@0(min@1(2 3) min@0(1 2) min@-1(-3 2))")
    how = sound(game)
    answers = [Engine(game, 0.1, techniques=how).think(0, Limit(nodes=nodes), lines=3) for nodes in range(4, 40)]
    depths = {tuple(move.depth for move in answer.moves) for answer in answers}
    assert depths > {(1, 1, 1), (2, 2, 2)}
    for answer in answers:
        values = {(move.move, move.depth, move.value[0]) for move in answer.moves if move.kind == "estimate"}
        assert values <= {("a", 1, 1), ("b", 1, 0), ("c", 1, -1), ("a", 2, 2), ("b", 2, 1), ("c", 2, -3)}


class Hopeless(Game):
    """The mover's estimates are infinitely bad, which unbounded payoffs allow."""

    utility_range = (-math.inf, math.inf)
    ways = ((1, 2), (3,), (), ())

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        yield from range(len(self.ways[state]))

    def result(self, state, action):
        return self.ways[state][action]

    def utility(self, state, player):
        return 0.0

    def evaluate(self, state, player):
        return -math.inf if player == 0 else math.inf


@pytest.mark.plain
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_move_that_is_never_better_than_nothing_has_a_line(lines):
    for nodes in range(1, 12):
        answer = Engine(Hopeless(), 0.1).think(None, Limit(nodes=nodes), lines=lines)
        assert answer.best in ("0", "1")
        assert all(move.line[0] == move.move for move in answer.moves)
    assert answer.kind == "exact"
    assert answer.value == (0, 0)


class Noise(Game):
    """One player whose every move is noisy and changes nothing."""

    players, zero_sum, utility_range = 1, False, (-1.0, 1.0)

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        for action in range(3):  # noqa: UP028 - `yield from` does not compile
            yield action

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return False

    def utility(self, state, player):
        return 0.0

    def is_noisy(self, state, action):
        return True


@pytest.mark.plain
def test_noisy_moves_that_lead_in_circles_do_not_hold_up_a_depth():
    """Without a cutoff, quiescence would look at three moves for each of 24 plies."""
    answer = Engine(Noise(), 0.1).think(0, Limit(depth=2))
    assert answer.stats["depth"] == 2
    assert answer.stats["nodes"] < 100_000
