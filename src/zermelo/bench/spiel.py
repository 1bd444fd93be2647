"""OpenSpiel's games of chance: a random game there, and its positions here."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, State
from zermelo.games.backgammon.board import BAR, CHECKERS, OFF, Side, side_of
from zermelo.games.backgammon.position import CENTRED, PLAYING, Position, turn_of

THEIR_BAR = 100
LAST_POINT = 24


def load(module: str, what: str) -> Any:
    """A module of OpenSpiel; UsageError if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"{what} is compared with OpenSpiel, which is not installed; the package is called open_spiel"
        ) from None


def decisions(state: Any, seed: int) -> Iterator[Any]:
    """The positions with a decision of a random game that starts here, the first one included."""
    rng = random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            yield state.clone()
            state.apply_action(rng.choice(state.legal_actions()))


def convert_position(game: Game, state: Any) -> State | None:
    """Convert their position into ours; None if ours has no such position: half a double of backgammon."""
    return READERS[game.name](game, state)


def _pig(game: Game, state: Any) -> State:
    first, second, turn, player = map(int, re.findall(r"\d+", str(state)))
    return game.parse_state(f"{first}-{second} {turn} {player + 1}")


def _2048(game: Game, state: Any) -> State:
    rows = [",".join(tile if tile != "0" else "." for tile in line.split()) for line in str(state).splitlines() if line]
    return game.parse_state("/".join(rows))


def _backgammon(game: Game, state: Any) -> State | None:
    low, high = sorted(map(int, re.findall(r"Dice: (\d)(\d)", str(state))[0]))
    if low == high:
        return None
    player = state.current_player()
    mine, theirs = _side(state, player), _side(state, 1 - player)
    return Position(mine, theirs, turn_of(player, PLAYING, high, low), CENTRED)


def _side(state: Any, player: int) -> Side:
    """The checkers of one side. Their first player moves up the board."""
    points = range(LAST_POINT)
    counts = {LAST_POINT - point if player == 0 else point + 1: state.board(player, point) for point in points}
    counts[BAR] = state.board(player, THEIR_BAR)
    return side_of({**counts, OFF: CHECKERS - sum(counts.values())})


READERS: dict[str, Callable[[Game, Any], State | None]] = {"pig": _pig, "2048": _2048, "backgammon": _backgammon}
