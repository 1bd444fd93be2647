"""`zermelo review`: mistakes are marked, the better move is named, and nothing in the file is lost."""

import io
import json
import re

import pytest

from zermelo.arena.review import SLIPS, slip_of
from zermelo.core.analysis import Analysis
from zermelo.games import find
from zermelo.games.library.scoresheets import form_of

PGN = """\
[Event "Casual game"]
[Site "Vienna"]
[Date "1850.??.??"]
[Round "?"]
[White "Anna \\"the Fox\\" Müller"]
[Black "Bo"]
[Result "1-0"]
[ECO "C41"]
[CustomTag "kept; {really}"]

{A trap.} 1. e4 e5 2. Nf3 d6 3. Bc4 Bg4?! (3... Be7 {is solid} 4. d4 exd4
(4... Nd7 5. dxe5) 5. Nxd4 $14) 4. Nc3 g6 5. Nxe5! {Legal's trap} Bxd1 ; greedy
6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "Second game"]
[White "Cy"]
[Black "Di"]
[Result "0-1"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ Nxe5 0-1
"""
HEXAPAWN = '[Game "hexapawn"]\n[White "Anna"]\n\nmoves: a1a2 b3b2 {hm} (b3a2 b1a2)\n'
SECOND = "\nmoves: c1c2 b3c2\n"
DICE = "moves: roll 5 hold roll 3 roll 2"


