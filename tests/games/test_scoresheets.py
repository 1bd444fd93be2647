"""Whole games as their players write them: what is written is read back, and other programs read it too."""

import io
import random

import pytest

from zermelo.core.errors import UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.library.scoresheets import scoresheet_of

FORMS = {"chess": "PGN", "checkers": "PDN", "othello": "GGF", "go": "SGF", "backgammon:cube=true": ".mat"}


def played(spec, plies, seed=0, start=""):
    """A game of random moves."""
    referee, rng = Referee.at(find(spec), start), random.Random(seed)
    while len(referee.turns) < plies and not referee.is_over:
        referee.play(rng.choice(referee.legal()))
    return referee


@pytest.mark.parametrize(("spec", "name"), FORMS.items())
@pytest.mark.parametrize("plies", [2, 24])
def test_what_is_written_is_read_back(spec, name, plies):
    referee = played(spec, plies)
    sheet = scoresheet_of(referee.game)
    assert sheet.name == name
    again = sheet.read(referee.game, sheet.write(referee))
    assert [turn.text for turn in again.turns] == [turn.text for turn in referee.turns]
    assert again.state == referee.state
    assert again.game.spec() == referee.game.spec()


@pytest.mark.parametrize("spec", ["chess", "checkers", "othello:size=6", "go:size=5,komi=0.5"])
def test_a_game_from_another_start_is_read_back(spec):
    start = find(spec).format_state(played(spec, 7).state)
    referee = played(spec, 5, start=start)
    sheet = scoresheet_of(referee.game)
    again = sheet.read(referee.game, sheet.write(referee))
    assert again.turns[0].state == referee.turns[0].state
    assert again.state == referee.state


def test_python_chess_reads_our_games_with_their_result():
    chess_pgn = pytest.importorskip("chess.pgn")
    mate = Referee.at(find("chess"), "moves: f3 e5 g4 Qh4")
    theirs = chess_pgn.read_game(io.StringIO(scoresheet_of(mate.game).write(mate)))
    assert [move.uci() for move in theirs.mainline_moves()] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert theirs.headers["Result"] == "0-1"


def test_of_several_games_the_first_is_taken():
    sheet = scoresheet_of(find("chess"))
    text = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n"
    assert [turn.text for turn in sheet.read(find("chess"), text).turns] == ["e4", "e5"]


def test_othello_also_reads_plain_transcripts():
    othello = find("othello")
    assert len(scoresheet_of(othello).read(othello, "f5d6c3").turns) == 3


def test_go_takes_size_and_komi_from_the_file():
    referee = scoresheet_of(find("go")).read(find("go"), "(;GM[1]SZ[5]KM[0.5];B[cc];W[bb])")
    assert referee.game.spec() == "go:size=5,komi=0.5"
    assert len(referee.turns) == 2


def test_a_game_without_a_form_of_its_own_has_none():
    assert scoresheet_of(find("nim")) is None


def test_an_empty_sheet_is_refused_with_a_sentence():
    with pytest.raises(UsageError, match="there is no game in this PGN"):
        scoresheet_of(find("chess")).read(find("chess"), "")


SHEETS = {
    "chess": (
        '[Event "Club"]\n[White "Anna"]\n[Black "Bo"]\n[Result "1-0"]\n[ECO "C20"]\n\n1. e4 e5 1-0\n',
        {"Event": "Club", "White": "Anna", "Black": "Bo", "ECO": "C20"},
        "1-0",
    ),
    "checkers": (
        '[Event "Club"]\n[White "Anna"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n',
        {"Event": "Club", "White": "Anna", "Black": "Bo"},
        "1-0",
    ),
    "othello": (
        "(;GM[Othello]PC[Club]PB[Anna]PW[Bo]RE[+64.00:r]TY[8]B[f5]W[d6];)",
        {"PB": "Anna", "PC": "Club"},
        "+64.00:r",
    ),
    "go:size=5": ("(;GM[1]SZ[5]KM[0.5]PB[Anna]PW[Bo]RE[B+Resign];B[cc];W[bb])", {"PB": "Anna", "PW": "Bo"}, "B+Resign"),
}


@pytest.mark.plain
@pytest.mark.parametrize("spec", SHEETS)
def test_headers_and_a_result_that_is_not_in_the_moves_are_kept(spec):
    text, headers, result = SHEETS[spec]
    sheet, game = scoresheet_of(find(spec)), find(spec)
    reading = sheet.read_whole(game, text)
    assert headers.items() <= reading.headers.items()
    assert (reading.result, reading.note) == (result, "")
    again = sheet.read_whole(reading.referee.game, sheet.write(reading.referee, reading))
    assert {**again.headers, **reading.headers} == dict(again.headers)
    assert again.result == result
    assert again.referee.state == reading.referee.state


@pytest.mark.plain
def test_the_result_of_another_game_is_not_kept():
    """Somebody resigned there, and plays on here."""
    text, headers, _ = SHEETS["chess"]
    sheet = scoresheet_of(find("chess"))
    reading = sheet.read_whole(find("chess"), text)
    on = reading.referee.copy()
    on.play_text("Nf3")
    written = sheet.read_whole(find("chess"), sheet.write(on, reading))
    assert (written.result, headers.items() <= written.headers.items()) == ("*", True)
    mate = Referee.at(find("chess"), "moves: f3 e5 g4 Qh4")
    assert '[Result "0-1"]' in sheet.write(mate, reading)


@pytest.mark.plain
def test_the_names_in_a_mat_file_are_kept():
    referee = played("backgammon:cube=true", 6)
    sheet = scoresheet_of(referee.game)
    text = sheet.write(referee).replace("White : ", "Anna : ").replace("Black : ", "Bo : ")
    reading = sheet.read_whole(referee.game, text)
    assert reading.headers == {"White": "Anna", "Black": "Bo"}
    assert "Anna : 0" in sheet.write(reading.referee, reading)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "text", "note"),
    [
        ("chess", "1. e4 {best by test} e5 (1... c5) 1-0", "comments and variations are left out"),
        ("chess", "1. e4 $1 e5 *", "comments and variations are left out"),
        ("chess", "1. e4 e5 ; as usual\n*", "comments and variations are left out"),
        ("chess", '[Event "A; (B) {C} $1"]\n\n1. e4 e5 *', ""),
        ("chess", "1. e4 e5 1-0\n\n1. d4 d5 0-1\n", "only the first of 2 games is read"),
        ("checkers", "1. 11-15 1-0\n\n1. 12-16 *\n", "only the first of 2 games is read"),
        ("go", "(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd]))", "variations are left out"),
    ],
)
def test_what_is_left_out_is_said(spec, text, note):
    assert scoresheet_of(find(spec)).read_whole(find(spec), text).note == note
