"""`zermelo completion`: a script for each shell, and what the tab key then offers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("shell", "request_", "registration"),
    [
        ("bash", "_ZERMELO_COMPLETE=bash_complete", "complete -o nosort -F _zermelo_completion zermelo"),
        ("zsh", "_ZERMELO_COMPLETE=zsh_complete", "compdef _zermelo_completion zermelo"),
        ("fish", "_ZERMELO_COMPLETE=fish_complete", "complete --no-files --command zermelo"),
    ],
)
def test_each_shell_gets_its_script(zermelo, shell, request_, registration):
    said = zermelo("completion", shell)
    assert said.code == 0
    assert request_ in said.out
    assert registration in said.out


def test_an_unknown_shell_is_wrong_usage(zermelo):
    said = zermelo("completion", "tcsh")
    assert said.code == 2
    assert "'bash', 'zsh', 'fish'" in said.sentence


@pytest.fixture
def folder(tmp_path):
    """A folder with a game, something else, and a game below."""
    for name in ("chequers.py", "mygame.py", "mynotes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("zermelo play my", ["mygame.py"]),
        ("zermelo best che", ["chess", "checkers", "chequers.py"]),
        ("zermelo serve hexapawn rules/", ["rules/mine.py"]),
        ("zermelo match random random --game my", ["mygame.py"]),
        ("zermelo completion ", ["bash", "zsh", "fish"]),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_offered_names_and_python_files(folder, shell, words, offered):
    assert [value for kind, value in asked(folder, shell, words) if kind == "plain"] == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_configured_to_complete_folders_by_itself(folder, shell):
    assert asked(folder, shell, "zermelo play rul") == [("file", "rul")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_a_file_with_the_printed_script(folder):
    script = """
eval "$(zermelo completion bash)"
COMP_WORDS=(zermelo play my) COMP_CWORD=2
_zermelo_completion zermelo
echo "${COMPREPLY[@]}"
"""
    where = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": where},
        timeout=60,
        check=True,
    )
    assert found.stdout == "mygame.py\n"


def asked(folder, shell, words):
    """What the shell's script would hear: pairs of a kind and a value."""
    count = len(words.split(" ")) - 1
    last = words.split(" ")[-1]
    found = subprocess.run(
        [sys.executable, "-m", "zermelo.cli"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={
            **os.environ,
            "_ZERMELO_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": last if shell == "fish" else str(count),
        },
        timeout=60,
        check=False,
    )
    lines = found.stdout.splitlines()
    if shell == "zsh":  # three lines each: kind, value, help
        return list(zip(lines[0::3], lines[1::3], strict=False))
    if shell == "fish":
        return [tuple(line.split("\t")[0].split(",", 1)) for line in lines]
    return [tuple(line.split(",", 1)) for line in lines]
