"""Tables of square roots and logarithms of visits for UCB1, which needs them for every child.

A count below 256 has its own entry. Larger counts share entries, 128 for every power of two, so that the relative error
of a table value is at most 1/500. Only the exploration term uses the tables; means are exact.
"""

from __future__ import annotations

import math
from functools import cache

from zermelo.kernel import Reals, Record, array, number, word_of

POWERS, SHARED_BITS = 48, 7
ENTRIES = POWERS << SHARED_BITS
MANTISSA_BITS, EXPONENT_BIAS = 52, 1023
"""The layout of a floating-point number."""


class UcbTables(Record):
    sqrt_logs: Reals = array(Reals, ENTRIES)
    inverse_sqrts: Reals = array(Reals, ENTRIES)

    def sqrt_log(self, visits: int) -> float:
        """The square root of the logarithm of a node's visits."""
        return self.sqrt_logs[entry(visits)]

    def inverse_sqrt(self, visits: int) -> float:
        """One over the square root of a child's visits plus the imagined ones."""
        return self.inverse_sqrts[entry(visits)]


def entry(count: int) -> int:
    """The entry of a count from 1 on: the first bits of its exponent and mantissa."""
    return number(word_of(float(count)) >> (MANTISSA_BITS - SHARED_BITS)) - (EXPONENT_BIAS << SHARED_BITS)


@cache
def ucb_tables(imagined: float) -> UcbTables:
    """The tables for a search that adds `imagined` visits to those of a child."""
    tables = UcbTables.allocate()
    for power in range(POWERS):
        for step in range(1 << SHARED_BITS):
            low, high = ((1 << power) * (1 + part / (1 << SHARED_BITS)) for part in (step, step + 1))
            count = low if high - low <= 1 else (low + high) / 2
            place = power << SHARED_BITS | step
            tables.sqrt_logs[place] = math.sqrt(math.log(count))
            tables.inverse_sqrts[place] = 1 / math.sqrt(count + imagined)
    return tables
