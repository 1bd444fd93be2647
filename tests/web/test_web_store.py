"""Where games are kept: what was acknowledged is there, and damage is a sentence."""

import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from zermelo.core.errors import Refused, UsageError
from zermelo.web.catalogue import Catalogue
from zermelo.web.sessions import Sessions
from zermelo.web.store import NotSaved, Outdated, Store, StoredNode, StoredSession, StoredSheet

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
def test_after_a_failed_commit_the_store_goes_on(saved, is_done):
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


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE nodes ADD COLUMN clock REAL", "ALTER TABLE sessions DROP COLUMN dice", "PRAGMA user_version = 7"],
)
def test_tables_of_another_version_are_refused_with_a_sentence(saved, tmp_path, change):
    saved._connection.execute(change)
    saved.close()
    with pytest.raises(UsageError, match="was written by another version of zermelo; move it"):
        Store(tmp_path / "sessions.sqlite")


def test_a_file_from_before_versions_is_taken_over(saved, tmp_path):
    saved._connection.execute("PRAGMA user_version = 0")
    saved.close()
    assert Store(tmp_path / "sessions.sqlite").load("s").game == "nim"
