"""Chess: attack the king so that nothing saves him.

    8 | r n b q k b n r        a square is rank * 8 + file: a1 is 0, h1 is 7, a8 is 56;
    7 | p p p p p p p p        a move is from + 64 * to + 4096 * promotion,
    6 | . . . . . . . .          promotion to knight 1, bishop 2, rook 3, queen 4;
    5 | . . . . . . . .        castling is a move of the king by two squares;
    4 | . . . . . . . .        White (capitals) starts and moves up
    3 | . . . . . . . .
    2 | P P P P P P P P
    1 | R N B Q K B N R
        a b c d e f g h

The rules are those of FIDE's Laws of Chess. Draws need no claim: the third occurrence of a position, fifty moves of
both sides without a capture or a pawn's move, and too few pieces for any mate end the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, legal_actions, suggest
from zermelo.core.picture import Grid, Piece
from zermelo.core.repetition import Repetition
from zermelo.games.chess.attacks import BOTH_ENDS, EVERYWHERE, RANK_1, RANK_8, pawn_attacks
from zermelo.games.chess.evaluation import Material, Tapered
from zermelo.games.chess.exchange import QUARTERS, exchange_value, prize
from zermelo.games.chess.moves import count_moves, en_passant_takers, has_move, legal_moves
from zermelo.games.chess.notation import NAMES, letter_on, read_fen, read_move, write_fen, write_san
from zermelo.games.chess.position import (
    BISHOP,
    BLACK,
    BLACK_TO_MOVE,
    CLOCK,
    CLOCK_BITS,
    CORNERS,
    EN_PASSANT,
    KNIGHT,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    clock_of,
    is_check,
    kind_on,
    king_square,
    occupied_by,
    own_pieces,
    side_to_move,
    with_rest,
)
from zermelo.kernel import U64, bit, mix

LIGHT_SQUARES = U64(0x55AA55AA55AA55AA)
FIFTY_MOVES = 100
CLOCK_MATTERS = 50
PAWNS_FOR_A_WIN = 128.0
EVALUATIONS: dict[str, type[Material | Tapered]] = {"tapered": Tapered, "material": Material}


class Chess(Game):
    """Kings, queens, rooks, bishops, knights and pawns; checkmate wins."""

    name = "chess"
    option_labels = {"evaluation": "the computer's evaluation"}
    seats = ("White", "Black")
    repetition = Repetition.DRAW_AT_THREE
    unit, unit_name = 1 / PAWNS_FOR_A_WIN, "pawns"
    swing = 0.9 / PAWNS_FOR_A_WIN
    not_inlined = (*Game.not_inlined, "fill_actions", "fill_noisy_actions")
    perft_table = {
        "": (20, 400, 8902, 197281, 4865609, 119060324),
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603, 193690690),
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083),
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333, 15833292),
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487, 89941194),
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1": (24, 496, 9483, 182838, 3605103),
    }

    def __init__(self, evaluation: str = "tapered") -> None:
        if evaluation not in EVALUATIONS:
            raise UsageError(f"chess has no evaluation {evaluation!r}; {suggest(EVALUATIONS, '')}")
        self.evaluation = evaluation
        self.judge = EVALUATIONS[evaluation]()

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(
            white=U64(0x000000000000FFFF),
            pawns=U64(0x00FF00000000FF00),
            knights=U64(0x4200000000000042),
            diagonal=U64(0x2C0000000000002C),
            straight=U64(0x8900000000000089),
            kings=U64(0x1000000000000010),
            rest=CORNERS,
        )

    def to_move(self, state: Position) -> int:
        return side_to_move(state)

    def actions(self, state: Position) -> Iterator[int]:
        return legal_moves(state, EVERYWHERE, KNIGHT)

    def result(self, state: Position, action: int) -> Position:
        source, target = action & 63, (action >> 6) & 63
        there, kept = bit(target), ~(bit(source) | bit(target))
        side = side_to_move(state)
        occupied = occupied_by(state)
        white = (state.white & kept) | (there if side == WHITE else U64(0))
        pawns = (state.pawns & kept) | (((state.pawns >> source) & U64(1)) << target)
        knights = (state.knights & kept) | (((state.knights >> source) & U64(1)) << target)
        diagonal = (state.diagonal & kept) | (((state.diagonal >> source) & U64(1)) << target)
        straight = (state.straight & kept) | (((state.straight >> source) & U64(1)) << target)
        kings = (state.kings & kept) | (((state.kings >> source) & U64(1)) << target)
        castling = state.rest & CORNERS & kept
        clock = U64(0) if (occupied | pawns) & there else ((state.rest & CLOCK_BITS) >> CLOCK) + U64(1)
        en_passant = U64(0)
        if pawns & there:
            if there & BOTH_ENDS:
                promotion = action >> 12
                pawns ^= there
                knights |= there if promotion == KNIGHT else U64(0)
                diagonal |= there if promotion in (BISHOP, QUEEN) else U64(0)
                straight |= there if promotion >= ROOK else U64(0)
            elif there & state.rest & EN_PASSANT:
                captured = there >> 8 if side == WHITE else there << 8
                pawns ^= captured
                white &= ~captured
            elif abs(target - source) == 16:
                en_passant = bit((source + target) // 2)
        elif kings & there:
            castling &= ~(RANK_1 if side == WHITE else RANK_8)
            if abs(target - source) == 2:
                rook = (there << 1 | there >> 1) if target > source else (there >> 2 | there << 1)
                straight ^= rook
                white ^= rook if side == WHITE else U64(0)
        turn = BLACK_TO_MOVE if side == WHITE else U64(0)
        rest = castling | turn | (clock << CLOCK)
        found = Position(white, pawns, knights, diagonal, straight, kings, rest)
        if en_passant and pawn_attacks(en_passant, side) & pawns & own_pieces(found):
            open_to_capture = Position(white, pawns, knights, diagonal, straight, kings, rest | en_passant)
            if en_passant_takers(open_to_capture):
                return open_to_capture
        return found

    def is_terminal(self, state: Position) -> bool:
        return self.is_drawn_by_rule(state) or not has_move(state)

    def utility(self, state: Position, player: int) -> int:
        """Mate, even at the end of fifty moves, goes to the player who gave it."""
        if not is_check(state) or has_move(state):
            return 0
        return -1 if player == self.to_move(state) else 1

    def is_drawn_by_rule(self, state: Position) -> bool:
        """Fifty moves without a capture or a pawn's move, or neither side has the pieces for a mate."""
        return clock_of(state) >= FIFTY_MOVES or self.is_bare(state)

    def is_bare(self, state: Position) -> bool:
        """Beside the kings there is one knight, or nothing but bishops on squares of one colour."""
        if state.pawns | state.straight:
            return False
        if state.knights:
            return not state.diagonal and not state.knights & (state.knights - U64(1))
        return not state.diagonal & LIGHT_SQUARES or not state.diagonal & ~LIGHT_SQUARES

    def count(self, state: Position) -> int:
        return 0 if self.is_drawn_by_rule(state) else count_moves(state)

    def repetition_key(self, state: Position) -> Position:
        """Without the clock of the fifty moves."""
        return with_rest(state, state.rest & ~CLOCK_BITS)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """Pawns ahead, 128 of them for a win; less and less of them in the second half of the fifty moves."""
        lead = self.judge.lead(state) / PAWNS_FOR_A_WIN
        clock = clock_of(state)
        if clock > CLOCK_MATTERS:
            lead *= (FIFTY_MOVES - clock) / (FIFTY_MOVES - CLOCK_MATTERS)
        return lead if player == WHITE else -lead

    def is_noisy(self, state: Position, action: int) -> bool:
        """A capture or a new queen; other promotions are rare enough to count as quiet."""
        return not 0 < action >> 12 < QUEEN and prize(state, action) > 0

    def noisy_actions(self, state: Position) -> Iterator[int]:
        """The captures and new queens, without looking at the other moves."""
        return legal_moves(state, occupied_by(state), QUEEN)

    def order(self, state: Position, action: int) -> float:
        """Order of noisy moves: the largest immediate gain, then the least valuable piece (MVV-LVA)."""
        if self.is_noisy(state, action):
            return 10.0 * prize(state, action) - kind_on(state, action & 63)
        return 0.0

    def gain(self, state: Position, action: int) -> float:
        """The immediate gain plus a quarter, because the square of a piece adds to its value."""
        return 1.25 * prize(state, action) / (QUARTERS * PAWNS_FOR_A_WIN)

    def exchange(self, state: Position, action: int) -> float:
        """Static exchange evaluation (SEE) of a move, on the scale of `evaluate`."""
        return exchange_value(state, action) / (QUARTERS * PAWNS_FOR_A_WIN)

    def is_threatened(self, state: Position) -> bool:
        """In check."""
        return is_check(state)

    def may_pass(self, state: Position) -> bool:
        """Not in check, and with a piece besides king and pawns, because of zugzwang."""
        return bool(own_pieces(state) & ~(state.pawns | state.kings)) and not is_check(state)

    def after_pass(self, state: Position) -> Position:
        """The other side's turn; the clock runs, and no pawn can be captured en passant."""
        rest = ((state.rest & ~EN_PASSANT) ^ BLACK_TO_MOVE) + (U64(1) << CLOCK)
        return with_rest(state, rest)

    def key(self, state: Position) -> U64:
        """A hash of all boards instead of Zobrist keys; without the clock, as long as fifty moves are far away."""
        rest = state.rest if clock_of(state) >= CLOCK_MATTERS else state.rest & ~CLOCK_BITS
        return mix(
            scatter(state.white, U64(0x9E3779B97F4A7C15))
            + scatter(state.pawns, U64(0xD1B54A32D192ED03))
            + scatter(state.knights, U64(0xABC98388FB8FAC03))
            + scatter(state.diagonal, U64(0x8CB92BA72F3D8DD7))
            + scatter(state.straight, U64(0xCF0B1F5A5F1A9C61))
            + scatter(state.kings, U64(0xE7037ED1A0B428DB))
            + scatter(rest, U64(0x94D049BB133111EB))
        )

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """Standard algebraic notation (SAN): `Nf3`, `exd5`, `O-O`, `e8=Q+`."""
        return write_san(self, state, action)

    def parse_action(self, state: Position, text: str) -> int:
        """SAN, with or without its signs, or UCI: `Nf3` and `g1f3`."""
        return read_move(self, state, text)

    def format_state(self, state: Position) -> str:
        """FEN; a state knows no move number, so that the last field is always 1."""
        return write_fen(state)

    def parse_state(self, text: str) -> Position:
        """FEN; the last two numbers may be left out, and the last one means nothing."""
        return read_fen(self, text)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        order = [8 * rank + file for rank in reversed(range(8)) for file in range(8)]
        place = {square: cell for cell, square in enumerate(order)}
        legal = list(legal_actions(self, state))
        return Grid(
            8,
            8,
            tuple(piece_on(state, square) for square in order),
            row_labels=tuple("87654321"),
            col_labels=tuple("abcdefgh"),
            touches={
                write_san(self, state, action, legal): (place[action & 63], place[(action >> 6) & 63])
                for action in legal
            },
            marked=(place[king_square(state)],) if is_check(state) else (),
            chequered=True,
            colours=("white", "black"),
            material="wood",
            facing=True,
        )


def scatter(word: U64, odd: U64) -> U64:
    """The word, with every bit moved to many places."""
    product = (word ^ (word >> 32)) * odd
    return product ^ (product >> 29)


def piece_on(state: Position, square: int) -> Piece | None:
    letter = letter_on(state, square)
    if not letter:
        return None
    return Piece(letter, WHITE if letter.isupper() else BLACK, NAMES[kind_on(state, square)])
