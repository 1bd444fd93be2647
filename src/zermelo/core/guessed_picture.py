"""The inherited picture: a board guessed from a state, or its fields by name.

A board is the field called `board`, `grid` or `cells`, or else the only rectangle of three rows and columns or more:
rows of equal length, an array of two dimensions, rows written as texts, or a dict from every (row, column) to a value.
What else the state has is the caption. A move is put on cells only if it is surely meant: (row, column), a number that
counts the cells row by row, or two of them for from and to, where playing it changes the cells, and no other move
touches the same ones.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from zermelo.core.checked import CHANCE
from zermelo.core.frozen import thaw
from zermelo.core.picture import Grid, Picture, Piece, Text

if TYPE_CHECKING:
    from zermelo.core.game import Game, State

NAMES = ("board", "grid", "cells")
LEAST, MOST = 3, 26
"""Rows and columns of a board; one with a name may have fewer."""
EMPTY = ("", " ", ".", "_", "-", "·", None)
LONGEST = 3
"""Letters that fit a cell."""
LONGEST_VALUE = 60
MOST_MOVES = 400

Rows: TypeAlias = tuple[tuple[Any, ...], ...]


def guess(game: Game, state: State) -> Picture | None:
    """A picture of the state, if there is something in it to be seen."""
    fields = _fields(thaw(state))
    place = _place_of_board(fields)
    others = {name: value for name, value in fields.items() if name != place and not isinstance(name, int)}
    if place is None:
        return Text("\n".join(f"{name}: {_word(value)}" for name, value in others.items())) if others else None
    rows = _rows(fields[place])
    assert rows is not None
    empty = _empty_values(game, rows)
    cells = tuple(_piece(game, value, empty) for row in rows for value in row)
    if any(piece is not None and len(piece.symbol) > LONGEST for piece in cells):
        return None
    caption = "   ".join(f"{name}: {_word(value)}" for name, value in others.items())
    return Grid(len(rows), len(rows[0]), cells, touches=_touches(game, state, rows), caption=caption)


def _fields(state: Any) -> dict[str | int, Any]:
    """The parts of a state by name, or by number where they have none; a state that is a board itself is part 0."""
    if _is_large(_rows(state)):
        return {0: state}
    if isinstance(state, Mapping):
        return dict(state) if all(isinstance(name, str) for name in state) else {}
    if hasattr(state, "_fields"):
        return dict(zip(state._fields, state, strict=True))
    if isinstance(state, tuple | list):
        return dict(enumerate(state))
    if dataclasses.is_dataclass(state):
        return {one.name: getattr(state, one.name) for one in dataclasses.fields(state)}
    return {name: value for name, value in getattr(state, "__dict__", {}).items() if not name.startswith("_")}


def _place_of_board(fields: Mapping[str | int, Any]) -> str | int | None:
    boards = [name for name, value in fields.items() if _rows(value) is not None]
    named = [name for name in NAMES if name in boards]
    large = [name for name in boards if _is_large(_rows(fields[name]))]
    return named[0] if named else large[0] if len(boards) == len(large) == 1 else None


def _is_large(rows: Rows | None) -> bool:
    """Pairs, and lists of pairs, may be anything."""
    return rows is not None and min(len(rows), len(rows[0])) >= LEAST


def _rows(value: Any) -> Rows | None:
    """The rows of a rectangle of small values; None if it is none."""
    if getattr(value, "ndim", 0) == 2:
        value = value.tolist()
    if isinstance(value, Mapping):
        return _rows_of_cells(value)
    if not isinstance(value, list | tuple) or hasattr(value, "_fields") or not 1 < len(value) <= MOST:
        return None
    if not all(isinstance(row, list | tuple | str) and not hasattr(row, "_fields") for row in value):
        return None
    rows = tuple(map(tuple, value))
    is_board = 1 < len(rows[0]) <= MOST and all(len(row) == len(rows[0]) for row in rows)
    return rows if is_board and all(map(_is_small, (cell for row in rows for cell in row))) else None


def _rows_of_cells(cells: Mapping[Any, Any]) -> Rows | None:
    """The same for a dict from (row, column), counted from 0, if no cell is missing."""
    if not all(_is_pair(place) for place in cells) or not cells:
        return None
    rows, cols = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    if min(rows, cols) < 2 or max(rows, cols) > MOST or len(cells) != rows * cols:
        return None
    if any(place[0] < 0 or place[1] < 0 for place in cells) or not all(map(_is_small, cells.values())):
        return None
    return tuple(tuple(cells[row, col] for col in range(cols)) for row in range(rows))


def _is_small(value: Any) -> bool:
    return isinstance(value, int | float | enum.Enum | None) or (isinstance(value, str) and len(value) <= LONGEST)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_number, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# -- pieces --------------------------------------------------------------------------------------------


def _empty_values(game: Game, rows: Rows) -> tuple[Any, ...]:
    """What an empty cell holds: nothing, a blank or a dot; or 0, if a game begins without any of those."""
    with suppress(Exception):  # the rules may fail; then the board that is to be shown must do
        start = _fields(thaw(game.initial()))
        rows = _rows(start[_place_of_board(start)]) or rows  # type: ignore[index]
    first = [cell for row in rows for cell in row]
    return EMPTY if any(_is_one_of(cell, EMPTY) for cell in first) else (*EMPTY, 0)


def _is_one_of(value: Any, values: tuple[Any, ...]) -> bool:
    return any(type(value) is not bool and value == one and (value is None) == (one is None) for one in values)


def _piece(game: Game, value: Any, empty: tuple[Any, ...]) -> Piece | None:
    if _is_one_of(value, empty) or (value is False and 0 in empty):
        return None
    if isinstance(value, enum.Enum):
        value = value.value if isinstance(value.value, str) and len(value.value) == 1 else value.name[:1]
    if isinstance(value, bool):
        value = int(value)
    text = str(value)
    return Piece(text, _owner(game, text), "piece" if text.isalnum() else "sign")


def _owner(game: Game, text: str) -> int:
    """Whose piece it is, for X and O; -1 for any other, since its colour would be a guess."""
    return "XO".index(text.upper()) if text.upper() in ("X", "O") and game.players > 1 else -1


# -- moves ---------------------------------------------------------------------------------------------


def _touches(game: Game, state: State, rows: Rows) -> dict[str, tuple[int, ...]]:
    """The cells of each move that is surely meant for them; none if one of the moves speaks against it."""
    with suppress(Exception):  # rules that fail are reported elsewhere
        if game.is_terminal(state) or game.to_move(state) == CHANCE:
            return {}
        moves = list(game.actions(state))
        found = [(move, _cells(thaw(move), len(rows), len(rows[0]))) for move in moves]
        placed = [(move, cells) for move, cells in found if cells]
        if len(moves) > MOST_MOVES or not all(_changes(game, state, rows, move, cells) for move, cells in placed):
            return {}
        times = Counter(cells for _, cells in placed)
        return {game.format_action(state, move): cells for move, cells in placed if times[cells] == 1}
    return {}


def _cells(move: Any, rows: int, cols: int) -> tuple[int, ...]:
    """The cells that a move names; none if it names none."""
    if _is_number(move):
        return (int(move),) if 0 <= move < rows * cols else ()
    if not isinstance(move, list | tuple):
        return ()
    numbers = [number for part in move for number in (part if isinstance(part, list | tuple) else (part,))]
    if len(numbers) not in (2, 4) or not all(map(_is_number, numbers)):
        return ()
    places = list(zip(numbers[::2], numbers[1::2], strict=True))
    if not all(0 <= row < rows and 0 <= col < cols for row, col in places):
        return ()
    return tuple(row * cols + col for row, col in places)


def _changes(game: Game, state: State, rows: Rows, move: Any, cells: Sequence[int]) -> bool:
    """Whether the move changes what is in the cells."""
    fields = _fields(thaw(game.result(state, move)))
    after = _rows(fields.get(_place_of_board(fields)))  # type: ignore[arg-type]
    if after is None or (len(after), len(after[0])) != (len(rows), len(rows[0])):
        return False
    cols = len(rows[0])
    return all(after[cell // cols][cell % cols] != rows[cell // cols][cell % cols] for cell in cells)


def _word(value: Any) -> str:
    text = " ".join(str(value.name if isinstance(value, enum.Enum) else value).split())
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"
