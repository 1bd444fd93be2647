"""A chess position in seven words, and the questions that everything else asks of it."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.chess.attacks import bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks
from zermelo.kernel import U64, bit, lsb, number, state

WHITE, BLACK = 0, 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
CORNERS = U64(0x8100000000000081)
EN_PASSANT = U64(0x0000FF0000FF0000)
"""The squares that a pawn passes over by a double step."""
BLACK_TO_MOVE = U64(1 << 24)
CLOCK = 25
CLOCK_BITS = U64(127 << CLOCK)


@state
class Position(NamedTuple):
    """Seven boards; queens are on two of them, and the last one has its own key:

    8 | k . . . . . . k        k  a rook that may still castle with its king
    7 | . . . . . . . .        e  the en passant square, if a pawn can capture there
    6 | e e e e e e e e        b  set if Black is to move
    5 | . . . . . . . .        c  moves of either side since the last capture or pawn's move, in binary
    4 | b c c c c c c c
    3 | e e e e e e e e
    2 | . . . . . . . .
    1 | k . . . . . . k
    """

    white: U64
    """All pieces of White; the others are Black's."""
    pawns: U64
    knights: U64
    diagonal: U64
    """Bishops and queens."""
    straight: U64
    """Rooks and queens."""
    kings: U64
    rest: U64


def with_rest(state: Position, rest: U64) -> Position:
    """The position with another last word."""
    return Position(state.white, state.pawns, state.knights, state.diagonal, state.straight, state.kings, rest)


def side_to_move(state: Position) -> int:
    return number((state.rest >> 24) & U64(1))


def clock_of(state: Position) -> int:
    """Moves of either side since the last capture or pawn's move."""
    return number((state.rest & CLOCK_BITS) >> CLOCK)


def occupied_by(state: Position) -> U64:
    return state.pawns | state.knights | state.diagonal | state.straight | state.kings


def own_pieces(state: Position) -> U64:
    """The pieces of the side to move."""
    return occupied_by(state) ^ state.white if state.rest & BLACK_TO_MOVE else state.white


def king_square(state: Position) -> int:
    """Of the side to move."""
    return lsb(state.kings & own_pieces(state))


def kind_on(state: Position, square: int) -> int:
    """The kind of piece on a square; an empty square counts as a pawn.

    The number of the kind is a sum over the boards that have the square:
    knights 1 | diagonal 2 (bishop) | straight 3 (rook) | both of these 2 + 3 - 1 = 4 (queen) | kings 5 | none 0 (pawn)
    """
    one = U64(1)
    diagonal, straight = (state.diagonal >> square) & one, (state.straight >> square) & one
    knight, king = (state.knights >> square) & one, (state.kings >> square) & one
    return number(knight) + 2 * number(diagonal) + 3 * number(straight) - number(diagonal & straight) + 5 * number(king)


def attackers_of(state: Position, square: int, occupied: U64) -> U64:
    """The pieces of both sides that attack a square, if `occupied` is what blocks their lines."""
    here = bit(square)
    return (
        (rook_attacks(square, occupied) & state.straight)
        | (bishop_attacks(square, occupied) & state.diagonal)
        | (knight_attacks(here) & state.knights)
        | (king_attacks(here) & state.kings)
        | (pawn_attacks(here, WHITE) & state.pawns & ~state.white)
        | (pawn_attacks(here, BLACK) & state.pawns & state.white)
    )


def is_check(state: Position) -> bool:
    """The king of the side to move is attacked."""
    return bool(attackers_of(state, king_square(state), occupied_by(state)) & ~own_pieces(state))
