"""Chess as text and picture: positions (FEN, EPD), moves (SAN, UCI), games (PGN)."""

import itertools
from dataclasses import replace

import pytest
from chess_games import CHESS, KIWIPETE, after, moves_of, random_states, surveyed

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.chess.notation import (
    START,
    read_epd,
    read_pgn,
    square_named,
    write_epd,
    write_pgn,
    write_uci,
)
from zermelo.games.library.scoresheets import form_of

pytestmark = pytest.mark.plain

PGN_FORM = form_of(CHESS)

# -- positions as text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a FEN: it needs eight ranks"),
        ("8/8/8 w - - 0 1", "is not a FEN: it needs eight ranks"),
        (START.replace("8/8/8", "8/8/9"), "'9' in "),
        (START.replace("8/8/8", "8/8/x7"), "'x' in 'rnbqkbnr/pppppppp/8/8/x7/8/PPPPPPPP/RNBQKBNR' is not a piece"),
        (START.replace("PPPPPPPP", "PPPPPPP"), "rank 2 of "),
        (START.replace("PPPPPPPP", "PPPPPPPPP"), "has 9 squares; it must have 8"),
        (START.replace(" w ", " W "), "'W' is not a side to move; it is w or b"),
        (START.replace("KQkq", "HAha"), "'HAha' are not castling rights; they are some of KQkq, or - for none"),
        (START.replace("KQkq", "KK"), "'KK' are not castling rights"),
        (START.replace(" - ", " e4 "), "'e4' is not an en passant square; those are on ranks 3 and 6"),
        (START.replace(" 0 1", " x 1"), "the clock 'x' must be a number from 0 to 100"),
        (START.replace(" 0 1", " 101 1"), "the clock '101' must be a number from 0 to 100"),
        (START.replace(" 0 1", " 0 -1"), "the move number '-1' must be a number"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has 0 kings; it must be one"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "White has 2 kings; it must be one"),
        ("k7/8/8/8/8/PPPPPPPP/P7/K7 w - - 0 1", "White has more than 16 pieces or more than 8 pawns"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "there is a pawn on h8, where no pawn can stand"),
        ("k7/8/8/8/8/8/8/K6p w - - 0 1", "there is a pawn on h1, where no pawn can stand"),
        ("k7/8/8/8/8/8/8/K6R w K - 0 1", "the castling right K needs a king on e1 and a rook on h1"),
        ("r2k4/8/8/8/8/8/8/4K3 w q - 0 1", "the castling right q needs a king on e8 and a rook on a8"),
        ("4k3/8/8/8/8/8/8/r3K3 w Q - 0 1", "the castling right Q needs a king on e1 and a rook on a1"),
        ("k7/8/8/8/8/8/8/K6R b - - 0 1".replace("b", "w").replace("K6R", "R6K"), "Black is in check, but it is the"),
        ("k7/1K6/8/8/8/8/8/8 w - - 0 1", "Black is in check, but it is the other side's turn"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e6 0 1", "no pawn has just passed over e6; with this side to move it would be on"),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "there must be one on e4, with e3 and e2 empty"),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", "there must be one on e4, with e3 and e2 empty"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        CHESS.parse_state(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 1"),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 99", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 1"),
        (START.replace(" w KQkq - ", " b qkQK - "), START.replace(" w ", " b ")),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
    ],
)
def test_short_and_loose_texts_are_understood(text, exact):
    assert CHESS.format_state(CHESS.parse_state(f"  {text} ")) == exact


def test_epd_carries_operations_and_the_clock():
    line = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001"; acd 5;'
    state, operations = read_epd(CHESS, line)
    assert operations == {"bm": ("Qg6",), "id": ("WAC.001",), "acd": ("5",)}
    assert write_epd(state, operations) == line
    assert CHESS.parse_action(state, "Qg6")
    running = CHESS.parse_state(KIWIPETE.replace(" 0 1", " 12 1"))
    text = write_epd(running, {"c0": ["a comment; with signs"]})
    assert text.endswith(' w KQkq - hmvc 12; c0 "a comment; with signs";')
    assert read_epd(CHESS, text) == (running, {"c0": ("a comment; with signs",)})


@pytest.mark.parametrize("operations", ["bm Nf3", 'id "open;'])
def test_an_unfinished_operation_is_refused(operations):
    with pytest.raises(BadPosition, match='operations look like bm Nf3; id "first";'):
        read_epd(CHESS, "k7/8/8/8/8/8/8/KR6 w - - " + operations)


# -- moves as text ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "texts", "uci"),
    [
        (START, ("Nf3", "g1f3", "Ng1f3", "Ng1-f3", "nf3", "Nf3!?", "G1F3"), "g1f3"),
        (START, ("e4", "e2e4", "e2-e4", "E4"), "e2e4"),
        (KIWIPETE, ("O-O", "0-0", "o-o", "e1g1", "Kg1"), "e1g1"),
        (KIWIPETE, ("O-O-O", "0-0-0", "e1c1"), "e1c1"),
        (KIWIPETE, ("dxe6", "d5e6", "d5xe6", "dxe6!"), "d5e6"),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", ("axb8=Q+", "axb8=Q", "axb8Q", "a7b8q", "axb8(Q)"), "a7b8q"),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", ("a8=N", "a7a8n"), "a7a8n"),
        ("8/8/8/8/1b5k/8/1P6/K7 w - - 0 1", ("b3",), "b2b3"),
        ("7k/8/8/8/8/2p5/1P6/KB6 w - - 0 1", ("bxc3", "b2c3"), "b2c3"),
        ("7k/p7/8/8/8/8/8/KB6 w - - 0 1", ("Bc2", "bc2"), "b1c2"),
    ],
)
def test_moves_are_read_as_people_and_programs_write_them(position, texts, uci):
    state = CHESS.parse_state(position)
    assert {write_uci(CHESS.parse_action(state, text)) for text in texts} == {uci}


