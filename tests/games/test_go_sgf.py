import random

import pytest

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.go import Go
from zermelo.games.go.sgf import read_sgf, result_of, result_text, write_sgf
from zermelo.games.hexapawn import Hexapawn

pytestmark = pytest.mark.plain


def test_a_game_is_written_as_others_write_it():
    referee = Referee(Go(5, komi=0.5))
    referee.play_line(["C3", "B2", "pass", "pass"])
    text = write_sgf(Scoresheet.of(referee, {"PB": "Zoë", "PW": "Bob [2d]"}, result_of(referee)))
    assert text == ("(;FF[4]CA[UTF-8]GM[1]KM[0.5]PB[Zoë]PW[Bob [2d\\]]RE[W+0.5]SZ[5];B[cc];W[bd];B[tt];W[tt])\n")


@pytest.mark.parametrize("options", [{}, {"size": 5}, {"size": 13, "handicap": 3}], ids=str)
def test_random_games_survive_sgf(options):
    rng, referee = random.Random(5), Referee(Go(**options))
    while not referee.game.is_terminal(referee.state) and len(referee.turns) < 12:
        state = referee.state
        referee.play(rng.choice(list(referee.game.actions(state))[:-1] or [referee.game.squares]))
    told = Scoresheet.of(referee, {"EV": "a match"})
    (read,) = read_sgf(write_sgf(told))
    assert read.game.options() == referee.game.options()
    assert (read.line, read.start, read.headers) == (told.line, None, told.headers)
    assert read.replay().state == referee.state


def test_a_start_of_its_own_survives_sgf():
    game = Go(5)
    start = game.parse_state("...../...../.XO../XO.O./.XO.. W")
    (read,) = read_sgf(write_sgf(Scoresheet(game, Line.of(["C2", "pass"]), start=start)))
    assert (read.start, read.moves) == (start, ("C2", "pass"))


def test_handicap_stones_placed_elsewhere_are_the_start():
    (read,) = read_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cc][ff];W[ee])")
    assert (read.game.handicap, read.game.komi, read.moves) == (2, 0.5, ("E5",))
    assert read.game.format_state(read.start).count("X") == 2
    assert read_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])")[0].start is None


ANNOTATED = (
    "(;FF[4]GM[1]SZ[9]KM[7.5]PB[Anna]US[someone]TM[1800]LB[aa:1][bb:2]C[A game.\n\nTwo paragraphs.]"
    ";B[ee]C[Tengen]LB[ee:1]"
    ";W[ec](;B[cc]TE[1];W[cd])(;B[gc]BM[2]C[bad];W[gd](;B[hd])(;B[fd])))(;GM[1]SZ[9]PB[Bo];B[aa])"
)


def test_comments_marks_variations_and_unknown_properties_are_read():
    first, second = read_sgf(ANNOTATED, ko="simple")
    assert (first.moves, second.moves, first.game.ko) == (("E5", "E7", "C7", "C6"), ("A9",), "simple")
    assert first.headers == {"PB": "Anna", "US": "someone"}
    assert first.line.comments == ("A game.", "Two paragraphs.")
    assert first.extras == {"TM": ("1800",), "LB": ("aa:1", "bb:2")}
    tengen, _, c7, _ = first.line.moves
    assert (tengen.comments, tengen.extras, c7.marks) == (("Tengen",), {"LB": ("ee:1",)}, (1,))
    (variation,) = c7.variations
    assert [move.text for move in variation.moves] == ["G7", "G6", "H6"]
    assert (variation.moves[0].marks, variation.moves[0].comments) == ((4,), ("bad",))
    assert [move.text for move in variation.moves[2].variations[0].moves] == ["F6"]


def test_what_was_read_is_written_and_read_again():
    sheets = read_sgf(ANNOTATED)
    text = write_sgf(*sheets)
    assert [write_sgf(sheet) for sheet in read_sgf(text)] == [write_sgf(sheet) for sheet in sheets]
    for once, twice in zip(sheets, read_sgf(text), strict=True):
        assert (once.line, once.headers, once.extras) == (twice.line, twice.headers, twice.extras)


def test_nodes_without_a_move_give_their_comments_to_the_move_before():
    (sheet,) = read_sgf("(;GM[1]SZ[9];B[ee];C[a thought](;W[cc])(;C[another];W[gg]))")
    assert sheet.moves == ("E5", "C7")
    assert sheet.line.moves[0].comments == ("a thought", "another")
    assert sheet.line.moves[1].variations == (Line.of(["G3"]),)


def test_what_go_does_not_allow_in_a_variation_is_left_out_and_noted():
    (sheet,) = read_sgf("(;GM[1]SZ[9];B[ee](;W[cc])(;W[gg];W[gc])(;AW[aa];B[bb]))")
    assert sheet.line.moves[1].variations == (Line.of(["G3"]),)
    assert sheet.notes == (
        "stones that are set up before move 2 are left out",
        "of a variation the rest is left out: move 3 of the SGF is by White, who is not to move",
    )


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("a letter", UsageError, "this is not an SGF of a game of go"),
        ("(;GM[1]SZ[9];B[zz])", UsageError, "this is not an SGF of a game of go: a value in it cannot be read"),
        ("(;GM[1]SZ[9];B[ee];AW[cc])", UsageError, "setup properties"),
        ("(;GM[1]SZ[9];B[ee];B[cc])", IllegalMove, "move 2 of the SGF is by Black, who is not to move"),
        ("(;GM[1]SZ[25];B[ee])", UsageError, "boards of size 2 to 19, not 25"),
        ("(;GM[1]SZ[9]AB[aa]AW[ab][ba])", UsageError, "setup position not legal"),
    ],
)
def test_a_text_that_is_not_a_game_is_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        read_sgf(text)


def test_an_illegal_move_is_found_when_the_game_is_replayed():
    (read,) = read_sgf("(;GM[1]SZ[9];B[ee];W[ee])")
    with pytest.raises(IllegalMove, match="move 2: E5 is not legal here"):
        read.replay()


def test_results_are_written_in_the_form_of_sgf():
    ends = {
        komi: result_text(Go(5, komi=komi), Go(5).parse_state("..XO./..XO./..XO./..XO./..XO. B"))
        for komi in (3.5, 5, 6)
    }
    assert ends == {3.5: "B+1.5", 5: "0", 6: "W+1"}


def test_games_that_sgf_cannot_describe_are_refused():
    with pytest.raises(UsageError, match="SGF is written for go here, not for hexapawn"):
        write_sgf(Scoresheet(Hexapawn()))
    with pytest.raises(UsageError, match="White is not a property that can be set here"):
        write_sgf(Scoresheet(Go(), headers={"White": "?"}))
    with pytest.raises(UsageError, match=r"this SGF is of another game than go: it has GM\[2\], and go is GM\[1\]"):
        read_sgf("(;GM[2]SZ[8];B[dd])")
