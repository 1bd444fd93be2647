"""One value in words, as comments in scoresheets have it."""

import math

import pytest

from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.winning_chances import expectation
from zermelo.draw.value_texts import format_short, value_in_words
from zermelo.games import find

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("name", "value", "kind", "distance", "words"),
    [
        ("chess", (0.34 / 128, -0.34 / 128), "estimate", None, "+0.34 pawns"),
        ("chess", (-5.02 / 128, 5.02 / 128), "estimate", None, "-5.02 pawns"),
        ("chess", (-0.001 / 128, 0.001 / 128), "estimate", None, "0.00 pawns"),
        ("chess", (1, -1), "lower", 5, "at least a win in 5 plies (proved)"),
        ("chess", (1, -1), "exact", 5, "a win in 5 plies (proved)"),
        ("chess", (-1, 1), "estimate", 4, "a loss in 4 plies"),
        ("chess", (0, 0), "exact", None, "a draw (proved)"),
        ("tic-tac-toe", (0.5, -0.5), "estimate", None, "75.0 %"),
        ("othello", (12, -12), "exact", 3, "+12 discs (proved)"),
        ("othello", (12, -12), "lower", None, "at least +12 discs (proved)"),
        ("othello", (-3.25, 3.25), "estimate", None, "-3.25 discs"),
        ("pig", (0.06, -0.06), "exact", None, "53.0 % (proved)"),
        ("trio", (1.5, 0, 1.5), "estimate", None, "1.50"),
        ("chess", (math.nan, math.nan), "estimate", None, "an unknown value"),
    ],
)
def test_a_value_in_words(name, value, kind, distance, words):
    game = find(name)
    found = value_in_words(Analysis(game.spec(), "", 0, "test", value, kind, distance=distance), game)
    assert found == words
    assert found.isascii()


@pytest.mark.parametrize(
    ("name", "value", "kind", "shares"),
    [
        ("chess", (0.0, 0.0), "estimate", [0.5, 0.5]),
        ("chess", (4 / 128, -4 / 128), "estimate", [10 / 11, 1 / 11]),
        ("chess", (1, -1), "exact", [1, 0]),
        ("othello", (2, -2), "exact", [1, 0]),
        ("trio", (1.5, 0, 3), "estimate", [0.5, 0, 1]),
        ("2048", (0.25,), "estimate", [0.25]),
        ("trio", (1.5, math.nan, math.nan), "estimate", [0.5, None, None]),
    ],
)
def test_what_players_can_expect(name, value, kind, shares):
    game = find(name)
    analysis = Analysis(game.spec(), "", 0, "test", value, kind)
    found = [expectation(analysis, value, kind, game, player) for player in range(game.players)]
    assert found == [share if share is None else pytest.approx(share) for share in shares]


class Skewed(Game):
    """`utility_range` is wider on one side than a zero-sum game can use."""

    utility_range = (-2.0, 6.0)


@pytest.mark.parametrize(("value", "short", "share"), [(2.0, "2", 1.0), (0.0, "draw", 0.5), (-1.0, "−1", 0.25)])
def test_a_draw_is_in_the_middle_of_what_both_can_get(value, short, share):
    """The middle of the range is 2 here, and was called a draw."""
    game, payoffs = Skewed(), (value, -value)
    analysis = Analysis("skewed", "", 0, "test", payoffs, "exact")
    assert format_short(analysis, payoffs, "exact", game) == short
    assert expectation(analysis, payoffs, "exact", game, 0) == share
