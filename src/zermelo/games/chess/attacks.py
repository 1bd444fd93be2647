"""Attacks of chess pieces, by arithmetic on 64-bit boards, without tables.

    8 | 56 57 58 59 60 61 62 63        a square is rank * 8 + file: a1 is 0, h1 is 7, a8 is 56;
    . |  .  .  .  .  .  .  .  .        a board is a word with the bits of some squares set;
    2 |  8  9 10 11 12 13 14 15        up is towards the eighth rank, for both sides
    1 |  0  1  2  3  4  5  6  7
         a  b  c  d  e  f  g  h

Attacks of one piece take a square; attacks of many pieces at once take a board.
"""

from __future__ import annotations

from zermelo.kernel import U64, bit, msb, popcount

EVERYWHERE = U64(0xFFFFFFFFFFFFFFFF)
FILE_A = U64(0x0101010101010101)
FILE_H = U64(0x8080808080808080)
NOT_A = U64(0xFEFEFEFEFEFEFEFE)
NOT_H = U64(0x7F7F7F7F7F7F7F7F)
NOT_AB = U64(0xFCFCFCFCFCFCFCFC)
NOT_GH = U64(0x3F3F3F3F3F3F3F3F)
RANK_1 = U64(0x00000000000000FF)
RANK_8 = U64(0xFF00000000000000)
BOTH_ENDS = U64(0xFF000000000000FF)
MAIN_DIAGONAL = U64(0x8040201008040201)
MAIN_ANTIDIAGONAL = U64(0x0102040810204080)


# -- lines through a square ----------------------------------------------------------------------------


def file_of(square: int) -> U64:
    return FILE_A << (square & 7)


def rank_of(square: int) -> U64:
    return RANK_1 << (square & 56)


def diagonal_of(square: int) -> U64:
    """The squares on a line with this one as a1 is with h8."""
    higher = (square >> 3) - (square & 7)
    return MAIN_DIAGONAL << (8 * higher) if higher >= 0 else MAIN_DIAGONAL >> (-8 * higher)


def antidiagonal_of(square: int) -> U64:
    """The squares on a line with this one as a8 is with h1."""
    higher = (square >> 3) + (square & 7) - 7
    return MAIN_ANTIDIAGONAL << (8 * higher) if higher >= 0 else MAIN_ANTIDIAGONAL >> (-8 * higher)


def line_through(square: int, other: int) -> U64:
    """The whole line that two different squares share; of squares that share none, an antidiagonal."""
    if (square ^ other) & 7 == 0:
        return file_of(square)
    if (square ^ other) & 56 == 0:
        return rank_of(square)
    return diagonal_of(square) if diagonal_of(square) & bit(other) else antidiagonal_of(square)


def between(square: int, other: int) -> U64:
    """The squares strictly between two squares that share a line."""
    low, high = min(square, other), max(square, other)
    inside = bit(high) - (bit(low) << 1)
    return inside & line_through(low, high)


# -- one piece -----------------------------------------------------------------------------------------


def attacks_along(line: U64, square: int, occupied: U64) -> U64:
    """The squares that a piece attacks along a line in both directions, the first piece included.

    Taking the nearest blocker below from the blockers above borrows through everything in between: the method known as
    obstruction difference.
    """
    below = bit(square) - U64(1)
    above = ~(below | bit(square)) & line & occupied
    nearest_below = bit(msb((below & line & occupied) | U64(1)))
    return (above ^ (above - nearest_below)) & line & ~bit(square)


def bishop_attacks(square: int, occupied: U64) -> U64:
    return attacks_along(diagonal_of(square), square, occupied) | attacks_along(
        antidiagonal_of(square), square, occupied
    )


def rook_attacks(square: int, occupied: U64) -> U64:
    return attacks_along(file_of(square), square, occupied) | attacks_along(rank_of(square), square, occupied)


# -- many pieces at once -------------------------------------------------------------------------------


def knight_attacks(knights: U64) -> U64:
    beside = ((knights >> 1) & NOT_H) | ((knights << 1) & NOT_A)
    further = ((knights >> 2) & NOT_GH) | ((knights << 2) & NOT_AB)
    return (beside << 16) | (beside >> 16) | (further << 8) | (further >> 8)


def king_attacks(kings: U64) -> U64:
    row = kings | ((kings >> 1) & NOT_H) | ((kings << 1) & NOT_A)
    return (row ^ kings) | (row << 8) | (row >> 8)


def pawn_attacks(pawns: U64, player: int) -> U64:
    """The squares that pawns of White (0) or Black (1) attack."""
    beside = ((pawns & NOT_A) >> 1) | ((pawns & NOT_H) << 1)
    return beside << 8 if player == 0 else beside >> 8


def rays_up(pieces: U64, empty: U64, step: int, board: U64) -> U64:
    """The squares that pieces attack in one direction towards higher squares, the first piece included.

    `board` leaves out the file that the direction cannot lead to. Rays double in length with each line.
    """
    free = empty & board
    pieces |= free & (pieces << step)
    free &= free << step
    pieces |= free & (pieces << (2 * step))
    free &= free << (2 * step)
    pieces |= free & (pieces << (4 * step))
    return (pieces << step) & board


def rays_down(pieces: U64, empty: U64, step: int, board: U64) -> U64:
    """The same towards lower squares."""
    free = empty & board
    pieces |= free & (pieces >> step)
    free &= free >> step
    pieces |= free & (pieces >> (2 * step))
    free &= free >> (2 * step)
    pieces |= free & (pieces >> (4 * step))
    return (pieces >> step) & board


def diagonal_rays(pieces: U64, empty: U64) -> U64:
    """The squares that bishops and queens attack."""
    return (
        rays_up(pieces, empty, 9, NOT_A)
        | rays_up(pieces, empty, 7, NOT_H)
        | rays_down(pieces, empty, 9, NOT_H)
        | rays_down(pieces, empty, 7, NOT_A)
    )


def straight_rays(pieces: U64, empty: U64) -> U64:
    """The squares that rooks and queens attack."""
    return (
        rays_up(pieces, empty, 8, EVERYWHERE)
        | rays_up(pieces, empty, 1, NOT_A)
        | rays_down(pieces, empty, 8, EVERYWHERE)
        | rays_down(pieces, empty, 1, NOT_H)
    )


def count_jumps(knights: U64, squares: U64) -> int:
    """The number of knight moves onto some squares."""
    total = popcount((knights << 17) & NOT_A & squares) + popcount((knights << 15) & NOT_H & squares)
    total += popcount((knights >> 15) & NOT_A & squares) + popcount((knights >> 17) & NOT_H & squares)
    total += popcount((knights << 10) & NOT_AB & squares) + popcount((knights << 6) & NOT_GH & squares)
    total += popcount((knights >> 6) & NOT_AB & squares) + popcount((knights >> 10) & NOT_GH & squares)
    return total
