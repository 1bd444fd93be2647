"""Tables of square roots and logarithms of visits for UCB1, which needs them for every child.

A count below 256 has an entry of its own. Larger ones share theirs with their neighbours, 128 to every power of two:
what is looked up is right to one part in 500, as it only says how much to explore. Means are always exact.
"""

from __future__ import annotations

import math
from functools import cache

from zermelo.kernel import Memory, load_real, number, store_real, word_of
from zermelo.search.mcts.workspace import INVERSE_SQRTS, MCTS_CELLS, POWERS, SHARED_BITS, SQRT_LOGS

MANTISSA_BITS, EXPONENT_BIAS = 52, 1023
"""Of a floating-point number."""


def entry(count: int) -> int:
    """Where to look for a count from 1 on: the first bits of its exponent and mantissa."""
    return number(word_of(float(count)) >> (MANTISSA_BITS - SHARED_BITS)) - (EXPONENT_BIAS << SHARED_BITS)


def sqrt_log(visits: int, memory: int) -> float:
    """The square root of the logarithm of a node's visits."""
    return load_real(memory, SQRT_LOGS + entry(visits))


def inverse_sqrt(visits: int, memory: int) -> float:
    """One over the square root of a child's visits and of those that are imagined."""
    return load_real(memory, INVERSE_SQRTS + entry(visits))


@cache
def ucb_tables(imagined: float) -> Memory:
    """A workspace that holds only these tables; `imagined` visits are added to those of a child."""
    workspace = Memory(MCTS_CELLS)
    for power in range(POWERS):
        for step in range(1 << SHARED_BITS):
            low, high = ((1 << power) * (1 + part / (1 << SHARED_BITS)) for part in (step, step + 1))
            count = low if high - low <= 1 else (low + high) / 2
            place = power << SHARED_BITS | step
            store_real(workspace.address, SQRT_LOGS + place, math.sqrt(math.log(count)))
            store_real(workspace.address, INVERSE_SQRTS + place, 1 / math.sqrt(count + imagined))
    return workspace
