"""The evaluation of a chess position, as in the lectures: a weighted sum of features.

    Material    the pieces alone: pawn 1, knight 3, bishop 3 1/4, rook 5, queen 9
    Tapered     pieces, where they stand, how far they reach, pawns, kings, threats: every weight is a pair, one for the
                middlegame and one for the endgame, interpolated by the pieces that are left

Both return the lead of White, in pawns.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.chess.attacks import RANK_1, bishop_attacks, king_attacks, rook_attacks
from zermelo.games.chess.exchange import piece_value
from zermelo.games.chess.position import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Position,
    side_to_move,
)
from zermelo.games.chess.view import (
    View,
    beside,
    distance,
    fill_down,
    fill_up,
    pawns_attack,
    pawns_of_others_attack,
    sight_of,
    view_for_black,
    view_for_white,
)
from zermelo.games.chess.weights import Weights, endgame_of, middlegame_of, places
from zermelo.kernel import U64, Static, drop, lsb, popcount

LIGHT_SQUARES = U64(0x55AA55AA55AA55AA)
OUTPOSTS = U64(0x0000FFFFFF000000)
RANKS_5_TO_7 = U64(0x00FFFFFF00000000)
FULL_BOARD = 24
"""The phase of the starting position: 1 for each knight and bishop, 2 for each rook, 4 for each queen."""
PASSED = 6
"""A passed pawn counts as a pawn and as a piece of this kind besides."""
FAR = 5
"""Kings that are further away than this are all the same."""


class Material(Static):
    """The lectures' evaluation."""

    def lead(self, state: Position) -> float:
        """White's lead in pawns."""
        return (popcount(state.pawns & state.white) - popcount(state.pawns & ~state.white)) + (
            pieces_worth(state, state.white) - pieces_worth(state, ~state.white)
        ) / 4.0


def pieces_worth(state: Position, side: U64) -> int:
    """The value of one side's knights, bishops, rooks and queens, in quarters of a pawn."""
    queens = state.diagonal & state.straight & side
    return (
        piece_value(KNIGHT) * popcount(state.knights & side)
        + piece_value(BISHOP) * popcount(state.diagonal & side & ~queens)
        + piece_value(ROOK) * popcount(state.straight & side & ~queens)
        + piece_value(QUEEN) * popcount(queens)
    )


