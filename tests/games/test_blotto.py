"""Colonel Blotto: the rules of OpenSpiel's, the notation, small values."""

import re
from fractions import Fraction

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.draw import board_text
from zermelo.equilibrium import solve
from zermelo.games import find
from zermelo.games.blotto import Blotto

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("coins", "fields", "players"), [(10, 3, 2), (4, 2, 3), (3, 5, 4)])
def test_rules_are_those_of_openspiel(coins, fields, players, games):
    spec = f"turn_based_simultaneous_game(game=blotto(coins={coins},fields={fields},players={players}))"
    play_along(Blotto(coins, fields, players), spec, games)


def test_equal_armies_are_worth_nothing_by_symmetry():
    assert solve("blotto:coins=5").value == Fraction(0)


def test_most_fields_win_and_a_tied_field_is_nobody_s():
    game = Referee.at(Blotto(), "moves: 5-3-2 0-4-6")
    assert game.utilities() == (-1.0, 1.0)
    assert board_text(game.game.picture(game.state)) == (
        "  player 1  5  3  2   fields 1\n  player 2  0  4  6   fields 2"
    )
    assert Referee.at(Blotto(), "moves: 5-3-2 5-2-3").utilities() == (0.0, 0.0)


@pytest.mark.parametrize("text", ["5-3-2", "5-3-3 5-3-2", "start 5-3-2", "start; 5-3", "5-3-2 5-3-2; 5-3-2"])
def test_a_position_that_cannot_be_is_refused(text):
    with pytest.raises(BadPosition, match=r"is not a position of|is impossible"):
        find("blotto").parse_state(text)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("blotto:fields=1", "2 to 20 fields and 2 to 6 players, not 10, 1 and 2"),
        ("blotto:coins=40,fields=8", "40 coins can be divided in 62,891,499 ways; at most 100,000 are allowed"),
    ],
)
def test_options_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        find(spec)
