"""Kuhn poker: the rules of OpenSpiel's, the values of the paper, the notation."""

import re

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.kuhn import Kuhn

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("games", GAMES)
def test_rules_and_information_are_those_of_openspiel(players, games):
    play_along(Kuhn(players), f"kuhn_poker(players={players})", games)


def test_two_players_have_six_information_sets_each():
    partition = play_along(Kuhn(), "kuhn_poker", 200)
    assert sorted(player for player, _ in partition.theirs) == [0] * 6 + [1] * 6


@pytest.mark.parametrize(
    ("line", "payoffs"),
    [
        ("J Q check check", (-1, 1)),
        ("J Q bet fold", (1, -1)),
        ("K Q check bet fold", (-1, 1)),
        ("J Q check bet call", (-2, 2)),
    ],
)
def test_the_pot_goes_to_the_highest_card_or_to_the_one_who_stays(line, payoffs):
    assert Referee.at(Kuhn(), f"moves: {line}").utilities() == payoffs


def test_four_players_answer_a_bet_in_turn():
    game = Referee.at(Kuhn(4), "moves: 9 J T K check check bet")
    assert [game.game.format_action(game.state, move) for move in game.legal()] == ["fold", "call"]
    game.play_line(["call", "fold", "call"])
    assert game.utilities() == (-1, -2, -2, 5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("J", "'J' is not a position of kuhn; write 2 cards and the moves, as in 'JQ check'"),
        ("JJ", "'JJ' is impossible: the cards are J Q K, and all are dealt first"),
        ("J. check", "'J. check' is impossible: the cards are J Q K, and all are dealt first"),
        ("JQ fold", "'JQ fold' is impossible: 'fold' is not check or bet"),
        ("JQ bet call call", "'JQ bet call call' is impossible: 'call' is not possible at the end"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        Kuhn().parse_state(text)


def test_a_view_is_written_without_the_other_cards():
    game = Kuhn()
    state = game.parse_state("JK check bet")
    assert [game.format_view(game.view(state, player), player) for player in (0, 1)] == ["J check bet", "K check bet"]
    assert game.format_view(game.view(game.parse_state("JK"), 0), 0) == "J -"


def test_too_many_players_are_refused():
    with pytest.raises(UsageError, match="2 to 4 players, not 5"):
        find("kuhn:players=5")
