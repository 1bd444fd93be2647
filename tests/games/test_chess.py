"""The rules of chess: counts, attacks, other implementations move by move, ends, keys."""

import random
from collections import Counter

import pytest
from chess_games import CHESS, KIWIPETE, after, moves_of, random_states, surveyed
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.referee import Referee
from zermelo.games.chess import Chess
from zermelo.games.chess.attacks import (
    between,
    bishop_attacks,
    diagonal_rays,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
    straight_rays,
)
from zermelo.games.chess.notation import write_fen, write_san, write_uci
from zermelo.games.chess.position import clock_of
from zermelo.kernel import U64, bits
from zermelo.search import perft

pytestmark = pytest.mark.plain

# -- counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(("position", "counts"), Chess.perft_table.items())
def test_perft(position, counts):
    """The Chess Programming Wiki's positions; Stockfish 15.1 counts the same."""
    state = CHESS.parse_state(position) if position else CHESS.initial()
    most = 5_000_000
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
        seen = Counter([CHESS.repetition_key(state)])
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
            seen[CHESS.repetition_key(state)] += 1
            assert (seen[CHESS.repetition_key(state)] >= 3) == board.is_repetition(3)
            repetitions += board.is_repetition(3)
    return endings, repetitions


@pytest.mark.compiled
def test_python_chess_agrees_move_by_move():
    agree_with_python_chess(games=15, seed="some")


@pytest.mark.compiled
@pytest.mark.long
def test_python_chess_agrees_in_a_thousand_games():
    endings, repetitions = agree_with_python_chess(games=1000, seed="many")
    assert len(endings) >= 5  # either side mates; three kinds of draw
    assert repetitions > 20


def agree_with_openspiel(games, seed):
    """They differ in one thing: OpenSpiel ends a game at the third occurrence of a position; here the referee does."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("chess")
    ended = 0
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        theirs, state = game.new_initial_state(), CHESS.initial()
        seen = Counter([CHESS.repetition_key(state)])
        while True:
            over, payoff, actions = surveyed(state)
            is_repeated = seen[CHESS.repetition_key(state)] >= 3
            assert theirs.is_terminal() == (over or is_repeated), str(theirs)
            if theirs.is_terminal():
                assert theirs.returns()[1] == payoff  # their player 1 is White
                ended += over
                break
            assert len(theirs.legal_actions()) == len(actions), str(theirs)
            action = rng.choice(actions)
            theirs.apply_action(theirs.string_to_action(write_san(CHESS, state, action, actions)))
            state = after.run(CHESS, state, action)
            seen[CHESS.repetition_key(state)] += 1
    return ended


@pytest.mark.compiled
def test_openspiel_agrees_move_by_move():
    agree_with_openspiel(games=5, seed="some")


@pytest.mark.compiled
@pytest.mark.long
def test_openspiel_agrees_in_a_thousand_games():
    assert agree_with_openspiel(games=1000, seed="many") > 500


# -- the rules --------------------------------------------------------------------------------------------------------


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
def test_the_en_passant_square_is_kept_only_if_a_pawn_may_capture_there(position, move, passed):
    referee = Referee.at(CHESS, position)
    referee.play_text(move)
    assert CHESS.format_state(referee.state).split()[3] == passed
    if passed != "-":
        assert any("x" + passed in text for text in moves_of(CHESS.format_state(referee.state)))


def test_an_en_passant_capture_may_answer_a_check():
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
    assert CHESS.repetition_key(quiet) == CHESS.repetition_key(hotter)


@pytest.mark.compiled
def test_keys_distinguish_positions_and_their_rights():
    known = {}
    for seed in range(8):
        for state in random_states(seed, 200):
            assert known.setdefault(CHESS.key(state), CHESS.repetition_key(state)) == CHESS.repetition_key(state) or (
                clock_of(state) >= 50
            )
    texts = ["w KQkq -", "b KQkq -", "w Kkq -", "w Qkq -", "w KQk -", "w KQq -", "w - -"]
    assert len({CHESS.key(CHESS.parse_state("r3k2r/8/8/8/8/8/8/R3K2R " + text)) for text in texts}) == len(texts)