@pytest.fixture
def write(tmp_path):
    """Write a file and return its name."""

    def file(text, name="game.pgn"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return file


def unwrapped(text):
    return " ".join(text.split())


# -- what is found --------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_known_blunders_are_found_with_the_better_move(zermelo, write):
    said = zermelo("review", write(PGN), "--agent", "alphabeta", "--depth", "5")
    assert said.code == 0
    first, second = said.out.split('[Event "Second game"]')
    first, second = unwrapped(first), unwrapped(second)
    assert re.search(
        r"5\.\.\. Bxd1 \$[24] \{greedy\} \{(Mistake|Blunder): from \S+ pawns to a loss in at most 3 plies \(proved\) "
        r"for Black; better is dxe5\.\} \(5\.\.\. dxe5 ",
        first,
    )
    assert "3. Bc4 Nf6 $4 {Blunder: from" in second
    assert "4. Qxe5+ $4 {Blunder: from a win in 1 ply (proved) to" in second
    assert "for White; better is Qxf7#.} (4. Qxf7#)" in second
    assert "Black (Bo)" in said.err
    white = next(row for row in said.err.splitlines() if row.startswith("White (Cy)"))
    assert white.split()[-3] == "1"  # blunders


@pytest.mark.compiled
def test_a_queen_that_is_left_hanging_is_a_blunder(zermelo, write):
    file = write("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Qg5 5. d3 Nf6 6. a3 *")
    moves = zermelo("review", file, "--agent", "alphabeta", "--depth", "5", "--json").json["games"][0]["moves"]
    queen, missed = moves[7], next(move for move in moves if move["move"] == "d3")
    assert (queen["move"], queen["slip"], queen["label"]) == ("Qg5", "blunder", "4...")
    assert queen["best"] != "Qg5"
    assert queen["line"][0] == queen["best"]
    assert missed["best"] == "Nxg5"
    assert missed["slip"] == "blunder"


@pytest.mark.compiled
def test_all_that_is_in_the_file_is_kept(zermelo, write):
    out = zermelo("review", write(PGN), "--agent", "alphabeta", "--depth", "1").out
    assert '[White "Anna \\"the Fox\\" Müller"]' in out
    assert '[CustomTag "kept; {really}"]' in out
    assert '[Annotator "Zermelo ' in out
    text = unwrapped(out)
    for part in (
        "{A trap.} 1. e4",
        "Bg4 $6",
        "{is solid} 4. d4 exd4 (4... Nd7 5. dxe5) 5. Nxd4 $14)",
        "$1 {Legal's trap}",
        "{greedy}",
        "Nd5# 1-0",
        '[Event "Second game"]',
        "0-1",
    ):
        assert part in text
    assert max(map(len, out.splitlines())) < 80


@pytest.mark.plain
def test_proved_values_say_so_and_the_summary_counts_them(zermelo, write):
    said = zermelo("review", write(HEXAPAWN, "games.txt"))
    assert said.out.startswith('[Game "hexapawn"]\n[White "Anna"]\n[Annotator "Zermelo ')
    assert unwrapped(said.out).endswith(
        "moves: a1a2 b3b2 $4 {hm} {Blunder: from a win in 3 plies (proved) to a loss in 1 ply (proved) for Black; "
        "better is b3a2.} (b3a2 b1a2) (b3a2 b1a2 c3c2)"
    )
    blank, title, white, black = said.err.splitlines()[-4:]
    assert blank == ""
    assert title.split() == ["moves", "inaccuracies", "mistakes", "blunders", "mean", "loss"]
    assert white.split() == ["White", "(Anna)", "1", "0", "0", "0", "0.0", "%"]
    assert black.split() == ["Black", "1", "0", "0", "1", "100.0", "%"]


@pytest.mark.plain
def test_a_review_of_a_review_adds_nothing(zermelo, write):
    once = zermelo("review", write(HEXAPAWN, "games.txt")).out
    assert zermelo("review", write(once, "again.txt")).out == once


@pytest.mark.plain
def test_dice_are_not_reviewed_but_decisions_before_them_are(zermelo, write):
    found = zermelo("review", write(DICE), "--game", "pig:target=10", "--depth", "2", "--json").json
    (game,) = found["games"]
    assert [move["move"] for move in game["moves"]] == ["roll", "hold", "roll", "roll"]
    assert [move["ply"] for move in game["moves"]] == [1, 3, 4, 6]
    assert all(move["loss"] is not None for move in game["moves"])
    assert found["text"].startswith('[Game "pig:target=10"]')


@pytest.mark.plain
def test_a_game_for_three_is_reviewed_by_shares_of_the_payoffs(zermelo, write):
    file = write("moves: 2 1 3 1 4")
    (game,) = zermelo("review", file, "--game", "trio", "--depth", "2", "--json").json["games"]
    assert [player["moves"] for player in game["players"]] == [2, 2, 1]
    assert all(0 <= move["loss"] <= 1 for move in game["moves"])


@pytest.mark.plain
def test_notations_without_a_place_for_comments_become_text(zermelo, write):
    file = write("(;GM[Othello]TY[4]PB[Anna]BO[4 -----O*--*O----- *]B[b1]W[c1];)", "game.ggf")
    said = zermelo("review", file)
    assert "note: GGF has no place for comments and variations, so the review is written as plain text" in said.err
    assert said.out.startswith('[Game "othello:size=4"]\n[PB "Anna"]\n')
    assert "moves: b1 c1" in said.out
    assert "Black (Anna)" in said.err


@pytest.mark.plain
def test_sgf_is_annotated_in_sgf(zermelo, write):
    file = write("(;GM[1]SZ[5]KM[0.5]PB[Anna]C[hello];B[cc];W[bb];B[])", "game.sgf")
    said = zermelo("review", file, "--agent", "minimax", "--depth", "1")
    assert said.out.startswith("(;FF[4]AN[Zermelo ")
    assert "C[hello]" in said.out
    assert "PB[Anna]" in said.out


@pytest.mark.plain
def test_saved_games_are_reviewed(zermelo, tmp_path):
    file = tmp_path / "games.jsonl"
    assert zermelo("match", "random", "random:seed=3", "--game", "hexapawn", "--games", "2", "--save", file).code == 0
    said = zermelo("review", file)
    assert said.out.count('[Game "hexapawn"]\n[White "random') == 2
    assert "White (random" in said.err
    assert '[Result "' in said.out
    file.write_text('{"game": "nim"}')
    assert "line 1 is not a record of a game" in zermelo("review", file).err


# -- slips ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_slips_begin_at_their_share_of_the_expectation():
    assert [(slip.name, slip.glyph, slip.mark) for slip in SLIPS] == [
        ("blunder", "??", 4),
        ("mistake", "?", 2),
        ("inaccuracy", "?!", 6),
    ]
    names = [slip.name if (slip := slip_of(loss)) else None for loss in (None, 0.0, 0.069, 0.07, 0.149, 0.15, 0.3, 1)]
    assert names == [None, None, None, "inaccuracy", "inaccuracy", "mistake", "blunder", "blunder"]


@pytest.mark.plain
def test_the_authors_own_mark_is_kept(zermelo, write):
    out = zermelo("review", write("moves: a1a2 b3b2 $1"), "--game", "hexapawn").out
    assert "b3b2 $1 {Blunder: " in out


# -- choices and output ---------------------------------------------------------------------------------------


@pytest.mark.plain
def test_one_game_of_several_can_be_chosen(zermelo, write):
    file = write(HEXAPAWN + SECOND, "games.txt")
    assert [game["number"] for game in zermelo("review", file, "--json").json["games"]] == [1, 2]
    (second,) = zermelo("review", file, "--number", "2", "--json").json["games"]
    assert (second["number"], [move["move"] for move in second["moves"]]) == (2, ["c1c2", "b3c2"])
    both = zermelo("review", file)
    assert both.out.count("moves:") == 2
    assert both.err.count("game 1\n") == both.err.count("game 2\n") == 1
    form = form_of(find("hexapawn"))
    assert len(form.read(find("hexapawn"), both.out)) == 2


@pytest.mark.plain
def test_the_answer_can_go_to_a_file_which_may_be_the_same(zermelo, write):
    file = write(HEXAPAWN, "games.txt")
    said = zermelo("review", file, "--output", file)
    assert said.out == ""
    assert "2. b3b2??  Blunder: from a win in 3 plies" in said.err
    assert "{hm} {Blunder: " in file.read_text(encoding="utf-8")
    refused = zermelo("review", file, "--output", file.parent / "missing" / "file")
    assert refused.code == 2
    assert "cannot be written: No such file or directory" in refused.err


@pytest.mark.plain
def test_a_file_can_come_from_standard_input(zermelo, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(b"moves: a1a2\r\n")

    import zermelo.cli.request as request

    monkeypatch.setattr(request.sys, "stdin", Stdin)
    assert request.read_file("-") == "moves: a1a2\n"


@pytest.mark.plain
def test_old_files_are_read_in_latin_1(tmp_path):
    from zermelo.cli.request import read_file

    path = tmp_path / "old.pgn"
    path.write_bytes('[White "Müller"]'.encode("latin-1"))
    assert read_file(str(path)) == '[White "Müller"]'
    path.write_bytes("(;CA[GB18030]PB[李昌镐])".encode("gb18030"))
    assert "李昌镐" in read_file(str(path))


@pytest.mark.plain
def test_ctrl_c_writes_what_is_reviewed_so_far(zermelo, write, monkeypatch):
    answers = []

    class Stoppable:
        name, limit, lines = "stoppable", None, 1

        def choose(self, referee):
            answers.append(referee)
            stopped = "user" if len(answers) > 3 else "done"
            value = (1.0, -1.0) if len(answers) % 2 else (-1.0, 1.0)
            return Analysis.of(referee, self.name, referee.legal()[0], value=value, kind="exact", stopped=stopped)

    monkeypatch.setattr("zermelo.cli.review.agent", lambda *_, **__: agent_of(Stoppable()))
    file = write("moves: a1 b2 c3 a2 b1\n\nmoves: a1 b2\n")
    said = zermelo("review", file, "--game", "tic-tac-toe")
    assert said.code == 130
    assert "note: stopped in game 1; what is reviewed so far is written" in said.err
    first, second = said.out.split("\n\n[Game ")
    assert "b2 $4 {Blunder" in first
    assert first.count("Blunder") == 1
    assert unwrapped(first).endswith("c3 a2 b1")
    assert second.endswith("moves: a1 b2\n")
    assert "Annotator" not in second
    answers.clear()
    found = zermelo("review", file, "--game", "tic-tac-toe", "--json")
    assert found.code == 130
    answer = json.loads(found.out)
    assert (answer["stopped"], [len(game["moves"]) for game in answer["games"]]) == ("user", [2])


def agent_of(found):
    """The agent with what every agent has."""
    from zermelo.core.limit import Limit

    found.limit = Limit()
    found.require = lambda game: None
    return found


# -- errors ---------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "options", "code", "sentence"),
    [
        ("1. e4 e5\n2. Ke3 *", [], 1, "line 2, move 2: Ke3 is not legal here; try"),
        ('{"?"} 1. e4 Ke4', ["--game", "chess"], 2, "line 1 is not a record of a game"),
        ("{oh} 1. e4 Ke4", [], 1, "line 1, move 1...: Ke4 is not legal here"),
        ("1. e4 {oh", [], 2, "line 1 of this PGN has a comment that is never closed"),
        ("1. e4 *", ["--number", "2"], 2, "has 1 game, so there is no --number 2"),
        ("moves: a1a2", [], 2, "does not say which game it is; give it with --game"),
        ("nothing", ["--game", "hexapawn"], 1, "move 1: nothing is not legal here"),
        ("moves: a1a2", ["--game", "hexapawn", "--agent", "random"], 1, "random does not say what a position is worth"),
        ("(;GM[1]SZ[5];B[aa])(;GM[1]SZ[5];B[aa];W[aa])", [], 1, "game 2, move 2: A5 is not legal here"),
        ("(;GM[1]SZ[5];B[zz])", [], 2, "this is not an SGF of a game of go"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(zermelo, write, text, options, code, sentence):
    said = zermelo("review", write(text, "games"), *options)
    assert said.code == code
    assert sentence in said.err.splitlines()[-1]
    assert said.out == ""


@pytest.mark.plain
def test_a_file_that_is_not_there_is_named(zermelo):
    said = zermelo("review", "nowhere.pgn")
    assert (said.code, said.sentence) == (2, "nowhere.pgn cannot be read: No such file or directory")


# -- other commands -------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_position_can_be_the_end_of_the_game_in_a_file(zermelo, write):
    file = write(HEXAPAWN + SECOND, "games.txt")
    said = zermelo("best", "hexapawn", file)
    assert said.out.startswith("hexapawn · p.p/Pp./.PP w · White to move")
    assert f"note: {file} has 2 games; this is about the first one" in said.err
    assert zermelo("perft", "chess", write("1. e4 e5"), "--depth", "1").out.count(" 29 leaves ") == 1
