"""Without the packages of an extra: one sentence with the remedy, and everything else works."""

import os
import subprocess
import sys

import pytest

from zermelo.cli import play, serve, welcome
from zermelo.core.errors import UsageError
from zermelo.core.extras import EXTRAS
from zermelo.core.scoresheet import Scoresheet
from zermelo.games.go import Go
from zermelo.games.go.sgf import read_sgf, write_sgf

pytestmark = pytest.mark.plain

SGF = r"^a game of go in SGF needs sgfmill; install with: pip install 'zermelo\[go\]'$"


@pytest.mark.parametrize("module", EXTRAS["page"])
def test_the_page_names_the_extra_that_it_needs(zermelo, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    said = zermelo("serve", "--no-browser")
    assert said.code == 2
    assert said.sentence == f"the page needs {module}; install with: pip install 'zermelo[page]'"


def test_sgf_names_the_extra_that_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "sgfmill", None)
    with pytest.raises(UsageError, match=SGF):
        read_sgf("(;FF[4]GM[1]SZ[9])")
    with pytest.raises(UsageError, match=SGF):
        write_sgf(Scoresheet(Go(size=5)))


def test_without_the_page_the_bare_command_plays_in_the_terminal(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(serve, "has_browser", lambda: True)
    answers = iter(["nim", "high", "3"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    played = []
    monkeypatch.setattr(play, "play_game", lambda game, position, vs, level, *others: played.append((game, level)))
    welcome.welcome("the help")
    assert played == [("nim", "3")]
    assert "Welcome" in capsys.readouterr().out


HIDDEN = f"""
import sys
for name in {[name for names in EXTRAS.values() for name in names] + ["starlette", "pydantic"]!r}:
    sys.modules[name] = None
from zermelo.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(*arguments, keys=""):
    return subprocess.run(
        [sys.executable, "-c", HIDDEN, *arguments],
        input=keys,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        "games",
        "games go",
        "best nim --nodes 20",
        "solve nim",
        "tree tree",
        "match random random --game go:size=3 --games 1",
        "perft nim --depth 1",
        "check nim --games 1",
        "play nim",
        "completion bash",
        "--help",
    ],
)
def test_everything_else_works_without_the_extras(words):
    found = run(*words.split(), keys="quit\n")
    assert found.returncode == 0, found.stderr


def test_a_go_program_without_sgf_says_so_and_continues():
    found = run("gtp", "go:size=5", "--agent", "random", keys="printsgf\nboardsize 7\nquit\n")
    assert found.returncode == 0, found.stderr
    sentence = "a game of go in SGF needs sgfmill; install with: pip install 'zermelo[go]'"
    assert found.stdout == f"? {sentence}\n\n= \n\n= \n\n"
