"""Where games are kept: what was acknowledged is there, and damage is a sentence."""

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from zermelo.core.errors import Refused, UsageError
from zermelo.web.catalogue import Catalogue
from zermelo.web.sessions import Sessions
from zermelo.web.store import MIGRATIONS, VERSION, NotSaved, Outdated, Store, StoredNode, StoredSession, StoredSheet

pytestmark = pytest.mark.plain

WRITER = """
import sys
from zermelo.web.store import Store, StoredNode, StoredSession
store = Store(sys.argv[1])
store.create(StoredSession("s", "nim", {}, "", 0, [], "rolled", 0, [StoredNode(0, -1, "", -1)]))
for number in range(1, 100_000):
    store.add("s", StoredNode(number, number - 1, "a1", 0))
    print(number, flush=True)
"""


def test_a_killed_server_has_lost_no_move_that_it_acknowledged(tmp_path):
    path = tmp_path / "sessions.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(40):
            acknowledged = int(process.stdout.readline())
        process.kill()
        acknowledged = max([acknowledged, *(int(line) for line in process.stdout if line.endswith("\n"))])
    found = Store(path).load("s")
    assert len(found.nodes) - 1 >= acknowledged >= 40
    assert found.current == found.nodes[-1].number


def test_the_store_gives_back_what_it_was_given(tmp_path):
    store = Store(tmp_path / "deep" / "sessions.sqlite")
    players = [{"agent": None, "level": 5}]
    session = StoredSession("s", "nim", {"heaps": "3-4"}, "", 7, players, "rolled", 0, [StoredNode(0, -1, "", -1)])
    store.create(session)
    assert store.load("s") == session
    copied = replace(session, id="t", sheet=StoredSheet(0, {"White": "Anna"}, "1-0"))
    store.create(copied)
    assert store.load("t") == copied
    store.delete("t")
    store.add("s", StoredNode(1, 0, "a1", 0))
    store.judge("s", 1, {"kind": "exact"})
    assert store.load("s").nodes[1] == StoredNode(1, 0, "a1", 0, {"kind": "exact"})
    assert store.recent()[0][:3] == ("s", "nim", 1)
    store.delete("s")
    assert store.load("s") is None


@pytest.fixture
def saved(tmp_path):
    """A store with one game."""
    store = Store(tmp_path / "sessions.sqlite")
    store.create(StoredSession("s", "nim", {}, "", 7, [], "rolled", 0, [StoredNode(0, -1, "", -1)]))
    return store


def test_a_failed_change_leaves_nothing_behind(saved):
    with pytest.raises(Outdated, match="changed by another server"):
        saved.add("s", StoredNode(0, 0, "again", 0))
    assert saved.load("s").current == 0
    saved.add("s", StoredNode(1, 0, "a1", 0))
    assert saved.load("s").current == 1


class Failing:
    """A connection on which some statements fail, before or after they were carried out."""

    def __init__(self, connection, statement, is_done):
        self._connection, self._statement, self._is_done = connection, statement, is_done

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        if statement != self._statement:
            return self._connection.execute(statement, *values)
        if self._is_done:
            self._connection.execute("ROLLBACK")  # as SQLite does by itself when the disk is full
        raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("is_done", [True, False], ids=["rolled back by SQLite", "left open"])
def test_after_a_failed_commit_the_store_continues(saved, is_done):
    connection = saved._connection
    saved._connection = Failing(connection, "COMMIT", is_done)
    with pytest.raises(NotSaved, match="disk is full; nothing was changed"):
        saved.add("s", StoredNode(1, 0, "a1", 0))
    saved._connection = connection
    saved.add("s", StoredNode(1, 0, "a1", 0))
    assert len(saved.load("s").nodes) == 2


def test_a_full_disk_is_a_sentence_and_there_may_be_room_later(saved):
    saved._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (pages,) = saved._connection.execute("PRAGMA page_count").fetchone()
    saved._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotSaved, match="the games cannot be read or saved now: database or disk is full"):
        saved.add("s", StoredNode(1, 0, "a" * 20_000, 0))
    saved._connection.execute("PRAGMA max_page_count = 1000000")
    saved.add("s", StoredNode(1, 0, "a" * 20_000, 0))
    assert saved.load("s").current == 1


