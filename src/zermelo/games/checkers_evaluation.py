"""Who stands better in checkers: a sum of features, each with its weight.

    Material    the lectures' four features: twice the kings plus the men, mine minus yours
    Features    men and kings, where they stand, where they can safely go, and who has the move; every weight is a
                pair, one for the full board and one for the endgame, and the pieces that are left tell where between

Both tell by how much Black is ahead, in men.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.checkers_board import BLACK, BOARD, Position, beside, in_reach, squares
from zermelo.kernel import U64, Static, popcount, state

ROW = U64(0b1111)
EVEN_ROWS = squares(*range(1, 5), *range(9, 13), *range(17, 21), *range(25, 29))
EDGES = squares(4, 5, 12, 13, 20, 21, 28, 29)
CENTRE = squares(10, 11, 14, 15, 18, 19, 22, 23)
RIM = EDGES | squares(1, 2, 3, 30, 31, 32)
DOUBLE_CORNERS = squares(1, 5, 28, 32)
BRIDGES = (squares(1, 3), squares(30, 32))
CORNERS = (squares(1, 5), squares(28, 32))
ALL_PIECES = 24
FEW_PIECES = 6
HUNT_PIECES = 10
HALF = 1 << 31


def weight(full: int, few: int) -> int:
    """Two weights, in hundredths of a man, in one number; sums and multiples of such pairs are pairs again."""
    return full + (few << 32)


def first_of(pair: int) -> int:
    return ((pair + HALF) & 0xFFFFFFFF) - HALF


def second_of(pair: int) -> int:
    return (pair - first_of(pair)) >> 32


class Material(Static):
    """The lectures' evaluation."""

    def lead(self, state: Position) -> float:
        """By how many men Black is ahead; a king counts as two."""
        lead = popcount(state.black) - popcount(state.white)
        return 1.0 * (lead + popcount(state.black & state.kings) - popcount(state.white & state.kings))


@state
class Weights(NamedTuple):
    man: int = weight(100, 120)
    king: int = weight(130, 160)
    home: int = weight(8, 0)
    row_2: int = weight(0, 0)
    row_3: int = weight(1, 2)
    row_4: int = weight(2, 4)
    row_5: int = weight(3, 8)
    row_6: int = weight(5, 14)
    row_7: int = weight(8, 22)
    bridge: int = weight(6, 0)
    corner: int = weight(4, 0)
    centre_man: int = weight(4, 2)
    edge_man: int = weight(-2, -2)
    backed: int = weight(3, 3)
    runner: int = weight(10, 25)
    man_moves: int = weight(1, 2)
    man_stuck: int = weight(-2, -4)
    king_centre: int = weight(5, 8)
    king_rim: int = weight(-5, -8)
    king_moves: int = weight(3, 4)
    king_trapped: int = weight(-15, -15)
    far: int = weight(0, -4)
    refuge: int = weight(0, -10)
    hanging: int = weight(-15, -15)
    turn: int = weight(2, 3)
    the_move: int = weight(2, 5)


