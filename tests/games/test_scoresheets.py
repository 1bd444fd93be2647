"""Whole games as their players write them: what is written is read back, and other programs read it too."""

import io
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Move, Scoresheet
from zermelo.games import find, names
from zermelo.games.library.scoresheets import form_of, has_own_form, recognise

pytestmark = pytest.mark.plain

FORMS = {"chess": "PGN", "checkers": "PDN", "othello": "GGF", "go": "SGF", "backgammon:cube=true": ".mat"}


def played(spec, plies, seed=0, start=""):
    """A game of random moves."""
    referee, rng = Referee.at(find(spec), start), random.Random(seed)
    while len(referee.turns) < plies and not referee.is_over:
        referee.play(rng.choice(referee.legal()))
    return referee


def read_one(form, game, text):
    """The first game of a text, checked."""
    return form.check(form.read(game, text)[0])


@pytest.mark.parametrize("spec", [*FORMS, *sorted({*names()} - {name.partition(":")[0] for name in FORMS})])
@pytest.mark.parametrize("plies", [2, 24])
def test_what_is_written_is_read_back(spec, plies):
    referee = played(spec, plies)
    form = form_of(referee.game)
    assert form.name == FORMS.get(spec, "text")
    again = read_one(form, referee.game, form.write(form.sheet(referee)))
    assert again.moves == tuple(turn.text for turn in referee.turns)
    assert again.replay().state == referee.state
    assert again.game.spec() == referee.game.spec()


@pytest.mark.parametrize("spec", ["chess", "checkers", "othello:size=6", "go:size=5,komi=0.5", "connect-four"])
def test_a_game_from_another_start_is_read_back(spec):
    start = find(spec).format_state(played(spec, 7).state)
    referee = played(spec, 5, start=start)
    form = form_of(referee.game)
    again = read_one(form, referee.game, form.write(form.sheet(referee))).replay()
    assert again.turns[0].state == referee.turns[0].state
    assert again.state == referee.state


def test_python_chess_reads_our_games_with_their_result():
    chess_pgn = pytest.importorskip("chess.pgn")
    mate = Referee.at(find("chess"), "moves: f3 e5 g4 Qh4")
    form = form_of(mate.game)
    theirs = chess_pgn.read_game(io.StringIO(form.write(form.sheet(mate))))
    assert [move.uci() for move in theirs.mainline_moves()] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert theirs.headers["Result"] == "0-1"


# -- random trees of variations and comments -----------------------------------------------------------------

TEXTS = some.text(some.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1)
COMMENTS = some.lists(some.lists(TEXTS, min_size=1, max_size=12).map(" ".join), max_size=2).map(tuple)
MARKS = some.lists(some.integers(0, 255), max_size=2).map(tuple)
HEADERS = some.dictionaries(some.sampled_from(["Event", "White", "Date", "ECO", "My_Tag"]), TEXTS, max_size=3)


def a_line(data, referee, most, comments=COMMENTS, marks=MARKS, nesting=2, is_main=True):
    """A random line from the referee's position, with variations; the referee is as before in the end.

    The first move of a variation has none, because a tree of moves has them beside it.
    """
    before = len(referee.turns)
    moves = []
    for number in range(data.draw(some.integers(0 if is_main else 1, most))):
        legal = referee.legal()
        if not legal:
            break
        count = data.draw(some.integers(0, 2)) if nesting and (is_main or number) else 0
        lines = [a_line(data, referee, 3, comments, marks, nesting - 1, is_main=False) for _ in range(count)]
        action = data.draw(some.sampled_from(legal))
        text = referee.game.format_action(referee.state, action)
        moves.append(Move(text, data.draw(comments), data.draw(marks), tuple(lines)))
        referee.play(action)
    while len(referee.turns) > before:
        referee.undo()
    return Line(tuple(moves), data.draw(comments) if moves else ())


random_trees = settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))


