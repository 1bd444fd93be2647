"""Searches that do not look at the path, in games where it matters: what they claim, list and show."""

import pytest
from engine_games import LOST, WON, DrawnAtThree, DrawnAtTwo, Superko

from zermelo.core.errors import Refused
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.search import Expectiminimax, analyse
from zermelo.search.expectiminimax import each_alone

pytestmark = pytest.mark.plain

PROVING = ("minimax", "quiescence", "expectiminimax", "star1", "star2", "maxn", "paranoid")
PATHLESS = (*PROVING, "bestreply", "expectimax")
ENDLESS = 1, 1, 2, 2, 3, 3, 0, 0
"""Four rooms in a circle, and no way out."""


class Standing(Game):
    """Nobody gets anywhere; after two moves the first player has won half a point, unless repetition comes first."""

    def __init__(self, rule=Repetition.DRAW_AT_TWO):
        self.repetition = rule

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return state[0], state[1] + 1

    def is_terminal(self, state):
        return state[1] >= 2

    def utility(self, state, player):
        return 0.5 if player == 0 else -0.5

    def repetition_key(self, state):
        return state[0], 0


def legal_to_the_end(game, line):
    """Whether all moves of a line are legal with their history."""
    referee = Referee(game)
    for name in line:
        if name not in [game.format_action(referee.state, action) for action in referee.legal()]:
            return False
        referee.play_text(name)
    return True


@pytest.mark.parametrize("algorithm", PATHLESS)
def test_a_move_that_repeats_a_position_is_worth_the_draw(algorithm):
    found = analyse(Standing(), algorithm=algorithm)
    assert (found.value[0], found.line, found.stopped) == (0.0, ("0",), "done")
    assert found.kind == ("exact" if algorithm in PROVING else "estimate")


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", PATHLESS)
def test_values_beyond_the_first_move_are_estimates(algorithm):
    found = analyse(Standing(Repetition.DRAW_AT_THREE), algorithm=algorithm, depth=9)
    assert (found.kind, found.moves[0].kind, found.distance) == ("estimate", "estimate", None)
    assert any("repetition" in note for note in found.notes)


@pytest.mark.parametrize("algorithm", PATHLESS)
def test_a_move_that_superko_forbids_is_not_listed(algorithm):
    game = Superko(0, LOST)
    found = analyse(game, algorithm=algorithm, depth=4)
    assert [move.move for move in found.moves] == [found.best] == ["1"]
    assert found.value[0] == -1.0
    assert found.kind == ("exact" if algorithm in PROVING else "estimate")


@pytest.mark.parametrize("algorithm", PATHLESS)
def test_a_move_back_into_the_history_is_not_listed(algorithm):
    referee = Referee(Superko(1, 1, 0, LOST))
    referee.play(0)
    found = analyse(referee.game, referee, algorithm, depth=4)
    assert [move.move for move in found.moves] == ["1"]
    without_history = analyse(referee.game, referee.state, algorithm, depth=4, lines=2)
    assert {move.move for move in without_history.moves} == {"0", "1"}


@pytest.mark.parametrize("algorithm", PATHLESS)
@pytest.mark.parametrize("rules", [DrawnAtTwo, DrawnAtThree, Superko])
def test_a_line_ends_where_the_referee_ends_the_game(rules, algorithm):
    game = rules(*ENDLESS)
    found = analyse(game, algorithm=algorithm, depth=16)
    assert found.kind == "estimate"
    for line in (found.line, *(move.line for move in found.moves)):
        assert legal_to_the_end(game, line)


def test_a_position_that_superko_leaves_without_moves_is_the_middle_of_the_scale():
    game = Superko(1, 1, 0, 0, lead=0.7)
    for algorithm in PROVING:
        found = analyse(game, algorithm=algorithm)
        assert (found.value[0], found.kind, found.line) == (0.0, "exact", ("0",))


@pytest.mark.parametrize("algorithm", PROVING)
def test_a_win_at_once_is_exact_all_the_same(algorithm):
    found = analyse(DrawnAtThree(WON, 1, 0, LOST), algorithm=algorithm, depth=5)
    assert found.moves[0].kind == "exact"
    assert (found.best, found.value[0]) == ("0", 1.0)


@pytest.mark.parametrize("algorithm", PATHLESS)
def test_without_a_limit_it_is_refused_with_a_remedy(algorithm):
    with pytest.raises(Refused, match="give a depth, a time or a node limit, or use alphabeta or solve, which know"):
        analyse(DrawnAtThree(*ENDLESS), algorithm=algorithm)


@pytest.mark.parametrize("algorithm", PATHLESS)
def test_a_node_limit_is_enough_even_if_the_longest_line_is_reached_first(algorithm, monkeypatch):
    monkeypatch.setattr("zermelo.search.deepening.MeteredSearch.deepest", 20)
    monkeypatch.setattr("zermelo.search.expectiminimax.searcher.ExpectiminimaxSearch.deepest", 20)
    found = analyse(DrawnAtThree(*ENDLESS), algorithm=algorithm, nodes=100_000)
    assert (found.kind, found.stopped, found.stats["depth"]) == ("estimate", "depth", 20)


def test_a_search_that_keeps_its_table_does_not_carry_a_draw_over_to_another_history():
    game = DrawnAtTwo(1, WON, 0, LOST, start=1)
    search = Expectiminimax(game, each_alone(game))
    referee = Referee(game, 0)
    referee.play(0)
    drawn = search.think(referee, Limit(depth=4), lines=2)
    assert [(move.move, move.value[1], move.kind) for move in drawn.moves] == [("1", 1.0, "exact"), ("0", 0.0, "exact")]
    fresh = search.think(Referee(game), Limit(depth=4), lines=2)
    assert [(move.move, move.kind) for move in fresh.moves] == [("1", "exact"), ("0", "estimate")]
