"""The evaluation of Othello: features, mine minus theirs, with weights that change as the board fills.

    TEMPO        being to move                    STABLE    discs that stay for good
    MOVES        squares to move to               EDGE      discs on the edge, away from its corners
    SPACE        empty squares beside enemies     RING      discs next to the edge
    FRONTIER     discs beside empty squares       MIDDLE    discs farther in
    CORNER       discs in corners                 DISC      all discs
    CROSS        discs diagonally next to an      GRAB      corners to move to
                 empty corner (X squares)
    FLANK        discs straight next to one
                 (C squares)

A weight is a pair, in discs: its values on an empty and on a full board, interpolated by the share of squares that are
taken. They are the least-squares fit to 380,000 positions from 8,300 games of an alpha-beta search of
four plies with itself, which began with 4 to 14 random moves; a position's value is what its game ended with, played
perfectly from twelve empty squares on. The searches used weights found in the same way from earlier games.
"""

from __future__ import annotations

from zermelo.games.othello.board import Board
from zermelo.kernel import U64, popcount

TEMPO = (-5.9, 1.3)
MOVES, SPACE, FRONTIER = (-0.1, 1.7), (0.6, -0.4), (-1.4, -0.8)
CORNER, CROSS, FLANK, GRAB = (16.0, 0.5), (-18.9, 2.9), (-5.8, 0.5), (0.8, 6.9)
STABLE, EDGE, RING, MIDDLE, DISC = (2.1, 0.6), (1.3, -1.0), (-2.5, -0.2), (-0.3, -0.5), (0.3, 0.6)


def estimate(board: Board, mine: U64, theirs: U64, moves: U64) -> float:
    """The expected final margin in discs of the side to move, whose `moves` are given; any number."""
    empty = board.all & ~(mine | theirs)
    taken = 1 - popcount(empty) / board.squares
    answers = board.moves_of(theirs, mine)
    border, open_corners = board.beside(empty), empty & board.corners
    found = weigh(TEMPO, 1, taken) + weigh(MOVES, popcount(moves) - popcount(answers), taken)
    found += weigh(SPACE, popcount(board.beside(theirs) & empty) - popcount(board.beside(mine) & empty), taken)
    found += weigh(FRONTIER, ahead(mine, theirs, border), taken)
    found += weigh(GRAB, popcount(moves & board.corners) - popcount(answers & board.corners), taken)
    if open_corners:
        crosses = board.aslant(open_corners)
        found += weigh(CROSS, ahead(mine, theirs, crosses), taken)
        found += weigh(FLANK, ahead(mine, theirs, board.beside(open_corners) & board.flanks), taken)
    if (mine | theirs) & board.corners:
        lines = board.open_lines(empty)
        stable = popcount(board.stable(mine, lines)) - popcount(board.stable(theirs, lines))
        found += weigh(CORNER, ahead(mine, theirs, board.corners), taken) + weigh(STABLE, stable, taken)
    found += weigh(EDGE, ahead(mine, theirs, board.edges), taken) + weigh(RING, ahead(mine, theirs, board.ring), taken)
    found += weigh(MIDDLE, ahead(mine, theirs, board.middle), taken) + weigh(
        DISC, ahead(mine, theirs, board.all), taken
    )
    return found * board.squares / 64


def ahead(mine: U64, theirs: U64, squares: U64) -> int:
    """My squares minus theirs, among these."""
    return popcount(mine & squares) - popcount(theirs & squares)


def weigh(weight: tuple[float, float], count: int, taken: float) -> float:
    return count * (weight[0] + (weight[1] - weight[0]) * taken)
