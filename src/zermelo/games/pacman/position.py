"""A position of Pac-Man: pellets as bits, and sixteen bits for Pac-Man and for each ghost."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.kernel import U64, number, state

STEP, FOOD, GHOST, WON, CAUGHT = -1, 10, 200, 500, -500
"""The points for a step, a pellet of food, a scared ghost and the end, as in the courses."""
FRIGHT = 40
"""Rounds for which a capsule scares the ghosts."""
MOVER_BITS = 16
MOVER = U64(0xFFFF)
SCARED = 8
ANY_SCARED = U64(0x0008000800080008)


@state
class Position(NamedTuple):
    pellets: tuple[U64, ...]
    """The capsules and food left: a bit for each capsule, then one for each food."""
    pacman: int
    ghosts: U64
    """Sixteen bits for each, the first ghost lowest: square * 16 + SCARED + heading."""
    fright: int
    """Rounds for which scared ghosts stay so, this one included; 0 if no ghost is scared."""
    score: int
    ply: int
    """Turns taken, Pac-Man's and the ghosts'."""
    is_caught: bool


def standing(place: int, heading: int) -> int:
    """Pac-Man or a ghost on a square, with the direction of the last step, or STOP before the first."""
    return place << 4 | heading


def place_of(mover: int) -> int:
    return mover >> 4


def heading_of(mover: int) -> int:
    return mover & 7


def is_scared(mover: int) -> bool:
    return mover & SCARED != 0


def ghost_of(ghosts: U64, index: int) -> int:
    """The ghost of that number, from 0."""
    return number(ghosts >> (MOVER_BITS * index) & MOVER)


def with_ghost(ghosts: U64, index: int, ghost: int) -> U64:
    """The ghosts with one of them changed."""
    shift = MOVER_BITS * index
    return ghosts & ~(MOVER << shift) | U64(ghost) << shift