class Tapered(Static):
    """A weighted sum of features, between middlegame and endgame."""

    def __init__(self) -> None:
        self.weights = Weights()

    @property
    def table(self) -> Any:
        """Made when a position is judged, so that a list of games does not wait for numpy."""
        return places()

    def lead(self, state: Position) -> float:
        """White's lead in pawns."""
        pair = 0
        white, black = sight_of(state, state.white), sight_of(state, ~state.white)
        kings = state.kings
        while kings:  # of each side in turn
            is_white = bool(kings & -kings & state.white)
            found = self.side(
                view_for_white(state, white, black) if is_white else view_for_black(state, white, black),
                is_white == (side_to_move(state) == WHITE),
            )
            pair += found if is_white else -found
            kings = drop(kings)
        queens = state.diagonal & state.straight
        phase = popcount(state.knights) + popcount(state.diagonal) + 2 * popcount(state.straight) + popcount(queens)
        phase = min(phase, FULL_BOARD)
        total = middlegame_of(pair) * phase + endgame_of(pair) * (FULL_BOARD - phase)
        return hopes(state, total > 0) * total / (100.0 * FULL_BOARD)

    def side(self, view: View, is_turn: bool) -> int:
        """All features of one side."""
        total = self.pieces(view) + self.company(view) + self.pawns(view) + self.passed_pawns(view)
        total += self.files(view) + self.reach(view) + self.attack(view) + self.threats(view, is_turn)
        return total + self.weights.turn if is_turn else total

    def pieces(self, view: View) -> int:
        """The value of the pieces on their squares."""
        total = self.placement_value(view.pawns & view.own, PAWN) + self.placement_value(
            view.knights & view.own, KNIGHT
        )
        total += self.placement_value(view.bishops, BISHOP) + self.placement_value(view.rooks, ROOK)
        return total + self.placement_value(view.queens, QUEEN) + self.placement_value(view.kings & view.own, KING)

    def placement_value(self, pieces: U64, kind: int) -> int:
        total = 0
        while pieces:
            total += int(self.table[64 * kind + lsb(pieces)])
            pieces = drop(pieces)
        return total

    def company(self, view: View) -> int:
        """Bonuses for the bishop pair, for knights with many pawns, and for both behind pawns."""
        w, mine = self.weights, view.pawns & view.own
        knights, bishops = view.knights & view.own, view.bishops
        total = w.knight_and_pawns * (popcount(knights) * (popcount(mine) - 5))
        total += w.bishop_pair if bishops & LIGHT_SQUARES and bishops & ~LIGHT_SQUARES else 0
        total += w.behind_pawn * popcount(((knights | bishops) << 8) & view.pawns)
        holes = OUTPOSTS & pawns_attack(view) & ~fill_down(pawns_of_others_attack(view))
        total += w.outpost * popcount((knights | bishops) & holes)
        return total

    def pawns(self, view: View) -> int:
        """Penalties for doubled and isolated pawns, bonuses for protected and adjacent ones."""
        w, mine = self.weights, view.pawns & view.own
        total = w.doubled * popcount(mine & fill_down(mine >> 8))
        total += w.isolated * popcount(mine & ~beside(fill_up(mine) | fill_down(mine)))
        total += w.protected * popcount(mine & pawns_attack(view))
        total += w.abreast * popcount(mine & beside(mine))
        return total

    def passed_pawns(self, view: View) -> int:
        """No pawn of the others can stop them: the nearer to the end, the better, above all with the king's help."""
        w, mine, theirs = self.weights, view.pawns & view.own, view.pawns & view.others
        passed = mine & ~fill_down((theirs | beside(theirs) | mine) >> 8)
        total = 0
        if passed:
            total += w.passed_helped * popcount(passed & (pawns_attack(view) | beside(mine)))
            total += w.passed_blocked * popcount((passed << 8) & view.others)
            total += w.rook_behind * popcount(view.rooks & fill_down(passed >> 8))
            total += w.passed_open * popcount(passed & RANKS_5_TO_7 & ~fill_down((view.others | view.by_others) >> 8))
            own_king, their_king = lsb(view.kings & view.own), lsb(view.kings & view.others)
            total += self.placement_value(passed, PASSED)
            while passed:
                square = lsb(passed)
                height = max(0, (square >> 3) - 2)
                total += w.passed_own_king * (height * min(FAR, distance(own_king, square + 8)))
                total += w.passed_their_king * (height * min(FAR, distance(their_king, square + 8)))
                passed = drop(passed)
        return total

    def files(self, view: View) -> int:
        """Open files are good for rooks and bad for a king beside them, who may still castle away."""
        w, king = self.weights, view.kings & view.own
        mine, theirs = view.pawns & view.own, view.pawns & view.others
        closed = fill_up(mine) | fill_down(mine)
        total = w.rook_half_open * popcount(view.rooks & ~closed)
        total += w.rook_open * popcount(view.rooks & ~(closed | fill_up(theirs) | fill_down(theirs)))
        total += w.king_open_file * popcount(fill_down(king | beside(king)) & ~closed & RANK_1)
        total += w.may_castle * popcount(view.castling)
        return total

    def reach(self, view: View) -> int:
        """Mobility: the number of squares that the pieces attack and no enemy pawn does."""
        w, free = self.weights, ~(pawns_of_others_attack(view) | view.own & (view.pawns | view.kings))
        total = w.knight_reach * popcount(view.by_knights & free)
        total += w.bishop_reach * popcount(view.by_bishops & free)
        total += w.rook_reach * popcount(view.by_rooks & free)
        total += w.queen_reach * popcount(view.by_queens & free)
        return total

    def attack(self, view: View) -> int:
        """Hits on the squares around the other king, two of which are more than twice one, and safe checks."""
        w, king = self.weights, view.kings & view.others
        around = king_attacks(king) | king
        around = (around | around >> 8) & ~pawns_of_others_attack(view)
        safe, occupied = ~(view.own | view.by_others), view.own | view.others
        files_and_ranks = rook_attacks(lsb(king), occupied)
        bishops, rooks = popcount(view.by_bishops & around), popcount(view.by_rooks & around)
        total = w.bishop_hits * bishops
        total += w.rook_checks * popcount(view.by_rooks & files_and_ranks & safe)
        if view.queens:
            queens = popcount(view.by_queens & around)
            hits = queens + bishops + rooks + popcount(view.by_knights & around)
            total += w.queen_hits * queens + w.all_hits * (hits * hits)
            lines = files_and_ranks | bishop_attacks(lsb(king), occupied)
            total += w.queen_checks * popcount(view.by_queens & lines & safe)
        return total

    def threats(self, view: View, is_turn: bool) -> int:
        """Pieces that are attacked by less valuable ones, or by anything and not defended."""
        w, own_king = self.weights, king_attacks(view.kings & view.own)
        minors = view.by_knights | view.by_bishops
        everything = pawns_attack(view) | minors | view.by_rooks | view.by_queens
        pieces = view.others & ~(view.pawns | view.kings)
        loose = ~(view.by_others | king_attacks(view.kings & view.others))
        advance = ((view.pawns & view.own) << 8) & ~(view.own | view.others | pawns_of_others_attack(view))
        total = w.pawn_threat * popcount(pawns_attack(view) & pieces)
        total += w.advance_threat * popcount((beside(advance) << 8) & pieces)
        total += w.minor_heavy * popcount(minors & pieces & view.straight)
        total += w.minor_minor * popcount(minors & pieces & ~(view.straight | pawns_of_others_attack(view)))
        total += w.king_threat * popcount(own_king & pieces & loose)
        total += w.loose_pawn * popcount((everything | own_king) & view.pawns & view.others & loose)
        hanging = popcount(everything & pieces & loose)
        total += w.loose_piece * hanging
        return total + w.loose_piece_now * hanging if is_turn else total


def hopes(state: Position, is_white: bool) -> float:
    """The share of a lead that counts: little if the leader has no pawns and is less than a rook ahead."""
    ahead = state.white if is_white else ~state.white
    if not state.pawns & ahead and pieces_worth(state, ahead) - pieces_worth(state, ~ahead) <= piece_value(BISHOP):
        return 0.125
    bishops = state.diagonal & ~state.straight
    is_even = popcount(bishops & state.white) == popcount(bishops & ~state.white) == 1
    is_opposite = is_even and popcount(bishops & LIGHT_SQUARES) == 1
    return 0.5 if is_opposite and not state.knights | state.straight else 1.0
