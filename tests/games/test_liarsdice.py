"""Liar's dice: the rules of OpenSpiel's, wild faces, the notation."""

import re

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.liarsdice import LiarsDice

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 3), (1, 4)])
@pytest.mark.parametrize("games", GAMES)
def test_rules_and_information_are_those_of_openspiel(dice, faces, games):
    theirs = f"liars_dice(numdice={dice},dice_sides={faces})"
    play_along(LiarsDice((dice, dice), faces), theirs, games, lambda state, move: move)


@pytest.mark.parametrize(
    ("wild", "line", "winner"),
    [
        ("none", "3 5 1x5 liar", 0),
        ("none", "3 6 2x3 liar", 1),
        ("highest", "3 6 2x3 liar", 0),
        ("highest", "3 6 2x6 liar", 1),
        ("ones", "1 4 2x4 liar", 0),
        ("ones", "1 4 2x1 liar", 1),
    ],
)
def test_wild_faces_count_as_every_face_and_only_wild_ones_as_themselves(wild, line, winner):
    game = Referee.at(LiarsDice(wild=wild), f"moves: {line}")
    assert game.utilities() == ((1, -1) if winner == 0 else (-1, 1))


def test_bids_rise_and_nobody_calls_before_the_first():
    game = Referee.at(LiarsDice(faces=2), "moves: 1 2")
    assert [game.game.format_action(game.state, move) for move in game.legal()] == ["1x1", "1x2", "2x1", "2x2"]
    game.play_line(["2x1"])
    assert [game.game.format_action(game.state, move) for move in game.legal()] == ["2x2", "liar"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3", "'3' is not a position of liars-dice:dice=2-1; write the dice and the bids, as in '12/1 1x2'"),
        ("53/1", "'53/1' is not how the dice are written: the lowest face first"),
        ("37/1", "'37/1' is impossible: dice have faces 1 to 6, and all are rolled first"),
        ("3./. 1x1", "'3./. 1x1' is impossible: dice have faces 1 to 6, and all are rolled first"),
        ("33/1 1x2 1x1", "'33/1 1x2 1x1' is impossible: '1x1' is not a higher bid or liar"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        LiarsDice((2, 1)).parse_state(text)


def test_a_view_is_written_without_the_other_dice():
    game = LiarsDice((2, 1))
    state = game.parse_state("25/3 1x3 2x5")
    assert [game.format_view(game.view(state, player), player) for player in (0, 1)] == ["25 1x3 2x5", "3 1x3 2x5"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("liars-dice:dice=1", "for two players with 1 to 15 dice each, as in dice=2-1"),
        ("liars-dice:wild=all", "the wild face is none, ones or highest, not 'all'"),
        ("liars-dice:dice=6-6", "2 to 9 faces and at most 62 bids, dice times faces"),
    ],
)
def test_dice_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=sentence):
        find(spec)
