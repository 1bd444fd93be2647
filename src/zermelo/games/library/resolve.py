"""Resolve a game and a position given as objects, or as texts as in the command."""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.frozen import thaw
from zermelo.core.game import Game, State
from zermelo.core.naive import frozen_state, with_values
from zermelo.core.referee import Referee
from zermelo.games.library.registry import find


def game_of(game: Game | str) -> Game:
    """The game itself, or the one with this name; UsageError for anything else."""
    if isinstance(game, str):
        return with_values(find(game))
    if isinstance(game, type) and issubclass(game, Game):
        raise UsageError(f"{game.__name__} is a class; make a game of it, as in {game.__name__}()")
    if not isinstance(game, Game):
        raise UsageError(f"a game is a Game, or the name of one such as 'chess', and not {_short(game)}")
    return with_values(game)


def position_of(game: Game, position: Referee | State | str | None) -> Referee | State | None:
    """The position; a text becomes a game in progress: `moves: a1 b2`, or the game's own form."""
    if isinstance(position, str) and not isinstance(thaw(game.initial()), str):
        return Referee.at(game, position)
    if isinstance(position, Game):
        raise UsageError("the game comes first, and then the position")
    if isinstance(position, Referee):
        if type(position.game) is not type(game):
            raise UsageError(f"this is a position of {position.game.name}, not of {game.name}")
    elif position is not None:
        position = frozen_state(game, position)
        if type(position) is not type(game.initial()):
            _must_be_a_state(game, position)
    return position


def state_of(game: Game, position: Referee | State | str | None) -> State:
    """The state of a position, without its history."""
    found = position_of(game, position)
    if isinstance(found, Referee):
        return found.state
    return game.initial() if found is None else found


def _must_be_a_state(game: Game, position: State) -> None:
    """Raise UsageError if the rules fail for the value, because the types of states may differ."""
    try:
        game.is_terminal(position) or game.to_move(position)
    except Exception as error:
        raise UsageError(
            f"{_short(position)} is not a position of {game.name}; its first state is {_short(game.initial())}"
        ) from error


def _short(thing: object) -> str:
    text = repr(thing)
    return text if len(text) <= 60 else text[:60] + "…"
