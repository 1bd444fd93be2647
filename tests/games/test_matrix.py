"""Matrix games: one simultaneous choice, the examples by name, tables and files."""

import random

import pytest

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.draw import board_text
from zermelo.games import find
from zermelo.games.matrix.examples import EXAMPLES
from zermelo.kernel import U64

pytestmark = pytest.mark.plain


def test_paper_covers_rock():
    game = Referee.at(find("matrix"), "moves: rock paper")
    assert game.is_over
    assert game.utilities() == (-1.0, 1.0)
    assert game.game.format_state(game.state) == "rock paper"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_pays_what_its_table_says(name):
    game = find(f"matrix:{name}")
    for profile in game.form.profiles():
        referee = Referee(game)
        referee.play_line([names[one] for names, one in zip(game.form.actions, profile, strict=True)])
        assert referee.utilities() == tuple(map(float, game.form.payoffs(profile)))


def test_three_players_choose_at_once(tmp_path):
    file = tmp_path / "odd.nfg"
    file.write_text('NFG 1 R "odd one out" { "A" "B" "C" } { 2 2 2 }\n' + " ".join("1 2 3" for _ in range(8)))
    game = find(f"matrix:{file}")
    referee = Referee(game)
    for choice in ("1", "2", "1"):
        referee.play_text(choice)
    assert referee.utilities() == (1.0, 2.0, 3.0)
    assert game.full_title() == "Matrix Game (odd one out)"


def test_a_pending_choice_is_seen_by_its_player_only():
    game = find("matrix")
    states = [Referee.at(game, f"moves: {choice}").state for choice in ("rock", "paper")]
    assert game.view(states[0], 1) == game.view(states[1], 1)
    assert game.view(states[0], 0) != game.view(states[1], 0)
    assert game.format_view(game.view(states[0], 0), 0) == "start; rock"
    drawn = [board_text(game.view_picture(game.view(state, 1), 1)) for state in states]
    assert drawn[0] == drawn[1]


def test_worlds_leave_the_others_free_to_choose():
    game = find("matrix")
    view = game.view(Referee.at(game, "moves: rock").state, 1)
    rng = random.Random(3)
    assert {game.format_state(game.worlds(view, 1, U64(rng.getrandbits(64)))) for _ in range(40)} == {
        "start; rock",
        "start; paper",
        "start; scissors",
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("lizard", "'lizard' is not a position of matrix; write start, or what all have chosen"),
        ("start; lizard", "'lizard' is not one of rock, paper, scissors"),
        ("start; rock; paper", "2 choices at once lead to the next situation"),
        ("rock paper; rock", "2 choices at once lead to the next situation"),
    ],
)
def test_what_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        find("matrix").parse_state(text)


def test_a_power_in_a_file_is_not_a_number_of_actions(tmp_path):
    """A small 2 is a digit for Python, but not a number."""
    file = tmp_path / "power.nfg"
    file.write_text('NFG 1 R "" { "A" "B" } { \u00b2 2 } 1 1 2 2 3 3 4 4', encoding="utf-8")
    with pytest.raises(UsageError, match="\u00b2 is not a whole number"):
        find(f"matrix:{file}")


def test_a_missing_or_broken_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        find(f"matrix:{tmp_path}/none.nfg")
    (tmp_path / "bad.nfg").write_text("EFG 2 R")
    with pytest.raises(UsageError, match=r"bad\.nfg: a file of a game in normal form begins with NFG 1 R"):
        find(f"matrix:{tmp_path}/bad.nfg")
