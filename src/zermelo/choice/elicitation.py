"""Elicitation: from preferences to the utility behind them.

There are two ways. `standard_gamble` asks: for which p is B as good as [p, best; 1-p, worst]? That p is the utility of
B. `elicit` asks nothing: it finds a utility that agrees with all statements of a person, or proves that there is none.
Both give the best outcome 1 and the worst 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from zermelo.choice.linear_programme import maximise
from zermelo.choice.lottery import Lottery, Outcome, Prospect, as_lottery, mix, probability, simplest
from zermelo.choice.preference import Stated
from zermelo.choice.statement import MIRRORED, Sign, Statement
from zermelo.choice.utility import Table
from zermelo.core.errors import UsageError

Ask: TypeAlias = Callable[[Prospect, Prospect], Sign | None]
"""A function that returns the sign between two prospects: `ask_person`, or the `compare` of a preference."""


def standard_gamble(
    outcomes: Iterable[Outcome], ask: Ask, precision: Fraction | float | str = Fraction(1, 1000)
) -> Table:
    """The utilities of the outcomes, found by questions: first for their order, then for gambles.

    For a person who obeys the axioms, each is exact if the answer was `~`, and otherwise within half the precision.
    """
    finest = probability(precision)
    if not 0 < finest < 1:
        raise UsageError(f"the precision is {precision}; it must be a number between 0 and 1")
    ranking = _rank(outcomes, ask)
    best, worst = ranking[0][0], ranking[-1][0]
    utilities: dict[Outcome, Fraction] = dict.fromkeys(ranking[0], Fraction(1))
    for equals in ranking[1:-1]:
        utilities |= dict.fromkeys(equals, _indifference(equals[0], best, worst, ask, finest))
    utilities |= dict.fromkeys(ranking[-1], Fraction(0))
    return Table(utilities)


def ask_person(left: Prospect, right: Prospect) -> Sign:
    """The answer of the person at the terminal."""
    answers: dict[str, Sign] = {"1": ">", "2": "<", "=": "~"}
    while True:
        try:
            answer = input(f"Which would you rather have?\n  1  {left}\n  2  {right}\n  =  either\n> ").strip()
        except EOFError:
            raise UsageError("the answers ended before the questions; answer each with 1, 2 or =") from None
        if answer in answers:
            return answers[answer]
        print("Please answer 1, 2 or =.")


@dataclass(frozen=True)
class Contradiction:
    """Statements that no utility satisfies, and the proof.

    Draw one of the statements with these chances and take its left side, or else its right side: the two lotteries are
    the same, and yet the first should be better.
    """

    statements: tuple[Statement, ...]
    chances: tuple[Fraction, ...]

    @property
    def lottery(self) -> Lottery:
        """The lottery that would be better than itself."""
        sides = zip(self.chances, self.statements, strict=True)
        return Lottery(*((chance, statement.left) for chance, statement in sides)).reduced()

    def __str__(self) -> str:
        said = _enumerate([str(statement) for statement in self.statements])
        if len(self.statements) == 1:
            return f"{said} cannot hold: {simplest(self.lottery)} would be better than itself"
        odds = _enumerate([str(chance) for chance in self.chances])
        return (
            f"{said} cannot all hold: drawn with chances {odds}, "
            f"their left sides and their right sides are the same lottery {self.lottery}, better than itself"
        )


def elicit(stated: Stated) -> Table | Contradiction:
    """A utility that satisfies all statements, or a minimal set of statements without one.

    Of several utilities, it is the one with the largest minimal gap between strict preferences: a mere ranking gives
    equal steps.
    """
    strict = [said.downward() for said in stated.statements if said.sign != "~"]
    equal = [said for said in stated.statements if said.sign == "~"]
    if not strict:
        raise UsageError("nothing is said to be better than anything, so there is no scale; add a statement like A > B")
    outcomes = list(dict.fromkeys(o for p in stated.prospects for o in as_lottery(p).chances))

    # The unknowns are the utilities, from 0 to 1, and the margin by which every strict statement holds.
    pairs = [*equal, *(said.mirrored() for said in equal)]
    rows = [[*(-entry for entry in _difference(said, outcomes)), Fraction(1)] for said in strict]
    rows += [[*(-entry for entry in _difference(said, outcomes)), Fraction(0)] for said in pairs]
    rows += [[*(Fraction(outcome == known) for known in outcomes), Fraction(0)] for outcome in outcomes]
    limits = [0] * (len(strict) + len(pairs)) + [1] * len(outcomes)
    best, prices = maximise([0] * len(outcomes) + [1], rows, limits)

    if best[-1] > 0:
        return Table(dict(zip(outcomes, best, strict=False)))
    blamed = [(said, price) for said, price in zip([*strict, *pairs], prices, strict=False) if price]
    total = sum(price for _, price in blamed)
    return Contradiction(tuple(said for said, _ in blamed), tuple(price / total for _, price in blamed))


def _rank(outcomes: Iterable[Outcome], ask: Ask) -> list[list[Outcome]]:
    """The outcomes from best to worst, equal ones together; found by binary insertion."""
    ranking: list[list[Outcome]] = []
    for outcome in dict.fromkeys(outcomes):
        low, high = 0, len(ranking)
        while low < high:
            middle = (low + high) // 2
            sign = _answer(ask, outcome, ranking[middle][0])
            if sign == "~":
                ranking[middle].append(outcome)
                break
            low, high = (low, middle) if sign == ">" else (middle + 1, high)
        else:
            ranking.insert(low, [outcome])
    if len(ranking) < 2:
        raise UsageError("a scale of utility needs two outcomes at least, one better than the other")
    return ranking


def _indifference(outcome: Outcome, best: Outcome, worst: Outcome, ask: Ask, precision: Fraction) -> Fraction:
    """The p with outcome ~ [p, best; 1-p, worst], found by halving."""
    low, high = Fraction(0), Fraction(1)
    while high - low > precision:
        chance = (low + high) / 2
        sign = _answer(ask, outcome, mix(chance, best, worst))
        if sign == "~":
            return chance
        low, high = (chance, high) if sign == ">" else (low, chance)
    return (low + high) / 2


def _answer(ask: Ask, left: Prospect, right: Prospect) -> Sign:
    sign = ask(left, right)
    if sign not in MIRRORED:
        raise UsageError(f"the answer about {left} and {right} is {sign!r}; it must be '>', '~' or '<'")
    return sign


def _difference(said: Statement, outcomes: list[Outcome]) -> list[Fraction]:
    """For each outcome, its probability on the left side minus that on the right side."""
    left, right = as_lottery(said.left).chances, as_lottery(said.right).chances
    return [left.get(outcome, Fraction(0)) - right.get(outcome, Fraction(0)) for outcome in outcomes]


def _enumerate(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
