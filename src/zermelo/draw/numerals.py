"""How numbers are written in every figure: values with what they prove, windows, chances, counts."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.core.analysis import Kind

SIGNS: dict[Kind, str] = {"exact": "", "lower": "≥ ", "upper": "≤ ", "estimate": "~ "}


def number_text(number: float) -> str:
    """`1`, `0.5`, `0.333`, `−∞`: three decimals, or six where three would make it look whole."""
    if math.isnan(number):
        return "?"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number == int(number):
        text = str(int(number))
    elif abs(number) >= 1e6:
        text = f"{number:.7g}"
    else:
        decimals = 3 if float(f"{number:.3f}") % 1 else 6
        text = f"{number:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


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