class Features(Static):
    """A weighted sum of features, between the full board and the endgame."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = Weights() if weights is None else weights

    def lead(self, state: Position) -> float:
        """By how many men Black is ahead."""
        pair = self.side(state, BLACK) - self.side(state, 1) + self.turn(state) + self.hunt(state)
        pieces = popcount(state.black | state.white)
        many = max(0, pieces - FEW_PIECES)
        most = ALL_PIECES - FEW_PIECES
        return (first_of(pair) * many + second_of(pair) * (most - many)) / (100.0 * most)

    def side(self, state: Position, player: int) -> int:
        """The features of one side."""
        w = self.weights
        own, theirs = (state.black, state.white) if player == BLACK else (state.white, state.black)
        men, kings, their_kings = own & ~state.kings, own & state.kings, theirs & state.kings
        free = BOARD & ~(own | theirs)
        onward = 0 if player == BLACK else 2
        # Squares where a piece of mine could be jumped; the one that it comes from counts as taken.
        danger = in_reach(theirs, their_kings, free) if player != BLACK else in_reach(their_kings, theirs, free)
        safe = free & ~danger
        total = w.man * popcount(men) + w.king * popcount(kings)
        total += w.hanging * popcount(own & danger)
        # men
        total += w.home * popcount(men & row(player, 0))
        total += w.row_2 * popcount(men & row(player, 1))
        total += w.row_3 * popcount(men & row(player, 2))
        total += w.row_4 * popcount(men & row(player, 3))
        total += w.row_5 * popcount(men & row(player, 4))
        total += w.row_6 * popcount(men & row(player, 5))
        total += w.row_7 * popcount(men & row(player, 6))
        if theirs & ~state.kings:
            bridge, corner = BRIDGES[player], CORNERS[player]
            total += w.bridge if own & bridge == bridge else w.bridge * 0
            total += w.corner if own & corner == corner else w.corner * 0
        total += w.centre_man * popcount(men & CENTRE)
        total += w.edge_man * popcount(men & EDGES)
        left, right = beside(men, onward), beside(men, onward + 1)
        total += w.backed * (popcount(beside(own, onward) & men) + popcount(beside(own, onward + 1) & men))
        total += w.man_moves * (popcount(left & safe) + popcount(right & safe))
        open_ahead = beside(free, onward ^ 2) | beside(free, (onward + 1) ^ 2)
        total += w.man_stuck * popcount(men & ~open_ahead)
        total += w.runner * popcount(men & ~behind(theirs, onward ^ 2))
        # kings
        if kings:
            around = beside(safe, 0) | beside(safe, 1) | beside(safe, 2) | beside(safe, 3)
            total += w.king_centre * popcount(kings & CENTRE)
            total += w.king_rim * popcount(kings & RIM)
            moves = popcount(beside(kings, 0) & safe) + popcount(beside(kings, 1) & safe)
            moves += popcount(beside(kings, 2) & safe) + popcount(beside(kings, 3) & safe)
            total += w.king_moves * moves
            total += w.king_trapped * popcount(kings & ~around)
        return total

    def turn(self, state: Position) -> int:
        """What it is worth to be to move; and, with as many pieces, to have the move, to come face to face."""
        w = self.weights
        total = w.turn
        if popcount(state.black) == popcount(state.white):
            system = EVEN_ROWS if state.player == BLACK else BOARD ^ EVEN_ROWS
            total += w.the_move if popcount((state.black | state.white) & system) & 1 else -w.the_move
        return total if state.player == BLACK else -total

    def hunt(self, state: Position) -> int:
        """How far the kings of the side with more pieces are from those of the other, which hide in double corners."""
        w = self.weights
        black, white = popcount(state.black), popcount(state.white)
        if black == white or black + white > HUNT_PIECES:
            return w.far * 0
        hunters, hunted = (state.black, state.white) if black > white else (state.white, state.black)
        hunters, hunted = hunters & state.kings, hunted & state.kings
        if not hunters or not hunted:
            return w.far * 0
        total = w.refuge * popcount(hunted & DOUBLE_CORNERS)
        for _ in range(7):
            hunted |= beside(hunted, 0) | beside(hunted, 1) | beside(hunted, 2) | beside(hunted, 3)
            hunted &= BOARD
            total += w.far * popcount(hunters & ~hunted)
        return total if black > white else -total


def row(player: int, number: int) -> U64:
    """A row, counted from the player's own first."""
    index = number if player == BLACK else 7 - number
    return ROW << (4 * index + index // 2)


def behind(pieces: U64, way: int) -> U64:
    """The squares from which one can come to one of the pieces by steps the other way, `way ^ 2` or `way ^ 3`."""
    for _ in range(6):
        pieces |= (beside(pieces, way) | beside(pieces, way ^ 1)) & BOARD
    return pieces
