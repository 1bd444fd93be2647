"""Records of games survive the way to the disk and back, and can be played again."""

import json

import pytest

from zermelo.arena.agents import agent
from zermelo.arena.match import play_match
from zermelo.arena.records import Record, read_records, write_record
from zermelo.core.errors import IllegalMove, UsageError
from zermelo.games import find

pytestmark = pytest.mark.plain


def played(game="nim", games=4, seed=5):
    return play_match(find(game), [agent("random"), agent("random")], games, seed).records


def test_records_are_read_back_as_they_were_written(tmp_path):
    path = tmp_path / "games.jsonl"
    for record in played():
        write_record(path, record)
    assert read_records(path) == list(played())
    assert len(path.read_text().splitlines()) == 4


def test_a_record_says_everything_in_plain_json(tmp_path):
    path = tmp_path / "games.jsonl"
    write_record(path, played()[1])
    found = json.loads(path.read_text())
    assert found["game"] == "nim"
    assert found["agents"] == ["random", "random"]
    assert found["seats"] == [1, 0]
    assert (found["seed"], found["number"], found["opening"], found["ending"]) == (5, 2, 2, "played")
    assert all(isinstance(move, str) for move in found["moves"])
    assert sorted(found["result"]) == [-1, 1]


@pytest.mark.parametrize("name", ["nim", "pig", "hexapawn"])
def test_a_record_can_be_played_again(name):
    for record in played(name):
        referee = record.replay(find(record.game))
        assert referee.is_over
        assert referee.utilities() == record.result


def test_a_record_does_not_fit_another_game():
    with pytest.raises(IllegalMove, match="move 1"):
        played("nim")[0].replay(find("hexapawn"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 2 is not a record of a game"),
        ("[]", "exactly the keys game, agents"),
        ('{"game": "nim"}', "exactly the keys game, agents"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path, line, sentence):
    path = tmp_path / "games.jsonl"
    write_record(path, played()[0])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(UsageError, match=sentence):
        read_records(path)


@pytest.mark.parametrize(
    ("key", "value"), [("moves", "a1"), ("moves", [1]), ("seats", [0, 0]), ("result", [1]), ("ending", "eaten")]
)
def test_every_entry_is_checked(key, value):
    found = json.loads(json.dumps(played()[0].to_json()))
    assert Record.from_json(found) == played()[0]
    with pytest.raises(ValueError, match=r"moves|do not match|ending"):
        Record.from_json({**found, key: value})


def test_files_that_cannot_be_read_or_written_are_named(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.jsonl cannot be read"):
        read_records(tmp_path / "nowhere.jsonl")
    with pytest.raises(UsageError, match="cannot be written"):
        write_record(tmp_path / "no" / "folder.jsonl", played()[0])
