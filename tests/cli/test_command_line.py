"""The command's surface: help, version, wrong usage, start-up, completion."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest

from zermelo.cli.command import app

pytestmark = pytest.mark.plain

COMMANDS = [
    *("games", "play", "serve", "best", "review", "solve", "exploit", "nash", "tree", "match"),
    *("perft", "check", "uci", "gtp", "bench", "completion"),
]
PAGE = (Path(__file__).parents[2] / "docs" / "command.md").read_text()
LOOKS = [["--help"], ["--version"], ["games"], ["games", "--json"], ["games", "hexapawn"], ["completion", "bash"]]
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


@pytest.mark.parametrize("name", COMMANDS)
def test_metavars_are_words_not_examples(name):
    command = app.commands[name]
    metavars = [parameter.make_metavar(click.Context(command)) for parameter in command.params]
    assert [word for word in metavars if word != word.upper() and "ladder" not in word] == []
    assert [word for word in metavars if any(letter.isdigit() for letter in word)] == []
    assert not {"INTEGER", "TEXT"} & set(metavars)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_about_the_command_writes_options_as_the_help_does(name):
    """Every `--option METAVAR` in a command's row of docs/command.md."""
    options = {
        option: parameter.make_metavar(click.Context(app.commands[name]))
        for parameter in app.commands[name].params
        if parameter.param_type_name == "option" and not parameter.is_flag
        for option in parameter.opts
    }
    rows = [row for row in PAGE.splitlines() if row.startswith(f"| `zermelo {name}")]
    assert rows
    for option, metavar in re.findall(r"(--[a-z]+) ([A-Z]+)", "".join(row.split("|")[1] for row in rows)):
        assert options[option] == metavar


def test_without_a_terminal_the_bare_command_shows_its_help(zermelo):
    assert zermelo().out == zermelo("--help").out


def test_the_version_option_prints_the_version_of_the_package(zermelo):
    from zermelo import __version__

    assert zermelo("--version").out == f"zermelo {__version__}\n"


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
    assert said.sentence.endswith(" --help")


@pytest.mark.parametrize("arguments", LOOKS)
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
