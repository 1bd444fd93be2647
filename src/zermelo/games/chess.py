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

from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid, Piece
from zermelo.core.repetition import Repetition
from zermelo.games.chess_attacks import (
    BOTH_ENDS,
    EVERYWHERE,
    FILE_A,
    FILE_H,
    NOT_A,
    NOT_AB,
    NOT_GH,
    NOT_H,
    RANK_1,
    RANK_8,
    antidiagonal_of,
    between,
    bishop_attacks,
    diagonal_of,
    diagonal_rays,
    file_of,
    king_attacks,
    knight_attacks,
    line_through,
    pawn_attacks,
    rank_of,
    rays_down,
    rays_up,
    rook_attacks,
    straight_rays,
)
from zermelo.games.chess_notation import NAMES, letter_on, read_fen, read_move, write_fen, write_san
from zermelo.games.chess_position import (
    BISHOP,
    BLACK,
    BLACK_TO_MOVE,
    CLOCK,
    CLOCK_BITS,
    CORNERS,
    KNIGHT,
    PASSED_SQUARES,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    attackers_of,
    clock_of,
    is_check,
    kind_on,
    king_square,
    occupied_by,
    own_pieces,
    side_to_move,
)
from zermelo.kernel import U64, bit, drop, lsb, popcount, rotl

LIGHT_SQUARES = U64(0x55AA55AA55AA55AA)
FIFTY_MOVES = 100
PUSH, DOUBLE, LEFT, RIGHT = range(4)


