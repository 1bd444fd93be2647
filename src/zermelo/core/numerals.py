"""How numbers are written: for the eye, and exactly."""

from __future__ import annotations

import math
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction

ROUNDING = 1e-30
"""Smaller numbers than this are meant; larger ones near 0 may come from rounding and are shown as 0."""


def number_text(number: float) -> str:
    """`1`, `0.5`, `0.333`, `−∞`: three decimals, or six where three would make it look whole; `1e−300`, `1e+300`."""
    if math.isnan(number):
        return "?"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number == int(number) and abs(number) < 1e16:
        text = str(int(number))
    elif abs(number) >= 1e6 or 0 < abs(number) < ROUNDING:
        text = f"{number:.7g}"
    else:
        decimals = 3 if float(f"{number:.3f}") % 1 else 6
        text = f"{number:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def error_text(error: float) -> str:
    """`1.2e-12`: two digits, rounded up."""
    rounded = Decimal(error).normalize(Context(prec=2, rounding=ROUND_UP))
    return f"{rounded:e}"


def exact_text(number: Fraction) -> str:
    """The shortest exact spelling in plain characters: `3`, `-0.5`, `1/3`."""
    if number.denominator == 1:
        return str(number.numerator)
    decimal = repr(float(number))
    return decimal if Fraction(decimal) == number else f"{number.numerator}/{number.denominator}"
