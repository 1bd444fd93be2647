"""Opponent models learned from saved games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from zermelo.arena.records import read_records
from zermelo.core.errors import UsageError
from zermelo.core.game import Action, Game, State
from zermelo.search.expectiminimax import Habits, habits_of


def read_habits(game: Game, files: Mapping[int, str]) -> Habits:
    """Learn the habits of seats, each from a file of games."""
    return habits_of(game, (choice for seat, file in files.items() for choice in read_choices(game, seat, file)))


def read_choices(game: Game, seat: int, file: str) -> Iterator[tuple[State, Action]]:
    """The choices of the player at a seat in all games of a file; records of other games are skipped."""
    records = [record for record in read_records(Path(file)) if record.game == game.spec()]
    if not records:
        raise UsageError(f"{file} has no games of {game.spec()} to learn a player from")
    for record in records:
        for turn in record.replay(game).turns:
            if turn.player == seat:
                yield turn.state, turn.action