@pytest.mark.plain
@pytest.mark.parametrize("spec", ["chess", "checkers", "hexapawn", "trio", "pig", "backgammon"])
@random_trees
@given(some.data())
def test_trees_of_variations_and_comments_survive_the_round_trip(spec, data):
    game = find(spec)
    form = form_of(game) if form_of(game).keeps_annotations else form_of(find("nim"))
    headers = data.draw(HEADERS)
    result = data.draw(some.sampled_from(["1-0", "0-1", "1/2-1/2"]))
    sheets = [Scoresheet(game, a_line(data, Referee(game), 5), headers, result) for _ in range(2)]
    sheets = [sheet for sheet in sheets if sheet.line.moves]
    text = form.write(*sheets)
    again = [form.check(sheet) for sheet in form.read(game, text)] if sheets else []
    assert [(sheet.line, sheet.result) for sheet in again] == [(sheet.line, sheet.result) for sheet in sheets]
    assert all(headers.items() <= sheet.headers.items() for sheet in again)
    assert form.write(*again) == text
    assert all(len(row) < 80 for row in text.splitlines() if not row.startswith(("[", ";")) and " " in row)


@pytest.mark.plain
@random_trees
@given(some.data())
def test_trees_survive_sgf(data):
    """A move has one mark, and a variation has no place for comments before its first move."""
    game, form = find("go:size=5"), form_of(find("go"))
    marks = some.sampled_from([(), (1,), (2,), (3,), (4,), (5,), (6,)])
    line = a_line(data, Referee(game), 5, COMMENTS, marks)
    sheet = form.check(form.read(game, form.write(Scoresheet(game, line)))[0])
    assert sheet.line == with_comments_moved(line)
    assert form.write(sheet) == form.write(Scoresheet(game, line))


def with_comments_moved(line, is_main=True):
    """The line as SGF has it."""
    moves = [
        replace(move, variations=tuple(with_comments_moved(one, False) for one in move.variations))
        for move in line.moves
    ]
    if is_main or not line.comments:
        return replace(line, moves=tuple(moves))
    moves[0] = replace(moves[0], comments=(*line.comments, *moves[0].comments))
    return Line(tuple(moves))


@pytest.mark.plain
@random_trees
@given(some.data())
def test_python_chess_reads_the_same_tree(data):
    chess_pgn = pytest.importorskip("chess.pgn")
    game, form = find("chess"), form_of(find("chess"))
    words = some.text("abc (x) 1. e4 $1 [%csl]", min_size=1).filter(lambda text: text.strip())
    comments = some.lists(words.map(lambda text: " ".join(text.split())), max_size=1).map(tuple)
    line = a_line(data, Referee(game), 6, comments, some.lists(some.integers(1, 255), max_size=1).map(tuple))
    theirs = chess_pgn.read_game(io.StringIO(form.write(Scoresheet(game, line))))
    assert theirs.errors == []
    compare_with_python_chess(line, theirs, None)
    (again,) = form.read(game, str(theirs))
    assert form.check(again).line == line


def compare_with_python_chess(line, parent, first):
    """Compare a line with what follows a node of theirs, or begins with the given node of a variation."""
    here = parent
    for number, move in enumerate(line.moves):
        node = first if number == 0 and first is not None else here.variations[0]
        assert here.board().san(node.move) == move.text
        assert node.nags == set(move.marks)
        assert " ".join(node.comment.split()) == " ".join(move.comments)
        if number == 0 and first is not None:
            assert " ".join(node.starting_comment.split()) == " ".join(line.comments)
        else:
            assert len(here.variations) == 1 + len(move.variations)
            for variation, one in zip(move.variations, here.variations[1:], strict=True):
                compare_with_python_chess(variation, here, one)
        here = node


# -- what people have in their files -------------------------------------------------------------------------

LICHESS = """\
[Event "Rated \\"blitz\\" game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2024.05.01"]
[White "Anna "the Fox" Müller"]
[Black "Bo"]
[Result "1-0"]
[UTCDate "2024.05.01"]
[WhiteElo "1512"]
[ECO "C41"]

1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... e5 { [%eval 0.21] } 2. Nf3 d6?! { Inaccuracy. Nc6 was best. }
( 2... Nc6 3. Bb5 ) 3. Bc4 Bg4 1-0
"""


