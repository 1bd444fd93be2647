"""Move ordering: moves come by their score, and what refuted sister positions scores higher."""

import random

import pytest
from search_games import Merry

from zermelo.core.game import NO_ACTION
from zermelo.kernel import U64
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.runtime.move_stack import NOISY
from zermelo.search.runtime.ordering import RING, ordering_score, reward_cutoff
from zermelo.search.runtime.workspace import Workspace

pytestmark = pytest.mark.plain

ALL = Techniques("order", "killers", "history")


class Liking(Merry):
    """Round and round; the game itself likes high numbers a little."""

    def order(self, state, action):
        return action / 100


@pytest.fixture
def workspace():
    return Workspace.create(None)


def selected(workspace, moves):
    """The order in which (score, number) pairs come from the stack."""
    stack = workspace.moves
    for place, (score, number) in enumerate(moves):
        stack.push(place, 10 * number, score, number)
    found = []
    for first in range(len(moves)):
        stack.select_next(first, len(moves))
        assert stack.score(first) == {number: score for score, number in moves}[stack.number(first)]
        assert stack.action(first) == 10 * stack.number(first)
        found.append(stack.number(first))
    return found


def test_moves_come_by_score_and_equals_in_their_order(workspace):
    scores = [1.0, 3.0, 2.0, 3.0, -1.0, 2.0]
    assert selected(workspace, [(score, number) for number, score in enumerate(scores)]) == [1, 3, 2, 5, 0, 4]


def test_selection_is_a_stable_sort(workspace):
    rng = random.Random(3)
    for _ in range(50):
        moves = [(float(rng.randint(-3, 3)), number) for number in range(rng.randint(1, 12))]
        expected = [number for score, number in sorted(moves, key=lambda move: (-move[0], move[1]))]
        assert selected(workspace, moves) == expected


def scored(workspace, action, ply=3, player=0, is_noisy=False, how=ALL):
    return ordering_score(Liking(), how, 0, action, is_noisy, player, ply, workspace.ordering)


def refute(workspace, action, ply=3, player=0, depth=5, tried=(), how=ALL):
    """Let an action cut off after others were tried in vain."""
    for place, one in enumerate((*tried, action)):
        workspace.moves.push(place, one, 0.0, place)
    reward_cutoff(how, player, ply, depth, 0, len(tried), workspace.moves, workspace.ordering)


def test_without_experience_the_game_orders(workspace):
    assert [scored(workspace, action) for action in (7, 50, 0)] == [0.07, 0.5, 0.0]
    assert scored(workspace, 7, how=Techniques("killers")) == 0.0


def test_killer_moves_are_tried_in_order_of_recency(workspace):
    refute(workspace, 7)
    refute(workspace, 8)
    assert scored(workspace, 8) > scored(workspace, 7) > scored(workspace, 9) + 1
    refute(workspace, 8)
    assert scored(workspace, 7) > scored(workspace, 9) + 1  # the same move again does not push the other one out
    refute(workspace, 9)
    assert scored(workspace, 9) > scored(workspace, 8) > scored(workspace, 7) + 1


def test_killers_belong_to_their_ply(workspace):
    refute(workspace, 7, ply=3, how=Techniques("killers"))
    assert scored(workspace, 7, ply=4, how=Techniques("killers")) == 0
    assert scored(workspace, 7, ply=3 + RING, how=Techniques("killers")) > 1


def test_a_countermove_is_tried_elsewhere(workspace):
    how = Techniques("killers")
    workspace.ordering.note_played(3, 40)
    workspace.ordering.note_played(6, 40)
    refute(workspace, 7, ply=3, how=how)
    assert scored(workspace, 7, ply=6, how=how) > 1
    assert scored(workspace, 7, ply=5, how=how) == 0  # another move was played there
    workspace.ordering.note_played(6, NO_ACTION)
    assert scored(workspace, 7, ply=6, how=how) == 0  # after a pass


def test_noisy_moves_are_the_games_own_affair(workspace):
    refute(workspace, 7)
    assert scored(workspace, 7, is_noisy=True) == 0.07


def test_history_rewards_what_cut_off_and_penalises_what_was_tried_before(workspace):
    how = Techniques("history")
    refute(workspace, 7, tried=(4, 5), how=how)
    assert scored(workspace, 7, how=how) > 0 > scored(workspace, 4, how=how) == scored(workspace, 5, how=how)
    assert scored(workspace, 7, player=1, how=how) == 0
    assert scored(workspace, 7, ply=90, how=how) == scored(workspace, 7, how=how)


def test_history_stays_between_minus_one_and_one(workspace):
    tables = workspace.ordering
    for depth in (1, 5, 40, 200) * 100:
        refute(workspace, 7, depth=depth, tried=(4,), how=Techniques("history"))
        failed, cut = (tables.history[tables.history_place(0, action)] for action in (4, 7))
        assert -1 <= failed < 0 < cut <= 1


def test_deeper_refutations_count_more(workspace):
    for action, depth in ((1, 2), (2, 6)):
        refute(workspace, action, depth=depth, how=Techniques("history"))
    assert scored(workspace, 2, how=Techniques("history")) > scored(workspace, 1, how=Techniques("history"))


def test_noisy_moves_that_failed_are_not_blamed(workspace):
    how = Techniques("history")
    workspace.moves.push(0, 4, 0.0, NOISY)
    workspace.moves.push(1, 7, 0.0, 1)
    reward_cutoff(how, 0, 3, 5, 0, 1, workspace.moves, workspace.ordering)
    assert scored(workspace, 4, how=how) == 0


# -- the path and the line --------------------------------------------------------------------------------------------


def test_a_position_on_the_path_is_recognised_until_it_is_left(workspace):
    places, path = [U64(5), U64(5 + 1024), U64(77)], workspace.path  # the first two share a counter
    for ply, place in enumerate(places):
        assert path.times_before(ply, place) == 0
        path.enter(ply, place)
    assert all(path.times_before(3, place) > 0 for place in places)
    path.leave(places[2])
    assert path.times_before(2, places[2]) == 0
    assert path.times_before(2, places[1]) > 0


def test_a_line_is_built_from_its_end(workspace):
    variation = workspace.variation
    for ply in (1, 2, 3, 4):
        variation.clear(ply)
    variation.update(3, 30)
    variation.update(2, 20)
    variation.update(1, 10)
    assert variation.line(1) == [10, 20, 30]
    variation.clear(2)
    variation.update(1, 11)
    assert variation.line(1) == [11]


def test_a_line_that_is_too_long_is_cut(workspace):
    variation = workspace.variation
    for ply in range(300, 0, -1):
        variation.clear(ply)
        variation.update(ply, ply)
    assert variation.line(1) == list(range(1, len(variation.line(1)) + 1))
    assert len(variation.line(1)) > 50
