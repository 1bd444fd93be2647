"""The basis of all other checks: the methods exist, games can be played, states are values, results are stable."""

from __future__ import annotations

import inspect
import math
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from numbers import Real
from typing import Any

from zermelo.core.frozen import is_value, kind_of
from zermelo.core.game import NO_ACTION, Game, knows
from zermelo.core.repetition import Repetition
from zermelo.kernel import U64
from zermelo.testing.copies import deep_copy, snapshot
from zermelo.testing.position import MOST_MOVES, Position
from zermelo.testing.sample import Sample, answers, count_noun, is_hashable
from zermelo.testing.violation import ContractViolation

MOST_PLAYERS = 64
FIVE = ("initial", "to_move", "actions", "result", "utility")
TACTICS = ("noisy_actions", "candidates", "is_threatened", "may_pass", "after_pass", "is_nearly_over")


def methods_are_given(sample: Sample) -> str:
    """The game is an instance of a subclass of Game with the five methods."""
    game: Any = sample.game
    if inspect.isclass(game):
        raise ContractViolation(
            f"the kit checks a game, but it was given the class {game.__name__}: write {game.__name__}()"
        )
    if not isinstance(game, Game):
        raise ContractViolation(
            f"a game should be a subclass of zermelo's Game, but this is of type {type(game).__name__}"
        )
    for method in FIVE:
        if not knows(game, method) or not callable(getattr(game, method)):
            raise ContractViolation(f"{type(game).__name__} should have the method {method}, but it is missing")
    for name in vars(game):
        if inspect.isfunction(getattr(Game, name, None)):
            raise ContractViolation(
                f"an attribute should have a name that is not a method's, but {type(game).__name__} sets self.{name}"
            )
    return "all there"


def repetition_text(rule: Repetition) -> str:
    return f"Repetition.{rule.name}"


def declarations_make_sense(sample: Sample) -> str:
    """The class attributes have valid values."""
    game: Any = sample.game
    if not _is_int(game.players) or game.players < 1:
        raise ContractViolation(f"players should be a whole number above zero, but it is {game.players!r}")
    if game.players > MOST_PLAYERS:
        raise ContractViolation(f"players should be at most {MOST_PLAYERS}, but there are {game.players}")
    for name in ("name", "title", "unit_name"):
        if not isinstance(getattr(game, name), str):
            raise ContractViolation(f"{name} should be a text, but it is {getattr(game, name)!r}")
    for name in ("zero_sum", "chance", "hidden"):
        if not isinstance(getattr(game, name), bool):
            raise ContractViolation(f"{name} should be True or False, but it is {getattr(game, name)!r}")
    scale = game.utility_range
    if not (isinstance(scale, tuple) and len(scale) == 2 and all(map(_is_end, scale)) and scale[0] < scale[1]):
        raise ContractViolation(f"utility_range should be a pair (lowest, highest), but it is {scale!r}")
    if not isinstance(game.repetition, Repetition):
        raise ContractViolation(
            f"repetition should be one of {', '.join(map(repetition_text, Repetition))}, but it is {game.repetition!r}"
        )
    if game.seats and len(game.seats) != game.players:
        raise ContractViolation(f"seats should name {count_noun(game.players, 'player')}, but they are {game.seats!r}")
    kind = "zero-sum" if game.zero_sum else "not zero-sum"
    extra = ", dice" * game.chance + ", hidden information" * game.hidden
    return f"{count_noun(game.players, 'player')}, {kind}{extra}, utilities {scale[0]} to {scale[1]}"


def random_games_can_be_played(sample: Sample) -> str:
    """The methods return in every position that random play reaches."""
    if sample.broken:
        raise sample.broken
    return f"{count_noun(sample.games, 'random game')}, {count_noun(len(sample.positions), 'position')}"