def test_a_damaged_file_is_refused_with_a_sentence(saved, tmp_path):
    file = tmp_path / "sessions.sqlite"
    for number in range(1, 400):
        saved.add("s", StoredNode(number, number - 1, "a1", 0))
    saved.close()
    content = bytearray(file.read_bytes())
    for place in range(4096, len(content), 97):
        content[place] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(
        UsageError, match=r"sessions.sqlite (is damaged|cannot store the sessions).*choose another folder"
    ):
        Store(file)


@pytest.mark.parametrize(
    "damage",
    [
        "sessions SET players = '[{'",
        "sessions SET players = '7'",
        """sessions SET players = '["x"]'""",
        "sessions SET options = '[]'",
        """sessions SET options = '{"heaps": 3}'""",
        "sessions SET dice = 'rollfd'",
        "sessions SET current = 77",
        "nodes SET parent = 99 WHERE number = 1",
        "nodes SET parent = 1 WHERE number = 1",
        "nodes SET parent = 2 WHERE number = 1",
        "nodes SET parent = -5 WHERE number = 1",
        "nodes SET number = 50 WHERE number = 1",
        "nodes SET judgement = '[1]' WHERE number = 1",
    ],
)
def test_damage_inside_a_game_is_a_sentence(saved, damage):
    saved.add("s", StoredNode(1, 0, "a1", 0))
    saved.add("s", StoredNode(2, 1, "b1", 1))
    assert saved.load("s").current == 2
    saved._connection.execute(f"UPDATE {damage}")
    with pytest.raises(Refused, match="the saved game is damaged"):
        saved.load("s")


def test_a_saved_game_with_too_few_players_is_a_sentence(saved):
    with pytest.raises(Refused, match="the saved game is damaged"):
        Sessions(Catalogue(), saved).get("s")


# -- versions of the tables ------------------------------------------------------------------------

