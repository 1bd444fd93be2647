"""A chess position as one side sees it, playing up the board, and ways to count squares on such a board."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.chess.attacks import NOT_A, NOT_H, RANK_1, diagonal_rays, knight_attacks, pawn_attacks, straight_rays
from zermelo.games.chess.position import BLACK, CORNERS, WHITE, Position, occupied_by
from zermelo.kernel import U64, bswap, state


@state
class Sight(NamedTuple):
    """The squares that one side's pieces attack, without its king."""

    by_pawns: U64
    by_knights: U64
    by_bishops: U64
    by_rooks: U64
    by_queens: U64


@state
class View(NamedTuple):
    own: U64
    others: U64
    pawns: U64
    """Of both sides; so are the next three."""
    knights: U64
    straight: U64
    kings: U64
    bishops: U64
    """The viewer's; so are the next three."""
    rooks: U64
    queens: U64
    castling: U64
    by_knights: U64
    """The squares that the viewer's knights attack; the next three are similar."""
    by_bishops: U64
    by_rooks: U64
    by_queens: U64
    by_others: U64
    """The squares that the other side's pieces and pawns attack, without its king."""


def sight_of(state: Position, own: U64) -> Sight:
    """The squares that some pieces of one side attack."""
    empty = ~occupied_by(state)
    queens = state.diagonal & state.straight & own
    return Sight(
        pawn_attacks(state.pawns & own, WHITE if own == state.white else BLACK),
        knight_attacks(state.knights & own),
        diagonal_rays(state.diagonal & own & ~queens, empty),
        straight_rays(state.straight & own & ~queens, empty),
        diagonal_rays(queens, empty) | straight_rays(queens, empty) if queens else U64(0),
    )


def view_for_white(state: Position, white: Sight, black: Sight) -> View:
    own, queens = state.white, state.diagonal & state.straight
    return View(
        own,
        occupied_by(state) ^ own,
        state.pawns,
        state.knights,
        state.straight,
        state.kings,
        state.diagonal & own & ~queens,
        state.straight & own & ~queens,
        queens & own,
        state.rest & CORNERS & RANK_1,
        white.by_knights,
        white.by_bishops,
        white.by_rooks,
        white.by_queens,
        black.by_pawns | black.by_knights | black.by_bishops | black.by_rooks | black.by_queens,
    )


def view_for_black(state: Position, white: Sight, black: Sight) -> View:
    """With the board upside down."""
    own, queens = occupied_by(state) ^ state.white, state.diagonal & state.straight
    return View(
        bswap(own),
        bswap(state.white),
        bswap(state.pawns),
        bswap(state.knights),
        bswap(state.straight),
        bswap(state.kings),
        bswap(state.diagonal & own & ~queens),
        bswap(state.straight & own & ~queens),
        bswap(queens & own),
        bswap(state.rest & CORNERS) & RANK_1,
        bswap(black.by_knights),
        bswap(black.by_bishops),
        bswap(black.by_rooks),
        bswap(black.by_queens),
        bswap(white.by_pawns | white.by_knights | white.by_bishops | white.by_rooks | white.by_queens),
    )


def pawns_attack(view: View) -> U64:
    return beside(view.pawns & view.own) << 8


def pawns_of_others_attack(view: View) -> U64:
    return beside(view.pawns & view.others) >> 8


# -- squares around squares --------------------------------------------------------------------------------------


def beside(squares: U64) -> U64:
    """The squares to the left and to the right."""
    return ((squares >> 1) & NOT_H) | ((squares << 1) & NOT_A)


def fill_up(squares: U64) -> U64:
    """The squares and all above them."""
    squares |= squares << 8
    squares |= squares << 16
    return squares | squares << 32


def fill_down(squares: U64) -> U64:
    """The squares and all below them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def distance(square: int, other: int) -> int:
    """The number of king moves from one square to another."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))
