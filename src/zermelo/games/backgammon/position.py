"""A position of backgammon, seen by the side that decides or rolls next."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.backgammon.board import Side
from zermelo.kernel import state

WHITE, BLACK = 0, 1
OPENING, ROLLING, PLAYING, DOUBLING, OFFERED, OVER = range(6)
"""Each side rolls a die to begin; the dice are in the air; they lie on the board; one may double before the roll; a
double is offered; the game, or the match, is over, and the side to move has lost it."""
NEITHER = 2
"""Owns the cube in the middle."""
MOST_CUBE = 6
"""The cube goes to 64, which is 2 to this power."""


@state
class Position(NamedTuple):
    mine: Side
    theirs: Side
    turn: int
    """The player to move, the phase, and the dice, the larger number first."""
    stakes: int
    """The cube, its owner, whether this is the Crawford game, and the score of the match."""


# -- the turn: player | phase << 1 | larger << 4 | smaller << 7 ---------------------------------------------


def turn_of(player: int, phase: int, high: int = 0, low: int = 0) -> int:
    return player | phase << 1 | high << 4 | low << 7


def player_of(state: Position) -> int:
    return state.turn & 1


def phase_of(state: Position) -> int:
    return state.turn >> 1 & 7


def larger_of(state: Position) -> int:
    return state.turn >> 4 & 7


def smaller_of(state: Position) -> int:
    return state.turn >> 7 & 7


# -- the stakes: cube | owner << 3 | is Crawford << 5 | White's points << 8 | Black's points << 16 ------------


def stakes_of(cube: int, owner: int, is_crawford: bool = False, white: int = 0, black: int = 0) -> int:
    return cube | owner << 3 | int(is_crawford) << 5 | white << 8 | black << 16


CENTRED = NEITHER << 3
"""A cube of 1 in the middle, and no score."""


def cube_of(state: Position) -> int:
    """The number of times that the cube was turned; it shows 2 to this power."""
    return state.stakes & 7


def owner_in(stakes: int) -> int:
    """The owner of the cube."""
    return stakes >> 3 & 3


def owner_of(state: Position) -> int:
    return owner_in(state.stakes)


def is_crawford(state: Position) -> bool:
    return bool(state.stakes >> 5 & 1)


def points_in(stakes: int, player: int) -> int:
    """The points of a player in the match so far."""
    return stakes >> (8 + 8 * player) & 255


def points_of(state: Position, player: int) -> int:
    return points_in(state.stakes, player)


def may_double(player: int, stakes: int) -> bool:
    """Whether a player may turn the cube, if there is one: its owner, or both if it has none.

    Not in the Crawford game, the first after a side has come within a point of winning the match.
    """
    is_free = stakes & 7 < MOST_CUBE and stakes >> 5 & 1 == 0
    return is_free and (owner_in(stakes) == NEITHER or owner_in(stakes) == player)
