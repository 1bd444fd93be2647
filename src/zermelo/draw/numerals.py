"""Values as text for all figures: values with their kinds, windows, probabilities, counts."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.core.analysis import Kind
from zermelo.core.numerals import number_text

SIGNS: dict[Kind, str] = {"exact": "", "lower": "≥ ", "upper": "≤ ", "estimate": "~ "}


def value_text(value: float | tuple[float, ...] | None, kind: Kind = "exact") -> str:
    """`3`, `≥ 5`, `≤ 2`, `~ 0.3`, `(5, 2, 5)`; `?` for none."""
    if value is None:
        return "?"
    if not isinstance(value, tuple):
        return SIGNS[kind] + number_text(value)
    if len(value) == 1:
        return SIGNS[kind] + number_text(value[0])
    return f"{SIGNS[kind]}({', '.join(map(number_text, value))})"


def window_text(window: tuple[float, float]) -> str:
    """`[−∞, 3]`: alpha and beta."""
    return f"[{number_text(window[0])}, {number_text(window[1])}]"


def chance_text(probability: float) -> str:
    """A probability: `0.25` if that is exact, `1/3` if it is a small fraction, else three decimals."""
    fraction = Fraction(probability).limit_denominator(36)
    if float(f"{probability:.3f}") != probability and math.isclose(fraction, probability, rel_tol=1e-9):
        return str(fraction)
    return number_text(float(probability))


def count_text(count: int) -> str:
    """`1,234`."""
    return f"{count:,}"


def count_noun(count: int, one: str, many: str) -> str:
    """`1 node`, `1,234 nodes`."""
    return f"{count_text(count)} {one if count == 1 else many}"


def share_text(share: float, exact: Fraction | None = None) -> str:
    """`1/3` if it is proved, `33.3 %` if not."""
    if exact is not None and exact.denominator < 100:
        return str(exact)
    percent = f"{100 * share:.1f}".removesuffix(".0")
    return f"{percent} %" if percent not in ("0", "100") or share in (0, 1) else f"~{percent} %"
