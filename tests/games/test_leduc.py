"""Leduc hold'em: the rules of OpenSpiel's, hands that win, the notation."""

import re

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.games.leduc import Leduc

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("games", GAMES)
def test_rules_and_information_are_those_of_openspiel(players, games):
    play_along(Leduc(ranks=players + 1, players=players), f"leduc_poker(players={players})", games)


@pytest.mark.parametrize(
    ("line", "payoffs"),
    [
        ("Js Qs bet fold", (1, -1)),
        ("Js Ks check check Jh bet call", (5, -5)),
        ("Js Ks check check Qh bet call", (-5, 5)),
        ("Js Jh bet raise call Ks check check", (0, 0)),
        ("Ks Jh check bet raise call Qs bet raise call", (13, -13)),
    ],
)
def test_a_pair_beats_the_highest_card_and_equal_hands_share(line, payoffs):
    assert Referee.at(Leduc(), f"moves: {line}").utilities() == payoffs


def test_a_round_has_at_most_two_bets_or_raises():
    game = Referee.at(Leduc(), "moves: Js Qs bet raise")
    assert [game.game.format_action(game.state, move) for move in game.legal()] == ["fold", "call"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Js", "'Js' is not a position of leduc; write 2 cards and the moves, as in 'JsJh check'"),
        ("JsJs", "'JsJs' is impossible: the cards are Js Jh Qs Qh Ks Kh, and all are dealt first"),
        ("JsQh fold", "'JsQh fold' is impossible: 'fold' is not check or bet"),
        ("JsQh check check Js", "'JsQh check check Js' is impossible: 'Js' is not Jh or Qs or Ks or Kh"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        Leduc().parse_state(text)


def test_a_view_is_written_without_the_other_cards():
    game = Leduc()
    state = game.parse_state("JsKh check bet call Qd bet".replace("Qd", "Qh"))
    assert game.format_view(game.view(state, 1), 1) == "Kh check bet call Qh bet"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ranks": 14}, "2 to 13 ranks, 1 to 4 suits and 2 to 5 players, not 14, 2 and 2"),
        ({"ranks": 2, "suits": 1}, "leduc for 2 players needs 3 cards or more, not 2"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        Leduc(**options)
