"""Lotteries: outcomes with probabilities.

    [1/2, $0; 1/2, $1000]                     an even chance of nothing or a thousand
    [1/4, A; 3/4, [1/3, B; 2/3, C]]           a compound lottery: one of its outcomes is a lottery

A prospect is a lottery or a sure outcome. Probabilities are exact fractions, so equality is exact.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from numbers import Rational
from types import MappingProxyType
from typing import TypeAlias

from zermelo.core.errors import UsageError

Outcome: TypeAlias = Hashable
"""An outcome: an amount of money, a name, a state of a game."""
Prospect: TypeAlias = Hashable
"""A lottery, or a sure outcome."""

_FLOAT_SLACK = Fraction(1, 10**9)
_DEEPEST_TEXT = 50


class Lottery:
    """Outcomes with their probabilities: `Lottery(("1/2", 0), ("1/2", 1000))`.

    A probability is a Fraction, an int, a text such as `"1/3"` or `"0.25"`, or a float, which means the decimal
    it prints. Probabilities sum to 1: exactly, or to nine decimals where floats are among them, which are then
    scaled. Two lotteries are equal when they have the same branches, in any order; reduce them to ask whether they
    give the same chances.
    """

    __slots__ = ("_branches", "_chances", "_hash")

    def __init__(self, *branches: tuple[Fraction | int | float | str, Prospect]) -> None:
        if not branches:
            raise UsageError("a lottery has at least one outcome, such as Lottery((1, 'A'))")
        for branch in branches:
            if not isinstance(branch, tuple | list) or len(branch) != 2:
                raise UsageError(f"a lottery is made of (probability, outcome) pairs, and {branch!r} is not one")
        chances = [probability(chance) for chance, _ in branches]
        total = sum(chances, Fraction(0))
        if total != 1:
            has_float = any(isinstance(chance, float) for chance, _ in branches)
            if not has_float or abs(total - 1) > _FLOAT_SLACK:
                addition = " + ".join(map(_exact_text, chances))
                raise UsageError(f"the probabilities of a lottery sum to 1, but {addition} = {_exact_text(total)}")
            chances = [chance / total for chance in chances]
        self._branches = tuple(zip(chances, (outcome for _, outcome in branches), strict=True))
        self._chances = _reduced_chances(self._branches)
        self._hash = hash(frozenset(self._branches))

    @classmethod
    def parse(cls, text: str) -> Lottery:
        """The lottery written `[1/2, A; 1/2, [0.3, B; 0.7, $20]]`; amounts may carry a dollar sign."""
        found = parse_prospect(text)
        if not isinstance(found, Lottery):
            raise UsageError(f"{text!r} is not a lottery; write [1/2, A; 1/2, B]")
        return found

    @property
    def branches(self) -> tuple[tuple[Fraction, Prospect], ...]:
        """The (probability, outcome) pairs as given; an outcome may be a lottery."""
        return self._branches

    @property
    def chances(self) -> Mapping[Outcome, Fraction]:
        """The final outcomes with their probabilities, without impossible ones."""
        return MappingProxyType(self._chances)

    def reduced(self) -> Lottery:
        """The simple lottery with the same probabilities: not nested, every outcome once, none impossible."""
        return Lottery(*((chance, outcome) for outcome, chance in self._chances.items()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lottery):
            return NotImplemented
        return self._hash == other._hash and Counter(self._branches) == Counter(other._branches)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Lottery({', '.join(repr((str(chance), outcome)) for chance, outcome in self._branches)})"

    def __str__(self) -> str:
        return "[" + "; ".join(f"{_exact_text(chance)}, {outcome}" for chance, outcome in self._branches) + "]"


def mix(chance: Fraction | int | float | str, first: Prospect, second: Prospect) -> Lottery:
    """The lottery `[p, first; 1-p, second]`."""
    share = probability(chance)
    return Lottery((share, first), (1 - share, second))


def as_lottery(prospect: Prospect) -> Lottery:
    """The prospect as a lottery; a sure outcome has probability 1."""
    return prospect if isinstance(prospect, Lottery) else Lottery((1, prospect))


def simplest(prospect: Prospect) -> Prospect:
    """The reduced lottery, or the outcome if only one is possible."""
    lottery = as_lottery(prospect).reduced()
    return next(iter(lottery.chances)) if len(lottery.chances) == 1 else lottery


def probability(given: Fraction | int | float | str) -> Fraction:
    """The given probability as an exact fraction."""
    found: Fraction | None = None
    if isinstance(given, Rational):
        found = Fraction(given)
    elif isinstance(given, float) and math.isfinite(given):
        found = Fraction(repr(float(given)))
    elif isinstance(given, str):
        found = parse_number(given)
    if found is None:
        raise UsageError(f"{_clip(given)} is not a probability; write a number from 0 to 1, such as 1/4 or 0.25")
    if not 0 <= found <= 1:
        raise UsageError(f"{_clip(given)} is not a probability; it must lie between 0 and 1")
    return found


# -- text ------------------------------------------------------------------------------------------


def parse_prospect(text: str, depth: int = 0) -> Prospect:
    """A lottery in brackets, an amount such as `$500` or `1/2`, or a name."""
    text = text.strip()
    if depth > _DEEPEST_TEXT:
        raise UsageError(f"lotteries in a text may be nested {_DEEPEST_TEXT} deep at most")
    if not text.startswith("["):
        return _parse_outcome(text)
    branches = _split_outside_brackets(text[1:-1]) if text.endswith("]") else None
    if branches is None:
        raise UsageError(f"the brackets of {text!r} do not match; write [1/2, A; 1/2, B]")
    pairs = [branch.partition(",") for branch in branches]
    if not all(comma for _, comma, _ in pairs):
        raise UsageError(
            f"{text!r} is not a lottery; each part is a probability, a comma and an outcome: [1/2, A; 1/2, B]"
        )
    return Lottery(*((chance, parse_prospect(outcome, depth + 1)) for chance, _, outcome in pairs))


def _parse_outcome(text: str) -> Outcome:
    amount = parse_number(text.replace("$", "", 1))
    if amount is not None:
        return amount.numerator if amount.denominator == 1 else amount
    if not text or set(text) & set("[];,<>=~≻≺∼"):
        raise UsageError(f"{text!r} is not an outcome; write a name without [ ] ; , < > = ~ or an amount such as $500")
    return text


def _split_outside_brackets(text: str) -> list[str] | None:
    """The parts between semicolons that stand outside brackets; None if brackets do not match."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if depth < 0:
            return None
        if letter == ";" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts if depth == 0 else None


