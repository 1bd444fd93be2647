"""Backgammon as text: plays, the IDs of GNU Backgammon, XGIDs, and sentences for what is none of them."""

import random

import pytest

from zermelo.core.errors import BadPosition, IllegalMove
from zermelo.core.game import legal_actions
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import count_at, side_of
from zermelo.games.backgammon.ids import position_id, read_position_id
from zermelo.games.backgammon.position import (
    BLACK,
    DOUBLING,
    OFFERED,
    PLAYING,
    ROLLING,
    WHITE,
    cube_of,
    larger_of,
    owner_of,
    phase_of,
    player_of,
    points_of,
    smaller_of,
)

pytestmark = pytest.mark.plain

GAME, CUBE = Backgammon(), Backgammon(cube=True)


def rolled(dice, position="4HPwATDgc/ABMA"):
    state = GAME.parse_state(position)
    return GAME.result(state, GAME.parse_action(state, dice))


# -- plays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "text", "written"),
    [
        ("61", "13/7 8/7", "13/7+8/7"),
        ("61", "8/7, 13/7", "13/7+8/7"),
        ("65", "24/18/13", "24/13"),
        ("65", "24/18 18/13", "24/13"),
        ("33", "8/5(2) 6/3(2)", "8/5(2)+6/3(2)"),
        ("33", "6/3 8/5 8/5 6/3", "8/5(2)+6/3(2)"),
        ("42", "8/4 6/4", "8/4+6/4"),
    ],
)
def test_a_play_is_understood_as_people_write_it(dice, text, written):
    state = rolled(dice)
    assert GAME.format_action(state, GAME.parse_action(state, text)) == written


def test_hits_are_marked_and_their_mark_may_be_left_out():
    state = rolled("31", "XGID=-b----E-C---dE---c-ea---B-:0:0:1:00:0:0:0:0:10")
    assert "24/20*" in {GAME.format_action(state, action) for action in GAME.actions(state)}
    assert GAME.format_action(state, GAME.parse_action(state, "24/20")) == "24/20*"


def test_a_checker_may_hit_on_its_way_or_go_round():
    state = rolled("31", "XGID=-a----E-C---eE---c-d-a--B-:0:0:1:00:0:0:0:0:10")
    texts = {GAME.format_action(state, action) for action in GAME.actions(state)}
    assert {"24/21*/20", "24/20"} <= texts
    assert GAME.format_action(state, GAME.parse_action(state, "24/21*/20")) == "24/21*/20"
    assert GAME.format_action(state, GAME.parse_action(state, "24/21* 21/20")) == "24/21*/20"
    assert GAME.format_action(state, GAME.parse_action(state, "24/20")) == "24/20"
    assert GAME.format_action(state, GAME.parse_action(state, "24/23/20")) == "24/20"


def test_rolls_and_the_cube_are_words():
    assert [GAME.format_action(GAME.initial(), roll) for roll, _ in GAME.outcomes(GAME.initial())][:3] == [
        "12",
        "13",
        "14",
    ]
    state = CUBE.parse_state("4HPwATDgc/ABMA")
    assert [CUBE.format_action(state, action) for action in CUBE.actions(state)] == ["roll", "double"]
    offered = CUBE.result(state, CUBE.parse_action(state, "Double"))
    assert CUBE.parse_action(offered, "drop") == CUBE.parse_action(offered, "pass")
    assert CUBE.parse_action(offered, "take") != CUBE.parse_action(offered, "pass")


@pytest.mark.parametrize("text", ["24/17", "13/7", "8/7 8/7", "pass", "", "7-3", "25/20", "13/7*/1 x"])
def test_a_text_that_is_not_a_play_of_the_roll_is_refused(text):
    with pytest.raises(IllegalMove, match=r"is not legal here; try 8/2\+6/5"):
        GAME.parse_action(rolled("61"), text)


# -- IDs -------------------------------------------------------------------------------------------------------


def test_the_start_has_its_published_id():
    """[GNU Backgammon manual, 11.6]"""
    assert GAME.format_state(GAME.initial()).partition(":")[0] == "4HPwATDgc/ABMA"


def test_the_published_match_id_is_understood():
    """A nine-point match at 2-4, a cube of 2 owned by player 0, player 1 rolled 52. [GNU Backgammon manual, 11.7]"""
    game = Backgammon(cube=True, match=9)
    state = game.parse_state("4HPwATDgc/ABMA:QYkqASAAIAAA")
    assert (player_of(state), phase_of(state)) == (BLACK, PLAYING)
    assert (larger_of(state), smaller_of(state)) == (5, 2)
    assert (1 << cube_of(state), owner_of(state)) == (2, WHITE)
    assert [points_of(state, player) for player in (WHITE, BLACK)] == [2, 4]


