"""Records of games: one JSON line each, with everything needed to replay the game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee

Ending: TypeAlias = Literal["played", "resigned", "forfeited", "adjudicated", "unfinished"]
"""Played to the end; resigned; lost by a fault; scored as a draw because it was too long; not finished."""


@dataclass(frozen=True)
class Record:
    """One game."""

    game: str
    agents: tuple[str, ...]
    seats: tuple[int, ...]
    """The index of the agent at each seat."""
    seed: int
    number: int
    """The number of the game within its match, from 1."""
    opening: int
    """The number of random moves at the start, dice included."""
    moves: tuple[str, ...]
    """The moves in the notation of the game, with rolls of dice."""
    result: tuple[float, ...] | None
    """The payoff of each seat; None if the game was not finished."""
    ending: Ending = "played"
    reason: str = ""
    """Why it ended, if the board does not show it."""
    start: str = ""
    """The position before the first move; empty if it is the usual one."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, found: Any) -> Record:
        """The inverse of `to_json`; ValueError if a key is missing or has the wrong type."""
        if not isinstance(found, dict) or set(found) != {field.name for field in fields(cls)}:
            raise ValueError("it needs exactly the keys " + ", ".join(field.name for field in fields(cls)))
        texts = {name: _list_of(str, found, name) for name in ("agents", "moves")}
        seats = _list_of(int, found, "seats")
        result = None if found["result"] is None else _list_of((int, float), found, "result")
        if sorted(seats) != list(range(len(texts["agents"]))) or (result is not None and len(result) != len(seats)):
            raise ValueError("agents, seats and result do not match")
        if found["ending"] not in get_args(Ending):
            raise ValueError(f"its ending is {found['ending']!r}; it must be one of {', '.join(get_args(Ending))}")
        return cls(**{**found, **texts, "seats": seats, "result": result})

    def replay(self, game: Game) -> Referee:
        """Replay the game to its end; IllegalMove if the record does not fit the game."""
        referee = Referee.at(game, self.start)
        referee.play_line(self.moves)
        return referee


def write_record(path: Path, record: Record) -> None:
    """Append one line to the file."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record.to_json(), ensure_ascii=False) + "\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def read_records(path: Path) -> list[Record]:
    """Read all games of a file; UsageError names the first line that is not a record."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return list(parse_records(str(path), lines))


def parse_records(path: str, lines: Iterable[str]) -> Iterator[Record]:
    """The games of a file whose lines are given."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Record.from_json(json.loads(line))
        except (ValueError, TypeError) as error:
            raise UsageError(f"{path}, line {number} is not a record of a game: {error}") from None


def _list_of(kind: type | tuple[type, ...], found: dict[str, Any], name: str) -> tuple[Any, ...]:
    items = found[name]
    if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
        raise ValueError(f"{name} is {items!r}")
    return tuple(items)
