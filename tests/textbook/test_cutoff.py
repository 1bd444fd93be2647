"""Depth limits, evaluation functions in the place of a game's own, and iterative deepening."""

from itertools import islice

import pytest

from zermelo.core.errors import RulesError
from zermelo.games.connectfour import ConnectFour
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.kernel import CompileWarning, Static, popcount
from zermelo.textbook import (
    Evaluated,
    Linear,
    alphabeta,
    at_depth,
    decide,
    expectiminimax,
    heuristic_minimax,
    iterative_deepening,
    minimax,
    star1,
)

pytestmark = pytest.mark.plain

ESTIMATED = "max@9(min@4(3 12 8) min@5(2 4 6) min@1(14 5 2))"


def test_at_the_depth_limit_the_evaluation_stands_in():
    tree = Tree(ESTIMATED)
    assert [minimax(tree, 0, 0, depth) for depth in (0, 1, 2, 3)] == [9, 5, 3, 3]
    assert [alphabeta(tree, 0, 0, depth) for depth in (0, 1, 2, 3)] == [9, 5, 3, 3]


def test_the_end_of_the_game_is_never_estimated():
    assert [minimax(Tree("max@9(3 1)"), 1, 0, depth) for depth in (0, 1)] == [3, 3]


@pytest.mark.parametrize("depth", range(6))
def test_a_cut_off_at_a_depth_is_the_depth_limit(depth):
    game = Hexapawn()
    start = game.initial()
    assert heuristic_minimax(game, start, 0, at_depth(depth), game.evaluate) == minimax(game, start, 0, depth)


def test_a_cut_off_test_may_look_at_the_position():
    """Only positions with an even number of pawns are settled; after two plies Black may be a pawn up for a moment."""
    game = Hexapawn()

    def is_settled(state, ply):
        return ply >= 2 and popcount(state.white | state.black) % 2 == 0

    def plain(state, ply):
        if game.is_terminal(state):
            return game.utility(state, 0)
        if is_settled(state, ply):
            return game.evaluate(state, 0)
        values = [plain(game.result(state, action), ply + 1) for action in game.actions(state)]
        return max(values) if game.to_move(state) == 0 else min(values)

    found = heuristic_minimax(game, game.initial(), 0, is_settled, game.evaluate)
    assert found == plain(game.initial(), 0)
    assert (found, minimax(game, game.initial(), 0, 2)) == (0, pytest.approx(-1 / 6))


def test_decide_takes_the_first_of_the_best_moves():
    tree = Tree("max(1 5 3 5)")
    assert decide(tree, 0, lambda child: minimax(tree, child, 0)) == 1


# -- iterative deepening -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [Hexapawn(4, 4), TicTacToe(), pytest.param(ConnectFour(4, 4), marks=pytest.mark.compiled)], ids=str
)
def test_depth_n_of_iterative_deepening_is_alpha_beta_to_depth_n(game):
    start = game.initial()
    for number, found in enumerate(islice(iterative_deepening(game, start), 5), start=1):
        assert found.depth == number
        assert found.value == alphabeta(game, start, 0, number)
        assert found.action == decide(game, start, lambda child, n=number: alphabeta(game, child, 0, n - 1))


@pytest.mark.both
def test_iterative_deepening_takes_any_search_and_the_side_to_move():
    game = Pig(20)
    second = game.parse_state("12-7 5 2")
    found = list(islice(iterative_deepening(game, second, star1), 4))
    assert [step.value for step in found] == pytest.approx(
        [expectiminimax(game, second, 1, depth) for depth in (1, 2, 3, 4)]
    )


# -- evaluation functions ------------------------------------------------------------------------------


def test_a_linear_evaluation_has_one_finite_weight_per_feature():
    with pytest.raises(RulesError, match=r"^there are 2 weights for 1 features; give one for each$"):
        Linear((1, 2), [lambda state, player: 0])
    with pytest.raises(RulesError, match=r"^a weight is not a number; weights are finite$"):
        Linear((float("nan"),), [lambda state, player: 0])


class MostMoves(Static):
    """Mobility: the mover's moves, as a share of a weight."""

    def __init__(self, weight):
        self.weight = weight

    def evaluate(self, game, state, player):
        count = 0
        for _ in game.actions(state):
            count += 1
        return count / self.weight if game.to_move(state) == player else -count / self.weight


def test_an_evaluation_function_takes_the_place_of_the_games_own():
    game = Hexapawn()
    start = game.initial()
    evaluated = Evaluated(game, MostMoves(100))
    assert game.evaluate(start, 0) == 0
    assert (evaluated.evaluate(start, 0), evaluated.evaluate(start, 1)) == (0.03, -0.03)
    assert evaluated.spec() == "hexapawn"
    assert minimax(evaluated, start, 0) == minimax(game, start, 0)  # to the end nothing is evaluated


@pytest.mark.compiled
def test_a_static_evaluation_compiles():
    game = Evaluated(Hexapawn(4, 4), MostMoves(100))
    for depth in range(7):
        assert alphabeta.run_compiled(game, game.initial(), 0, depth) == alphabeta(game, game.initial(), 0, depth)
    other = Evaluated(Hexapawn(4, 4), MostMoves(10))
    assert alphabeta.run_compiled(other, other.initial(), 0, 1) == pytest.approx(
        10 * alphabeta.run_compiled(game, game.initial(), 0, 1)
    )


@pytest.mark.compiled
def test_a_plain_function_runs_interpreted_and_says_so():
    game = Hexapawn(4, 4)
    lead = Linear((0.1,), (lambda state, player: (-1) ** player * popcount(state.white),))
    evaluated = Evaluated(game, lead)
    with pytest.warns(CompileWarning, match="interpreted"):
        found = alphabeta.run(evaluated, game.initial(), 0, 3)
    assert found == alphabeta(evaluated, game.initial(), 0, 3) == pytest.approx(0.4)
