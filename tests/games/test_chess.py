"""Chess: counts, other implementations move by move, texts, exchanges, evaluations."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizes import some
from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import Game, State
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.chess import Chess
from zermelo.games.chess_attacks import (
    between,
    bishop_attacks,
    diagonal_rays,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
    straight_rays,
)
from zermelo.games.chess_notation import (
    START,
    Scoresheet,
    read_epd,
    read_pgn,
    square_named,
    write_epd,
    write_fen,
    write_pgn,
    write_san,
    write_uci,
)
from zermelo.games.chess_position import BLACK_TO_MOVE, Position, clock_of
from zermelo.kernel import U64, Memory, bits, bswap, is_enabled, kernel, store
from zermelo.search import perft

CHESS = Chess()
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

MOVES = 3


@kernel
def survey(game: Game, state: State, memory: int) -> int:
    """Whether it is over, how many moves are counted, White's payoff, and then the moves; their number is returned."""
    over = game.is_terminal(state)
    store(memory, 0, 1 if over else 0)
    store(memory, 1, game.count(state))
    store(memory, 2, game.utility(state, 0) if over else 0)
    found = 0
    for action in game.actions(state):
        store(memory, MOVES + found, action)
        found += 1
    return found


@kernel
def after(game: Game, state: State, action: int) -> State:
    return game.result(state, action)


CELLS = Memory(300)


def surveyed(state):
    """Over?, White's payoff, and the moves."""
    found = survey.run(CHESS, state, CELLS.address)
    over, counted, payoff = (CELLS[index] for index in range(3))
    actions = [CELLS[MOVES + index] for index in range(found)]
    assert counted == (0 if over else found)
    return bool(over), payoff, actions


def random_states(seed, plies):
    """The states of a random game, one after the other."""
    rng, state = random.Random(seed), CHESS.initial()
    for _ in range(plies):
        yield state
        over, _, actions = surveyed(state)
        if over:
            return
        state = after.run(CHESS, state, rng.choice(actions))


# -- counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("position", "counts"), Chess.perft_table.items())
def test_perft(position, counts):
    """The Chess Programming Wiki's positions; Stockfish 15.1 counts the same."""
    state = CHESS.parse_state(position) if position else CHESS.initial()
    most = 5_000_000 if is_enabled() else 3_000
    for depth, leaves in enumerate(counts, 1):
        if leaves <= most:
            assert perft(CHESS, state, depth) == leaves


def test_the_counts_of_the_facts_are_among_them():
    table = Chess.perft_table
    assert table[""][:6] == (20, 400, 8902, 197281, 4865609, 119060324)
    assert table[KIWIPETE] == (48, 2039, 97862, 4085603, 193690690)
    assert table["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"][:5] == (14, 191, 2812, 43238, 674624)


# -- attacks, by walking square by square -----------------------------------------------------------------------------

STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
words = st.integers(0, 2**64 - 1).map(U64)
sparse_words = st.tuples(words, words, words).map(lambda found: found[0] & found[1] & found[2])
squares = st.integers(0, 63)


def walked(square, directions, occupied, most=7):
    found = set()
    for across, up in directions:
        file, rank = square % 8 + across, square // 8 + up
        steps = 0
        while 0 <= file < 8 and 0 <= rank < 8 and steps < most:
            found.add(8 * rank + file)
            if occupied >> (8 * rank + file) & 1:
                break
            file, rank, steps = file + across, rank + up, steps + 1
    return found


@given(squares, st.one_of(words, sparse_words))
def test_one_piece_attacks_what_a_walk_meets(square, occupied):
    assert set(bits(rook_attacks(square, occupied))) == walked(square, STRAIGHT, int(occupied))
    assert set(bits(bishop_attacks(square, occupied))) == walked(square, DIAGONAL, int(occupied))


