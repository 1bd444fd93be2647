"""Quiescence: where a depth limit falls into an exchange, plain search blunders."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looks import is_proved, looked_at

from sizes import some
from trees import text_of, trees
from zermelo.core.game import Game
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled, state
from zermelo.textbook import UNLIMITED, alphabeta, decide, minimax, quiescent_alphabeta, trace
from zermelo.textbook.quiescence import NOISY_PLIES

pytestmark = pytest.mark.plain

QUIET, CAPTURE = 0, 1


@state
class Trade(NamedTuple):
    balance: int
    """What White has won so far."""
    standing: int
    """The worth of the piece on the square."""
    captures: int
    is_over: bool


class Exchange(Game):
    """Both sides may capture on one square, cheapest piece first; a quiet move ends the game."""

    utility_range = (-100, 100)

    def __init__(self, prize, white, black):
        self.prize, self.white, self.black = prize, tuple(white), tuple(black)

    def initial(self):
        return Trade(0, self.prize, 0, False)

    def to_move(self, state):
        return state.captures % 2

    def actions(self, state):
        attackers = len(self.white) if state.captures % 2 == 0 else len(self.black)
        if state.captures // 2 < attackers:
            yield CAPTURE
        yield QUIET

    def result(self, state, action):
        if action == QUIET:
            return Trade(state.balance, state.standing, state.captures, True)
        turn = state.captures // 2
        if state.captures % 2 == 0:
            return Trade(state.balance + state.standing, self.white[turn], state.captures + 1, False)
        return Trade(state.balance - state.standing, self.black[turn], state.captures + 1, False)

    def is_terminal(self, state):
        return state.is_over

    def utility(self, state, player):
        return state.balance if player == 0 else -state.balance

    def evaluate(self, state, player):
        return state.balance if player == 0 else -state.balance

    def is_noisy(self, state, action):
        return action == CAPTURE

    def format_action(self, state, action):
        return ("quiet", "capture")[action]


QUEEN_TAKES_A_PAWN_THAT_A_PAWN_DEFENDS = Exchange(1, white=(9,), black=(1,))


def test_at_the_horizon_alpha_beta_takes_the_pawn_and_quiescence_keeps_the_queen():
    depth = 1
    game = QUEEN_TAKES_A_PAWN_THAT_A_PAWN_DEFENDS
    start = game.initial()
    assert alphabeta(game, start, 0, depth) == 1
    assert decide(game, start, lambda child: alphabeta(game, child, 0, depth - 1)) == CAPTURE
    assert minimax(game, start, 0) == 0  # to the end: the queen is lost for two pawns
    assert quiescent_alphabeta(game, start, 0, depth) == 0
    assert decide(game, start, lambda child: quiescent_alphabeta(game, child, 0, depth - 1)) == QUIET


pieces = st.lists(st.sampled_from([1, 3, 3, 5, 9]), max_size=4).map(sorted)


@given(st.sampled_from([1, 3, 5, 9]), pieces, pieces, st.integers(0, 3))
def test_quiescence_plays_an_exchange_out(prize, white, black, depth):
    """Standing pat is the same as keeping quiet, so its value is that of the whole game, at any depth."""
    game = Exchange(prize, white, black)
    assert quiescent_alphabeta(game, game.initial(), 0, depth) == minimax(game, game.initial(), 0)
    assert quiescent_alphabeta(game, game.initial(), 1, depth) == minimax(game, game.initial(), 1)


def test_a_trace_shows_noisy_moves_below_the_horizon_and_quiet_ones_cut():
    root = trace("quiescence", QUEEN_TAKES_A_PAWN_THAT_A_PAWN_DEFENDS, depth=1)
    taken = root.children[0]
    assert (taken.kind, taken.move, taken.value, taken.value_kind) == ("min", "capture", -8, "estimate")
    assert [(node.kind, node.move, node.value, node.reason) for node in taken.children] == [
        ("horizon", "capture", -8, ""),
        ("cut", "quiet", None, "quiet"),
    ]
    assert [(node.kind, node.value) for node in root.children[1:]] == [("terminal", 0)]
    assert (root.value, root.value_kind) == (0, "estimate")


class Bickering(Game):
    """An endless exchange, in which the player to move looks worse."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return ("hit",)

    def result(self, state, action):
        return state + 1

    def utility(self, state, player):
        raise AssertionError("it never ends")

    def is_noisy(self, state, action):
        return True

    def evaluate(self, state, player):
        return -1.0 if player == state % 2 else 1.0


def test_an_exchange_without_an_end_is_followed_so_far_and_no_further():
    assert looked_at(quiescent_alphabeta, Bickering(), 0, 0, 3) == (1.0, 1 + 3 + NOISY_PLIES)


class NoisyTree(Tree):
    """A tree in which every other branch is noisy."""

    def is_noisy(self, state, action):
        return (state + action) % 2 == 0


def test_standing_pat_is_an_estimate_though_all_that_was_searched_has_ended():
    root = trace("quiescence", NoisyTree("max@2(1 5)"), depth=0)
    assert (root.kind, root.value, root.value_kind) == ("max", 2, "estimate")
    assert [(node.kind, node.reason) for node in root.children] == [("terminal", ""), ("cut", "quiet")]


def plain_quiescence(tree, state, depth):
    """Without windows, by the rules alone."""
    if tree.is_terminal(state):
        return tree.utility(state, 0)
    values = [tree.evaluate(state, 0)] if depth <= 0 else []
    played = [action for action in tree.actions(state) if depth > 0 or tree.is_noisy(state, action)]
    values += [plain_quiescence(tree, tree.result(state, action), depth - 1) for action in played]
    return max(values) if tree.to_move(state) == 0 else min(values)


windows = st.tuples(st.integers(-6, 6), st.integers(1, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@pytest.mark.both
@given(trees(chance=False), st.integers(0, 3), windows)
@settings(max_examples=some(500), deadline=None)
def test_quiescence_on_random_trees_is_plain_quiescence(nested, depth, window):
    tree = NoisyTree(text_of(nested))
    value = plain_quiescence(tree, 0, depth)
    assert quiescent_alphabeta(tree, 0, 0, depth) == value
    assert quiescent_alphabeta(tree, 0, 1, depth) == -value
    result = quiescent_alphabeta(tree, 0, 0, depth, *window)
    assert is_proved(result, *window, value)
    if is_enabled():
        assert quiescent_alphabeta.run_compiled(tree, 0, 0, depth) == value
        assert quiescent_alphabeta.run_compiled(tree, 0, 0, depth, *window) == result


@pytest.mark.compiled
def test_a_game_of_captures_compiles():
    game = Exchange(3, white=(1, 5, 9), black=(3, 3))
    for depth in (0, 1, 5, UNLIMITED):
        found = quiescent_alphabeta.run_compiled(game, game.initial(), 0, depth)
        assert found == quiescent_alphabeta(game, game.initial(), 0, depth)