VERSION_1 = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, start TEXT NOT NULL, seed INTEGER NOT NULL,
    players TEXT NOT NULL, dice TEXT NOT NULL, current INTEGER NOT NULL, touched REAL NOT NULL
) STRICT;
CREATE TABLE nodes (
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    parent INTEGER NOT NULL, move TEXT NOT NULL, player INTEGER NOT NULL, judgement TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE scoresheets (
    session TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE, moves INTEGER NOT NULL,
    headers TEXT NOT NULL, result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sessions VALUES
    ('old', 'hexapawn', '{"rows": "4"}', '', 7, '[{"agent": null, "level": 5}]', 'rolled', 1, NOW);
INSERT INTO nodes VALUES ('old', 0, -1, '', -1, NULL), ('old', 1, 0, 'b1b2', 0, '{"kind": "exact"}');
INSERT INTO scoresheets VALUES ('old', 1, '{"White": "Anna"}', '1-0');
"""
"""A file with one game, as version 1 wrote it."""


@pytest.fixture(params=[0, 1], ids=["before versions", "version 1"])
def older(request, tmp_path):
    """A file of an older version."""
    file = tmp_path / "sessions.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(VERSION_1.replace("NOW", str(time.time())))
        connection.execute(f"PRAGMA user_version = {request.param}")
    return file


def look_into(file, question):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


def test_the_tables_of_an_older_file_are_migrated_and_its_games_are_kept(older):
    before = look_into(older, "SELECT touched FROM sessions")
    store = Store(older)
    assert store.load("old") == StoredSession(
        "old",
        "hexapawn",
        {"rows": "4"},
        "",
        7,
        [{"agent": None, "level": 5}],
        "rolled",
        1,
        [StoredNode(0, -1, "", -1), StoredNode(1, 0, "b1b2", 0, {"kind": "exact"})],
        StoredSheet(1, {"White": "Anna"}, "1-0"),
    )
    store.add("old", StoredNode(2, 1, "a3b2", 1))
    store.close()
    assert look_into(older, "PRAGMA user_version") == [(VERSION,)]
    assert look_into(older, "SELECT opened FROM sessions") > before
    assert Store(older).load("old").current == 2


def test_a_migrated_file_has_the_tables_of_a_new_one(older, tmp_path):
    Store(older).close()
    Store(tmp_path / "new.sqlite").close()
    tables = [f"PRAGMA table_info({table})" for table in ("sessions", "nodes", "scoresheets", "clocks")]
    for question in (*tables, "PRAGMA index_list(sessions)", "PRAGMA foreign_key_list(nodes)"):
        assert look_into(older, question) == look_into(tmp_path / "new.sqlite", question)


def test_a_migration_that_fails_changes_nothing(older, monkeypatch):
    before = look_into(older, "SELECT * FROM sessions"), look_into(older, "PRAGMA user_version")
    monkeypatch.setitem(MIGRATIONS, 1, (*MIGRATIONS[1], "DELETE FROM sessions", "ALTER TABLE nowhere ADD COLUMN a"))
    with pytest.raises(UsageError, match="cannot store the sessions"):
        Store(older)
    assert (look_into(older, "SELECT * FROM sessions"), look_into(older, "PRAGMA user_version")) == before
    assert look_into(older, "SELECT touched FROM sessions")
    monkeypatch.undo()
    assert Store(older).load("old").current == 1


def test_two_servers_may_start_with_the_same_older_file(older):
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(Store, [older] * 4))
    assert [store.load("old").current for store in stores] == [1] * 4


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_file_of_a_newer_version_is_refused_and_not_changed(tmp_path, journal):
    file = tmp_path / "sessions.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.executescript("CREATE TABLE sessions (id TEXT); INSERT INTO sessions VALUES ('future')")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = file.read_bytes(), file.stat().st_mtime_ns
    with pytest.raises(UsageError) as refusal:
        Store(file)
    assert str(refusal.value) == (
        f"{file} was written by a newer version of zermelo; update zermelo, move the file, or choose another folder"
    )
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("change", ["ALTER TABLE nodes ADD COLUMN clock REAL", "ALTER TABLE sessions DROP COLUMN dice"])
def test_other_tables_are_refused_with_a_sentence(saved, tmp_path, change):
    saved._connection.execute(change)
    saved.close()
    with pytest.raises(UsageError, match="does not have the tables of zermelo; move the file"):
        Store(tmp_path / "sessions.sqlite")


# -- limits ----------------------------------------------------------------------------------------

DAY = 24 * 3600


def session_named(name, moves=0):
    nodes = [StoredNode(number, number - 1, "a" * 100, -1) for number in range(moves + 1)]
    return StoredSession(name, "nim", {}, "", 7, [], "rolled", 0, nodes)


def kept(store):
    return {name for name, *_ in store.recent(1000)}


def test_a_session_that_was_not_opened_for_a_year_is_deleted_at_the_next_start(tmp_path):
    file = tmp_path / "sessions.sqlite"
    store = Store(file)
    for name, days in {"fresh": 1, "old": 364, "too-old": 366, "opened": 366}.items():
        store.create(session_named(name, moves=2))
        store._connection.execute("UPDATE sessions SET opened = ? WHERE id = ?", (time.time() - days * DAY, name))
    assert store.load("opened") is not None
    store.close()
    again = Store(file)
    assert kept(again) == {"fresh", "old", "opened"}
    assert look_into(file, "SELECT COUNT(*) FROM nodes WHERE session = 'too-old'") == [(0,)]


def test_a_session_is_not_written_each_time_it_is_opened(saved):
    changes = saved._connection.total_changes
    saved.load("s")
    assert saved._connection.total_changes == changes


def test_a_session_can_be_opened_although_the_disk_is_full(saved):
    saved._connection.execute("UPDATE sessions SET opened = 0")
    saved._connection.execute("PRAGMA query_only = ON")
    assert saved.load("s").game == "nim"


def test_beyond_a_number_of_sessions_those_that_were_opened_long_ago_are_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.web.store.MOST_SESSIONS", 3)
    store = Store(tmp_path / "sessions.sqlite")
    for number in range(5):
        store.create(session_named(str(number)))
    assert kept(store) == {"2", "3", "4"}
    store.close()
    monkeypatch.setattr("zermelo.web.store.MOST_SESSIONS", 2)
    assert kept(Store(tmp_path / "sessions.sqlite")) == {"3", "4"}


def test_beyond_a_size_the_sessions_that_were_opened_long_ago_are_deleted_but_never_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.web.store.MOST_BYTES", 1 << 20)
    monkeypatch.setattr("zermelo.web.store.PRUNED_AT_ONCE", 1)
    store = Store(tmp_path / "sessions.sqlite")
    for number in range(10):
        store.create(session_named(str(number), moves=2000))
    assert 2 <= len(kept(store)) < 5
    assert "9" in kept(store)
    store.create(session_named("large", moves=20_000))
    assert kept(store) == {"large"}