@pytest.mark.plain
def test_a_game_of_a_server_keeps_all_that_it_says():
    chess, form = find("chess"), form_of(find("chess"))
    sheet = read_one(form, chess, LICHESS)
    assert sheet.headers["White"] == 'Anna "the Fox" Müller'  # whose quotation marks are not escaped
    assert sheet.headers["Site"] == "https://lichess.org/abcdefgh"
    d6 = sheet.line.moves[3]
    assert (d6.marks, d6.comments) == ((6,), ("Inaccuracy. Nc6 was best.",))
    assert sheet.line.moves[0].comments == ("[%eval 0.18] [%clk 0:03:00]",)
    assert read_one(form, chess, form.write(sheet)) == replace(sheet, headers={**sheet.headers, "Round": "?"})


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1.e4 e5 2.Nf3", "e4 e5 Nf3"),
        ("1. e4 1... e5 2. ... Nc6", "e4 e5 Nc6"),
        ("1 e4 e5 2 d4", "e4 e5 d4"),
        ("1. e4 e5 2. Ng1-f3 g8f6", "e4 e5 Nf3 Nf6"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p.", "e4 d5 e5 f5 exf6"),
        ("1. e4!! e5?? 2. 0-0", None),
    ],
)
def test_moves_are_understood_as_people_number_them(text, moves):
    form, chess = form_of(find("chess")), find("chess")
    if moves is None:
        with pytest.raises(IllegalMove, match="line 1, move 2: 0-0 is not legal here"):
            read_one(form, chess, text)
    elif "..." in text and "Nc6" in text:
        with pytest.raises(IllegalMove, match="move 2: Nc6"):
            read_one(form, chess, text)
    else:
        assert " ".join(read_one(form, chess, text).moves) == moves


@pytest.mark.plain
def test_a_threat_that_is_shown_by_a_move_left_out_is_kept():
    form, chess = form_of(find("chess")), find("chess")
    sheet = read_one(form, chess, "1. e4 e5 2. Bc4 (2. Qh5 -- 3. Qxf7) 2... Nf6 *")
    assert [move.text for move in sheet.line.moves[2].variations[0].moves] == ["Qh5", "--", "Qxf7"]
    assert "(2. Qh5 -- 3. Qxf7)" in form.write(sheet)
    with pytest.raises(IllegalMove, match=r"move 1\.\.\.: -- is not legal here"):
        read_one(form, chess, "1. e4 -- *")


@pytest.mark.plain
def test_what_follows_a_draw_that_nobody_claimed_is_kept():
    form, chess = form_of(find("chess")), find("chess")
    moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5"]
    sheet = read_one(form, chess, " ".join(moves))
    assert sheet.moves == tuple(moves)
    assert sheet.notes == ("the moves from 5 on are only kept, because the position was drawn by repetition",)
    assert len(sheet.replay().turns) == 8


@pytest.mark.plain
def test_results_and_headers_end_a_game():
    form, chess = form_of(find("chess")), find("chess")
    text = '[White "A"]\n\n1. e4\n\n[White "B"]\n[Result "0-1"]\n\n1. d4 *\n\n1. c4 ½-½ 1. Nf3 {the end}\n\n{really}'
    sheets = form.read(chess, text)
    assert [sheet.headers.get("White") for sheet in sheets] == ["A", "B", None, None]
    assert [sheet.result for sheet in sheets] == ["*", "0-1", "1/2-1/2", "*"]
    assert sheets[-1].line.moves[0].comments == ("the end", "really")


def test_othello_also_reads_plain_transcripts():
    othello = find("othello")
    assert len(read_one(form_of(othello), othello, "f5d6c3").moves) == 3