def parse_number(text: str) -> Fraction | None:
    """The number written `3`, `-1/4` or `0.25`, else None; no exponents, whose value could fill the memory."""
    if not re.fullmatch(r"-?(\d+/\d+|\d+\.?\d*|\.\d+)", text.strip(), re.ASCII):
        return None
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):  # more digits than Python converts, or a denominator of 0
        return None


def _exact_text(number: Fraction) -> str:
    """A short fraction, else an exact decimal; both parse back to the same number."""
    twos_and_fives = 10 ** number.denominator.bit_length()
    if number.denominator <= 1000 or twos_and_fives % number.denominator:
        return str(number)
    digits = next(n for n in range(1, number.denominator.bit_length() + 1) if 10**n % number.denominator == 0)
    return f"{number.numerator // number.denominator}.{number * 10**digits % 10**digits!s:0>{digits}}"


def _clip(given: object) -> str:
    """The given value as text, shortened if it is too long for one sentence."""
    try:
        text = str(given) if isinstance(given, Rational) else repr(given)
    except ValueError:  # an integer with more digits than Python prints
        return "this number"
    return text if len(text) <= 40 else text[:40] + "…"


# -- inside ----------------------------------------------------------------------------------------


def _reduced_chances(branches: tuple[tuple[Fraction, Prospect], ...]) -> dict[Outcome, Fraction]:
    found: dict[Outcome, Fraction] = {}
    for chance, prospect in branches:
        try:
            inside = prospect._chances if isinstance(prospect, Lottery) else {prospect: Fraction(1)}
        except TypeError:
            raise UsageError(f"an outcome must be hashable, and {prospect!r} is not; use a tuple or a name") from None
        for outcome, inner in inside.items():
            if chance:
                found[outcome] = found.get(outcome, Fraction(0)) + chance * inner
    return found
