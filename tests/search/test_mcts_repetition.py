"""Monte Carlo tree search where positions recur: circles, forbidden repetition, draws by repetition."""

import pytest

from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.search import Mcts
from zermelo.search.mcts.tree import ROOT

pytestmark = pytest.mark.plain


class Edges(Game):
    """A graph as a tuple of the places each place leads to; its ends pay nothing."""

    edges: tuple[tuple[int, ...], ...] = ()

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(len(self.edges[state]))

    def result(self, state, action):
        return self.edges[state][action]

    def utility(self, state, player):
        return 0


# -- circles -------------------------------------------------------------------------------------------------


class Alone(Edges):
    """One player may end the game or stay where it is."""

    players, zero_sum = 1, False
    edges = ((1, 1, 0), ())


class Round(Edges):
    """Two steps in, then round and round a circle of seven, without an end."""

    edges = ((1,), (2,), (3,), (4,), (5,), (6,), (7,), (8,), (2,))


@pytest.mark.no_cover
@pytest.mark.parametrize("game", [Alone(), Round()], ids=["alone", "round"])
@pytest.mark.parametrize("names", [["transpositions"], ["solver", "transpositions"], ["rave", "transpositions"]])
def test_a_simulation_leaves_the_tree_where_it_goes_in_circles(game, names):
    """Positions share their moves, so the tree itself goes in circles: 4,095 plies of it in every simulation."""
    answer = Mcts(game, 1, techniques=names).think(None, Limit(nodes=20), seed=1)
    assert answer.stats["simulations"] == 20
    assert answer.stats["tree_depth"] < 40
    assert answer.kind == "estimate"


# -- repetition is forbidden -----------------------------------------------------------------------------------


class BackAndForth(Edges):
    """The only move goes back, which is forbidden."""

    repetition = Repetition.FORBIDDEN
    edges = ((1,), (0,))


class Detour(Edges):
    """Only the last of the moves leads to a new place, at first and after it."""

    repetition = Repetition.FORBIDDEN
    edges = ((0, 0, 1), (0, 1, 2), ())


@pytest.mark.parametrize("names", [[], ["solver"], ["transpositions"]], ids=str)
def test_a_line_has_no_move_that_repeats_a_position(names):
    """It was `0 0 0 ...` where the game is stuck after the first move."""
    answer = Mcts(BackAndForth(), 1, techniques=names).think(None, Limit(nodes=100), seed=1)
    assert answer.line == ("0",)
    answer = Mcts(Detour(), 1, techniques=names).think(None, Limit(nodes=200), seed=1)
    assert answer.line == ("2", "2")


def test_an_open_search_has_no_root_move_that_is_forbidden():
    game = Detour()
    assert Referee(game).legal() == [2]
    answer = Mcts(game, 1, techniques=["open"]).think(None, Limit(nodes=100), seed=1)
    assert [move.move for move in answer.moves] == ["2"]
    assert answer.moves[0].visits == 100


# -- draws by repetition -------------------------------------------------------------------------------------


class Bell(Game):
    """Two places, one way; after two plies the bell rings, and the first player has won where the game began."""

    repetition = Repetition.DRAW_AT_TWO

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return range(1) if state[1] < 2 else range(0)

    def result(self, state, action):
        return 1 - state[0], state[1] + 1

    def utility(self, state, player):
        return 1 - 2 * player

    def repetition_key(self, state):
        return state[0], 0


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["solver"], marks=pytest.mark.both),
        *(pytest.param(names, marks=pytest.mark.plain) for names in ([], ["transpositions"], ["open"])),
    ],
    ids=str,
)
def test_a_terminal_repeated_position_is_not_a_draw_by_repetition(names):
    """The referee asks first whether the game is over by its own rules."""
    referee = Referee(Bell())
    referee.play_line(["0", "0"])
    assert referee.utilities() == (1, -1)
    answer = Mcts(Bell(), 1, techniques=names).think(None, Limit(nodes=20), seed=1)
    assert answer.value == (1, -1)
    assert answer.kind == ("exact" if names == ["solver"] else "estimate")


class Lottery(Game):
    """Eight plies of three moves; nothing repeats, though it would be a draw."""

    repetition = Repetition.DRAW_AT_TWO

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return range(3) if state[0] < 8 else range(0)

    def result(self, state, action):
        return state[0] + 1, state[1] * 3 + action

    def utility(self, state, player):
        return (state[1] * 7919 % 11 - 5) / 5 * (1 - 2 * player)


def test_the_seed_and_the_number_of_the_thread_count_where_repetition_is_a_draw():
    """All seeds, and all threads, made the same simulations: the history was written over their luck."""
    answers = {Mcts(Lottery(), 1, techniques=[]).think(None, Limit(nodes=3), seed=seed).moves for seed in range(5)}
    assert len(answers) == 5
    search = Mcts(Lottery(), 1, threads=2, techniques=[])
    search.think(None, Limit(nodes=60), seed=1)
    first, second = ([tree.total(child, 0) for child in tree.child_nodes(ROOT)] for tree in search.trees)
    assert first != second
