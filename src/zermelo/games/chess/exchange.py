"""Static exchange evaluation (SEE): the value of a capture if both sides continue to capture on that square.

They capture with the cheapest piece first, and either side may stop. Pins, checks and promotions on the way
are ignored; a king does not capture what is defended. Values are in quarters of a pawn, so that they are whole numbers.
"""

from __future__ import annotations

from zermelo.games.chess.attacks import bishop_attacks, rook_attacks
from zermelo.games.chess.position import (
    EN_PASSANT,
    PAWN,
    Position,
    attackers_of,
    kind_on,
    occupied_by,
    own_pieces,
    side_to_move,
)
from zermelo.kernel import U64, bit, lsb, number

QUARTERS = 4
PIECE_VALUES = U64(0x00_24_14_0D_0C_04)
"""One byte for each kind, from the pawn's: 1, 3, 3 1/4, 5, 9 and the king's 0, times four."""
MOST = 1 << 20


def piece_value(kind: int) -> int:
    """The value of a piece, in quarters of a pawn."""
    return number((PIECE_VALUES >> (8 * kind)) & U64(255))


def prize(state: Position, action: int) -> int:
    """The immediate gain of a move: the captured piece, and the promotion."""
    target = bit((action >> 6) & 63)
    won = 0
    if occupied_by(state) & target:
        won = piece_value(kind_on(state, (action >> 6) & 63))
    elif target & state.rest & EN_PASSANT and bit(action & 63) & state.pawns:
        won = piece_value(PAWN)
    return won + piece_value(action >> 12) - piece_value(PAWN) if action >> 12 else won


def exchange_value(state: Position, action: int) -> int:
    """Static exchange evaluation of a move for the mover, in quarters of a pawn.

    After each capture the balance is an offer to stop. The mover's offers only raise `least`, the opponent's only lower
    `most`; when they meet, nothing further on can matter.
    """
    square = (action >> 6) & 63
    kind = action >> 12 if action >> 12 else kind_on(state, action & 63)
    occupied = (occupied_by(state) & ~bit(action & 63)) | bit(square)
    if bit(square) & state.rest & EN_PASSANT and kind == PAWN:
        occupied ^= bit(square) >> 8 if side_to_move(state) == 0 else bit(square) << 8
    own = own_pieces(state)
    attackers = attackers_of(state, square, occupied) & occupied
    balance = prize(state, action)
    least, most = -MOST, MOST
    is_opponent = True
    while True:
        if is_opponent:
            if balance <= least:
                return least
            most = min(most, balance)
        else:
            if balance >= most:
                return most
            least = max(least, balance)
        side = attackers & (~own if is_opponent else own)
        if not side or (side == side & state.kings and attackers & ~side):
            return most if is_opponent else least
        balance += -piece_value(kind) if is_opponent else piece_value(kind)
        taker = cheapest(state, side)
        kind = kind_on(state, lsb(taker))
        occupied ^= taker
        lines = (rook_attacks(square, occupied) & state.straight) | (bishop_attacks(square, occupied) & state.diagonal)
        attackers = (attackers | lines) & occupied
        is_opponent = not is_opponent


def cheapest(state: Position, pieces: U64) -> U64:
    """One of the least valuable among some pieces."""
    found = pieces & state.kings
    found = pieces & state.straight & state.diagonal if pieces & state.straight & state.diagonal else found
    found = pieces & state.straight & ~state.diagonal if pieces & state.straight & ~state.diagonal else found
    found = pieces & state.diagonal & ~state.straight if pieces & state.diagonal & ~state.straight else found
    found = pieces & state.knights if pieces & state.knights else found
    found = pieces & state.pawns if pieces & state.pawns else found
    return found & -found