@given(sparse_words, st.one_of(words, sparse_words))
def test_many_pieces_attack_what_each_of_them_does(pieces, others):
    occupied = pieces | others
    rooks, bishops = straight_rays(pieces, ~occupied), diagonal_rays(pieces, ~occupied)
    assert set(bits(rooks)) == set().union(*(bits(rook_attacks(one, occupied)) for one in bits(pieces)))
    assert set(bits(bishops)) == set().union(*(bits(bishop_attacks(one, occupied)) for one in bits(pieces)))


@given(squares)
def test_kings_knights_and_pawns_stay_on_the_board(square):
    here = U64(1 << square)
    jumps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    assert set(bits(king_attacks(here))) == walked(square, STRAIGHT + DIAGONAL, 0, most=1)
    assert set(bits(knight_attacks(here))) == walked(square, jumps, 0, most=1)
    assert set(bits(pawn_attacks(here, 0))) == walked(square, ((1, 1), (-1, 1)), 0, most=1)
    assert set(bits(pawn_attacks(here, 1))) == walked(square, ((1, -1), (-1, -1)), 0, most=1)


@given(squares, squares)
def test_between_are_the_squares_that_both_see(square, other):
    for directions, attacks in ((STRAIGHT, rook_attacks), (DIAGONAL, bishop_attacks)):
        if other in walked(square, directions, 0):
            ends = U64(1 << square | 1 << other)
            common = attacks(square, ends) & attacks(other, ends)
            line = {one for one in bits(common) if min(square, other) < one < max(square, other)}
            on_it = [step for step in directions if other in walked(square, (step,), 0)]
            assert set(bits(between(square, other))) == line & walked(square, on_it, 0)


# -- other implementations --------------------------------------------------------------------------------------------


def ends_for(board):
    """How a position of python-chess ends by our rules; None if it does not."""
    if board.is_checkmate():
        return -1 if board.turn else 1
    drawn = board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
    return 0 if drawn else None


def told_by_python_chess(board):
    """The numbers of a position of python-chess in the order of ours."""
    passed = 1 << board.ep_square if board.has_legal_en_passant() else 0
    rest = board.castling_rights | passed | (not board.turn) << 24 | board.halfmove_clock << 25
    diagonal, straight = board.bishops | board.queens, board.rooks | board.queens
    return board.occupied_co[True], board.pawns, board.knights, diagonal, straight, board.kings, rest


def agree_with_python_chess(games, seed):
    """Move by move in random games: positions, legal moves, repetitions, ends, and texts now and then."""
    chess = pytest.importorskip("chess")
    endings, repetitions = set(), 0
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        board, state = chess.Board(), CHESS.initial()
        seen = Counter([CHESS.timeless(state)])
        while True:
            over, payoff, actions = surveyed(state)
            ours = {write_uci(action): action for action in actions}
            theirs = {move.uci(): move for move in board.legal_moves}
            assert tuple(state) == told_by_python_chess(board), board.fen()
            assert set(ours) == set(theirs), board.fen()
            assert len(actions) == len(ours)
            assert CHESS.is_bare(state) == board.is_insufficient_material()
            ending = ends_for(board)
            assert (payoff if over else None) == ending, board.fen()
            if over:
                endings.add((ending, clock_of(state) < 100, bool(actions)))
                break
            text = rng.choice(sorted(theirs))
            if board.ply() % 16 == number % 16:
                assert write_fen(state, board.fullmove_number) == board.fen()
                assert write_san(CHESS, state, ours[text], actions) == board.san(theirs[text])
            state = after.run(CHESS, state, ours[text])
            board.push(theirs[text])
            seen[CHESS.timeless(state)] += 1
            assert (seen[CHESS.timeless(state)] >= 3) == board.is_repetition(3)
            repetitions += board.is_repetition(3)
    return endings, repetitions


@pytest.mark.once
def test_python_chess_agrees_move_by_move():
    agree_with_python_chess(games=40 if is_enabled() else 1, seed="some")


