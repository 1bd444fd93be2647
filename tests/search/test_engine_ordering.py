"""Move ordering: moves come by their score, and what refuted sister positions scores higher."""

import random

import pytest
from search_games import Merry

from zermelo.core.game import NO_ACTION
from zermelo.kernel import U64, load_real
from zermelo.search.engine.desk import (
    MOVES,
    PLAYED,
    RING,
    Desk,
    end_line,
    enter,
    leave,
    note_line,
    times_before,
)
from zermelo.search.engine.ordering import NOISY, guess, history_cell, praise, pull, push
from zermelo.search.engine.techniques import Techniques

ALL = Techniques("order", "killers", "history")


class Liking(Merry):
    """Round and round; the game itself likes high numbers a little."""

    def order(self, state, action):
        return action / 100


@pytest.fixture
def desk():
    return Desk(None)


def pulled(desk, moves):
    """The order in which (score, number) pairs come from the stack."""
    for place, (score, number) in enumerate(moves):
        push(desk.address, place, 10 * number, score, number)
    found = []
    for first in range(len(moves)):
        cell = pull(desk.address, first, len(moves))
        assert cell == MOVES + 3 * first
        assert load_real(desk.address, cell + 1) == {number: score for score, number in moves}[desk.cells[cell + 2]]
        assert desk.cells[cell] == 10 * desk.cells[cell + 2]
        found.append(desk.cells[cell + 2])
    return found


def test_moves_come_by_score_and_equals_in_their_order(desk):
    scores = [1.0, 3.0, 2.0, 3.0, -1.0, 2.0]
    assert pulled(desk, [(score, number) for number, score in enumerate(scores)]) == [1, 3, 2, 5, 0, 4]


def test_pulling_is_a_stable_sort(desk):
    rng = random.Random(3)
    for _ in range(50):
        moves = [(float(rng.randint(-3, 3)), number) for number in range(rng.randint(1, 12))]
        expected = [number for score, number in sorted(moves, key=lambda move: (-move[0], move[1]))]
        assert pulled(desk, moves) == expected


def guessed(desk, action, ply=3, player=0, is_noisy=False, how=ALL):
    return guess(Liking(), how, 0, action, is_noisy, player, ply, desk.address)


def refute(desk, action, ply=3, player=0, depth=5, tried=(), how=ALL):
    """Let an action cut off after others were tried in vain."""
    for place, one in enumerate((*tried, action)):
        push(desk.address, place, one, 0.0, place)
    praise(desk.address, how, player, ply, depth, 0, len(tried))


def test_without_experience_the_game_orders(desk):
    assert [guessed(desk, action) for action in (7, 50, 0)] == [0.07, 0.5, 0.0]
    assert guessed(desk, 7, how=Techniques("killers")) == 0.0


def test_what_refuted_a_sister_comes_first_and_the_one_before_second(desk):
    refute(desk, 7)
    refute(desk, 8)
    assert guessed(desk, 8) > guessed(desk, 7) > guessed(desk, 9) + 1
    refute(desk, 8)
    assert guessed(desk, 7) > guessed(desk, 9) + 1  # the same move again does not push the other one out
    refute(desk, 9)
    assert guessed(desk, 9) > guessed(desk, 8) > guessed(desk, 7) + 1


def test_killers_belong_to_their_ply(desk):
    refute(desk, 7, ply=3, how=Techniques("killers"))
    assert guessed(desk, 7, ply=4, how=Techniques("killers")) == 0
    assert guessed(desk, 7, ply=3 + RING, how=Techniques("killers")) > 1


def test_what_refuted_a_move_is_tried_against_it_elsewhere(desk):
    how = Techniques("killers")
    desk.cells[PLAYED + 3] = desk.cells[PLAYED + 6] = 40
    refute(desk, 7, ply=3, how=how)
    assert guessed(desk, 7, ply=6, how=how) > 1
    assert guessed(desk, 7, ply=5, how=how) == 0  # another move was played there
    desk.cells[PLAYED + 6] = NO_ACTION
    assert guessed(desk, 7, ply=6, how=how) == 0  # after a pass


def test_noisy_moves_are_the_games_own_affair(desk):
    refute(desk, 7)
    assert guessed(desk, 7, is_noisy=True) == 0.07


def test_history_praises_what_cut_off_and_blames_what_was_tried_before(desk):
    how = Techniques("history")
    refute(desk, 7, tried=(4, 5), how=how)
    assert guessed(desk, 7, how=how) > 0 > guessed(desk, 4, how=how) == guessed(desk, 5, how=how)
    assert guessed(desk, 7, player=1, how=how) == 0
    assert guessed(desk, 7, ply=90, how=how) == guessed(desk, 7, how=how)


def test_history_stays_between_minus_one_and_one(desk):
    for depth in (1, 5, 40, 200) * 100:
        refute(desk, 7, depth=depth, tried=(4,), how=Techniques("history"))
        assert -1 <= load_real(desk.address, history_cell(0, 4)) < 0 < load_real(desk.address, history_cell(0, 7)) <= 1


def test_deeper_refutations_count_more(desk):
    for action, depth in ((1, 2), (2, 6)):
        refute(desk, action, depth=depth, how=Techniques("history"))
    assert guessed(desk, 2, how=Techniques("history")) > guessed(desk, 1, how=Techniques("history"))


def test_noisy_moves_that_failed_are_not_blamed(desk):
    how = Techniques("history")
    push(desk.address, 0, 4, 0.0, NOISY)
    push(desk.address, 1, 7, 0.0, 1)
    praise(desk.address, how, 0, 3, 5, 0, 1)
    assert guessed(desk, 4, how=how) == 0


# -- the path and the line --------------------------------------------------------------------------------------------


def test_a_position_on_the_path_is_recognised_until_it_is_left(desk):
    places = [U64(5), U64(5 + 1024), U64(77)]  # the first two share a counter
    for ply, place in enumerate(places):
        assert times_before(desk.address, ply, place) == 0
        enter(desk.address, ply, place)
    assert all(times_before(desk.address, 3, place) > 0 for place in places)
    leave(desk.address, places[2])
    assert times_before(desk.address, 2, places[2]) == 0
    assert times_before(desk.address, 2, places[1]) > 0


def test_a_line_is_built_from_its_end(desk):
    for ply in (1, 2, 3, 4):
        end_line(desk.address, ply)
    note_line(desk.address, 3, 30)
    note_line(desk.address, 2, 20)
    note_line(desk.address, 1, 10)
    assert desk.line() == [10, 20, 30]
    end_line(desk.address, 2)
    note_line(desk.address, 1, 11)
    assert desk.line() == [11]


def test_a_line_that_is_too_long_is_cut(desk):
    for ply in range(300, 0, -1):
        end_line(desk.address, ply)
        note_line(desk.address, ply, ply)
    assert desk.line() == list(range(1, len(desk.line()) + 1))
    assert len(desk.line()) > 50
