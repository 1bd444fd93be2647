"""Games of backgammon in .mat files, in and out."""

import random

import pytest

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.mat import read_mat, write_mat
from zermelo.games.backgammon.position import DOUBLING, phase_of
from zermelo.games.pig import Pig

pytestmark = pytest.mark.plain

MATCH = """\
; [Site "here"]

 3 point match

 Game 1
 Alice Smith : 0                         Bob : 0
  1) 31: 8/5 6/5                         62: 24/18 13/11
  2)  Doubles => 2                        Takes
  3) 65: 24/18 13/8                      11: 8/7* 8/7 6/5 6/5
  4) 66:                                  Doubles => 4
  5)  Drops
                                          Wins 2 points

 Game 2
 Alice Smith : 0                         Bob : 2
  1)                                     42: 8/4 6/4
  2) 64: 24/14                           21: 13/11 6/5
                                          Wins 3 points and the match
"""


def played(options, seed):
    """A random game or match; doubles are rare."""
    game, rng = Backgammon(**options), random.Random(seed)
    referee = Referee(game)
    while not referee.is_over:
        moves = referee.legal()
        if phase_of(referee.state) == DOUBLING:
            moves = moves[:1] if rng.random() < 0.95 else moves[1:]
        referee.play(rng.choice(moves))
    return referee


def test_a_match_is_read_as_others_write_it():
    first, second = read_mat(MATCH.replace("66:  ", "66: ????"))
    assert first.headers == {"Site": "here", "White": "Alice Smith", "Black": "Bob"}
    assert (first.game.match, first.game.cube) == (3, True)
    assert first.moves[:3] == ("31", "8/5+6/5", "roll")
    assert first.moves[-2:] == ("double", "pass")
    assert "no-play" in first.moves
    assert first.result == "Black wins 2"
    assert second.moves == ("24", "8/4+6/4", "64", "24/14", "21", "13/11*+6/5")  # Crawford: no cube
    assert second.result == "Black wins 3"


def test_a_match_is_written_as_it_was_read():
    """But for the spelling of plays, and for the lines of a session that are no headers."""
    again = write_mat(*read_mat(MATCH))
    assert again == MATCH.replace("8/7* 8/7 6/5 6/5", "8/7*(2) 6/5(2)").replace("13/11 6/5", "13/11* 6/5")
    for once, twice in zip(read_mat(MATCH), read_mat(again), strict=True):
        assert (once.line, once.headers, once.result) == (twice.line, twice.headers, twice.result)


def test_bar_and_off_may_be_numbers():
    text = " 0 point match\n\n Game 1\n A : 0  B : 0\n  1) 61: 13/7 8/7     41: 24/23 13/9\n"
    assert read_mat(text)[0].moves[-1] == "24/23+13/9"
    hit = text + "  2) 63: 24/18 13/10      31: 6/5 24/21\n"
    assert read_mat(hit)[0].moves


@pytest.mark.parametrize("options", [{"cube": True}, {"cube": True, "match": 3}], ids=str)
def test_reading_is_the_inverse_of_writing(options):
    referee = played(options, 5)
    sheets = read_mat(write_mat(Scoresheet.of(referee, {"White": "Ann", "Black": "Ben Lee"})))
    assert {(sheet.headers["White"], sheet.headers["Black"]) for sheet in sheets} == {("Ann", "Ben Lee")}
    assert [move for sheet in sheets for move in sheet.moves] == [turn.text for turn in referee.turns]
    last = sheets[-1].replay()
    assert (last.is_over, last.utilities()) == (True, referee.utilities())


def test_a_game_without_the_cube_is_written_too():
    lines = write_mat(Scoresheet(Backgammon(), Line.of(["13", "8/5+6/5", "21", "24/23+13/11"]))).splitlines()
    assert lines[0] == " 0 point match"
    assert lines[-2].split() == ["1)", "31:", "8/5", "6/5"]
    assert lines[-1].split() == ["2)", "21:", "24/23", "13/11"]


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("hello", UsageError, "this is not a .mat file"),
        (" 3 point match\n\n Game 1\n nobody\n", UsageError, "game 1 of the .mat file does not begin with"),
        (MATCH.replace("62: 24/18", "62: 24/17"), IllegalMove, "game 1, row 1: 24/17 13/11 is not legal here"),
        (MATCH.replace("64: 24/14", "Doubles => 2"), IllegalMove, "game 2, row 2: doubling is not allowed here"),
        (MATCH.replace("Bob : 2", "Bob : 3"), UsageError, "at 0 to 3 a match to 3 points is over"),
    ],
)
def test_inconsistent_files_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        read_mat(text)


def test_other_games_are_not_written():
    with pytest.raises(UsageError, match=r"\.mat files are written for backgammon, not for pig"):
        write_mat(Scoresheet(Pig()))
