"""The transformations of a utility that leave all choices unchanged.

Among sure things every increasing one does: only the order counts. Among lotteries only V = aU + b with a > 0
does: the order of lotteries determines the utility up to zero point and unit.   [von Neumann & Morgenstern 1944]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from zermelo.choice.lottery import Outcome, Prospect, mix
from zermelo.choice.preference import ByUtility
from zermelo.choice.utility import Number, Utility, utility_of


def disagreement(prospects: Iterable[Prospect], one: Utility, other: Utility) -> tuple[Prospect, Prospect] | None:
    """The first two prospects that the utilities order differently; None if they agree on all."""
    mine, theirs = ByUtility(one), ByUtility(other)
    pairs = combinations(prospects, 2)
    return next((pair for pair in pairs if mine.compare(*pair) != theirs.compare(*pair)), None)


def deciding_choice(outcomes: Sequence[Outcome], one: Utility, other: Utility) -> tuple[Prospect, Prospect] | None:
    """A choice among lotteries over these outcomes that the utilities decide differently.

    A sure thing against another, or against a lottery between the best and the worst. None proves that one utility
    is a positive affine transformation of the other (to rounding, if they are floats).
    """
    ranking = sorted(outcomes, key=lambda outcome: utility_of(outcome, one))
    on_sure_things = disagreement(ranking, one, other)
    if on_sure_things or not ranking:
        return on_sure_things
    worst, best = ranking[0], ranking[-1]
    if ByUtility(one).compare(worst, best) == "~":
        return None
    for outcome in ranking:
        heights = [_height(outcome, worst, best, utility) for utility in (one, other)]
        choice = (outcome, mix(_between(min(heights), max(heights)), best, worst))
        if disagreement(choice, one, other):
            return choice
    return None


def _height(outcome: Outcome, worst: Outcome, best: Outcome, utility: Utility) -> Number:
    """The utility on the scale from 0 for the worst to 1 for the best outcome."""
    bottom, top, here = (utility_of(known, utility) for known in (worst, best, outcome))
    return min(max((here - bottom) / (top - bottom), 0), 1)


def _between(low: Number, high: Number) -> Fraction:
    """A number strictly between the two, if they differ, with as few digits as possible."""
    middle = (Fraction(low) + Fraction(high)) / 2
    roundings = (middle.limit_denominator(10**digits) for digits in range(1, 16))
    return next((rounded for rounded in roundings if low < rounded < high), middle)