@pytest.mark.long
@pytest.mark.compiler
def test_python_chess_agrees_in_a_thousand_games():
    endings, repetitions = agree_with_python_chess(games=1000, seed="many")
    assert len(endings) >= 5  # either side mates; three kinds of draw
    assert repetitions > 100


def agree_with_openspiel(games, seed):
    """They differ in one thing: OpenSpiel ends a game at the third occurrence of a position; here the referee does."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("chess")
    ended = 0
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        theirs, state = game.new_initial_state(), CHESS.initial()
        seen = Counter([CHESS.timeless(state)])
        while True:
            over, payoff, actions = surveyed(state)
            is_repeated = seen[CHESS.timeless(state)] >= 3
            assert theirs.is_terminal() == (over or is_repeated), str(theirs)
            if theirs.is_terminal():
                assert theirs.returns()[1] == payoff  # their player 1 is White
                ended += over
                break
            assert len(theirs.legal_actions()) == len(actions), str(theirs)
            action = rng.choice(actions)
            theirs.apply_action(theirs.string_to_action(write_san(CHESS, state, action, actions)))
            state = after.run(CHESS, state, action)
            seen[CHESS.timeless(state)] += 1
    return ended


@pytest.mark.once
def test_openspiel_agrees_move_by_move():
    agree_with_openspiel(games=10 if is_enabled() else 1, seed="some")


@pytest.mark.long
@pytest.mark.compiler
def test_openspiel_agrees_in_a_thousand_games():
    assert agree_with_openspiel(games=1000, seed="many") > 500


# -- the rules --------------------------------------------------------------------------------------------------------


def moves_of(position):
    state = CHESS.parse_state(position)
    return {CHESS.format_action(state, action) for action in CHESS.actions(state)}


@pytest.mark.parametrize(
    ("position", "is_long", "is_short"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", True, True),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", True, True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", True, False),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", True, False),  # f1 is attacked
        ("4k3/8/8/8/8/3r4/8/R3K2R w KQ - 0 1", False, True),  # d1 is attacked
        ("4k3/8/8/8/8/2r5/8/R3K2R w KQ - 0 1", False, True),  # c1 is attacked
        ("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", True, True),  # b1 may be attacked
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", False, False),  # the king is attacked
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", False, False),  # pieces stand between
    ],
)
def test_castling_needs_its_right_room_and_safety(position, is_long, is_short):
    moves = moves_of(position)
    assert ("O-O-O" in moves, "O-O" in moves) == (is_long, is_short)


@pytest.mark.parametrize(
    ("move", "rights"),
    [("Ke2", "kq"), ("Rb1", "Kkq"), ("Rxa8+", "Kk"), ("Rxh8+", "Qq"), ("O-O", "kq")],
)
def test_moves_of_kings_and_rooks_end_rights(move, rights):
    state = CHESS.parse_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    found = CHESS.format_state(CHESS.result(state, CHESS.parse_action(state, move)))
    assert found.split()[2] == rights


def test_castling_moves_the_rook_too():
    referee = Referee.at(CHESS, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    referee.play_line(["O-O", "O-O-O"])
    assert CHESS.format_state(referee.state) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 1"


@pytest.mark.parametrize(
    ("position", "move", "passed"),
    [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4", "e3"),
        ("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e4", "-"),  # nobody beside it
        ("4k3/8/8/8/4p3/8/3P4/3RK3 w - - 0 1", "d4", "d3"),
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e4", "-"),  # two pawns would leave the rank at once
        ("8/8/8/8/k1rp3R/8/4P3/4K3 w - - 0 1", "e4", "e3"),
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e4", "-"),  # the capturing pawn is pinned
    ],
)
def test_a_passed_square_is_kept_only_if_a_pawn_may_capture_there(position, move, passed):
    referee = Referee.at(CHESS, position)
    referee.play_text(move)
    assert CHESS.format_state(referee.state).split()[3] == passed
    if passed != "-":
        assert any("x" + passed in text for text in moves_of(CHESS.format_state(referee.state)))


def test_a_capture_in_passing_may_answer_a_check():
    referee = Referee.at(CHESS, "8/8/8/2k5/4p3/8/3P4/4K3 w - - 0 1")
    referee.play_text("d4+")
    assert "exd3" in moves_of(CHESS.format_state(referee.state))
    referee.play_text("exd3")
    assert CHESS.format_state(referee.state) == "8/8/8/2k5/8/3p4/8/4K3 w - - 0 2".replace("0 2", "0 1")


def test_a_pawn_promotes_to_four_pieces():
    assert {move for move in moves_of("1n5k/P7/8/8/8/8/8/K7 w - - 0 1") if move[0] == "a"} == {
        "a8=Q", "a8=R", "a8=B", "a8=N", "axb8=Q+", "axb8=R+", "axb8=B", "axb8=N",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("position", "payoffs"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", (-1, 1)),  # fool's mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (0, 0)),  # stalemate
        ("6rk/6pp/7N/8/8/8/8/K5R1 b - - 99 80", None),
        ("5rkr/8/8/8/8/8/8/K5RR b - - 100 80", (0, 0)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", (1, -1)),  # mate with the hundredth move counts
    ],
)
def test_ends_and_what_they_pay(position, payoffs):
    state = CHESS.parse_state(position)
    assert CHESS.is_terminal(state) == (payoffs is not None)
    if payoffs:
        assert CHESS.utilities(state) == payoffs


@pytest.mark.parametrize(
    ("board", "is_bare"),
    [
        ("k7/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KN6", True),
        ("kb6/8/8/8/8/8/8/K7", True),
        ("kb6/8/8/8/8/8/8/KBB5", False),
        ("kb1b4/8/8/8/8/8/8/K1B1B3", True),  # all on dark squares
        ("kb1b4/8/8/8/8/8/8/K1BB4", False),
        ("kb1b1b2/8/8/8/8/8/8/KB1B4", False),
        ("kb1b4/8/8/8/8/8/8/KB6", False),
        ("k1b1b3/8/8/8/8/8/8/KB1B4", True),  # all on light squares
        ("kn6/8/8/8/8/8/8/KN6", False),
        ("k7/8/8/8/8/8/8/KNN5", False),
        ("kb6/8/8/8/8/8/8/KN6", False),
        ("k7/p7/8/8/8/8/8/K7", False),
        ("k7/8/8/8/8/8/8/KR6", False),
    ],
)
def test_too_few_pieces_for_any_mate_are_a_draw(board, is_bare):
    state = CHESS.parse_state(board + " w - - 0 1")
    assert CHESS.is_bare(state) == is_bare
    assert CHESS.is_terminal(state) == is_bare


def test_the_third_occurrence_of_a_position_is_a_draw():
    referee = Referee(CHESS)
    referee.play_line(["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"])
    assert not referee.is_over
    referee.play_text("Ng8")
    assert referee.is_over
    assert referee.utilities() == (0, 0)


def test_a_position_with_other_rights_is_another_position():
    """After the rook has been away, castling is gone: the first occurrence does not count."""
    referee = Referee(CHESS)
    referee.play_line(["Nf3", "Nf6", "Rg1", "Rg8", "Rh1", "Rh8", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"])
    assert not referee.is_over
    referee.play_text("Nf3")
    assert not referee.is_over
    referee.play_text("Nf6")
    assert referee.is_over


# -- keys -------------------------------------------------------------------------------------------------------------


def test_a_key_forgets_the_clock_while_fifty_moves_are_far_away():
    quiet, long_quiet, hot = (CHESS.parse_state(f"7k/8/8/8/8/8/P7/K5R1 w - - {clock} 1") for clock in (3, 49, 50))
    hotter = CHESS.parse_state("7k/8/8/8/8/8/P7/K5R1 w - - 51 1")
    assert CHESS.key(quiet) == CHESS.key(long_quiet) != CHESS.key(hot) != CHESS.key(hotter)
    assert CHESS.timeless(quiet) == CHESS.timeless(hotter)


@pytest.mark.once
def test_keys_tell_positions_and_their_rights_apart():
    known = {}
    for seed in range(20 if is_enabled() else 2):
        for state in random_states(seed, 200):
            assert known.setdefault(CHESS.key(state), CHESS.timeless(state)) == CHESS.timeless(state) or (
                clock_of(state) >= 50
            )
    texts = ["w KQkq -", "b KQkq -", "w Kkq -", "w Qkq -", "w KQk -", "w KQq -", "w - -"]
    assert len({CHESS.key(CHESS.parse_state("r3k2r/8/8/8/8/8/8/R3K2R " + text)) for text in texts}) == len(texts)


# -- positions as text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is no FEN: it needs eight ranks"),
        ("8/8/8 w - - 0 1", "is no FEN: it needs eight ranks"),
        (START.replace("8/8/8", "8/8/9"), "'9' in "),
        (START.replace("8/8/8", "8/8/x7"), "'x' in 'rnbqkbnr/pppppppp/8/8/x7/8/PPPPPPPP/RNBQKBNR' is no piece"),
        (START.replace("PPPPPPPP", "PPPPPPP"), "rank 2 of "),
        (START.replace("PPPPPPPP", "PPPPPPPPP"), "has 9 squares; it must have 8"),
        (START.replace(" w ", " W "), "'W' is nobody's turn; it is w or b"),
        (START.replace("KQkq", "HAha"), "'HAha' are no castling rights; they are some of KQkq, or - for none"),
        (START.replace("KQkq", "KK"), "'KK' are no castling rights"),
        (START.replace(" - ", " e4 "), "'e4' is no square that a pawn passes over; those are on ranks 3 and 6"),
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
def test_a_text_that_is_no_position_is_refused(text, sentence):
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
def test_a_text_that_is_no_move_is_refused(position, text, sentence):
    with pytest.raises(IllegalMove) as caught:
        CHESS.parse_action(CHESS.parse_state(position), text)
    assert sentence in str(caught.value)


@pytest.mark.once
@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("7k/8/8/8/8/5N2/8/KN6 w - - 0 1", {"Nbd2", "Nfd2"}),
        ("7k/8/8/R7/8/8/8/R6K w - - 0 1", {"R1a3", "R5a3"}),
        ("6k1/8/8/8/8/Q1Q5/8/Q6K w - - 0 1", {"Q1b2", "Qa3b2", "Qcb2"}),
    ],
)
def test_pieces_that_could_be_confused_are_told_apart(position, moves):
    chess = pytest.importorskip("chess")
    board = chess.Board(position)
    assert moves_of(position) == {board.san(move) for move in board.legal_moves}
    assert moves <= moves_of(position)


@pytest.mark.once
def test_python_chess_writes_the_same_moves():
    chess = pytest.importorskip("chess")
    for seed in range(6 if is_enabled() else 1):
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


def test_pgn_is_read_without_its_comments_and_variations():
    first, second = read_pgn(CHESS, PGN)
    assert [write_uci(action) for action in first.actions] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (first.tags["Event"], first.tags["Annotator"], first.result) == ('A "friendly" game', "nobody", "0-1")
    assert first.start is None
    assert CHESS.format_state(second.start) == "4k3/8/8/8/8/8/4P3/4K3 b - - 5 1"
    assert [write_uci(action) for action in second.actions] == ["e8d7", "e2e4", "d7e6"]


def test_pgn_is_written_as_it_is_read():
    for sheet in read_pgn(CHESS, PGN):
        text = write_pgn(CHESS, sheet)
        (again,) = read_pgn(CHESS, text)
        assert (again.actions, again.result, again.start) == (sheet.actions, sheet.result, sheet.start)
        assert write_pgn(CHESS, again) == text
    assert text.endswith("\n30... Kd7 31. e4 Ke6 *\n")


@pytest.mark.once
def test_python_chess_reads_our_games_and_we_read_theirs():
    pytest.importorskip("chess")
    import io

    import chess.pgn

    states = list(random_states("pgn", 200))
    actions = tuple(
        next(action for action in surveyed(before)[2] if after.run(CHESS, before, action) == later)
        for before, later in itertools.pairwise(states)
    )
    text = write_pgn(CHESS, Scoresheet(actions, {"White": "us", "Note": "a note"}, "1/2-1/2"))
    assert max(map(len, text.splitlines())) < 80
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert [move.uci() for move in theirs.mainline_moves()] == [write_uci(action) for action in actions]
    assert theirs.headers["Note"] == "a note"
    (again,) = read_pgn(CHESS, str(theirs))
    assert (again.actions, again.result) == (actions, "1/2-1/2")
    assert list(read_pgn(CHESS, "")) == []


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("1. e4 e5 2. Ke3 *", IllegalMove, "game 1: ply 3: Ke3 is not legal here; try "),
        ('[FEN "8/8 w - -"]\n\n*', BadPosition, "game 1: '8/8 w - -' is no FEN"),
        ("1. e4 (1. d4 *", UsageError, "a variation that is never closed"),
        ("1. e4\n{open *", UsageError, "line 2 of this PGN is not understood: '{open *'"),
    ],
)
def test_a_text_that_is_no_game_is_refused(text, error, sentence):
    with pytest.raises(error) as caught:
        list(read_pgn(CHESS, text))
    assert sentence in str(caught.value)


# -- exchanges --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "move", "pawns"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 1),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -2),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 1),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0),
        ("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5", -8),
        ("3rk3/3r4/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "Rxd5", 1),  # the attackers stand behind one another
        ("3rk3/3r4/3q4/3p4/8/3R4/3R4/3QK3 w - - 0 1", "Rxd5", 0),
        ("4k3/8/8/3p4/2B5/8/8/4K3 w - - 0 1", "Bxd5", 1),
        ("4k3/4p3/8/3p4/2B5/8/8/4K3 w - - 0 1", "Bxd5", 1),
        ("4k3/8/4p3/3p4/2B5/8/8/4K3 w - - 0 1", "Bxd5", -2.25),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "exd3", 1),  # in passing
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 11),
        ("1n1rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q", 2),
        ("3rk3/8/8/8/8/8/8/Q3K3 w - - 0 1", "Qd4", -9),  # a quiet move can lose a piece
        ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "Kxd2", 5),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ],
)
def test_exchanges_are_counted_to_their_end(position, move, pawns):
    state = CHESS.parse_state(position)
    assert 128 * CHESS.exchange(state, CHESS.parse_action(state, move)) == pawns


def plain_exchange(state, action):
    """By playing it out: capture on the square with the cheapest piece, or stop."""
    square = (action >> 6) & 63
    values = {"p": 1, "n": 3, "b": 3.25, "r": 5, "q": 9}

    def gain(board, move):
        captured = board.piece_at(move.to_square)
        won = values[captured.symbol().lower()] if captured else 1 if board.is_en_passant(move) else 0
        return won + (values["?nbrq"[move.promotion - 1]] - 1 if move.promotion else 0)

    def best(board):
        chess = pytest.importorskip("chess")
        takers = [
            move for move in board.generate_pseudo_legal_moves(to_mask=1 << square) if board.piece_at(move.to_square)
        ]
        takers = [move for move in takers if move.promotion in (None, chess.QUEEN)]
        kings = [move for move in takers if board.piece_type_at(move.from_square) == chess.KING]
        if kings and board.attackers(not board.turn, square):
            takers = [move for move in takers if move not in kings]
        if not takers:
            return 0
        taker = min(takers, key=lambda move: board.piece_type_at(move.from_square))
        captured = values[board.piece_at(square).symbol().lower()]
        after_it = board.copy(stack=False)
        piece = after_it.remove_piece_at(taker.from_square)
        after_it.set_piece_at(square, piece)
        after_it.turn = not board.turn
        return max(0, captured - best(after_it))

    chess = pytest.importorskip("chess")
    board = chess.Board(CHESS.format_state(state))
    move = chess.Move.from_uci(write_uci(action))
    won = gain(board, move)
    board.push(move)
    return won - best(board)


@pytest.mark.once
def test_exchanges_are_what_playing_them_out_gives():
    pytest.importorskip("chess")
    compared = 0
    for seed in range(4 if is_enabled() else 1):
        for ply, state in enumerate(random_states(f"exchange {seed}", 100)):
            if ply % 5 == 3:
                for action in surveyed(state)[2]:
                    assert 128 * CHESS.exchange(state, action) == plain_exchange(state, action)
                    compared += 1
    assert compared > 100


# -- knowledge --------------------------------------------------------------------------------------------------------


def test_captures_and_new_queens_are_noisy_and_come_first():
    state = CHESS.parse_state("3r3k/P1P5/8/3Pp3/8/8/8/K2Q4 w - e6 0 1")
    ranked = sorted(CHESS.actions(state), key=lambda action: -CHESS.order(state, action))
    names = [CHESS.format_action(state, action) for action in ranked]
    noisy = [CHESS.format_action(state, action) for action in ranked if CHESS.is_noisy(state, action)]
    assert noisy == ["cxd8=Q+", "a8=Q", "c8=Q", "dxe6"]
    assert names[: len(noisy)] == noisy
    assert {CHESS.order(state, action) for action in ranked[len(noisy) :]} == {0}


@kernel
def noisy_moves(game: Game, state: State, memory: int) -> int:
    found = 0
    for action in game.noisy_actions(state):
        store(memory, found, action)
        found += 1
    return found


@pytest.mark.once
def test_noisy_moves_are_found_without_the_others():
    compared = 0
    for seed in range(12 if is_enabled() else 1):
        for state in random_states(f"noise {seed}", 150):
            found = noisy_moves.run(CHESS, state, CELLS.address)
            ours = [CELLS[index] for index in range(found)]
            assert ours == [action for action in surveyed(state)[2] if CHESS.is_noisy(state, action)]
            compared += found
    assert compared > 10


def test_a_gain_is_at_least_the_prize():
    state = CHESS.parse_state("3r3k/2P5/8/3Pp3/8/8/8/K2Q4 w - e6 0 1")
    for move, pawns in (("cxd8=Q+", 5 + 9 - 1), ("c8=Q", 9 - 1), ("dxe6", 1)):
        assert pawns <= CHESS.gain(state, CHESS.parse_action(state, move)) / CHESS.unit <= 1.5 * pawns


@pytest.mark.parametrize(
    ("position", "is_threatened", "may_pass"),
    [
        (START, False, True),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", True, False),  # in check
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", False, False),  # pawns alone: having to move can hurt
        ("4k2r/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", False, False),  # the rook is the other side's
        ("4k3/pppp4/8/8/8/8/PPPP4/4K1N1 w - - 0 1", False, True),
    ],
)
def test_checks_are_threats_and_passing_needs_a_piece(position, is_threatened, may_pass):
    state = CHESS.parse_state(position)
    assert (CHESS.is_threatened(state), CHESS.may_pass(state)) == (is_threatened, may_pass)


def test_a_pass_is_the_other_sides_turn():
    state = CHESS.parse_state("4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk d3 0 1")
    assert CHESS.format_state(CHESS.passed(state)) == "4k2r/8/8/8/3Pp3/8/8/R3K3 w Qk - 1 1"
    assert CHESS.format_state(CHESS.passed(CHESS.passed(state))) == "4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk - 2 1"


@pytest.mark.parametrize(
    ("board", "pawns"),
    [
        ("k7/8/8/8/8/8/8/KQN1rrb1".replace("rrb1", "3").replace("KQN13", "KQN5"), 12),
        ("k3rrb1/8/8/8/8/8/8/KQN5", (9 + 3) - (5 + 5 + 3.25)),
        ("k3rr2/8/8/8/8/8/8/KQN5", (9 + 3) - (5 + 5)),
        ("k3rr2/8/8/8/8/8/8/K1N5", 3 - (5 + 5)),
    ],
)
def test_the_lectures_material(board, pawns):
    game = Chess(evaluation="material")
    state = game.parse_state(board + " w - - 0 1")
    assert 128 * game.evaluate(state, 0) == pawns
    assert 128 * game.evaluate(state, 1) == -pawns


def turned_round(state):
    """Colours exchanged, and the board with them."""
    boards = [bswap(board) for board in state[:6]]
    everybody = boards[1] | boards[2] | boards[3] | boards[4] | boards[5]
    rights = bswap(state.rest & U64(0x8100FF0000FF0081))
    others = (state.rest & U64(0x00000000FF000000)) ^ BLACK_TO_MOVE
    return Position(everybody ^ boards[0], *boards[1:], rights | others)


def test_a_lead_shrinks_in_the_second_half_of_the_fifty_moves():
    leads = [
        CHESS.evaluate(CHESS.parse_state(f"7k/8/8/8/8/8/P7/K5R1 w - - {clock} 1"), 0) for clock in (0, 50, 75, 99, 100)
    ]
    assert leads[0] == leads[1] > 3 / 128
    assert leads[2:] == pytest.approx([leads[0] / 2, leads[0] / 50, 0])


@pytest.mark.once
@settings(max_examples=some(40))
@given(st.integers(0, 10**6), st.integers(0, 120), st.sampled_from(["tapered", "material"]))
def test_evaluations_do_not_know_colours(seed, plies, evaluation):
    game = Chess(evaluation=evaluation)
    *_, state = random_states(seed, plies + 1)
    value = game.evaluate(state, 0)
    assert -1 < value < 1
    assert value == game.evaluate(turned_round(state), 1) == -game.evaluate(state, 1)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # the first is the second with one thing improved
        ("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"),
        ("4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/ppp5/8/8/2P5/2P5/P7/4K3 w - - 0 1"),  # doubled, isolated
        ("4k3/p7/3P4/8/8/8/8/4K3 w - - 0 1", "4k3/p7/8/8/8/3P4/8/4K3 w - - 0 1"),  # a passed pawn nearer to its goal
        ("4k3/pppp4/8/3N4/8/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1"),  # a knight in the centre
        ("4k3/1ppp4/8/8/8/8/1PPP4/R3K3 w - - 0 1", "4k3/1ppp4/8/8/8/8/PPP5/1R2K3 w - - 0 1"),  # an open file
        ("k7/8/8/3K4/8/8/P7/8 w - - 0 1", "k7/8/8/8/8/8/P7/7K w - - 0 1"),  # the king helps in the endgame
    ],
)
def test_the_tapered_evaluation_likes_what_the_books_like(better, worse):
    assert CHESS.evaluate(CHESS.parse_state(better), 0) > CHESS.evaluate(CHESS.parse_state(worse), 0)


def test_an_unknown_evaluation_is_refused():
    with pytest.raises(UsageError, match="chess has no evaluation 'nnue'; try tapered or material"):
        find("chess:evaluation=nnue")


# -- picture ----------------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_board_and_marks_a_check():
    picture = CHESS.picture(CHESS.parse_state("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells[-16:]) == "....q.......K..R"
    assert picture.cells[4].name == "king"
    assert picture.marked == (60,)
    assert picture.touches == {"Kxe2": (60, 52)}
    assert CHESS.picture(CHESS.initial()).touches["Nf3"] == (62, 45)
    assert square_named("f3") == 21
