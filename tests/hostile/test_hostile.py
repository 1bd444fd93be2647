"""Hostile games through every command: no signal, no hang, no traceback, and no wrong answer that is called exact."""

import json
import os
import subprocess
import sys
from pathlib import Path

import hostile_zoo as zoo
import pytest

pytestmark = pytest.mark.plain

ZOO = Path(zoo.__file__)
TESTS = ZOO.parent
COMMANDS = {
    "solve": ("solve", "GAME", "--json"),
    "auto": ("best", "GAME", "--json", "--nodes", "NODES"),
    "in a second": ("best", "GAME", "--json", "--agent", "mcts", "--time", "1s"),
    "alphabeta": ("best", "GAME", "--json", "--agent", "alphabeta", "--nodes", "NODES"),
    "mcts": ("best", "GAME", "--json", "--agent", "mcts", "--nodes", "NODES"),
    "expectiminimax": ("best", "GAME", "--json", "--agent", "expectiminimax", "--nodes", "NODES"),
    "maxn": ("best", "GAME", "--json", "--agent", "maxn", "--nodes", "NODES"),
    "perft": ("perft", "GAME", "--depth", "5"),
    "check": ("check", "GAME", "--games", "5"),
    "match": ("match", "random", "alphabeta:depth=2", "--game", "GAME", "--games", "2", "--json"),
    "tree": ("tree", "GAME", "--depth", "2"),
}
QUICK = {"BigStates": ("alphabeta",), "WritesBeyond": ("solve",), "StrangeMoverOfThree": ("maxn",)}
"""What `make test` runs compiled, each command with kernels of its own."""

SCRIPT = """
import json, sys
from zermelo.cli import main
for arguments in json.loads(sys.argv[1]):
    print("=====", flush=True)
    print("=====", file=sys.stderr, flush=True)
    status = main(arguments)
    print(f"status {status}", file=sys.stderr, flush=True)
"""


def answers(name, commands, timeout, nodes=20_000, **variables):
    """What the commands print and say about a game of the zoo, in one process of their own: name -> (out, err)."""
    meant = {"GAME": f"{ZOO}:{name}", "NODES": str(nodes)}
    asked = [[meant.get(word, word) for word in COMMANDS[command]] for command in commands]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(asked)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(TESTS)])} | variables,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{name}: ended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    out, err = (text.split("=====\n")[1:] for text in (done.stdout, done.stderr))
    assert len(out) == len(err) == len(commands), f"{name}: {commands[len(err) - 1]} did not return\n{done.stderr}"
    return dict(zip(commands, zip(out, err, strict=True), strict=True))


def examine(name, found):
    """Every command left with a known status and sentences; what is exact is right."""
    cls = getattr(zoo, name)
    for command, (out, err) in found.items():
        where = f"{name}, {command}:\n{out}\n{err}"
        assert err.rstrip().rpartition("\n")[2] in ("status 0", "status 1", "status 2", "status 130"), where
        assert "Traceback" not in out + err, where
        assert "mistake in zermelo" not in err, where
        if command in ("perft", "check", "match", "tree") or not out.strip():
            continue
        answer = json.loads(out)
        if cls in zoo.SOUND:
            judge(answer, zoo.value(cls()), where)
        elif cls in zoo.WRONG and command == "solve":
            pytest.fail(f"a game without a value was solved: {where}")


def judge(answer, truth, where):
    own = answer["value"][0]
    if answer["kind"] == "exact":
        assert own == pytest.approx(truth, rel=1e-9, abs=0), where
    elif answer["kind"] == "lower":
        assert own <= truth, where
    elif answer["kind"] == "upper":
        assert own >= truth, where


NAMES = [cls.__name__ for cls in (*zoo.SOUND, *zoo.WRONG)]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_rules_interpreted(name):
    commands = [command for command in COMMANDS if command not in ("in a second", "tree", "match")]
    examine(name, answers(name, commands, 120, nodes=2_000, NUMBA_DISABLE_JIT="1"))


@pytest.mark.parametrize("name", [cls.__name__ for cls in zoo.LARGE])
def test_large_games_interpreted(name):
    examine(name, answers(name, ["in a second", "alphabeta", "perft"], 120, nodes=2_000, NUMBA_DISABLE_JIT="1"))


@pytest.mark.compiled
@pytest.mark.parametrize("name", QUICK)
def test_hostile_rules_compiled(name):
    examine(name, answers(name, QUICK[name], 300))


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, *(cls.__name__ for cls in zoo.LARGE)])
def test_hostile_rules_through_every_command_compiled(name):
    without_end = ("solve", "auto", "mcts", "match") if getattr(zoo, name) in zoo.LARGE else ()
    examine(name, answers(name, [command for command in COMMANDS if command not in without_end], 900))
