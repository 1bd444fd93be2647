"""Preferences: which of two prospects a person prefers.

They come from a utility, from any other score of lotteries, or from a person's statements. Only the first are rational
by construction; `axioms` shows what is wrong with the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.choice.lottery import Lottery, Prospect, as_lottery, simplest
from zermelo.choice.statement import MIRRORED, Chain, Sign, Statement, descent, parse_statements
from zermelo.choice.utility import Number, Utility, expected_utility, utility_of
from zermelo.core.errors import UsageError

ROUNDING = 1e-12
"""Relative difference below which floats count as equal."""


class Preference(ABC):
    """A person who compares prospects. A subclass needs `compare` and nothing else."""

    prospects: Sequence[Prospect] = ()
    """The prospects that it is about, if it is about particular ones."""

    @abstractmethod
    def compare(self, left: Prospect, right: Prospect) -> Sign | None:
        """The sign between the two; None if unknown."""

    def signs(self, left: Prospect, right: Prospect) -> set[Sign]:
        """All signs between the two, in either order; exactly one in a consistent preference."""
        there, back = self.compare(left, right), self.compare(right, left)
        return ({there} if there else set()) | ({MIRRORED[back]} if back else set())


@dataclass(frozen=True)
class ByUtility(Preference):
    """The higher expected utility is better. Exact where utilities are rational numbers."""

    utility: Utility

    def compare(self, left: Prospect, right: Prospect) -> Sign:
        outcomes = [*as_lottery(left).chances, *as_lottery(right).chances]
        involved = [utility_of(outcome, self.utility) for outcome in outcomes]
        return _compare(expected_utility(left, self.utility), expected_utility(right, self.utility), involved)


@dataclass(frozen=True)
class ByScore(Preference):
    """The higher score is better, the score being any number computed from the reduced lottery."""

    score: Callable[[Lottery], Any]

    def compare(self, left: Prospect, right: Prospect) -> Sign:
        mine, theirs = (utility_of(as_lottery(prospect).reduced(), self.score) for prospect in (left, right))
        return _compare(mine, theirs, [mine, theirs])


class Stated(Preference):
    """A person's statements: `Stated("A > B > C", "B ~ [1/4, A; 3/4, C]")`.

    It may be incomplete, and it may contradict itself. Lotteries with the same chances count as the same.
    """

    def __init__(self, *statements: str | Statement) -> None:
        given: list[Statement] = []
        for statement in statements:
            given += parse_statements(statement) if isinstance(statement, str) else [_check(statement)]
        self.statements = tuple(given)
        self._signs: dict[tuple[Prospect, Prospect], set[Sign]] = {}
        for left, sign, right in given:
            a, b = simplest(left), simplest(right)
            self._signs.setdefault((a, b), set()).add(sign)
            self._signs.setdefault((b, a), set()).add(MIRRORED[sign])
        self.prospects = tuple(dict.fromkeys(simplest(side) for said in given for side in (said.left, said.right)))
        self._steps = steps_down(self, self.prospects)

    def signs(self, left: Prospect, right: Prospect) -> set[Sign]:
        """The stated signs between the two."""
        a, b = simplest(left), simplest(right)
        return self._signs.get((a, b), set()) | ({"~"} if a == b else set())

    def compare(self, left: Prospect, right: Prospect) -> Sign | None:
        """The stated sign between the two, or one that follows from a chain of statements; None if there is none."""
        a, b = simplest(left), simplest(right)
        said = self.signs(a, b)
        if len(said) == 1:
            return next(iter(said))
        if descent(self._steps, a, b):
            return ">"
        if descent(self._steps, b, a):
            return "<"
        return "~" if b in self._equals(a) else None

    def _equals(self, prospect: Prospect) -> list[Prospect]:
        """The prospects joined to this one by `~`, itself first."""
        found = [prospect]
        for known in found:
            found += [s.right for s in self._steps.get(known, ()) if s.sign == "~" and s.right not in found]
        return found

    def __eq__(self, other: object) -> bool:
        return self.statements == other.statements if isinstance(other, Stated) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.statements)

    def __repr__(self) -> str:
        return f"Stated({', '.join(map(_rebuildable, self.statements))})"

    def __str__(self) -> str:
        return ", ".join(map(str, self.statements))


def steps_down(preference: Preference, prospects: Sequence[Prospect]) -> dict[Prospect, list[Statement]]:
    """For every prospect, the others that are worse or equally good."""
    steps: dict[Prospect, list[Statement]] = {prospect: [] for prospect in prospects}
    for upper in steps:
        for lower in steps:
            held = preference.signs(upper, lower)
            if ">" in held:
                steps[upper].append(Statement(upper, ">", lower))
            elif "~" in held and upper != lower:
                steps[upper].append(Statement(upper, "~", lower))
    return steps


def find_circle(preference: Preference, prospects: Sequence[Prospect] = ()) -> Chain:
    """A shortest cycle of statements with at least one `>`; () if there is none.

    It begins at the prospect named first.
    """
    steps = steps_down(preference, prospects or preference.prospects)
    circles = [circle for start in steps if (circle := descent(steps, start, start))]
    return min(circles, key=len, default=())


def _compare(left: Number, right: Number, involved: list[Number]) -> Sign:
    """The sign between two numbers computed from the given ones."""
    slack: Number = Fraction(0)
    if not (isinstance(left, Fraction) and isinstance(right, Fraction)):
        slack = ROUNDING * max(abs(float(number)) for number in involved)
    lead = left - right
    return ">" if lead > slack else "<" if lead < -slack else "~"


def _check(statement: Statement) -> Statement:
    if not isinstance(statement, tuple) or len(statement) != 3 or statement[1] not in MIRRORED:
        raise UsageError(f"{statement!r} states no preference; write 'A > B' or Statement('A', '>', 'B')")
    return Statement(*statement)


def _rebuildable(statement: Statement) -> str:
    """The text, if it parses back to the same statement."""
    try:
        is_same = parse_statements(str(statement)) == [statement]
    except UsageError:
        is_same = False
    return repr(str(statement) if is_same else statement)
