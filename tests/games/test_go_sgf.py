import random

import pytest

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games.go import Go
from zermelo.games.go.sgf import SgfGame, game_of, read_sgf, result_text, write_sgf
from zermelo.games.hexapawn import Hexapawn


def test_a_game_is_written_as_others_write_it():
    referee = Referee(Go(5, komi=0.5))
    referee.play_line(["C3", "B2", "pass", "pass"])
    text = write_sgf(game_of(referee, {"PB": "Zoë", "PW": "Bob [2d]"}))
    assert text == ("(;FF[4]CA[UTF-8]GM[1]KM[0.5]PB[Zoë]PW[Bob [2d\\]]RE[W+0.5]SZ[5];B[cc];W[bd];B[tt];W[tt])\n")


@pytest.mark.parametrize("options", [{}, {"size": 5}, {"size": 13, "handicap": 3}], ids=str)
def test_random_games_survive_sgf(options):
    rng, referee = random.Random(5), Referee(Go(**options))
    while not referee.game.is_terminal(referee.state) and len(referee.turns) < 12:
        state = referee.state
        referee.play(rng.choice(list(referee.game.actions(state))[:-1] or [referee.game.squares]))
    told = game_of(referee, {"EV": "a match"})
    read = read_sgf(write_sgf(told))
    assert (read.game.options(), read.moves, read.start, read.tags) == (
        referee.game.options(),
        told.moves,
        None,
        told.tags,
    )
    assert read.replay().state == referee.state


def test_a_start_of_its_own_survives_sgf():
    game = Go(5)
    start = game.parse_state("...../...../.XO../XO.O./.XO.. W")
    read = read_sgf(write_sgf(SgfGame(game, ("C2", "pass"), start)))
    assert (read.start, read.moves) == (start, ("C2", "pass"))


def test_handicap_stones_placed_elsewhere_are_the_start():
    read = read_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cc][ff];W[ee])")
    assert (read.game.handicap, read.game.komi, read.moves) == (2, 0.5, ("E5",))
    assert read.game.format_state(read.start).count("X") == 2
    assert read_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])").start is None


def test_only_the_main_line_is_read_and_other_options_can_be_given():
    read = read_sgf("(;GM[1]SZ[9]C[hello];B[ee]C[a comment](;W[cc];B[])(;W[gg]))", ko="simple")
    assert (read.moves, read.tags, read.game.ko) == (("E5", "C7", "pass"), {"C": "hello"}, "simple")


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
def test_what_is_no_game_is_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        read_sgf(text)


def test_an_illegal_move_is_found_when_the_game_is_replayed():
    read = read_sgf("(;GM[1]SZ[9];B[ee];W[ee])")
    with pytest.raises(IllegalMove, match="move 2: E5 is not legal here"):
        read.replay()


def test_results_are_told_as_sgf_tells_them():
    ends = {
        komi: result_text(Go(5, komi=komi), Go(5).parse_state("..XO./..XO./..XO./..XO./..XO. B"))
        for komi in (3.5, 5, 6)
    }
    assert ends == {3.5: "B+1.5", 5: "0", 6: "W+1"}


def test_what_sgf_cannot_tell_is_refused():
    with pytest.raises(UsageError, match="SGF is written for go here, not for hexapawn"):
        game_of(Referee(Hexapawn()))
    with pytest.raises(UsageError, match="ZZ is not a property"):
        write_sgf(SgfGame(Go(), tags={"ZZ": "?"}))
