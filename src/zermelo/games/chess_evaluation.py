"""Who stands better in a chess position, as the lectures have it: a sum of features, each with its weight.

    Material    the pieces alone: pawn 1, knight 3, bishop 3 1/4, rook 5, queen 9
    Tapered     pieces, where they stand, how far they reach, pawns, kings: every weight is a pair, one for the
                middlegame and one for the endgame, and the pieces that are left tell where between them it lies

Both tell by how many pawns White is ahead. Features count squares of boards; nothing looks a square up in a table.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.chess_attacks import (
    EVERYWHERE,
    NOT_A,
    NOT_AB,
    NOT_GH,
    NOT_H,
    RANK_1,
    king_attacks,
    knight_attacks,
    rays_down,
    rays_up,
)
from zermelo.games.chess_position import BLACK, WHITE, Position, occupied_by, side_to_move
from zermelo.kernel import U64, Static, bit, bswap, drop, lsb, popcount, state

LIGHT_SQUARES = U64(0x55AA55AA55AA55AA)
INNER_36 = U64(0x007E7E7E7E7E7E00)
INNER_16 = U64(0x00003C3C3C3C0000)
INNER_4 = U64(0x0000001818000000)
OUTPOSTS = U64(0x0000FFFFFF000000)
WINGS = U64(0xE7E7E7E7E7E7E7E7)
HALF = 1 << 31
FULL_BOARD = 24
"""The phase of the starting position: 1 for each knight and bishop, 2 for each rook, 4 for each queen."""


def weight(middlegame: int, endgame: int) -> int:
    """Two weights, in hundredths of a pawn, in one number; sums and multiples of such pairs are pairs again."""
    return middlegame + (endgame << 32)


def middlegame_of(pair: int) -> int:
    return ((pair + HALF) & 0xFFFFFFFF) - HALF


def endgame_of(pair: int) -> int:
    return (pair - middlegame_of(pair)) >> 32


class Material(Static):
    """The lectures' evaluation."""

    def lead(self, state: Position) -> float:
        """By how many pawns White is ahead."""
        return material(state, state.white) - material(state, ~state.white)


def material(state: Position, side: U64) -> float:
    """The value of one side's pieces, in pawns."""
    queens = state.diagonal & state.straight & side
    return (
        1.0 * popcount(state.pawns & side)
        + 3.0 * popcount(state.knights & side)
        + 3.25 * popcount(state.diagonal & side & ~queens)
        + 5.0 * popcount(state.straight & side & ~queens)
        + 9.0 * popcount(queens)
    )


@state
class Weights(NamedTuple):
    pawn: int = weight(80, 100)
    knight: int = weight(320, 300)
    bishop: int = weight(330, 320)
    rook: int = weight(460, 520)
    queen: int = weight(950, 950)
    bishop_pair: int = weight(25, 50)
    doubled: int = weight(-8, -18)
    isolated: int = weight(-10, -12)
    backward: int = weight(-6, -6)
    supported: int = weight(8, 6)
    centre_pawn: int = weight(15, 0)
    pawn_rank_4: int = weight(2, 2)
    pawn_rank_5: int = weight(5, 10)
    pawn_rank_6: int = weight(8, 20)
    passed_rank_4: int = weight(5, 20)
    passed_rank_5: int = weight(15, 40)
    passed_rank_6: int = weight(30, 80)
    passed_rank_7: int = weight(60, 140)
    passed_blocked: int = weight(-8, -20)
    passed_own_king: int = weight(0, -4)
    passed_their_king: int = weight(0, 7)
    knight_inner_36: int = weight(10, 8)
    knight_inner_16: int = weight(8, 6)
    knight_inner_4: int = weight(4, 4)
    knight_outpost: int = weight(18, 10)
    knight_reach: int = weight(4, 3)
    bishop_inner_36: int = weight(4, 2)
    bishop_inner_16: int = weight(4, 2)
    bishop_bad: int = weight(-2, -3)
    diagonal_reach: int = weight(4, 3)
    rook_open: int = weight(25, 10)
    rook_half_open: int = weight(12, 6)
    rook_seventh: int = weight(10, 20)
    straight_reach: int = weight(2, 4)
    queen_inner_16: int = weight(0, 8)
    king_home: int = weight(20, -10)
    king_wing: int = weight(15, 0)
    king_inner_36: int = weight(-10, 12)
    king_inner_16: int = weight(-10, 10)
    shield_near: int = weight(12, 0)
    shield_far: int = weight(6, 0)
    king_open_file: int = weight(-15, 0)
    storm: int = weight(-5, 0)
    king_hits: int = weight(4, 0)
    king_danger: int = weight(4, 0)
    checks: int = weight(8, 2)
    pawn_threat: int = weight(40, 30)
    minor_threat: int = weight(25, 20)
    loose: int = weight(15, 15)
    centre_hits: int = weight(2, 1)
    turn: int = weight(12, 10)


