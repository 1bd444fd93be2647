"""Risk: certainty equivalents, risk premiums and attitudes to risk.

certainty equivalent     the sure amount that is as good as the lottery
risk premium             expected value minus certainty equivalent: what an insurer can earn
averse, neutral, prone   the expected value for sure is better than, as good as, worse than the lottery
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Literal, TypeAlias

from zermelo.choice.lottery import Prospect, as_lottery
from zermelo.choice.preference import ByUtility
from zermelo.choice.utility import Number, Utility, expected_utility, expected_value, utility_of
from zermelo.core.errors import UsageError

Attitude: TypeAlias = Literal["averse", "neutral", "prone"]

_GRID = 64


def certainty_equivalent(prospect: Prospect, utility: Utility) -> Number:
    """The sure amount with the utility of the lottery, for any continuous utility.

    Exact if it is the expected value itself. If a utility that rises and falls has several such amounts, it is one of
    them.
    """
    mean, worth = expected_value(prospect), expected_utility(prospect, utility)
    amounts = sorted(as_lottery(prospect).chances, key=lambda amount: utility_of(amount, utility))
    low, high = amounts[0], amounts[-1]
    if low != high and utility_of(low, utility) == utility_of(high, utility):
        raise UsageError(f"the utility does not distinguish {low} from {high}, so no one amount is worth the lottery")
    if utility_of(mean, utility) == worth:
        return mean
    return _crossing(float(low), float(high), worth, utility)  # type: ignore[arg-type]  # expected_value saw numbers


def risk_premium(prospect: Prospect, utility: Utility) -> Number:
    """The mean amount that a person would pay to get the certainty equivalent instead of the lottery.

    Also called the insurance premium. Negative for the risk-prone. If less is better, as with minutes, the signs are
    exchanged.
    """
    return expected_value(prospect) - certainty_equivalent(prospect, utility)


def attitude_to(prospect: Prospect, utility: Utility) -> Attitude:
    """The attitude to this lottery; neutral if nothing is at risk."""
    sign = ByUtility(utility).compare(prospect, expected_value(prospect))
    return {"<": "averse", "~": "neutral", ">": "prone"}[sign]  # type: ignore[return-value]


def attitude_over(low: Number, high: Number, utility: Utility) -> Attitude | Literal["mixed"]:
    """The attitude to all lotteries over amounts from `low` to `high`: averse where the curve is concave.

    Tested at 65 points; curvature between two of them is not detected.
    """
    if not -math.inf < low < high < math.inf:
        raise UsageError(f"{low} to {high} is not an interval of amounts; give the lower end first")
    first, last = (Fraction(end) for end in (low, high))
    amounts = [first + (last - first) * step / _GRID for step in range(_GRID + 1)]
    values = [utility_of(amount, utility) for amount in amounts]
    bends = [before - 2 * here + after for before, here, after in zip(values, values[1:], values[2:], strict=False)]
    noise = _noise(first, last, values)
    is_concave, is_convex = any(bend < -noise for bend in bends), any(bend > noise for bend in bends)
    if is_concave and is_convex:
        return "mixed"
    return "averse" if is_concave else "prone" if is_convex else "neutral"


def _crossing(below: float, above: float, worth: Number, utility: Utility) -> float:
    """An amount with utility `worth`, between one with less (or as much) and one with more; either may be larger."""
    while True:
        middle = below + (above - below) / 2
        if middle in (below, above):
            return middle
        if utility_of(middle, utility) < worth:
            below = middle
        else:
            above = middle


def _noise(low: Fraction, high: Fraction, values: list[Number]) -> float:
    """The apparent curvature of a straight line due to rounding of floats; 0 for rational values."""
    if all(isinstance(value, Fraction) for value in values):
        return 0.0
    rise = float(max(values) - min(values)) * float(max(abs(low), abs(high)) / (high - low))
    return 8 * sys.float_info.epsilon * (max(abs(float(value)) for value in values) + rise)
