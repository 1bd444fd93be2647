"""Numbers as text: rounded for display, or exact and read back."""

from __future__ import annotations

import math
import re
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction

from zermelo.core.errors import UsageError

ROUNDING = 1e-30
"""Numbers between this and 5e-7 may come from rounding and are shown as 0; smaller ones are shown."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?(?:/\d+)?"
"""Whole, decimal, or a fraction; a longer exponent could fill the memory."""
MOST = 10**300


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


def number_of(text: str) -> Fraction:
    """The exact number: whole, decimal, or a fraction."""
    if not re.fullmatch(NUMBER, text) or len(text) > 400:
        raise UsageError(f"{text[:40]!r} is not a number; write 3, -0.5 or 1/3")
    whole, _, divisor = text.partition("/")
    if divisor and int(divisor) == 0:
        raise UsageError(f"{text!r} divides by zero")
    found = Fraction(whole) / int(divisor or 1)
    if abs(found) > MOST:
        raise UsageError(f"{text[:40]!r} is too large; a number here has at most 300 digits")
    return found
