"""The money pump: a person with circular preferences pays for every step of the circle.

Holding A, and preferring B to A, C to B and A to C, a person pays a dollar for each of three swaps,
holds A again, and is three dollars poorer.   [Davidson, McKinsey & Suppes 1955]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.choice.lottery import Prospect
from zermelo.choice.preference import Preference, find_circle
from zermelo.choice.utility import Number
from zermelo.core.errors import UsageError


@dataclass(frozen=True)
class Trade:
    """One swap: what is given away, what is received, and the price paid on top."""

    gives: Prospect
    gets: Prospect
    pays: Number

    def __str__(self) -> str:
        return (
            f"gives {self.gives} and ${self.pays} for {self.gets}"
            if self.pays
            else f"swaps {self.gives} for {self.gets}"
        )


@dataclass(frozen=True)
class Pump:
    """The trades with a person; none if the preferences have no circle."""

    trades: tuple[Trade, ...]

    @property
    def lost(self) -> Number:
        """The total amount paid."""
        return sum(trade.pays for trade in self.trades)

    def __str__(self) -> str:
        if not self.trades:
            return "These preferences have no circle: no money can be pumped out of them."
        start = self.trades[0].gives
        steps = [f"{number}. {trade}" for number, trade in enumerate(self.trades, 1)]
        return "\n".join([f"Holds {start}.", *steps, f"Holds {start} again and is ${self.lost} poorer."])


def money_pump(preference: Preference, prospects: Sequence[Prospect] = (), *, fee: Number = 1, rounds: int = 1) -> Pump:
    """Trade a person round a circle of their preferences, `fee` for each step to something better.

    A step to something equally good is free. `prospects` may be left out for preferences that name their own.
    """
    if not 0 < fee < float("inf"):
        raise UsageError(f"the fee is {fee}; it must be an amount above 0")
    if rounds < 1:
        raise UsageError(f"{rounds} rounds were asked for; it takes at least 1")
    upward = reversed(find_circle(preference, prospects))
    one_round = [Trade(step.right, step.left, fee if step.sign == ">" else 0) for step in upward]
    return Pump(tuple(one_round * rounds))