class Tapered(Static):
    """A weighted sum of features, between middlegame and endgame."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = Weights() if weights is None else weights

    def lead(self, state: Position) -> float:
        """By how many pawns White is ahead."""
        pair = self.weights.turn if side_to_move(state) == WHITE else -self.weights.turn
        for player in range(2):
            pair += self.side(state, player) if player == WHITE else -self.side(state, player)
        queens = state.diagonal & state.straight
        phase = popcount(state.knights) + popcount(state.diagonal) + 2 * popcount(state.straight) + popcount(queens)
        phase = min(phase, FULL_BOARD)
        middlegame, endgame = middlegame_of(pair), endgame_of(pair)
        return (middlegame * phase + endgame * (FULL_BOARD - phase)) / (100.0 * FULL_BOARD)

    def side(self, state: Position, player: int) -> int:
        """All features of one side, which is turned so that it plays up the board."""
        w = self.weights
        everybody = occupied_by(state)
        white = state.white
        if player == BLACK:
            everybody, white = bswap(everybody), bswap(everybody ^ state.white)
        pawns, knights, diagonal, straight, kings = turned(state, player)
        own, others = white, everybody ^ white
        # pawns
        mine, theirs = pawns & own, pawns & others
        mine_beside = beside(mine)
        attacked_by_pawns = mine_beside << 8
        their_pawn_attacks = beside(theirs) >> 8
        files = filled_up(mine) | filled_down(mine)
        their_span = filled_down((theirs | beside(theirs)) >> 8)
        front = filled_down(mine >> 8)
        passed = mine & ~their_span & ~front
        total = w.pawn * popcount(mine)
        total += w.doubled * popcount(mine & front)
        total += w.isolated * popcount(mine & ~beside(files))
        support = filled_up(attacked_by_pawns | mine_beside)
        total += w.backward * popcount((mine << 8) & their_pawn_attacks & ~(support << 8) & ~everybody)
        total += w.supported * popcount(mine & (attacked_by_pawns | mine_beside))
        total += w.centre_pawn * popcount(mine & INNER_4)
        total += w.pawn_rank_4 * popcount(mine & (RANK_1 << 24))
        total += w.pawn_rank_5 * popcount(mine & (RANK_1 << 32))
        total += w.pawn_rank_6 * popcount(mine & (RANK_1 << 40))
        own_king, their_king = lsb(kings & own), lsb(kings & others)
        if passed:
            total += w.passed_rank_4 * popcount(passed & (RANK_1 << 24))
            total += w.passed_rank_5 * popcount(passed & (RANK_1 << 32))
            total += w.passed_rank_6 * popcount(passed & (RANK_1 << 40))
            total += w.passed_rank_7 * popcount(passed & (RANK_1 << 48))
            total += w.passed_blocked * popcount((passed << 8) & others)
            runners = passed & ~(RANK_1 << 8 | RANK_1 << 16)
            while runners:
                stop = lsb(runners) + 8
                rank = (stop >> 3) - 3
                total += rank * w.passed_own_king * distance(own_king, stop)
                total += rank * w.passed_their_king * distance(their_king, stop)
                runners = drop(runners)
        # knights and bishops
        queens = diagonal & straight & own
        area = ~(own | their_pawn_attacks)
        king_zone = king_attacks(bit(their_king)) | bit(their_king)
        king_zone |= king_zone >> 8
        knight = knights & own
        outposts = OUTPOSTS & attacked_by_pawns & ~filled_down(their_pawn_attacks)
        total += w.knight * popcount(knight)
        total += w.knight_inner_36 * popcount(knight & INNER_36)
        total += w.knight_inner_16 * popcount(knight & INNER_16)
        total += w.knight_inner_4 * popcount(knight & INNER_4)
        total += w.knight_outpost * popcount(knight & outposts)
        up_right, up_left = (knight << 17) & NOT_A, (knight << 15) & NOT_H
        down_right, down_left = (knight >> 15) & NOT_A, (knight >> 17) & NOT_H
        right_up, left_up = (knight << 10) & NOT_AB, (knight << 6) & NOT_GH
        right_down, left_down = (knight >> 6) & NOT_AB, (knight >> 10) & NOT_GH
        knight_reach = popcount(up_right & area) + popcount(up_left & area)
        knight_reach += popcount(down_right & area) + popcount(down_left & area)
        knight_reach += popcount(right_up & area) + popcount(left_up & area)
        knight_reach += popcount(right_down & area) + popcount(left_down & area)
        knight_hits = up_right | up_left | down_right | down_left | right_up | left_up | right_down | left_down
        total += w.knight_reach * knight_reach
        bishops = diagonal & own & ~queens
        light, dark = bishops & LIGHT_SQUARES, bishops & ~LIGHT_SQUARES
        total += w.bishop * popcount(bishops)
        total += w.bishop_inner_36 * popcount(bishops & INNER_36)
        total += w.bishop_inner_16 * popcount(bishops & INNER_16)
        total += w.bishop_pair if light and dark else 0
        total += w.bishop_bad * (popcount(light) * popcount(mine & LIGHT_SQUARES))
        total += w.bishop_bad * (popcount(dark) * popcount(mine & ~LIGHT_SQUARES))
        # lines
        empty = ~everybody
        sliders = diagonal & own
        one, two = rays_up(sliders, empty, 9, NOT_A), rays_up(sliders, empty, 7, NOT_H)
        three, four = rays_down(sliders, empty, 9, NOT_H), rays_down(sliders, empty, 7, NOT_A)
        diagonal_hits = one | two | three | four
        reach = popcount(one & area) + popcount(two & area) + popcount(three & area) + popcount(four & area)
        hits = popcount(one & king_zone) + popcount(two & king_zone) + popcount(three & king_zone)
        hits += popcount(four & king_zone) + popcount(knight_hits & king_zone)
        total += w.diagonal_reach * reach
        rooks = straight & own & ~queens
        total += w.rook * popcount(rooks)
        total += w.rook_open * popcount(rooks & ~(files | filled_up(theirs) | filled_down(theirs)))
        total += w.rook_half_open * popcount(rooks & ~files)
        total += w.rook_seventh * popcount(rooks & (RANK_1 << 48))
        sliders = straight & own
        one, two = rays_up(sliders, empty, 8, EVERYWHERE), rays_up(sliders, empty, 1, NOT_A)
        three, four = rays_down(sliders, empty, 8, EVERYWHERE), rays_down(sliders, empty, 1, NOT_H)
        straight_hits = one | two | three | four
        reach = popcount(one & area) + popcount(two & area) + popcount(three & area) + popcount(four & area)
        hits += popcount(one & king_zone) + popcount(two & king_zone) + popcount(three & king_zone)
        hits += popcount(four & king_zone)
        total += w.straight_reach * reach
        total += w.queen * popcount(queens)
        total += w.queen_inner_16 * popcount(queens & INNER_16)
        # kings
        king = kings & own
        row = king | beside(king)
        king_files = filled_up(row) | filled_down(row)
        total += w.king_home if king & RANK_1 else 0
        total += w.king_wing if king & WINGS else 0
        total += w.king_inner_36 * popcount(king & INNER_36)
        total += w.king_inner_16 * popcount(king & INNER_16)
        total += w.shield_near * popcount((row << 8) & mine)
        total += w.shield_far * popcount((row << 16) & mine)
        total += w.king_open_file * popcount(king_files & ~files & RANK_1)
        total += w.storm * popcount(king_files & theirs & U64(0xFFFFFFFF))
        # attacks
        total += w.king_hits * hits
        total += w.king_danger * (hits * hits if queens else hits * hits // 4)
        attacked = attacked_by_pawns | knight_hits | diagonal_hits | straight_hits
        checks = (knight_attacks(kings & others) & knight_hits) & area
        total += w.checks * popcount(checks)
        pieces = others & ~(pawns | kings)
        total += w.pawn_threat * popcount(attacked_by_pawns & pieces)
        total += w.minor_threat * popcount((knight_hits | diagonal_hits) & straight & others)
        total += w.loose * popcount(attacked & pieces & ~their_pawn_attacks)
        total += w.centre_hits * popcount(attacked & INNER_16)
        return total


def turned(state: Position, player: int) -> tuple[U64, U64, U64, U64, U64]:
    """The boards of the pieces as the player sees them, who plays up the board."""
    if player == WHITE:
        return state.pawns, state.knights, state.diagonal, state.straight, state.kings
    return (
        bswap(state.pawns),
        bswap(state.knights),
        bswap(state.diagonal),
        bswap(state.straight),
        bswap(state.kings),
    )


def beside(squares: U64) -> U64:
    """The squares to the left and to the right."""
    return ((squares >> 1) & NOT_H) | ((squares << 1) & NOT_A)


def filled_up(squares: U64) -> U64:
    """The squares and all above them."""
    squares |= squares << 8
    squares |= squares << 16
    return squares | squares << 32


def filled_down(squares: U64) -> U64:
    """The squares and all below them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def distance(square: int, other: int) -> int:
    """How many moves a king needs from one square to another."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))