@pytest.mark.parametrize(
    ("position", "text", "sentence"),
    [
        (START, "e5", "e5 is not legal here; try Na3, Nc3, Nf3, Nh3, "),
        (START, "", "an empty move is not legal here; try "),
        (START, "castle", "castle is not legal here; try "),
        (START, "e4=Q", "e4=Q is not legal here"),
        ("7k/8/8/8/8/5N2/8/KN6 w - - 0 1", "Nd2", "Nd2 could be Nbd2 or Nfd2; say which"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", "a8 could be a8=Q+ or a8=R+ or a8=B or a8=N; say which"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "Kg8 is not legal here; the game is over"),
    ],
)
def test_a_text_that_is_not_a_move_is_refused(position, text, sentence):
    with pytest.raises(IllegalMove) as caught:
        CHESS.parse_action(CHESS.parse_state(position), text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("7k/8/8/8/8/5N2/8/KN6 w - - 0 1", {"Nbd2", "Nfd2"}),
        ("7k/8/8/R7/8/8/8/R6K w - - 0 1", {"R1a3", "R5a3"}),
        ("6k1/8/8/8/8/Q1Q5/8/Q6K w - - 0 1", {"Q1b2", "Qa3b2", "Qcb2"}),
    ],
)
def test_ambiguous_pieces_are_distinguished(position, moves):
    chess = pytest.importorskip("chess")
    board = chess.Board(position)
    assert moves_of(position) == {board.san(move) for move in board.legal_moves}
    assert moves <= moves_of(position)


@pytest.mark.compiled
def test_python_chess_writes_the_same_moves():
    chess = pytest.importorskip("chess")
    for seed in range(6):
        for ply, state in enumerate(random_states(f"san {seed}", 160)):
            if ply % 20 == 7:
                board = chess.Board(CHESS.format_state(state))
                legal = list(CHESS.actions(state))
                ours = {write_uci(action): CHESS.format_action(state, action) for action in legal}
                assert ours == {move.uci(): board.san(move) for move in board.legal_moves}
                assert [CHESS.parse_action(state, text) for text in ours.values()] == legal


# -- games as text ----------------------------------------------------------------------------------------------------

PGN = """\
[Event "A \\"friendly\\" game"]
[Site "?"]
[Date "2024.01.01"]
[Round "?"]
[White "One"]
[Black "Two"]
[Result "0-1"]
[Annotator "nobody"]

1. f3 {weakens (badly)} e5 $6 2. g4?? ; a comment to the end of the line
(2. e4 Nf6 (2... d5 {better?}) 3. d4) 2... Qh4# 0-1

[Event "Second"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 30"]

% an escaped line
30... Kd7 31. e4 Ke6 *
"""