class Chess(Game):
    """Kings, queens, rooks, bishops, knights and pawns; checkmate wins."""

    name = "chess"
    seats = ("White", "Black")
    repetition = Repetition.DRAW_AT_THREE

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
        """The king's moves, then the pieces', then the pawns'.

        A loop by hand yields three times as fast as one over `bits`, and the fewer variables live on after a
        `yield`, the better.
        """
        steps, targets, pinned = self.limits(state)
        source = king_square(state)
        while steps:
            yield source | lsb(steps) << 6
            steps = drop(steps)
        pieces = own_pieces(state) & ~(state.pawns | state.kings)
        while pieces:
            source = lsb(pieces)
            pieces = drop(pieces)
            steps = self.piece_attacks(state, source, pinned) & targets
            while steps:
                yield source | lsb(steps) << 6
                steps = drop(steps)
        for way in range(4):
            steps = self.pawn_moves(state, way, targets, pinned)
            back = self.pawn_step(state, way)
            while steps & ~BOTH_ENDS:
                source = lsb(steps & ~BOTH_ENDS)
                yield (source - back) | source << 6
                steps ^= bit(source)
            promotion = QUEEN
            while steps:
                source = lsb(steps)
                yield (source - back) | source << 6 | promotion << 12
                promotion -= 1
                if promotion == 0:
                    promotion = QUEEN
                    steps = drop(steps)
        if state.rest & PASSED_SQUARES:
            pieces = self.takers_in_passing(state)
            while pieces:
                yield lsb(pieces) | lsb(state.rest & PASSED_SQUARES) << 6
                pieces = drop(pieces)

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
        passed = U64(0)
        if pawns & there:
            if there & BOTH_ENDS:
                promotion = action >> 12
                pawns ^= there
                knights |= there if promotion == KNIGHT else U64(0)
                diagonal |= there if promotion in (BISHOP, QUEEN) else U64(0)
                straight |= there if promotion >= ROOK else U64(0)
            elif there & state.rest & PASSED_SQUARES:
                captured = there >> 8 if side == WHITE else there << 8
                pawns ^= captured
                white &= ~captured
            elif abs(target - source) == 16:
                passed = bit((source + target) // 2)
        elif kings & there:
            castling &= ~(RANK_1 if side == WHITE else RANK_8)
            if abs(target - source) == 2:
                rook = (there << 1 | there >> 1) if target > source else (there >> 2 | there << 1)
                straight ^= rook
                white ^= rook if side == WHITE else U64(0)
        turn = BLACK_TO_MOVE if side == WHITE else U64(0)
        rest = castling | turn | (clock << CLOCK)
        found = Position(white, pawns, knights, diagonal, straight, kings, rest)
        if passed and pawn_attacks(passed, side) & pawns & own_pieces(found):
            open_to_capture = Position(white, pawns, knights, diagonal, straight, kings, rest | passed)
            if self.takers_in_passing(open_to_capture):
                return open_to_capture
        return found

    def is_terminal(self, state: Position) -> bool:
        return self.is_drawn_by_rule(state) or not self.has_move(state)

    def utility(self, state: Position, player: int) -> int:
        """Mate, even at the end of fifty moves, goes to the player who gave it."""
        if not is_check(state) or self.has_move(state):
            return 0
        return -1 if player == self.to_move(state) else 1

    def is_drawn_by_rule(self, state: Position) -> bool:
        """Fifty moves without a capture or a pawn's move, or nobody has the pieces for a mate."""
        return clock_of(state) >= FIFTY_MOVES or self.is_bare(state)

    def is_bare(self, state: Position) -> bool:
        """Beside the kings there is one knight, or nothing but bishops on squares of one colour."""
        if state.pawns | state.straight:
            return False
        if state.knights:
            return not state.diagonal and not state.knights & (state.knights - U64(1))
        return not state.diagonal & LIGHT_SQUARES or not state.diagonal & ~LIGHT_SQUARES

    def timeless(self, state: Position) -> Position:
        """Without the clock of the fifty moves."""
        return Position(
            state.white,
            state.pawns,
            state.knights,
            state.diagonal,
            state.straight,
            state.kings,
            state.rest & ~CLOCK_BITS,
        )

    # -- what the rules are made of ----------------------------------------------------------------

    def limits(self, state: Position) -> tuple[U64, U64, U64]:
        """Where the king may go, where others may go, and which of them must stay on a line with the king."""
        side = side_to_move(state)
        occupied, mine = occupied_by(state), own_pieces(state)
        theirs = occupied ^ mine
        king = state.kings & mine
        square = lsb(king)
        straight, diagonal = state.straight & theirs, state.diagonal & theirs
        checkers = (knight_attacks(king) & state.knights | pawn_attacks(king, side) & state.pawns) & theirs
        targets, pinned = checkers, U64(0)
        aimed = (file_of(square) | rank_of(square)) & straight
        aimed |= (diagonal_of(square) | antidiagonal_of(square)) & diagonal
        while aimed:
            way = between(square, lsb(aimed))
            blockers = way & occupied
            if not blockers:
                checkers |= aimed & -aimed
                targets |= way | (aimed & -aimed)
            elif not drop(blockers):
                pinned |= blockers & mine
            aimed = drop(aimed)
        if not checkers:
            targets = ~mine
        elif drop(checkers):
            targets = U64(0)
        steps = king_attacks(king) & ~mine
        if steps:
            open_lines = ~occupied | king
            danger = straight_rays(straight, open_lines) | diagonal_rays(diagonal, open_lines)
            danger |= knight_attacks(state.knights & theirs) | king_attacks(state.kings & theirs)
            danger |= pawn_attacks(state.pawns & theirs, 1 - side)
            steps &= ~danger
            rights = state.rest & CORNERS & (RANK_1 if side == WHITE else RANK_8)
            if rights and not checkers:
                free = ~(occupied | danger)
                if rights & FILE_H and free & (king << 1) and free & (king << 2):
                    steps |= king << 2
                if rights & FILE_A and free & (king >> 1) and free & (king >> 2) and not occupied & (king >> 3):
                    steps |= king >> 2
        return steps, targets, pinned

    def piece_attacks(self, state: Position, square: int, pinned: U64) -> U64:
        """Where a knight, bishop, rook or queen attacks without leaving the line it is pinned on."""
        piece, occupied = bit(square), occupied_by(state)
        if piece & state.knights:
            return U64(0) if piece & pinned else knight_attacks(piece)
        attacks = U64(0)
        if piece & state.diagonal:
            attacks |= bishop_attacks(square, occupied)
        if piece & state.straight:
            attacks |= rook_attacks(square, occupied)
        if piece & pinned:
            attacks &= line_through(king_square(state), square)
        return attacks

    def pawn_step(self, state: Position, way: int) -> int:
        """From where a pawn comes to where it goes."""
        if state.rest & BLACK_TO_MOVE:
            return -8 if way == PUSH else -16 if way == DOUBLE else -9 if way == LEFT else -7
        return 8 if way == PUSH else 16 if way == DOUBLE else 7 if way == LEFT else 9

    def pawn_moves(self, state: Position, way: int, targets: U64, pinned: U64) -> U64:
        """Where pawns arrive that move in one of four ways; captures in passing are apart."""
        is_black = bool(state.rest & BLACK_TO_MOVE)
        occupied, mine = occupied_by(state), own_pieces(state)
        pawns, king = state.pawns & mine, lsb(state.kings & mine)
        if way in (PUSH, DOUBLE):
            pawns &= ~pinned | file_of(king)
            forward = 56 if is_black else 8
            pawns = rotl(pawns, forward) & ~occupied
            if way == DOUBLE:
                pawns &= RANK_1 << 40 if is_black else RANK_1 << 16
                pawns = rotl(pawns, forward) & ~occupied
            return pawns & targets
        rises = (way == LEFT) == is_black
        pawns &= ~pinned | (diagonal_of(king) if rises else antidiagonal_of(king))
        pawns &= NOT_A if way == LEFT else NOT_H
        return rotl(pawns, self.pawn_step(state, way) & 63) & targets & occupied & ~mine

    def takers_in_passing(self, state: Position) -> U64:
        """The pawns that may capture the pawn that has just passed over a square."""
        side = side_to_move(state)
        passed = state.rest & PASSED_SQUARES
        captured = passed >> 8 if side == WHITE else passed << 8
        mine = own_pieces(state)
        king, found = lsb(state.kings & mine), U64(0)
        candidates = pawn_attacks(passed, 1 - side) & state.pawns & mine
        while candidates:
            taker = candidates & -candidates
            after = occupied_by(state) ^ taker ^ captured ^ passed
            if not attackers_of(state, king, after) & ~(mine | captured):
                found |= taker
            candidates ^= taker
        return found

    def has_move(self, state: Position) -> bool:
        steps, targets, pinned = self.limits(state)
        if steps or self.pawn_moves(state, PUSH, targets, pinned):
            return True
        return self.count_moves(state, steps, targets, pinned) > 0

    def count(self, state: Position) -> int:
        if self.is_drawn_by_rule(state):
            return 0
        steps, targets, pinned = self.limits(state)
        return self.count_moves(state, steps, targets, pinned)

    def count_moves(self, state: Position, steps: U64, targets: U64, pinned: U64) -> int:
        """How many moves the limits leave.

        Rays of different pieces in one direction never overlap, so that their squares can be counted together.
        """
        mine = own_pieces(state)
        empty, king = ~occupied_by(state), lsb(state.kings & mine)
        total = popcount(steps)
        knights = state.knights & mine & ~pinned
        total += popcount((knights << 17) & NOT_A & targets) + popcount((knights << 15) & NOT_H & targets)
        total += popcount((knights >> 15) & NOT_A & targets) + popcount((knights >> 17) & NOT_H & targets)
        total += popcount((knights << 10) & NOT_AB & targets) + popcount((knights << 6) & NOT_GH & targets)
        total += popcount((knights >> 6) & NOT_AB & targets) + popcount((knights >> 10) & NOT_GH & targets)
        straight, diagonal = state.straight & mine, state.diagonal & mine
        movers = straight & (~pinned | file_of(king))
        total += popcount(rays_up(movers, empty, 8, EVERYWHERE) & targets)
        total += popcount(rays_down(movers, empty, 8, EVERYWHERE) & targets)
        movers = straight & (~pinned | rank_of(king))
        total += popcount(rays_up(movers, empty, 1, NOT_A) & targets)
        total += popcount(rays_down(movers, empty, 1, NOT_H) & targets)
        movers = diagonal & (~pinned | diagonal_of(king))
        total += popcount(rays_up(movers, empty, 9, NOT_A) & targets)
        total += popcount(rays_down(movers, empty, 9, NOT_H) & targets)
        movers = diagonal & (~pinned | antidiagonal_of(king))
        total += popcount(rays_up(movers, empty, 7, NOT_H) & targets)
        total += popcount(rays_down(movers, empty, 7, NOT_A) & targets)
        for way in range(4):
            arrivals = self.pawn_moves(state, way, targets, pinned)
            total += popcount(arrivals) + 3 * popcount(arrivals & BOTH_ENDS)
        if state.rest & PASSED_SQUARES:
            total += popcount(self.takers_in_passing(state))
        return total

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """As on a scoresheet: `Nf3`, `exd5`, `O-O`, `e8=Q+`."""
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
        )


def piece_on(state: Position, square: int) -> Piece | None:
    letter = letter_on(state, square)
    if not letter:
        return None
    return Piece(letter, WHITE if letter.isupper() else BLACK, NAMES[kind_on(state, square)])