@pytest.mark.parametrize(
    ("xgid", "ids"),
    [
        ("aa--BBBB----dE---d-e----B-:1:-1:1:63:0:0:0:0:10", "4PPgAVDYNvABMA:EQEPAAAAAAAE"),
        ("-a----E-C---eE---c-e----B-:0:0:-1:00:3:1:0:5:10", "4HPwATDgc/ABEA:cAmgADAACAAE"),
    ],
)
def test_xgids_are_the_positions_that_gnu_backgammon_says(xgid, ids):
    """Its IDs of 2023, version 1.07; the first with players exchanged, because White is player 0 here."""
    game = Backgammon(cube=True, match=int(xgid.split(":")[-2]))
    assert game.format_state(game.parse_state(f"XGID={xgid}")) == ids
    assert game.parse_state(ids) == game.parse_state(xgid)


def test_the_side_that_waits_comes_first_in_a_position_id():
    """GNU Backgammon 1.07 shows X, on roll, with two checkers on its 24 point and O with one."""
    waiting, rolling = read_position_id("4HPwARDwOfgAGA")
    assert (count_at(waiting, 24), count_at(rolling, 24)) == (1, 2)
    assert position_id(waiting, rolling) == "4HPwARDwOfgAGA"


@pytest.mark.parametrize("options", [{}, {"cube": True}, {"cube": True, "match": 3}, {"match": 5}], ids=str)
def test_every_state_of_random_games_survives_its_text(options):
    game, rng = Backgammon(**options), random.Random(3)
    for _ in range(2):
        state, plies = game.initial(), 0
        while plies < 400:
            assert game.parse_state(game.format_state(state)) == state
            moves = list(legal_actions(game, state))
            if not moves:
                break
            cautious = moves[:1] if phase_of(state) in (OFFERED, DOUBLING) and rng.random() < 0.8 else moves
            state = game.result(state, rng.choice(cautious[-1:] if phase_of(state) == OFFERED else cautious))
            plies += 1


def test_a_turn_without_a_double_has_its_own_id():
    state = CUBE.parse_state("4HPwATDgc/ABMA")
    assert phase_of(state) == DOUBLING
    rolling = CUBE.result(state, CUBE.parse_action(state, "roll"))
    assert phase_of(rolling) == ROLLING
    assert CUBE.format_state(rolling) == CUBE.format_state(state) + " rolling"


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        (GAME, "4HPwATDgc/ABM", "is not a position ID of 14 letters and digits"),
        (GAME, "4HPwATDgc?ABMA", "is not a position ID of 14 letters and digits"),
        (GAME, "4HPwATDgc/ABMA:cAkA", "is not a match ID of 12 letters and digits"),
        (GAME, "/////wAAAAAAAA", "has 16 checkers on one side|checkers on one side; there are 15"),
        (GAME, "AAAAAAAAAAAAgA", "its bits do not end where the second side does"),
        (GAME, "4HPwATDgc/ABMA:cAkAAAAAAACA", "bits are set after its last part"),
        (GAME, "4HPwATDgc/ABMA:cAmgAAAAAAAE", "it is of a game with match=5, and here is match=0"),
        (GAME, "4HPwATDgc/ABMA:QQkPAAAAAAAE", "it has a cube in play, and this game has none"),
        (GAME, "4HPwATDgc/ABMA:cIkHAAAAAAAE", "two dice show 1 to 6, or have not been rolled"),
        (GAME, "AAAAAAAAAAAAAA", "a side has no checkers left"),
        (GAME, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0", "is not an XGID"),
        (GAME, "XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10", "07 in '.*' is not a roll; two dice show 1 to 6"),
        (GAME, "XGID=-b----E-C---eE---c-e----B-:0:0:1:x1:0:0:0:0:10", "is not an XGID"),
        (GAME, "4HPwATDgc/ABMB", "bits are set behind its end, and without them it is '4HPwATDgc/ABMA'"),
        (GAME, "XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "a checker on the other side's bar"),
        (GAME, "XGID=-b----O-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "has 25 checkers on one side"),
        (CUBE, "XGID=-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:0:10", "from 2 on it belongs to a side"),
        (CUBE, "XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:0:10", "a double where doubling is not allowed"),
        (Backgammon(match=3), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:0:0:3:10", "a match to 3 is over when"),
        (Backgammon(match=3), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:3:10", "the Crawford game is played"),
        (GAME, "no-such-thing", "is not a position ID of 14 letters"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused_with_a_sentence(game, text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        game.parse_state(text)


def test_a_point_cannot_have_checkers_of_both_sides():
    with pytest.raises(BadPosition, match="a point has checkers of both sides"):
        GAME.parse_state(position_id(side_of({1: 15}), side_of({24: 15})))
