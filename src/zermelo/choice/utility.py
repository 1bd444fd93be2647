"""Utility: a number for every outcome; the rational choice has the highest expected utility.

    U(L) = Σ p · U(outcome)      [von Neumann & Morgenstern 1944]

A utility is anything that can be called with an outcome and gives a number. Those here print as they are written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

from zermelo.choice.lottery import Outcome, Prospect, as_lottery, parse_number
from zermelo.core.errors import UsageError

Number: TypeAlias = Fraction | float
Utility: TypeAlias = Callable[[Any], Any]


def expected_utility(prospect: Prospect, utility: Utility) -> Number:
    """The mean utility of the outcomes; an exact Fraction if all their utilities are rational."""
    terms = [(chance, utility_of(outcome, utility)) for outcome, chance in as_lottery(prospect).chances.items()]
    if all(isinstance(value, Fraction) for _, value in terms):
        return sum((chance * value for chance, value in terms), Fraction(0))
    return math.fsum(float(chance) * float(value) for chance, value in terms)


def expected_value(prospect: Prospect) -> Number:
    """The mean of the amounts themselves: of money (EMV), of minutes, of points."""
    return expected_utility(prospect, _amount)


def choose(prospects: Iterable[Prospect], utility: Utility) -> Prospect:
    """The prospect of maximum expected utility, the first of equals."""
    options = list(prospects)
    if not options:
        raise UsageError("there is nothing to choose from; give at least one prospect")
    return max(options, key=lambda prospect: expected_utility(prospect, utility))


def utility_of(outcome: Outcome, utility: Utility) -> Number:
    """The utility of one outcome, checked: rational numbers become Fractions, all others finite floats."""
    try:
        value = utility(outcome)
    except (TypeError, ValueError, KeyError, ArithmeticError) as error:
        raise UsageError(f"the utility {_name(utility)} has no value for {outcome!r}: {error}") from error
    if isinstance(value, Rational):
        return Fraction(value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise UsageError(f"a utility is a finite number, but {_name(utility)} gives {value!r} for {outcome!r}")
    return float(value)


# -- utilities of amounts --------------------------------------------------------------------------


@dataclass(frozen=True)
class Linear:
    """U(x) = slope · x + intercept: neutral to risk, and, with slope > 0, the change that alters no preference."""

    slope: Number = 1
    intercept: Number = 0

    def __call__(self, amount: Number) -> Number:
        return self.slope * _amount(amount) + self.intercept

    def __str__(self) -> str:
        return "x" if self == Linear() else f"{self.slope}·x + {self.intercept}"


@dataclass(frozen=True)
class Sqrt:
    """U(x) = √x: averse to risk."""

    def __call__(self, amount: Number) -> float:
        if _amount(amount) < 0:
            raise UsageError(f"√x has no value for {amount}; it needs amounts of 0 or more")
        return math.sqrt(amount)

    def __str__(self) -> str:
        return "√x"


@dataclass(frozen=True)
class Square:
    """U(x) = x²: prone to risk. Defined where it rises, from 0 up."""

    def __call__(self, amount: Number) -> Number:
        if _amount(amount) < 0:
            raise UsageError(f"x² falls at {amount}, so less would be better; it needs amounts of 0 or more")
        return amount * amount

    def __str__(self) -> str:
        return "x²"


@dataclass(frozen=True)
class Log:
    """U(x) = ln(wealth + x): averse to risk, less so with more wealth.   [Bernoulli 1738]"""

    wealth: Number = 0

    def __call__(self, amount: Number) -> float:
        total = self.wealth + _amount(amount)
        if total <= 0:
            raise UsageError(f"{self} has no value for {amount}; wealth and gain together must be above 0")
        return math.log(total)

    def __str__(self) -> str:
        return f"ln({self.wealth} + x)" if self.wealth else "ln x"


@dataclass(frozen=True)
class Exponential:
    """U(x) = -e^(-ax)/a: the same aversion a to risk at any wealth (CARA); prone to risk with a < 0.

    The certainty equivalent moves with the amounts: add $100 to every outcome, and it is $100 more.
    """

    aversion: Number

    def __post_init__(self) -> None:
        if not self.aversion or not math.isfinite(self.aversion):
            raise UsageError(f"the aversion is {self.aversion}; it must be a number other than 0 (for 0 use Linear)")

    def __call__(self, amount: Number) -> float:
        try:
            return -math.exp(-self.aversion * _amount(amount)) / float(self.aversion)
        except OverflowError:
            raise UsageError(
                f"e^({-self.aversion} · {amount}) is too large; use an aversion nearer to 0, or a larger unit of money"
            ) from None

    def __str__(self) -> str:
        return f"-e^({-self.aversion}·x)/({self.aversion})"


# -- any utility -----------------------------------------------------------------------------------


class Table(Mapping[Outcome, Number]):
    """The utilities of finitely many outcomes: `Table({"A": 1, "B": "1/4", "C": 0})`."""

    def __init__(self, utilities: Mapping[Any, Fraction | float | str]) -> None:
        self._utilities = {outcome: _exact(outcome, value) for outcome, value in utilities.items()}

    def __call__(self, outcome: Outcome) -> Number:
        if outcome not in self._utilities:
            known = ", ".join(map(str, self._utilities))
            raise UsageError(f"the table has no utility for {outcome!r}; it has {known or 'none at all'}")
        return self._utilities[outcome]

    def __getitem__(self, outcome: Outcome) -> Number:
        return self._utilities[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._utilities)

    def __len__(self) -> int:
        return len(self._utilities)

    def __repr__(self) -> str:
        shown = {o: str(u) if isinstance(u, Fraction) else u for o, u in self._utilities.items()}
        return f"Table({shown!r})"

    def __str__(self) -> str:
        return ", ".join(f"U({outcome}) = {value}" for outcome, value in self._utilities.items())


@dataclass(frozen=True)
class Transformed:
    """The utility followed by a change of scale: V(x) = by(U(x))."""

    utility: Utility
    by: Callable[[Any], Any]

    def __call__(self, outcome: Outcome) -> Number:
        return utility_of(utility_of(outcome, self.utility), self.by)


def _name(utility: Utility) -> str:
    return getattr(utility, "__name__", None) or str(utility)


def _amount(outcome: Any) -> Number:
    """The outcome itself, if it is a number."""
    if isinstance(outcome, bool) or not isinstance(outcome, Rational | float):
        raise UsageError(f"{outcome!r} is not an amount; give it a utility, for example in a Table")
    if isinstance(outcome, float) and not math.isfinite(outcome):
        raise UsageError(f"{outcome!r} is not an amount; amounts are finite numbers")
    return outcome  # type: ignore[return-value]  # every Rational computes like a Fraction


def _exact(outcome: Outcome, given: Fraction | float | str) -> Number:
    value = parse_number(given) if isinstance(given, str) else given
    if isinstance(value, Rational):
        return Fraction(value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise UsageError(f"a utility is a finite number such as 1 or '1/4', and {given!r} for {outcome!r} is not one")
    return float(value)
