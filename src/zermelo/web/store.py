"""Sessions on disk: one SQLite file, one writer, and every change is on disk before it is acknowledged."""

from __future__ import annotations

import itertools
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from zermelo.core.errors import Refused, UsageError, ZermeloError

log = logging.getLogger(__name__)

VERSION = 3
"""Version of the tables. `MIGRATIONS` updates older files; newer ones are refused."""
COLUMNS = {
    "sessions": ("id", "game", "options", "start", "seed", "players", "dice", "current", "opened"),
    "nodes": ("session", "number", "parent", "move", "player", "judgement"),
    "scoresheets": ("session", "moves", "headers", "result"),
    "clocks": ("session", "seconds", "increment", "times", "loser", "lost_at"),
}
SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, start TEXT NOT NULL, seed INTEGER NOT NULL,
    players TEXT NOT NULL, dice TEXT NOT NULL, current INTEGER NOT NULL, opened REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_by_opened ON sessions (opened);
CREATE TABLE IF NOT EXISTS nodes (
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    parent INTEGER NOT NULL, move TEXT NOT NULL, player INTEGER NOT NULL, judgement TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scoresheets (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE, moves INTEGER NOT NULL,
    headers TEXT NOT NULL, result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clocks (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE, seconds INTEGER NOT NULL,
    increment INTEGER NOT NULL, times TEXT NOT NULL, loser INTEGER, lost_at INTEGER
) STRICT, WITHOUT ROWID;
"""
MIGRATIONS = {
    1: ("ALTER TABLE sessions RENAME COLUMN touched TO opened",),  # formerly the time of the last change
    2: (),  # there were no clocks
}
"""By version, the statements that lead to the next one; missing tables and indices are created after them."""
LONGEST_UNOPENED = 365 * 24 * 3600.0
"""Seconds. When the store is opened, sessions that were not opened for longer are deleted."""
MOST_SESSIONS = 5_000
"""If there are more, those that were not opened for the longest time are deleted."""
MOST_BYTES = 512 << 20
"""The same if the sessions need more space."""
PRUNED_AT_ONCE = 20
"""Sessions that are deleted between two looks at the space."""
OPENING_INTERVAL = 24 * 3600.0
"""Seconds. A session that is opened again within this time is not written again."""
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
class StoredClock:
    """The settings of a clock in seconds, what each side has left, and who lost on time at which node."""

    seconds: int
    increment: int
    times: list[float]
    loser: int | None = None
    lost_at: int | None = None


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
    clock: StoredClock | None = None


STORED = TypeAdapter(StoredSession)


class Store:
    """The file; every method is one transaction."""

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        try:
            if path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            try:
                self._set_up(path)
            except BaseException:
                self._connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"{path} cannot store the sessions ({error}); choose another folder") from None

    def _set_up(self, path: Path | str) -> None:
        """Check and migrate the file, then delete old sessions; a file that is refused is not changed."""
        remedy = "move the file, or choose another folder"
        if self._version() > VERSION:
            raise UsageError(f"{path} was written by a newer version of zermelo; update zermelo, {remedy}")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        (state,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise UsageError(f"{path} is damaged ({' '.join(state.split())}); {remedy}")
        with self._begin() as connection:
            self._migrate(connection)
            if {name: self._columns(name) for name in COLUMNS} != COLUMNS:
                raise UsageError(f"{path} does not have the tables of zermelo; {remedy}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        with self._begin() as connection:
            expired = connection.execute("DELETE FROM sessions WHERE opened < ?", (time.time() - LONGEST_UNOPENED,))
            pruned = expired.rowcount + _prune(connection)
        if pruned:
            log.info("deleted %d sessions that were not opened for a long time", pruned)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Bring the tables to this version. The first files had the tables of version 1 and no version."""
        version = self._version()
        is_new = version == 0 and not self._columns("sessions")
        steps = () if is_new else range(max(version, 1), VERSION)
        statements = [*itertools.chain.from_iterable(MIGRATIONS[step] for step in steps), *SCHEMA.split(";\n")]
        for statement in statements:
            connection.execute(statement)
        if version != VERSION:
            log.info("the tables of the sessions have version %d, formerly %d", VERSION, version)
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> int:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        return int(version)

    def _columns(self, table: str) -> tuple[str, ...]:
        return tuple(name for _, name, *_ in self._connection.execute(f"PRAGMA table_info({table})"))

    def check(self) -> None:
        """Raise NotSaved if the file cannot be read now."""
        with self._lock, _translate_errors():
            self._connection.execute("SELECT id FROM sessions LIMIT 1").fetchone()

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
            if session.clock is not None:
                _set_clock(connection, session.id, session.clock)
            _prune(connection)

    def add(self, session: str, node: StoredNode, clock: StoredClock | None = None) -> None:
        """Store a new move, with what the clock shows after it, and make it the current node."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, NULL)",
                (session, node.number, node.parent, node.move, node.player),
            )
            self._move_to(connection, session, node.number)
            if clock is not None:
                _set_clock(connection, session, clock)

    def set_clock(self, session: str, clock: StoredClock) -> None:
        """Store what the clock shows, if there is still such a session."""
        with self._transaction() as connection:
            _set_clock(connection, session, clock)

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
            clock = self._connection.execute(
                "SELECT seconds, increment, times, loser, lost_at FROM clocks WHERE session = ?", (session,)
            ).fetchone()
        if found is None:
            return None
        self._note_opening(session)
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
                StoredClock(clock[0], clock[1], json.loads(clock[2]), clock[3], clock[4]) if clock else None,
            )
            return _check_stored(read)
        except (ValueError, RecursionError):
            raise Refused(DAMAGED) from None

    def _note_opening(self, session: str) -> None:
        """Store that the session was opened now; it can be read even if that cannot be stored."""
        now = time.time()
        with self._lock, suppress(sqlite3.Error):
            self._connection.execute(
                "UPDATE sessions SET opened = ? WHERE id = ? AND opened < ?", (now, session, now - OPENING_INTERVAL)
            )

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
                "SELECT id, game, (SELECT COUNT(*) - 1 FROM nodes WHERE session = id), opened "
                "FROM sessions ORDER BY opened DESC LIMIT ?",
                (most,),
            ).fetchall()

    @staticmethod
    def _move_to(connection: sqlite3.Connection, session: str, number: int) -> None:
        place = number, time.time(), session
        _require_one(connection.execute("UPDATE sessions SET current = ?, opened = ? WHERE id = ?", place))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction of one thread, whose errors are our own."""
        with self._lock, _translate_errors(), self._begin() as connection:
            yield connection

    @contextmanager
    def _begin(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end, or rolled back."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite ends some transactions itself
                self._connection.execute("ROLLBACK")
            raise


def _set_clock(connection: sqlite3.Connection, session: str, clock: StoredClock) -> None:
    connection.execute(
        "INSERT INTO clocks SELECT id, ?, ?, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT (session) "
        "DO UPDATE SET times = excluded.times, loser = excluded.loser, lost_at = excluded.lost_at",
        (clock.seconds, clock.increment, json.dumps(clock.times), clock.loser, clock.lost_at, session),
    )


def _prune(connection: sqlite3.Connection) -> int:
    """Delete the sessions beyond the limits, those first that were opened long ago; return their number."""
    oldest = "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY opened LIMIT ?)"
    (count,) = connection.execute("SELECT COUNT(*) FROM sessions").fetchone()
    pruned = connection.execute(oldest, (max(0, count - MOST_SESSIONS),)).rowcount
    while pruned < count - 1 and _used_bytes(connection) > MOST_BYTES:
        pruned += connection.execute(oldest, (min(PRUNED_AT_ONCE, count - 1 - pruned),)).rowcount
    return pruned


def _used_bytes(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _check_stored(read: StoredSession) -> StoredSession:
    """Return the session if its types are right and its nodes form a tree; otherwise ValueError.

    SQLite detects damaged pages, but not every changed bit inside a text or a number.
    """
    found = STORED.validate_python(asdict(read))
    is_tree = all(
        node.number == place and (node.parent == -1 if place == 0 else 0 <= node.parent < place)
        for place, node in enumerate(found.nodes)
    )
    is_clock = found.clock is None or (len(found.clock.times) == 2 and found.clock.loser in (None, 0, 1))
    if not is_tree or not is_clock or not 0 <= found.current < len(found.nodes):
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
