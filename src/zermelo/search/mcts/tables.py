"""Square roots and logarithms of visits, looked up: selection needs them for every child it looks at.

A count below 256 has an entry of its own. Larger ones share theirs with their neighbours, 128 to every power of two:
what is looked up is right to one part in 500, as it only says how much to explore. Means are always exact.
"""

from __future__ import annotations

import math
from functools import cache

from zermelo.kernel import Memory, load_real, number, store_real, word_of
from zermelo.search.mcts.desk import MCTS_CELLS, POWERS, SHARED_BITS, SPREADS, WEIGHTS

MANTISSA_BITS, EXPONENT_BIAS = 52, 1023
"""Of a floating-point number."""


def entry(count: int) -> int:
    """Where to look for a count from 1 on: the first bits of its exponent and mantissa."""
    return number(word_of(float(count)) >> (MANTISSA_BITS - SHARED_BITS)) - (EXPONENT_BIAS << SHARED_BITS)


def spread(visits: int, desk: int) -> float:
    """The square root of the logarithm of a node's visits."""
    return load_real(desk, SPREADS + entry(visits))


def weight(visits: int, desk: int) -> float:
    """One over the square root of a child's visits and of those that are imagined."""
    return load_real(desk, WEIGHTS + entry(visits))


@cache
def tables(imagined: float) -> Memory:
    """A desk with nothing on it but the tables; so many visits of a child are imagined."""
    desk = Memory(MCTS_CELLS)
    for power in range(POWERS):
        for step in range(1 << SHARED_BITS):
            low, high = ((1 << power) * (1 + part / (1 << SHARED_BITS)) for part in (step, step + 1))
            count = low if high - low <= 1 else (low + high) / 2
            place = power << SHARED_BITS | step
            store_real(desk.address, SPREADS + place, math.sqrt(math.log(count)))
            store_real(desk.address, WEIGHTS + place, 1 / math.sqrt(count + imagined))
    return desk