def no_method_changes_the_state(sample: Sample) -> str:
    """No method changes the state that it is given."""
    for position in sample.all():
        if position.is_frozen:
            continue
        for method, args in _questions(position):
            given = deep_copy(position.state)
            was = snapshot(given)
            with suppress(ContractViolation):  # an error is reported by that method's own check
                answer = position.attempt(method, getattr(sample.game, method), given, *args)
                if isinstance(answer, Iterator):
                    position.attempt(method, deque, islice(answer, MOST_MOVES))
            if snapshot(given) != was:
                raise position.violation(f"{method} should leave the state it is given as it was", "it changes it")
    return sample.summary()


def _questions(position: Position) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every method that takes a state, with its other arguments."""
    yield from ((method, ()) for method in ("to_move", "is_terminal", "actions", "key", "canonical"))
    yield from ((method, ()) for method in ("format_state", "picture", "count", "repetition_key"))
    yield from ((method, ()) for method in TACTICS if knows(position.game, method))
    if position.chances:
        yield "outcomes", ()
    if position.is_decision and knows(position.game, "sample"):
        yield "sample", (NO_ACTION, U64(0))
    for player in range(position.game.players):
        yield from ((method, (player,)) for method in ("evaluate", "bounds", "view"))
        if position.over:
            yield "utility", (player,)
    for move in position.moves:
        yield from ((method, (move,)) for method in ("result", "is_noisy", "order", "format_action"))
        yield from ((method, (move,)) for method in ("gain", "exchange") if knows(position.game, method))
        if knows(position.game, "prior"):
            yield "prior", (NO_ACTION, move)


def answers_are_stable(sample: Sample) -> str:
    """Repeated calls return the same result, in any order."""
    sample_start = sample.positions[0]
    start = sample_start.attempt("initial", sample.game.initial)
    if snapshot(start) != snapshot(sample_start.state):
        raise sample_start.violation("initial should return the same state every time", f"now it is {start!r}, not as")
    for position in sample.deepest_first():
        again = Position(sample.game, position.state, position.before, position.action).observe()
        for method, first, second in _differences(position, again):
            raise position.violation(f"{method} should answer the same every time", f"it is {first!r}, then {second!r}")
        if position.before:
            reached = position.before.next_state(position.action)
            if snapshot(reached) != snapshot(position.state):
                raise position.violation(
                    "result should give the same state every time", f"now it is {reached!r}, not as"
                )
    return sample.summary()


def _differences(one: Position, other: Position) -> Iterator[tuple[str, Any, Any]]:
    """The methods that give different results for two positions, with the results."""
    second = answers(other)
    for method, answer in answers(one).items():
        if snapshot(answer) != snapshot(second.get(method)):
            yield method, answer, second.get(method)


def states_are_values(sample: Sample) -> str:
    """States can be hashed, the same moves lead to equal states, and equal states are the same position."""
    for position in sample.all():
        state = position.state
        _must_be_like_the_first(position, sample.positions[0])
        number = position.attempt("hash of a state", hash, state)
        if position.before:
            again = position.before.next_state(position.action)
        else:
            again = position.attempt("initial", sample.game.initial)
        if not position.attempt("== of two states", lambda one, other: bool(one == other), again, state):
            raise position.violation(
                "the same moves should lead to equal states", "the second time the state is not equal"
            )
        if hash(again) != number:
            raise position.violation("equal states should have equal hashes", f"they are {number} and {hash(again)}")
    for twin, position in sample.twins:
        for method, first, second in _differences(twin, position):
            raise position.violation(
                "equal states should be the same position", f"{method} is {first!r} {twin.where()}, and {second!r}"
            )
    return sample.summary()


def _must_be_like_the_first(position: Position, first: Position) -> None:
    """States that can change are frozen if the first ones are; a list that comes late is not expected."""
    if not is_value(position.state) and not is_hashable(position.state):
        raise position.violation(
            f"every state should be of the same kind as the first one, a {kind_of(first.state)}, or a tuple",
            f"this one is a {kind_of(position.state)}",
        )


def _is_end(value: object) -> bool:
    """Whether the value is an end of a scale: a number, infinite if there is no limit."""
    return isinstance(value, Real) and not math.isnan(value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
