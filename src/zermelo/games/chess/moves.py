"""Legal chess moves, made or only counted, without trying a single one.

One look from the king finds who gives check and who is pinned. That limits where the others may go; every move within
the limits is legal. The one exception is an en passant capture, because it takes two pieces off a rank at once.

A move is from + 64 * to + 4096 * promotion.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games.chess.attacks import (
    BOTH_ENDS,
    EVERYWHERE,
    FILE_A,
    FILE_H,
    NOT_A,
    NOT_H,
    RANK_1,
    RANK_8,
    antidiagonal_of,
    between,
    bishop_attacks,
    count_jumps,
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
from zermelo.games.chess.position import (
    BLACK_TO_MOVE,
    CORNERS,
    EN_PASSANT,
    QUEEN,
    WHITE,
    Position,
    attackers_of,
    is_check,
    king_square,
    occupied_by,
    own_pieces,
    side_to_move,
)
from zermelo.kernel import U64, bit, drop, lsb, popcount, rotl

PUSH, DOUBLE, LEFT, RIGHT = range(4)
"""The four ways a pawn moves: one square, two squares, capturing towards the a-file, towards the h-file."""


def legal_moves(state: Position, within: U64, least: int) -> Iterator[int]:
    """The king's moves, the pieces', the pawns', onto some squares only; promotions and en passant always.

    A pawn becomes a queen or less, down to the kind `least`.

    Loops by hand yield three times as fast as loops over `bits`, and the fewer variables live on after a `yield`,
    the better.
    """
    steps, targets, pinned = limits(state)
    source = king_square(state)
    steps &= within
    while steps:
        yield source | lsb(steps) << 6
        steps = drop(steps)
    pieces = own_pieces(state) & ~(state.pawns | state.kings)
    while pieces:
        source = lsb(pieces)
        pieces = drop(pieces)
        steps = piece_attacks(state, source, pinned) & targets & within
        while steps:
            yield source | lsb(steps) << 6
            steps = drop(steps)
    for way in range(4):
        steps = pawn_moves(state, way, targets, pinned) & (within | BOTH_ENDS)
        back = pawn_step(state, way)
        while steps & ~BOTH_ENDS:
            source = lsb(steps & ~BOTH_ENDS)
            yield (source - back) | source << 6
            steps ^= bit(source)
        promotion = QUEEN
        while steps:
            source = lsb(steps)
            yield (source - back) | source << 6 | promotion << 12
            promotion -= 1
            if promotion < least:
                promotion = QUEEN
                steps = drop(steps)
    if state.rest & EN_PASSANT:
        pieces = en_passant_takers(state)
        while pieces:
            yield lsb(pieces) | lsb(state.rest & EN_PASSANT) << 6
            pieces = drop(pieces)


def has_move(state: Position) -> bool:
    """Whether there is a legal move; the common case comes first: no check, and a pawn that cannot be pinned."""
    if can_push(state) and not is_check(state):
        return True
    steps, targets, pinned = limits(state)
    if steps or pawn_moves(state, PUSH, targets, pinned):
        return True
    return count_within(state, steps, targets, pinned) > 0


def can_push(state: Position) -> bool:
    """A pawn that shares no line with its king has room."""
    king, forward = king_square(state), 56 if state.rest & BLACK_TO_MOVE else 8
    lines = file_of(king) | rank_of(king) | diagonal_of(king) | antidiagonal_of(king)
    return bool(rotl(state.pawns & own_pieces(state) & ~lines, forward) & ~occupied_by(state))


def count_moves(state: Position) -> int:
    """The number of legal moves."""
    steps, targets, pinned = limits(state)
    return count_within(state, steps, targets, pinned)


def count_within(state: Position, steps: U64, targets: U64, pinned: U64) -> int:
    """The number of moves within the limits.

    Rays of different pieces in one direction never overlap, so that their squares can be counted together.
    """
    mine = own_pieces(state)
    empty, king = ~occupied_by(state), lsb(state.kings & mine)
    total = popcount(steps)
    total += count_jumps(state.knights & mine & ~pinned, targets)
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
        arrivals = pawn_moves(state, way, targets, pinned)
        total += popcount(arrivals) + 3 * popcount(arrivals & BOTH_ENDS)
    if state.rest & EN_PASSANT:
        total += popcount(en_passant_takers(state))
    return total


# -- what limits the moves -----------------------------------------------------------------------------


def limits(state: Position) -> tuple[U64, U64, U64]:
    """The squares for the king, the squares for other pieces, and the pieces that are pinned."""
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


def piece_attacks(state: Position, square: int, pinned: U64) -> U64:
    """The squares that a knight, bishop, rook or queen attacks, without leaving the line of a pin."""
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


def pawn_step(state: Position, way: int) -> int:
    """The distance from a pawn's square to its target."""
    if state.rest & BLACK_TO_MOVE:
        return -8 if way == PUSH else -16 if way == DOUBLE else -9 if way == LEFT else -7
    return 8 if way == PUSH else 16 if way == DOUBLE else 7 if way == LEFT else 9


def pawn_moves(state: Position, way: int, targets: U64, pinned: U64) -> U64:
    """The targets of pawns that move in one of the four ways; en passant captures are separate.

    A rotation is a shift by a number that may be negative: nothing comes round, because no pawn stands on an end.
    """
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
    rises = (way == LEFT) == is_black  # from left to right, for both sides
    pawns &= ~pinned | (diagonal_of(king) if rises else antidiagonal_of(king))
    pawns &= NOT_A if way == LEFT else NOT_H
    return rotl(pawns, pawn_step(state, way) & 63) & targets & occupied & ~mine


def en_passant_takers(state: Position) -> U64:
    """The pawns that may capture en passant."""
    side = side_to_move(state)
    en_passant = state.rest & EN_PASSANT
    captured = en_passant >> 8 if side == WHITE else en_passant << 8
    mine = own_pieces(state)
    king, found = lsb(state.kings & mine), U64(0)
    candidates = pawn_attacks(en_passant, 1 - side) & state.pawns & mine
    while candidates:
        taker = candidates & -candidates
        after = occupied_by(state) ^ taker ^ captured ^ en_passant
        if not attackers_of(state, king, after) & ~(mine | captured):
            found |= taker
        candidates ^= taker
    return found
