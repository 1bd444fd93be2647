"""Checks of the results of user-written rules.

Searches index memory by the player to move and build proofs on payoffs and probabilities. `Game` puts these wrappers
around the methods of classes from outside the package, so a wrong answer in a rare position is an error and not a wrong
proof. They run interpreted and compiled. Zermelo's own games are tested instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

from zermelo.core.errors import RulesError

SLACK = 1e-9
"""Rounding tolerance for payoffs outside the scale, and for the sum of a roll's probabilities."""
CHANCE = -1
"""The player who rolls the dice."""


def _check_to_move(rules: Callable[..., Any], level: int) -> Callable[..., Any]:
    def to_move(self: Any, state: Any) -> Any:
        mover = rules(self, state)
        if self._to_move_level != level:
            return mover
        is_over = mover == CHANCE and not self.chance and self.is_terminal(state)
        if not -1 <= mover < self.players or (mover == CHANCE and not self.chance and not is_over):
            raise RulesError(
                "to_move returned a number that is not a player; it must be from 0 to players - 1, "
                "or CHANCE in a game that declares chance = True"
            )
        return 0 if is_over else mover  # searches ask for the utility of the player to move

    return to_move


def _check_utility(rules: Callable[..., Any], level: int) -> Callable[..., Any]:
    def utility(self: Any, state: Any, player: int) -> Any:
        payoff = rules(self, state, player)
        low, high = self.utility_range
        if self._utility_level == level and not (low - SLACK <= payoff <= high + SLACK and not math.isinf(payoff)):
            raise RulesError("utility returned a payoff that is not a finite number within utility_range")
        return payoff

    return utility


def _check_outcomes(rules: Callable[..., Any], level: int) -> Callable[..., Any]:
    def outcomes(self: Any, state: Any) -> Iterator[Any]:
        total = 0.0
        for action, chance in rules(self, state):
            if self._outcomes_level == level and not 0 <= chance <= 1 + SLACK:
                raise RulesError("outcomes returned a probability that is not a number from 0 to 1")
            total += chance
            yield action, float(chance)
        if self._outcomes_level == level and abs(total - 1) > SLACK:
            raise RulesError("outcomes returned probabilities that do not sum to 1")

    return outcomes


def _check_text(name: str, rules: Callable[..., Any], level: int) -> Callable[..., Any]:
    def text(self: Any, *args: Any) -> Any:
        found = rules(self, *args)
        if getattr(self, f"_{name}_level") == level and not isinstance(found, str):
            raise RulesError(f"{name} returned {found!r}, which is not a text")
        return found

    return text


_CHECKS: dict[str, Callable[[Callable[..., Any], int], Callable[..., Any]]] = {
    "to_move": _check_to_move,
    "utility": _check_utility,
    "outcomes": _check_outcomes,
    **{name: partial(_check_text, name) for name in ("format_action", "format_state", "format_view")},
}


def check_answers(cls: type) -> None:
    """Wrap checks around the methods that a class defines itself, or inherits from a class that is not a game.

    Each such method has a level, one more than that of the method it overrides. Only results at the level of the
    game's own class are checked, because the overridden method may return an intermediate result.
    """
    for name, check in _CHECKS.items():
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        given = None if owner is None or is_own(owner) else vars(owner)[name]
        if given is None or hasattr(given, "unchecked"):
            continue
        level = getattr(cls, f"_{name}_level", 0) + 1
        setattr(cls, f"_{name}_level", level)
        checked = check(_as_method(given), level)
        checked.__qualname__, checked.__doc__ = f"{cls.__qualname__}.{name}", given.__doc__
        checked.unchecked = _as_method(given)  # type: ignore[attr-defined]
        setattr(cls, name, checked)


def is_own(cls: type) -> bool:
    """Whether a class belongs to this package."""
    return cls.__module__.partition(".")[0] == "zermelo"


def _as_method(given: Any) -> Callable[..., Any]:
    """A method, static method or class method as a function of the instance."""
    if isinstance(given, FunctionType):
        return given
    if isinstance(given, staticmethod):
        function = given.__func__
        return lambda self, *args: function(*args)
    return lambda self, *args: given.__get__(self, type(self))(*args)


def without_checks(game: Any, name: str) -> Callable[..., Any]:
    """A method as written in the rules, without the checks, for `zermelo check`."""
    bound = getattr(game, name)
    rules = getattr(bound, "unchecked", None)
    return bound if rules is None else lambda *args: rules(game, *args)
