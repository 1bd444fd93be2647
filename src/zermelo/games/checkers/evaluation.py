"""The evaluation of checkers: a weighted sum of features.

    Material    the lectures' four features: twice the kings plus the men, mine minus yours
    Features    men and kings, where they stand, where they can safely go, and who has the move; every weight is a
                pair, one for the full board and one for the endgame, interpolated by the pieces that are left

Both return the lead of Black, in men.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.checkers.board import BLACK, BOARD, WHITE, Position, beside, in_reach, squares
from zermelo.kernel import U64, Static, popcount, state

ROW = U64(0b1111)
CENTRE = squares(10, 11, 14, 15, 18, 19, 22, 23)
RIM = squares(1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32)
DOUBLE_CORNERS = squares(1, 5, 28, 32)
BRIDGES = (squares(1, 3), squares(30, 32))
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
        """Black's lead in men; a king counts as two."""
        lead = popcount(state.black) - popcount(state.white)
        return 1.0 * (lead + popcount(state.black & state.kings) - popcount(state.white & state.kings))


@state
class Weights(NamedTuple):
    man: int = weight(95, 97)
    king: int = weight(140, 132)
    home: int = weight(23, 1)
    row_2: int = weight(16, -1)
    row_3: int = weight(2, 0)
    row_4: int = weight(-3, 5)
    row_5: int = weight(-1, 3)
    row_6: int = weight(-13, 9)
    row_7: int = weight(-3, 10)
    bridge: int = weight(-3, 32)
    centre_man: int = weight(-5, -4)
    backed: int = weight(4, -2)
    man_moves: int = weight(5, 3)
    man_stuck: int = weight(-5, 1)
    king_centre: int = weight(12, 0)
    king_rim: int = weight(3, -6)
    king_moves: int = weight(14, -3)
    king_trapped: int = weight(-12, -9)
    far: int = weight(-12, -2)
    refuge: int = weight(-1, -13)
    hanging: int = weight(-29, -16)
    turn: int = weight(0, 3)


class Features(Static):
    """A weighted sum of features, between the full board and the endgame."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = Weights() if weights is None else weights

    def lead(self, state: Position) -> float:
        """Black's lead in men."""
        pair = self.side(state, BLACK) - self.side(state, WHITE) + self.hunt(state)
        pair += self.weights.turn if state.player == BLACK else -self.weights.turn
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
            bridge = BRIDGES[player]
            total += w.bridge if own & bridge == bridge else w.bridge * 0
        total += w.centre_man * popcount(men & CENTRE)
        left, right = beside(men, onward), beside(men, onward + 1)
        total += w.backed * (popcount(beside(own, onward) & men) + popcount(beside(own, onward + 1) & men))
        total += w.man_moves * (popcount(left & safe) + popcount(right & safe))
        open_ahead = beside(free, onward ^ 2) | beside(free, (onward + 1) ^ 2)
        total += w.man_stuck * popcount(men & ~open_ahead)
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

    def hunt(self, state: Position) -> int:
        """The distance of the stronger side's kings from the weaker side's, which hide in double corners."""
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
