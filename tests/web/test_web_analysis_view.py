"""What the page says of a value: in large words, in small ones, and in a badge."""

import pytest

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.games import find
from zermelo.web.analysis_view import describe_analysis, format_short, format_with_unit

pytestmark = pytest.mark.plain

SIMULATED = MoveAnalysis("a", (0.04, -0.04), "estimate", visits=1000)


def found(spec, value, kind, to_move=0, **told):
    game = find(spec)
    values = (value, -value) if game.players == 2 else (value,)
    return Analysis(game.spec(), "", to_move, "", values, kind, **told), game


@pytest.mark.parametrize(
    ("spec", "value", "kind", "expected"),
    [
        ("hexapawn", -1, "exact", "loss"),
        ("tic-tac-toe", 0, "exact", "draw"),
        ("connect-four", 0.026, "estimate", "51.3%"),
        ("hexapawn", 0.5, "lower", "≥75.0%"),
        ("chess", -0.16 / 128, "estimate", "−0.16"),
        ("chess", 0.0001 / 128, "estimate", "0"),
        ("othello", 8, "exact", "8"),
        ("othello", -8, "upper", "≤−8"),
        ("2048", 0.999, "estimate", "99.9%"),
        ("tree", 3, "exact", "3"),
        ("chess", float("nan"), "estimate", ""),
    ],
)
def test_a_badge_has_a_few_letters(spec, value, kind, expected):
    analysis, game = found(spec, value, kind)
    assert format_short(analysis, analysis.value, kind, game) == expected


@pytest.mark.parametrize(
    ("spec", "value", "kind", "headline", "about"),
    [
        ("hexapawn", -1, "exact", "Black wins", "proved; 8 plies to the end"),
        ("tic-tac-toe", 0, "exact", "A draw", "proved; 8 plies to the end"),
        ("othello:size=4", -8, "exact", "White wins by 8", "proved; 8 plies to the end"),
        ("nim", 1, "exact", "Player 1 wins", "proved; 8 plies to the end"),
        ("connect-four", 0.026, "estimate", "~ 51.3 %", "for X, an estimate; 8 plies to the end"),
        ("chess", 0.49 / 128, "estimate", "~ 0.49 pawns", "for White, an estimate; 8 plies to the end"),
        ("tree", 3, "exact", "= 3", "for Max, proved; 8 plies to the end"),
        ("pig", 0.06, "exact", "= 53.0 %", "for player 1, proved; 8 plies to the end"),
    ],
)
def test_the_verdict_has_a_long_and_a_short_form(spec, value, kind, headline, about):
    analysis, game = found(spec, value, kind, distance=8)
    told = describe_analysis(analysis, game)
    assert (told["headline"], told["about"]) == (headline, about)


def test_an_estimate_for_many_players_is_that_of_the_mover_in_its_unit():
    game = find("pacman")
    analysis = Analysis("pacman", "", 0, "maxn", (767.333, -767.333, -767.333), "estimate", "West")
    assert describe_analysis(analysis, game)["headline"] == "~ 767 points"


@pytest.mark.parametrize("spec", ["go", "chess", "breakthrough"])
def test_simulated_games_are_won_and_lost_and_not_counted_in_points(spec):
    """Whoever wins 52 of 100 simulated games of Go was said to be 3.6 points ahead."""
    analysis, game = found(spec, 0.04, "estimate", moves=(SIMULATED,))
    told = describe_analysis(analysis, game)
    assert (told["headline"], told["short"], told["chance"]) == ("~ 52.0 %", "52.0%", 0.52)


def test_points_of_go_are_points_where_they_are_paid():
    analysis, game = found("go:margin=true", 3.5, "estimate", moves=(SIMULATED,))
    assert describe_analysis(analysis, game)["headline"] == "~ 3.5 points"


def test_the_mover_s_value_is_reported_and_the_bar_has_the_first_player_s():
    analysis, game = found("chess", 0.5 / 128, "estimate", to_move=1)
    assert format_with_unit(analysis, analysis.value, "estimate", game) == "~ −0.5 pawns"
    told = describe_analysis(analysis, game)
    assert told["short"] == "0.50"
    assert told["chance"] > 0.5
