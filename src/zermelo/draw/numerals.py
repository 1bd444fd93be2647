"""How values are written in every figure: with what they prove, windows, chances, counts."""

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
    """`0.25` where that is all of it, `1/3` where a small fraction is, else three decimals."""
    fraction = Fraction(probability).limit_denominator(36)
    if float(f"{probability:.3f}") != probability and math.isclose(fraction, probability, rel_tol=1e-9):
        return str(fraction)
    return number_text(probability)


def count_text(count: int) -> str:
    """`1,234`."""
    return f"{count:,}"


def count_noun(count: int, one: str, many: str) -> str:
    """`1 node`, `1,234 nodes`."""
    return f"{count_text(count)} {one if count == 1 else many}"
