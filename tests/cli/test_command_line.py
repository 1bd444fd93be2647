"""The command's surface: help, version, wrong usage, start-up, completion."""

import os
import resource
import subprocess
import sys

import pytest

from zermelo.cli.command import app

COMMANDS = ["games", "play", "serve", "best", "solve", "tree", "match", "perft", "check", "uci", "gtp", "bench"]
HEAVY = ("numba", "numpy", "llvmlite", "rich", "typer", "asyncio")


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "zermelo.cli", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def test_the_commands_are_listed_in_the_order_one_meets_them(zermelo):
    said = zermelo("--help")
    assert said.code == 0
    assert list(app.commands) == COMMANDS
    places = [said.out.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_its_options(zermelo, name):
    said = zermelo(name, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: zermelo {name}")
    described = [parameter.help for parameter in app.commands[name].params if parameter.param_type_name == "option"]
    assert all(described)


def test_without_a_terminal_the_bare_command_shows_its_help(zermelo):
    assert zermelo().out == zermelo("--help").out


def test_the_version_is_the_installed_one(zermelo):
    from importlib.metadata import version

    assert zermelo("--version").out == f"zermelo {version('zermelo')}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["jump"], "no such command 'jump'"),
        (["best"], "missing argument 'GAME'"),
        (["best", "hexapawn", "--speed", "3"], "no such option '--speed'"),
        (["match", "random", "random"], "missing option '--game'"),
        (["play", "hexapawn", "--as", "first"], "invalid value for '--as'"),
    ],
)
def test_wrong_usage_is_one_sentence_and_code_2(zermelo, arguments, sentence):
    said = zermelo(*arguments)
    assert said.code == 2
    assert said.sentence.lower().startswith(sentence.lower())
    assert said.sentence.endswith("--help shows what there is")


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["games", "--json"], ["games", "hexapawn"]])
def test_nothing_heavy_is_loaded_to_look_around(arguments):
    code = f"""
import sys
from zermelo.cli import main
code = main({arguments!r})
heavy = [name for name in {HEAVY!r} if name in sys.modules]
sys.exit(f"loaded {{heavy}}" if heavy else code)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 0, found.stderr


@pytest.mark.once
@pytest.mark.parametrize(("arguments", "most"), [(["--help"], 0.4), (["games"], 1.0)])
def test_looking_around_is_quick(arguments, most):
    """Processor time of the fastest of eight, at most: other work on the machine must not count."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(*arguments).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert any(seconds() < most for _ in range(8))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("zermelo ", "play"),
        ("zermelo play hexa", "hexapawn"),
        ("zermelo best hexapawn --agent alph", "alphabeta"),
        ("zermelo tree hexapawn --algorithm st", "star1"),
        ("zermelo match auto ran", "random"),
    ],
)
def test_the_tab_key_offers_names(words, offered):
    line = words.split(" ")
    found = run(COMP_WORDS=words, COMP_CWORD=str(len(line) - 1), _ZERMELO_COMPLETE="bash_complete")
    assert f"plain,{offered}" in found.stdout.splitlines()
