"""The places of checkers in the picture, and the places that a play touches."""

from __future__ import annotations

from typing import Any

from zermelo.games.backgammon.board import BAR, OFF, count_at
from zermelo.games.backgammon.notation import hops_of
from zermelo.games.backgammon.position import PLAYING, WHITE, Position, phase_of, player_of

SYMBOLS = ("X", "O")
POINTS = 24


def checkers_of(state: Position) -> dict[str, Any]:
    """The points as White counts them, the bars and the trays."""
    sides = (state.mine, state.theirs) if player_of(state) == WHITE else (state.theirs, state.mine)
    points = []
    for place in range(1, POINTS + 1):
        many = count_at(sides[0], place), count_at(sides[1], BAR - place)
        points.append((0, many[0]) if many[0] else (1, many[1]) if many[1] else (-1, 0))
    bar, off = (tuple(count_at(side, place) for side in sides) for place in (BAR, OFF))
    return {"points": tuple(points), "bar": bar, "off": off, "symbols": SYMBOLS}


def cells_of(state: Position, action: int) -> tuple[int, ...]:
    """The cells of a play, from and to; none for a roll or a word about the cube."""
    if phase_of(state) != PLAYING:
        return ()
    return tuple(cell_of(place, player_of(state)) for hop in hops_of(state, action) for place in hop)


def cell_of(place: int, player: int) -> int:
    """The cell where a player's place is."""
    if place in (OFF, BAR):
        return POINTS + player + (2 if place == OFF else 0)
    return place - 1 if player == WHITE else POINTS - place
