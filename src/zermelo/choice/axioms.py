"""The five axioms of rational preferences, each as a check that finds an example against it.

    orderability       exactly one of A > B, A ~ B, A < B
    transitivity       A > B and B > C imply A > C
    continuity         A > B > C implies [p, A; 1-p, C] ~ B for some p
    substitutability   A ~ B implies [p, A; 1-p, C] ~ [p, B; 1-p, C], and the same with > for ~
    monotonicity       A > B and p > q imply [p, A; 1-p, B] > [q, A; 1-q, B]

Someone who obeys them acts as if maximising an expected utility.   [Ramsey 1931; von Neumann & Morgenstern 1944]

A check tries the given prospects (or those of a person's statements) and lotteries between them. A Violation proves
that the axiom is broken; None means that no example was found, which does not prove the axiom. Missing statements break
only orderability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from typing import TypeAlias

from zermelo.choice.lottery import Lottery, Outcome, Prospect, as_lottery, mix, simplest
from zermelo.choice.preference import Preference, find_circle
from zermelo.choice.statement import Statement, chain_text
from zermelo.core.errors import UsageError

_QUARTERS = tuple(Fraction(quarters, 4) for quarters in range(5))
_HALVINGS = 200
_LARGEST_DENOMINATOR = 2**90
"""Any fraction with a smaller denominator is the only such one in an interval of width 2**-200."""


@dataclass(frozen=True)
class Violation:
    """An example against an axiom: preferences that contradict each other, and the reason."""

    axiom: str
    held: tuple[Statement, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.axiom}: {self.text}"


def orderability(preference: Preference, prospects: Sequence[Prospect] = ()) -> Violation | None:
    """Two prospects without a stated or implied preference, or with more than one."""
    for left, right in combinations_with_replacement(_examples(preference, prospects), 2):
        signs = preference.signs(left, right)
        held = tuple(Statement(left, sign, right) for sign in sorted(signs))
        if left == right and signs - {"~"}:
            return Violation("orderability", held, f"{left} > {left}, but a thing is as good as itself")
        if len(signs) > 1:
            return Violation("orderability", held, f"{' and '.join(map(str, held))} are held at once")
        if not signs and preference.compare(left, right) is None:
            return Violation(
                "orderability", held, f"neither {left} > {right} nor {left} ~ {right} nor {left} < {right}"
            )
    return None


def transitivity(preference: Preference, prospects: Sequence[Prospect] = ()) -> Violation | None:
    """A chain of preferences that returns to its start."""
    circle = find_circle(preference, _examples(preference, prospects))
    if not circle:
        return None
    return Violation("transitivity", circle, f"{chain_text(circle)} goes round in a circle")


def continuity(preference: Preference, prospects: Sequence[Prospect] = ()) -> Violation | None:
    """Three prospects A > B > C such that no lottery between A and C is as good as B.

    The search for p is a bisection of 200 steps; a finite list of statements never breaks this axiom.
    """
    for best, middle, worst in permutations(_examples(preference, prospects), 3):
        if preference.compare(best, middle) == ">" and preference.compare(middle, worst) == ">":
            complaint = _jump(preference, best, middle, worst)
            if complaint:
                held = (Statement(best, ">", middle), Statement(middle, ">", worst))
                text = f"{chain_text(held)}, yet [p, {best}; 1-p, {worst}] is {complaint}"
                return Violation("continuity", held, text)
    return None


def substitutability(preference: Preference, prospects: Sequence[Prospect] = ()) -> Violation | None:
    """Two choices that differ only in a part that both sides share, and are decided differently.

    The form with > implies monotonicity, so an example against monotonicity is often one against this axiom too.
    """
    examples = _examples(preference, prospects)
    decided: dict[tuple[Prospect, Prospect], Statement] = {}
    for left, right in _choices_with_mixtures(examples):
        sign = preference.compare(left, right)
        core = _without_shared_part(left, right)
        if sign is None or core is None:
            continue
        choice = Statement(simplest(left), sign, simplest(right))
        if (core[1], core[0]) in decided:
            choice, core = choice.mirrored(), (core[1], core[0])
        earlier = decided.setdefault(core, choice)
        if earlier.sign != choice.sign:
            text = f"{earlier}, yet {choice}, though both are {core[0]} against {core[1]} but for a part that is shared"
            return Violation("substitutability", (earlier, choice), text)
    return None


def monotonicity(preference: Preference, prospects: Sequence[Prospect] = ()) -> Violation | None:
    """A lottery that gives the better of two prospects more often, and is not preferred."""
    examples = _examples(preference, prospects)
    for better, worse in permutations(examples, 2):
        if preference.compare(better, worse) != ">":
            continue
        ladder = {share: mix(share, better, worse) for share in _QUARTERS[1:-1]}
        known = {_share(example, better, worse): example for example in examples}
        ladder |= {share: as_lottery(example) for share, example in known.items() if share is not None}
        for low, high in combinations(sorted(ladder), 2):
            sign = preference.compare(ladder[high], ladder[low])
            if sign is not None and sign != ">":
                held = (Statement(better, ">", worse), Statement(simplest(ladder[high]), sign, simplest(ladder[low])))
                text = (
                    f"{held[0]}, yet {held[1]}, though the left side gives {better} with {high}, the right with {low}"
                )
                return Violation("monotonicity", held, text)
    return None


Axiom: TypeAlias = Callable[[Preference, Sequence[Prospect]], Violation | None]
AXIOMS: tuple[Axiom, ...] = (orderability, transitivity, continuity, substitutability, monotonicity)


def violations(preference: Preference, prospects: Sequence[Prospect] = ()) -> list[Violation]:
    """One example for each axiom that is broken, in the order of the lecture; empty for the rational."""
    return [found for axiom in AXIOMS if (found := axiom(preference, prospects))]


def _examples(preference: Preference, prospects: Sequence[Prospect]) -> list[Prospect]:
    found = list(dict.fromkeys(prospects or preference.prospects))
    if not found:
        raise UsageError("there is nothing to check; give the prospects to compare, such as ['A', 'B', 'C']")
    return found


def _jump(preference: Preference, best: Prospect, middle: Prospect, worst: Prospect) -> str:
    """How the lotteries between best and worst jump over the middle; empty if one of them equals it."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        sign = preference.compare(mix(share, best, worst), middle)
        if sign in ("~", None):
            return ""
        low, high = (share, high) if sign == "<" else (low, share)
    if high == 1:
        return f"worse than {middle} for every p below 1"
    if low == 0:
        return f"better than {middle} for every p above 0"
    crossing = ((low + high) / 2).limit_denominator(_LARGEST_DENOMINATOR)
    if preference.compare(mix(crossing, best, worst), middle) == "~":
        return ""
    return f"worse than {middle} below p = {crossing} and better above, but never as good"


