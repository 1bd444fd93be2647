"""Sessions on disk: one SQLite file, one writer, and every change is on disk before it is acknowledged."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from zermelo.core.errors import Refused, UsageError, ZermeloError

VERSION = 1
"""Version of the tables; a file with another version is refused."""
COLUMNS = {
    "sessions": ("id", "game", "options", "start", "seed", "players", "dice", "current", "touched"),
    "nodes": ("session", "number", "parent", "move", "player", "judgement"),
    "scoresheets": ("session", "moves", "headers", "result"),
}
SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, start TEXT NOT NULL, seed INTEGER NOT NULL,
    players TEXT NOT NULL, dice TEXT NOT NULL, current INTEGER NOT NULL, touched REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS nodes (
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    parent INTEGER NOT NULL, move TEXT NOT NULL, player INTEGER NOT NULL, judgement TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scoresheets (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE, moves INTEGER NOT NULL,
    headers TEXT NOT NULL, result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
MOST_SESSIONS = 5_000
"""If there are more, the oldest are deleted."""
DAMAGED = "the saved game is damaged; start a new one"


class NotSaved(ZermeloError):
    """The file cannot be read or written; nothing was changed."""


class Outdated(Refused):
    """The session was changed or deleted by another server that uses the same file."""


@dataclass(frozen=True)
class StoredNode:
    number: int
    parent: int
    move: str
    player: int
    judgement: dict[str, Any] | None = None


@dataclass(frozen=True)
class StoredSheet:
    """What the scoresheet of an imported game contains besides its moves."""

    moves: int
    headers: dict[str, str]
    result: str


@dataclass(frozen=True)
class StoredSession:
    id: str
    game: str
    options: dict[str, str]
    start: str
    seed: int
    players: list[dict[str, Any]]
    dice: Literal["rolled", "chosen"]
    current: int
    nodes: list[StoredNode]
    sheet: StoredSheet | None = None


STORED = TypeAdapter(StoredSession)


class Store:
    """The file; every method is one transaction."""

    def __init__(self, path: Path | str) -> None:
        try:
            if path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.executescript(SCHEMA)
            self._check(path)
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"{path} cannot store the sessions ({error}); choose another folder") from None
        self._lock = threading.Lock()

    def _check(self, path: Path | str) -> None:
        """Refuse a damaged file, and the tables of another version."""
        (state,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise UsageError(f"{path} is damaged ({' '.join(state.split())}); move it, or choose another folder")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        found = {name: self._columns(name) for name in COLUMNS}
        if version not in (0, VERSION) or found != COLUMNS:
            raise UsageError(f"{path} was written by another version of zermelo; move it, or choose another folder")
        if version != VERSION:
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _columns(self, table: str) -> tuple[str, ...]:
        return tuple(name for _, name, *_ in self._connection.execute(f"PRAGMA table_info({table})"))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def create(self, session: StoredSession) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    session.id,
                    session.game,
                    json.dumps(session.options),
                    session.start,
                    session.seed,
                    json.dumps(session.players),
                    session.dice,
                    session.current,
                    time.time(),
                ),
            )
            connection.executemany(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, NULL)",
                [(session.id, node.number, node.parent, node.move, node.player) for node in session.nodes],
            )
            if session.sheet is not None:
                sheet = session.sheet
                connection.execute(
                    "INSERT INTO scoresheets VALUES (?, ?, ?, ?)",
                    (session.id, sheet.moves, json.dumps(sheet.headers), sheet.result),
                )
            connection.execute(
                "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                (MOST_SESSIONS,),
            )

    def add(self, session: str, node: StoredNode) -> None:
        """Store a new move and make it the current node."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, NULL)",
                (session, node.number, node.parent, node.move, node.player),
            )
            self._move_to(connection, session, node.number)

    def go(self, session: str, number: int) -> None:
        with self._transaction() as connection:
            self._move_to(connection, session, number)

    def seat(self, session: str, players: list[dict[str, Any]], dice: str) -> None:
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE sessions SET players = ?, dice = ? WHERE id = ?", (json.dumps(players), dice, session)
            )
            _require_one(changed)

    def judge(self, session: str, number: int, judgement: dict[str, Any]) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE nodes SET judgement = ? WHERE session = ? AND number = ?",
                (json.dumps(judgement), session, number),
            )

    def delete(self, session: str) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE id = ?", (session,))

    def load(self, session: str) -> StoredSession | None:
        """Load the session; None if there is none, Refused if it is damaged."""
        with self._lock, _translate_errors():
            found = self._connection.execute(
                "SELECT id, game, options, start, seed, players, dice, current FROM sessions WHERE id = ?", (session,)
            ).fetchone()
            rows = self._connection.execute(
                "SELECT number, parent, move, player, judgement FROM nodes WHERE session = ? ORDER BY number",
                (session,),
            ).fetchall()
            sheet = self._connection.execute(
                "SELECT moves, headers, result FROM scoresheets WHERE session = ?", (session,)
            ).fetchone()
        if found is None:
            return None
        name, game, options, start, seed, players, dice, current = found
        try:
            nodes = [
                StoredNode(number, parent, move, player, json.loads(judgement) if judgement else None)
                for number, parent, move, player, judgement in rows
            ]
            read = StoredSession(
                name,
                game,
                json.loads(options),
                start,
                seed,
                json.loads(players),
                dice,
                current,
                nodes,
                StoredSheet(sheet[0], json.loads(sheet[1]), sheet[2]) if sheet else None,
            )
            return _check_stored(read)
        except (ValueError, RecursionError):
            raise Refused(DAMAGED) from None

    def require_same(self, session: str, current: int, last: int) -> None:
        """Raise Outdated if another server has changed the current or the last node of the session."""
        with self._lock, _translate_errors():
            found = self._connection.execute(
                "SELECT current, (SELECT MAX(number) FROM nodes WHERE session = id) FROM sessions WHERE id = ?",
                (session,),
            ).fetchone()
        if found != (current, last):
            raise Outdated("this game was changed by another server; load it again")

    def recent(self, most: int = 20) -> list[tuple[str, str, int, float]]:
        """The latest sessions: id, game, number of moves, time."""
        with self._lock:
            return self._connection.execute(
                "SELECT id, game, (SELECT COUNT(*) - 1 FROM nodes WHERE session = id), touched "
                "FROM sessions ORDER BY touched DESC LIMIT ?",
                (most,),
            ).fetchall()

    @staticmethod
    def _move_to(connection: sqlite3.Connection, session: str, number: int) -> None:
        place = number, time.time(), session
        _require_one(connection.execute("UPDATE sessions SET current = ?, touched = ? WHERE id = ?", place))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end, or rolled back."""
        with self._lock, _translate_errors():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends some transactions itself
                    self._connection.execute("ROLLBACK")
                raise


def _check_stored(read: StoredSession) -> StoredSession:
    """Return the session if its types are right and its nodes form a tree; otherwise ValueError.

    SQLite detects damaged pages, but not every changed bit inside a text or a number.
    """
    found = STORED.validate_python(asdict(read))
    is_tree = all(
        node.number == place and (node.parent == -1 if place == 0 else 0 <= node.parent < place)
        for place, node in enumerate(found.nodes)
    )
    if not is_tree or not 0 <= found.current < len(found.nodes):
        raise ValueError(DAMAGED)
    return found


def _require_one(changed: sqlite3.Cursor) -> None:
    if changed.rowcount != 1:
        raise Outdated("this game was deleted by another server; start a new one")


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn errors of SQLite into our own, with a sentence."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise Outdated("this game was changed by another server; load it again") from None
    except sqlite3.Error as error:
        raise NotSaved(f"the games cannot be read or saved now: {error}; nothing was changed") from None
