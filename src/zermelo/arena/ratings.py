"""The Elo difference of two players, with its confidence interval.

The Elo difference d of a player who scores s is 400 log10(s / (1 - s)). Games of a pair share their opening and their
dice, so they are not independent; pairs are. The error comes from the variance of the five possible scores of a pair
(0, ½, 1, 1½, 2: "pentanomial"), carried over to Elo by the slope of that curve. One imaginary pair, spread
evenly over the five scores, joins the sample: ten equal pairs do not prove that no other score can occur.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Rating:
    """The first player's strength over the second's."""

    elo: float
    """The difference; if every game had the same winner, the bound that holds with 95 % confidence."""
    error: float | None
    """Half of the 95 % interval; None if `elo` is only a bound."""
    superiority: float
    """The likelihood that the first player is the stronger one."""

    @property
    def is_bound(self) -> bool:
        return self.error is None


def elo(score: float) -> float:
    """The Elo difference that explains a score between 0 and 1."""
    return 400 * math.log10(score / (1 - score))


def rating(points: Sequence[float]) -> Rating:
    """The rating from the first player's points (0, ½ or 1) in each game; the games of a pair are adjacent."""
    if not points:
        raise ValueError("a rating needs a game")
    score = sum(points) / len(points)
    deviation = _deviation(points)
    superiority = (1 + math.erf((score - 0.5) / deviation / math.sqrt(2))) / 2
    if score in (0, 1):
        # The score that would still win every game one time in twenty.
        least = 0.05 ** (1 / len(points))
        return Rating(elo(least) if score == 1 else -elo(least), None, superiority)
    slope = 400 / math.log(10) / (score * (1 - score))
    return Rating(elo(score), Z95 * deviation * slope, superiority)


def _deviation(points: Sequence[float]) -> float:
    """The standard deviation of the mean score."""
    pairs = [(points[i] + points[i + 1]) / 2 for i in range(0, len(points) - 1, 2)]
    sample = [*pairs, *([points[-1]] if not pairs else [])]
    mean = sum(sample) / len(sample)
    squares = sum((pair - mean) ** 2 for pair in sample)
    imaginary = sum((pair - mean) ** 2 for pair in PAIR_SCORES) / len(PAIR_SCORES)
    return math.sqrt((squares + imaginary) / (len(sample) + 1) / len(sample))


def mean_error(values: Sequence[float], together: int) -> float | None:
    """Half of the 95 % interval of the mean, if only groups of `together` adjacent values are independent.

    None if there are fewer than two such groups.
    """
    groups = [sum(values[i : i + together]) / together for i in range(0, len(values) - together + 1, together)]
    if len(groups) < 2:
        return None
    mean = sum(groups) / len(groups)
    variance = sum((group - mean) ** 2 for group in groups) / (len(groups) - 1)
    return Z95 * math.sqrt(variance / len(groups))
