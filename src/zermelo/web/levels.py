"""Levels of strength from 1 to 8: how deep an agent searches, and how often it plays a random move."""

from __future__ import annotations

import random
from dataclasses import dataclass

from zermelo.core.limit import Limit


@dataclass(frozen=True)
class Level:
    """The settings of a level."""

    name: str
    limit: Limit
    random_move_share: float = 0.0
    """The share of moves that are random."""
    simulations: int | None = None
    """The limit, instead of a depth, if the algorithm is Monte Carlo tree search."""


LEVELS = (
    Level("first steps", Limit(depth=1), 0.5, 30),
    Level("beginner", Limit(depth=1), 0.25, 100),
    Level("casual", Limit(depth=2), 0.1, 300),
    Level("thoughtful", Limit(depth=3), simulations=1000),
    Level("steady", Limit(time=0.3)),
    Level("strong", Limit(time=1.0)),
    Level("very strong", Limit(time=3.0)),
    Level("patient", Limit(time=10.0)),
)
HIGHEST_LEVEL = len(LEVELS)
USUAL_LEVEL = 5


def level(number: int) -> Level:
    return LEVELS[number - 1]


def plays_random_move(number: int, seed: str) -> bool:
    """Whether an agent of this level plays a random move now; the same seed gives the same answer."""
    return random.Random(seed).random() < level(number).random_move_share