def test_go_and_othello_take_their_board_from_the_file():
    sheet = read_one(form_of(find("go")), find("go"), "(;GM[1]SZ[5]KM[0.5];B[cc];W[bb])")
    assert sheet.game.spec() == "go:size=5,komi=0.5"
    small = form_of(find("othello")).write(Scoresheet.of(played("othello:size=6", 3)))
    assert read_one(form_of(find("othello")), find("othello"), small).game.spec() == "othello:size=6"


@pytest.mark.plain
def test_every_other_game_is_plain_text():
    nim = find("nim")
    assert not has_own_form(nim)
    form = form_of(nim)
    text = "moves: a3 b2 {hm} (b1 c2) $2\nmoves: a1, b1\n"
    first, second = (form.check(sheet) for sheet in form.read(nim, text))
    assert (first.moves, second.moves) == (("a3", "b2"), ("a1", "b1"))
    assert form.write(first) == '[Game "nim"]\n\nmoves: a3 b2 $2 {hm} (b1 c2)\n'
    with pytest.raises(UsageError, match=r"the move '\(0' cannot be written as text"):
        form.write(Scoresheet(nim, Line.of(["(0"])))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "name", "form", "game"),
    [
        ('[Event "?"]\n\n1. e4', "a", "PGN", "chess"),
        ("e4 e5", "a.PGN", "PGN", "chess"),
        ("1. e4", "a", "PGN", "chess"),
        ('[Event "?"]\n\n1. 11-15 23-19', "a", "PDN", "checkers"),
        ("(;GM[1];B[aa])", "a", "SGF", "go"),
        ("(;GM[Othello]B[F5];)", "a.txt", "GGF", "othello"),
        ("\n 7 point match\n", "-", ".mat", "backgammon"),
        ('[Game "hexapawn:rows=4,cols=4"]\n\nmoves: ', "-", "text", "hexapawn:rows=4,cols=4"),
    ],
)
def test_a_file_shows_its_game(text, name, form, game):
    found, rules = recognise(text, name)
    assert (found.name, rules.spec()) == (form, game)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("moves: a1 b2", "games.txt does not say which game it is; give it with --game"),
        ("hello", "games.txt is not a scoresheet that can be recognised; give the game with --game"),
        ('[Game "mine.py:Mine"]\nmoves: a1', "which is not a game of zermelo; give your own with --game"),
        ('[Game "tree:text=/etc/passwd"]\nmoves: a1', "which is not a game of zermelo; give your own with --game"),
    ],
)
def test_a_file_that_shows_no_game_is_refused(text, sentence):
    with pytest.raises(UsageError) as caught:
        recognise(text, "games.txt")
    assert sentence in str(caught.value)


def test_an_empty_sheet_is_refused_with_a_sentence():
    with pytest.raises(UsageError, match="there is no game in this PGN"):
        form_of(find("chess")).read(find("chess"), "")


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


@pytest.mark.parametrize("spec", SHEETS)
def test_headers_and_a_result_that_is_not_in_the_moves_are_kept(spec):
    text, headers, result = SHEETS[spec]
    form, game = form_of(find(spec)), find(spec)
    sheet = read_one(form, game, text)
    assert headers.items() <= sheet.headers.items()
    assert sheet.result == result
    again = read_one(form, sheet.game, form.write(sheet))
    assert {**again.headers, **sheet.headers} == dict(again.headers)
    assert again.result == result
    assert again.replay().state == sheet.replay().state


def test_the_result_of_another_game_is_not_kept():
    """Somebody resigned there, and plays on here."""
    _, headers, result = SHEETS["chess"]
    form = form_of(find("chess"))
    on = form.sheet(Referee.at(find("chess"), "moves: e4 e5 Nf3"), headers)
    assert '[White "Anna"]' in form.write(on)
    assert '[Result "*"]' in form.write(on)
    mate = form.sheet(Referee.at(find("chess"), "moves: f3 e5 g4 Qh4"), headers, result)
    assert '[Result "0-1"]' in form.write(mate)
