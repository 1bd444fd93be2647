"""Every JSON answer carries a version and fits its JSON Schema."""

import json
import shlex
from importlib.resources import files

import jsonschema_rs
import pytest

from zermelo.bench.measurement import Measurement
from zermelo.cli import bench as bench_command
from zermelo.cli.command import app
from zermelo.cli.request import SCHEMA

pytestmark = pytest.mark.plain

FOLDER = files("zermelo") / "schemas"
ANSWERS = {
    "analysis": [
        "best hexapawn --agent alphabeta --depth 3",
        "best hexapawn --agent mcts --nodes 50",
        "best hexapawn",
        "best trio --agent maxn --depth 1",
        "best nim --agent random",
        "solve hexapawn",
        "best kuhn 'moves: J Q' --agent equilibrium",
        "best kuhn 'moves: J Q' --agent mcts --nodes 50",
        "solve 2048:rows=2,cols=2,target=8",
    ],
    "bench": ["bench ladder tree --depth 2"],
    "check": ["check nim --games 2"],
    "exploit": ["exploit random --game kuhn", "exploit determinised:depth=2 --game kuhn --asks 2"],
    "games": ["games", "games pig"],
    "match": [
        "match random random:seed=3 --game nim --games 6",
        "match random --game 2048:target=8 --games 2",
        "match random random random --game trio --games 1",
    ],
    "nash": [
        "nash matrix:chicken",
        "nash matrix:stag-hunt --correlated",
        "nash matrix --quantal",
        "nash '1 2' --commitment",
    ],
    "perft": ["perft hexapawn --depth 2", "perft hexapawn --depth 2 --divide"],
    "review": [
        "review GAMES --depth 2",
        "review GAMES --number 2 --agent mcts --nodes 50",
    ],
    "solution": ["solve kuhn", "solve kuhn:players=3 --iterations 20 --most 3", "solve matrix:chicken --iterations 9"],
    "tree": [
        "tree tree",
        "tree tree --depth 1",
        "tree 'tree:chance(0.5:8 1/3:24 1/6:-12)' --algorithm expectiminimax",
        "tree trio --algorithm maxn --depth 1 --most 5",
    ],
}
"""Commands by the schema of their answer."""


def schema_of(name, closed=False):
    """The schema; `closed` forbids keys that it does not name, as programs that read an answer must not."""
    found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return close(found) if closed else found


def close(part):
    if isinstance(part, list):
        return [close(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: close(one) for name, one in part.items()}
    return found | {"additionalProperties": False} if "required" in found and "properties" in found else found


def validate(name, answer):
    jsonschema_rs.Draft202012Validator(schema_of(name, closed=True)).validate(answer)
    assert next(iter(answer)) == "schema"
    assert answer["schema"] == SCHEMA


@pytest.mark.parametrize(("name", "words"), [(name, words) for name in ANSWERS for words in ANSWERS[name]])
def test_answers_fit_their_schema(zermelo, tmp_path, name, words):
    games = tmp_path / "games.txt"
    games.write_text('[Game "hexapawn"]\n[White "Anna"]\n\nmoves: a1a2 b3b2 c1b2\n\nmoves: b1b2\n')
    validate(name, zermelo(*shlex.split(words.replace("GAMES", str(games))), "--json").json)


def test_measurements_fit_their_schema(zermelo, monkeypatch):
    monkeypatch.setattr(bench_command, "measure", lambda *_: iter([Measurement("chess", 2, 1.5, "peer", 4 / 3, "s")]))
    validate("bench", zermelo("bench", "chess", "--json").json)


def test_every_command_that_answers_in_json_has_a_schema():
    commands = {name for name, command in app.commands.items() if any("--json" in one.opts for one in command.params)}
    assert commands == {words.split()[0] for answers in ANSWERS.values() for words in answers}


def test_the_schemas_are_valid_and_each_one_is_used():
    names = {path.name.removesuffix(".json") for path in FOLDER.iterdir()}
    assert names == set(ANSWERS)
    for name in names:
        jsonschema_rs.meta.validate(schema_of(name))


@pytest.mark.parametrize("change", [{"schema": 2}, {"kind": "sure"}, {"value": "1"}, {"best": 3}, {"extra": 0}])
def test_a_changed_answer_does_not_fit(zermelo, change):
    answer = zermelo("best", "nim", "--agent", "random", "--json").json
    with pytest.raises(jsonschema_rs.ValidationError):
        validate("analysis", answer | change)
