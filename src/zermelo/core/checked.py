"""Answers of somebody's rules, checked where they enter a search.

Searches index memory by the player to move and build proofs on payoffs and probabilities. `Game` puts these wrappers
around the methods of classes from outside the package, so a wrong answer in a rare position is an error and not a wrong
proof. They run interpreted and compiled. Zermelo's own games are tested instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from zermelo.core.errors import RulesError

SLACK = 1e-9
"""How far a payoff may lie outside the scale, and the sum of a roll's probabilities from 1, by rounding."""
CHANCE = -1
"""The player who rolls the dice."""


def _checked_to_move(rules: Callable[..., Any]) -> Callable[..., Any]:
    def to_move(self: Any, state: Any) -> Any:
        mover = rules(self, state)
        if not -1 <= mover < self.players or (mover == CHANCE and not self.chance and not self.is_terminal(state)):
            raise RulesError(
                "to_move returned a number that is not a player; it must be from 0 to players - 1, "
                "or CHANCE in a game that declares chance = True"
            )
        return mover

    return to_move


def _checked_utility(rules: Callable[..., Any]) -> Callable[..., Any]:
    def utility(self: Any, state: Any, player: int) -> Any:
        payoff = rules(self, state, player)
        low, high = self.utility_range
        if not (low - SLACK <= payoff <= high + SLACK) or math.isinf(payoff):
            raise RulesError("utility returned a payoff that is not a finite number within utility_range")
        return payoff

    return utility


def _checked_outcomes(rules: Callable[..., Any]) -> Callable[..., Any]:
    def outcomes(self: Any, state: Any) -> Iterator[Any]:
        total = 0.0
        for action, chance in rules(self, state):
            if not 0 <= chance <= 1 + SLACK:
                raise RulesError("outcomes returned a probability that is not a number from 0 to 1")
            total += chance
            yield action, chance
        if abs(total - 1) > SLACK:
            raise RulesError("outcomes returned probabilities that do not sum to 1")

    return outcomes


_CHECKS: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "to_move": _checked_to_move,
    "utility": _checked_utility,
    "outcomes": _checked_outcomes,
}


def check_answers(cls: type) -> None:
    """Put the checks around those methods that a class has itself."""
    for name, check in _CHECKS.items():
        given = vars(cls).get(name)
        if given is None:
            continue
        checked = check(_as_method(given))
        checked.__qualname__, checked.__doc__ = f"{cls.__qualname__}.{name}", given.__doc__
        checked.unchecked = _as_method(given)  # type: ignore[attr-defined]
        setattr(cls, name, checked)


def _as_method(given: Any) -> Callable[..., Any]:
    """A method, static method or class method as a function of the instance."""
    if isinstance(given, FunctionType):
        return given
    if isinstance(given, staticmethod):
        function = given.__func__
        return lambda self, *args: function(*args)
    return lambda self, *args: given.__get__(self, type(self))(*args)


def unchecked(game: Any, name: str) -> Callable[..., Any]:
    """A method as the rules give it, without the checks: what `zermelo check` looks at."""
    bound = getattr(game, name)
    rules = getattr(bound, "unchecked", None)
    return bound if rules is None else lambda *args: rules(game, *args)
