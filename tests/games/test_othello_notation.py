import random

import pytest

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Scoresheet
from zermelo.games.othello import Othello
from zermelo.games.othello.notation import (
    is_transcript,
    play_transcript,
    read_ggf,
    result_of,
    write_ggf,
    write_transcript,
)

pytestmark = pytest.mark.plain

BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
ON_SERVER = (
    f"(;GM[Othello]PC[GGS/os]DT[2000-4-16 11:13 EST]PB[one]PW[two]RB[1457.12]RW[1631.74]TI[15:00//02:00]"
    f"TY[8]RE[-40.00:r]BO[{BOARD}]B[F5//4.09]W[D6/40.00/0.01]B[c3//1.67]W[D3];)"
)


def random_referee(game, seed):
    referee, rng = Referee(game), random.Random(seed)
    while not referee.is_over:
        referee.play(rng.choice(referee.legal()))
    return referee


# -- transcripts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 6, 8])
def test_transcripts_survive_the_round_trip_without_their_passes(size):
    passes = 0
    for seed in range(20):
        referee, again = random_referee(Othello(size), seed), Referee(Othello(size))
        text = write_transcript(referee)
        passes += len(referee.turns) - len(text) // 2
        play_transcript(again, text)
        if referee.turns[-1].text != "pass":
            assert again.state == referee.state
            assert [turn.text for turn in again.turns] == [turn.text for turn in referee.turns]
    assert passes > 0


def test_a_transcript_is_squares_and_nothing_else():
    assert is_transcript("f5d6C3")
    assert is_transcript("F5 d6")
    assert not any(map(is_transcript, ("", "f5d", "f5-d6", "pass", "---OX")))
    with pytest.raises(IllegalMove, match="'f5 to d6' is not a transcript; write squares one after the other"):
        play_transcript(Referee(Othello()), "f5 to d6")
    with pytest.raises(IllegalMove, match="move 2: a1 is not legal here; try f4, d6 or f6"):
        play_transcript(Referee(Othello()), "f5a1")


# -- GGF --------------------------------------------------------------------------------------------------------------


def test_a_game_of_the_server_is_read():
    (sheet,) = read_ggf(Othello(), ON_SERVER)
    assert sheet.moves == ("f5", "d6", "c3", "d3")
    assert (sheet.headers["PB"], sheet.headers["RW"], sheet.result) == ("one", "1631.74", "-40.00:r")
    assert sheet.replay().state == Othello().parse_state("f5d6c3d3")


def test_evaluations_and_times_are_kept():
    game = Othello()
    (sheet,) = read_ggf(game, ON_SERVER)
    text = write_ggf(sheet)
    assert text.endswith("B[F5//4.09]W[D6/40.00/0.01]B[C3//1.67]W[D3];)\n")
    assert read_ggf(game, text) == [sheet]


def test_passes_are_understood_in_all_spellings_and_where_they_are_left_out():
    referee = next(
        referee
        for referee in (random_referee(Othello(4), seed) for seed in range(50))
        if any(turn.text == "pass" for turn in referee.turns)
    )
    moves = tuple(turn.text for turn in referee.turns)
    for spelling in ("PASS", "pa", "--", "Ps"):
        colours = "".join(f"{'BW'[n % 2]}[{spelling if move == 'pass' else move}]" for n, move in enumerate(moves))
        (sheet,) = read_ggf(Othello(4), f"(;GM[Othello]{colours};)")
        assert sheet.moves == moves
        assert sheet.replay().state == referee.state
    squares = "".join(move for move in moves if move != "pass")
    assert read_ggf(Othello(4), squares)[0].replay().state == referee.state


@pytest.mark.parametrize("size", [4, 6, 8])
def test_games_survive_the_round_trip(size):
    game = Othello(size)
    referees = [random_referee(game, seed) for seed in range(5)]
    sheets = [Scoresheet.of(referee, {"PB": "Black", "PW": "White"}, result_of(referee)) for referee in referees]
    text = write_ggf(*sheets)
    assert text.count("\n") == 5
    assert read_ggf(game, text) == sheets
    for referee, found in zip(referees, read_ggf(Othello(), text), strict=True):  # the board is that of the file
        assert found.replay().state == referee.state
        discs = game.format_state(referee.state).split()[0]
        assert float(found.result) == discs.count("X") - discs.count("O")


def test_a_game_from_another_position_says_so():
    game = Othello()
    referee = Referee.at(game, "f5")
    referee.play_text("d6")
    text = write_ggf(Scoresheet.of(referee))
    assert "RE[?]" in text
    assert text.endswith(" O]W[D6];)\n")
    assert read_ggf(game, text)[0].replay().state == game.parse_state("f5d6")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("f5 to d6", "there is no game in this GGF; a game is written"),
        ("(;GM[Othello]B[F5]W D6;)", "the GGF has 'W D6' where a property such as"),
        ("(;GM[Amazons]B[A4-A6-G6];)", "the GGF is of a game of Amazons, not of Othello"),
    ],
)
def test_a_text_that_is_not_a_ggf_is_refused(text, sentence):
    with pytest.raises(UsageError) as caught:
        read_ggf(Othello(), text)
    assert sentence in str(caught.value)


def test_what_cannot_be_replayed_or_written_is_refused():
    with pytest.raises(BadPosition, match=r"BO\[\] is not a board; it begins with its size"):
        read_ggf(Othello(), "(;GM[Othello]TY[8]BO[]B[d3];)")
    with pytest.raises(IllegalMove, match="move 2: f5 is not legal here"):
        read_ggf(Othello(), "f5f5")[0].replay()
    with pytest.raises(UsageError, match=r"the property PB is 'a\]b', and GGF has no way to write a \]"):
        write_ggf(Scoresheet(Othello(), headers={"PB": "a]b"}))
