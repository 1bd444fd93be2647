"""Games whose states or moves can change, such as dicts and lists: the same rules, with everything frozen.

`with_values(game)` is what all of Zermelo works with. A game whose states and moves are values is returned as it is.
For any other there is a twin, an instance of a subclass of its class, that asks the game itself: every method gets
fresh copies of what the rules wrote, and what it returns is frozen. So rules that change a state in place do no harm.
"""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from zermelo.core.checked import CHANCE, is_own, without_checks
from zermelo.core.errors import RulesError
from zermelo.core.frozen import freeze, is_value, kind_of, thaw
from zermelo.core.game import Game, knows

STATES = ("initial", "result", "parse_state", "repetition_key", "worlds", "canonical", "after_pass", "without_bank")
MOVES = ("actions", "candidates", "noisy_actions")
VALUES = ("view", "bucket", "parse_action", "sample")
ANSWERS = (
    *("to_move", "utility", "is_terminal", "count", "evaluate", "is_noisy", "gain", "exchange", "is_threatened"),
    *("may_pass", "bank", "is_nearly_over", "order", "prior", "key", "bounds", "utilities", "evaluations"),
    *("format_action", "format_state", "picture", "view_picture"),
)
"""Methods by what they return: a state, moves, something else that may have to be frozen, or a plain answer."""
LOOKED_AT = 4
"""Plies of the first game that are looked at: the first state may be a tuple and the next one a list."""

_plain: weakref.WeakSet[Game] = weakref.WeakSet()
"""Games whose states and moves were found to be values."""


def with_values(game: Game) -> Game:
    """The game, with states, moves and views that can be hashed and cannot change."""
    if is_own(type(game)) or game in _plain:
        return game
    try:
        beside = next(_what_changes(game), "")
    except (Exception, SystemExit):  # rules that fail are reported where they are used
        return game
    if not beside:
        _plain.add(game)
        return game
    return _twin(game, beside)


def written_class(game: Game) -> type[Game]:
    """The class of the game as its author wrote it."""
    return game._written if isinstance(game, Twin) else type(game)


def frozen_state(game: Game, state: Any) -> Any:
    """A state from outside, as the game's own states are."""
    return _freeze_state(game, thaw(state)) if isinstance(game, Twin) else state


# -- what has to be frozen -----------------------------------------------------------------------------


def _what_changes(game: Game) -> Iterator[str]:
    """What is not a value in the first plies of a game, in a few words."""
    state = game.initial()
    for _ in range(LOOKED_AT):
        if not is_value(state):
            yield f"a state is a {kind_of(state)}"
        views = [game.view(state, player) for player in range(game.players)] if game.hidden else []
        yield from (f"a view is a {kind_of(view)}" for view in views if not is_value(view))
        buckets = [game.bucket(view, player) for player, view in enumerate(views)] if knows(game, "bucket") else []
        yield from (f"a bucket is a {kind_of(bucket)}" for bucket in buckets if not is_value(bucket))
        if game.is_terminal(state):
            return
        rolls = game.to_move(state) == CHANCE
        action = next(iter(game.outcomes(state)))[0] if rolls else next(iter(game.actions(state)))
        if not is_value(action):
            yield f"a move is a {kind_of(action)}"
        state = game.result(state, action)


def _freeze_state(game: Any, state: Any) -> Any:
    kind = kind_of(state)
    return freeze(state, f"{kind}, and {game._beside}" if is_value(state) else kind)


def _freeze_result(game: Any, state: Any) -> Any:
    if state is None:
        raise RulesError("result returned None; let it return the state, even if it changes the one that it is given")
    return _freeze_state(game, state)


def _freeze_moves(game: Any, moves: Any) -> Any:
    return map(freeze, moves) if hasattr(moves, "__iter__") else moves


def _freeze_outcomes(game: Any, pairs: Any) -> Any:
    return (_freeze_pair(pair) for pair in pairs) if hasattr(pairs, "__iter__") else pairs


def _freeze_pair(pair: Any) -> Any:
    return (freeze(pair[0]), *pair[1:]) if isinstance(pair, tuple | list) and pair else pair


FREEZE: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(STATES, _freeze_state),
    **dict.fromkeys(MOVES, _freeze_moves),
    **dict.fromkeys(VALUES, lambda game, value: freeze(value)),
    **dict.fromkeys(ANSWERS, lambda game, answer: answer),
    "result": _freeze_result,
    "outcomes": _freeze_outcomes,
}
"""What becomes of an answer, by method."""


# -- twins ---------------------------------------------------------------------------------------------


class Twin(Game):
    """What all twins have."""

    _written: ClassVar[type[Game]]
    """The class that a person wrote."""
    _rules: Game
    """An instance of it, which is asked."""
    _beside: str
    """What is not a value, for states that are."""

    def __reduce__(self) -> tuple[Any, ...]:
        return with_values, (self._rules,)


def _twin(game: Game, beside: str) -> Game:
    twin = object.__new__(_twin_class(type(game)))
    vars(twin).update({name: value for name, value in vars(game).items() if name not in ("_digest", "_is_compiled")})
    vars(twin).update(_rules=game, _beside=beside)
    return twin


def _twin_class(cls: type[Game]) -> type[Game]:
    """The class of the twins of this class's instances; it has the methods that the class itself has."""
    if "_twin_class" not in vars(cls):
        own = (name for name in FREEZE if getattr(cls, name) is not getattr(Game, name) or name == "parse_state")
        body: dict[str, Any] = {name: _method(cls, name) for name in own}
        body |= {"__module__": __name__, "__doc__": cls.__doc__, "name": cls.name, "title": cls.title}
        body["_written"] = cls
        body["__signature__"] = inspect.signature(cls)
        body["__new__"] = lambda _, *args, **kwargs: with_values(cls(*args, **kwargs))  # with other options
        cls._twin_class = type(cls.__name__, (Twin, cls), body)  # type: ignore[attr-defined]
    found: type[Game] = vars(cls)["_twin_class"]
    return found


def _method(cls: type[Game], name: str) -> Callable[..., Any]:
    """Ask the game itself, with fresh copies, and freeze the answer."""
    freeze_answer = FREEZE[name]

    def method(self: Any, *args: Any) -> Any:
        return freeze_answer(self, getattr(self._rules, name)(*map(thaw, args)))

    def unchecked(self: Any, *args: Any) -> Any:
        answer = without_checks(self._rules, name)(*map(thaw, args))
        return None if answer is None else freeze_answer(self, answer)

    functools.update_wrapper(method, getattr(cls, name))
    functools.update_wrapper(unchecked, getattr(cls, name))
    method.unchecked = unchecked  # type: ignore[attr-defined]
    return method
