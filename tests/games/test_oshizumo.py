"""Oshi-Zumo: the rules of OpenSpiel's, the notation, the value of uniform bids."""

import re

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.draw import board_text
from zermelo.equilibrium import nash_conv
from zermelo.games import find
from zermelo.games.oshizumo import OshiZumo

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(
    "options",
    [
        {"coins": 10, "size": 3, "min_bid": 1},
        {"coins": 6, "size": 1, "min_bid": 0, "horizon": 8},
        {"coins": 7, "size": 2, "min_bid": 2},
        {"coins": 9, "size": 2, "min_bid": 1, "horizon": 4, "alesia": True},
    ],
)
def test_rules_and_information_are_those_of_openspiel(options, games):
    parts = [f"{name}={value}" for name, value in options.items()]
    spec = f"turn_based_simultaneous_game(game=oshi_zumo({','.join(parts)}))"
    play_along(OshiZumo(**options), spec, games)


@pytest.mark.compiled
def test_the_nash_conv_of_the_uniform_strategy():
    """OpenSpiel, exploitability_test.py."""
    assert nash_conv("oshi-zumo") == pytest.approx(1.988311287477953, rel=1e-10)


def test_the_higher_bid_pushes_and_equal_bids_do_not():
    game = Referee.at(OshiZumo(), "moves: 4 3 2 2")
    assert game.game.format_state(game.state) == "4-5 +1"
    assert board_text(game.game.picture(game.state)).splitlines()[-1] == "coins: player 1 4, player 2 5"


@pytest.mark.parametrize(("alesia", "payoffs"), [(False, (1.0, -1.0)), (True, (0.0, 0.0))])
def test_without_a_fall_the_place_decides_unless_it_is_alesia(alesia, payoffs):
    game = Referee.at(OshiZumo(coins=2, size=2, alesia=alesia), "moves: 2 1 0 1")
    assert game.utilities() == (0.0, 0.0)
    game = Referee.at(OshiZumo(coins=3, size=2, alesia=alesia), "moves: 2 1 1 2")
    assert game.utilities() == (0.0, 0.0)
    game = Referee.at(OshiZumo(coins=3, size=2, horizon=1, alesia=alesia), "moves: 3 2")
    assert game.utilities() == payoffs


@pytest.mark.parametrize("text", ["10 +0", "10-10 0", "11-1 +0", "5-5 +5", "5-5 +1 3", "5-5 +1; 6", "5-5 +4; 1"])
def test_a_position_that_cannot_be_is_refused(text):
    with pytest.raises(BadPosition, match=r"is not a position of|is impossible"):
        find("oshi-zumo").parse_state(text)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("oshi-zumo:min_bid=11", "the lowest bid in oshi-zumo is from 0 to the 10 coins, not 11"),
        ("oshi-zumo:size=0", "1 to 20 places to the edge and 1 to 1000 rounds, not 10, 0 and 1000"),
    ],
)
def test_options_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        find(spec)