def _choices_with_mixtures(examples: list[Prospect]) -> Iterator[tuple[Prospect, Prospect]]:
    yield from combinations(examples, 2)
    for left, right in combinations(examples, 2):
        for third in examples:
            for share in _QUARTERS[1:-1]:
                yield mix(share, left, third), mix(share, right, third)


def _without_shared_part(left: Prospect, right: Prospect) -> tuple[Prospect, Prospect] | None:
    """The two lotteries without their common part; None if nothing remains."""
    mine, theirs = as_lottery(left).chances, as_lottery(right).chances
    surplus = {outcome: chance - theirs.get(outcome, 0) for outcome, chance in mine.items()}
    lacking = {outcome: chance - mine.get(outcome, 0) for outcome, chance in theirs.items()}
    rest = sum(chance for chance in surplus.values() if chance > 0)
    if not rest:
        return None
    return _scale(surplus, rest), _scale(lacking, rest)


def _scale(chances: dict[Outcome, Fraction], total: Fraction) -> Prospect:
    return simplest(Lottery(*((chance / total, outcome) for outcome, chance in chances.items() if chance > 0)))


def _share(prospect: Prospect, first: Prospect, second: Prospect) -> Fraction | None:
    """The p for which the prospect is [p, first; 1-p, second]; None if there is none."""
    given, one, two = (as_lottery(known).chances for known in (prospect, first, second))
    outcomes = {*given, *one, *two}
    apart = next((o for o in outcomes if one.get(o, 0) != two.get(o, 0)), None)
    if apart is None:
        return None
    share = Fraction(given.get(apart, 0) - two.get(apart, 0)) / (one.get(apart, 0) - two.get(apart, 0))
    fits = all(given.get(o, 0) == share * one.get(o, 0) + (1 - share) * two.get(o, 0) for o in outcomes)
    return share if fits and 0 <= share <= 1 else None