def test_pgn_is_read_with_everything_in_it():
    first, second = (sheet.checked() for sheet in read_pgn(CHESS, PGN))
    assert first.moves == ("f3", "e5", "g4", "Qh4#")
    assert first.headers["Event"] == 'A "friendly" game'
    assert (first.headers["Annotator"], first.result, first.start) == ("nobody", "0-1", None)
    f3, e5, g4, _ = first.line.moves
    assert f3.comments == ("weakens (badly)",)
    assert (e5.marks, g4.marks) == ((6,), (4,))
    assert g4.comments == ("a comment to the end of the line",)
    (variation,) = g4.variations
    assert [move.text for move in variation.moves] == ["e4", "Nf6", "d4"]
    assert variation.moves[1].variations == (Line((replace(Line.of(["d5"]).moves[0], comments=("better?",)),)),)
    assert CHESS.format_state(second.start) == "4k3/8/8/8/8/8/4P3/4K3 b - - 5 1"
    assert second.moves == ("Kd7", "e4", "Ke6")


def test_pgn_is_written_as_it_is_read():
    for sheet in read_pgn(CHESS, PGN):
        text = write_pgn(sheet)
        (again,) = read_pgn(CHESS, text)
        assert (again.line, again.result, again.start) == (sheet.line, sheet.result, sheet.start)
        assert sheet.headers.items() <= again.headers.items()
        assert write_pgn(again) == text
    assert text.endswith("\n30... Kd7 31. e4 Ke6 *\n")
    assert '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 30"]\n[SetUp "1"]\n' in text


@pytest.mark.compiled
def test_python_chess_reads_our_games_and_we_read_theirs():
    pytest.importorskip("chess")
    import io

    import chess.pgn

    states = list(random_states("pgn", 200))
    actions = [
        next(action for action in surveyed(before)[2] if after.run(CHESS, before, action) == later)
        for before, later in itertools.pairwise(states)
    ]
    line = Line.of([CHESS.format_action(state, action) for state, action in zip(states, actions, strict=False)])
    text = write_pgn(Scoresheet(CHESS, line, {"White": "us", "Note": "a note"}, "1/2-1/2"))
    assert max(map(len, text.splitlines())) < 80
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert [move.uci() for move in theirs.mainline_moves()] == [write_uci(action) for action in actions]
    assert theirs.headers["Note"] == "a note"
    (again,) = read_pgn(CHESS, str(theirs))
    assert (again.line, again.result) == (line, "1/2-1/2")
    assert read_pgn(CHESS, "") == []


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("1. e4 e5\n2. Ke3 *", IllegalMove, "line 2, move 2: Ke3 is not legal here; try "),
        ("1. e4 e5 2. Nf3 (2. Bc4 Nf6 3. Qh5 Nxh6) *", IllegalMove, "line 1, move 3...: Nxh6 is not legal here; try "),
        ('[Event "A"]\n\n*\n\n[FEN "8/8 w - -"]\n\n*', BadPosition, "the game in line 5: '8/8 w - -' is not a FEN"),
        ("1. e4\n(1. d4 *", UsageError, "line 2 of this PGN has a variation that is never closed"),
        ("1. e4\n{open *", UsageError, "line 2 of this PGN has a comment that is never closed"),
        ("1. e4\n} *", UsageError, "line 2 of this PGN has '}', which is not a header, a move or a comment"),
        ("1. e4 )", UsageError, "line 1 of this PGN has a ) without its ("),
        ("(1. e4)", UsageError, "line 1 of this PGN has a variation before the first move"),
        ("$1 1. e4", UsageError, "line 1 of this PGN has a mark before the first move"),
        ("1. e4 " + "(1. d4 " * 101, UsageError, "line 1: the variations are nested more than 100 deep"),
    ],
)
def test_a_text_that_is_not_a_game_is_refused(text, error, sentence):
    with pytest.raises(error) as caught:
        [PGN_FORM.check(sheet) for sheet in PGN_FORM.read(CHESS, text)]
    assert sentence in str(caught.value)


# -- picture ----------------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_board_and_marks_a_check():
    picture = CHESS.picture(CHESS.parse_state("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells[-16:]) == "....q.......K..R"
    assert picture.cells[4].name == "king"
    assert picture.marked == (60,)
    assert picture.touches == {"Kxe2": (60, 52)}
    assert CHESS.picture(CHESS.initial()).touches["Nf3"] == (62, 45)
    assert square_named("f3") == 21
