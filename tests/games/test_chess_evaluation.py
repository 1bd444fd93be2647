"""What is known about chess beyond its rules: exchanges, noise, threats, evaluations."""

import pytest
from chess_games import CELLS, CHESS, random_states, surveyed
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, State
from zermelo.games import find
from zermelo.games.chess import Chess
from zermelo.games.chess.notation import START, write_uci
from zermelo.games.chess.position import BLACK_TO_MOVE, Position
from zermelo.kernel import U64, bswap, kernel, store

pytestmark = pytest.mark.plain

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
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "exd3", 1),  # en passant
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


@pytest.mark.compiled
def test_exchanges_are_what_playing_them_out_gives():
    pytest.importorskip("chess")
    compared = 0
    for seed in range(4):
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


@pytest.mark.compiled
def test_noisy_moves_are_found_without_the_others():
    compared = 0
    for seed in range(5):
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
    assert CHESS.format_state(CHESS.after_pass(state)) == "4k2r/8/8/8/3Pp3/8/8/R3K3 w Qk - 1 1"
    assert CHESS.format_state(CHESS.after_pass(CHESS.after_pass(state))) == "4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk - 2 1"


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


@pytest.mark.compiled
@settings(max_examples=40)
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
