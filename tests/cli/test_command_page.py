"""The examples in docs/command.md and docs/equilibria.md are what the command says."""

import re
import shlex
from pathlib import Path

import pytest

from zermelo.cli.command import app

DOCS = Path(__file__).parents[2] / "docs"
PAGE, EQUILIBRIA = ((DOCS / name).read_text(encoding="utf-8") for name in ("command.md", "equilibria.md"))
EXAMPLES = re.findall(r"```console\n\$ zermelo (.*)\n((?:.*\n)*?)```", PAGE + EQUILIBRIA)


@pytest.mark.parametrize(("arguments", "shown"), EXAMPLES, ids=[arguments for arguments, _ in EXAMPLES])
def test_the_page_shows_what_the_command_says(zermelo, arguments, shown):
    said = zermelo(*shlex.split(arguments))
    assert said.code == 0
    lines = said.out.splitlines()
    for line in shown.splitlines():
        if line.endswith("…"):
            assert any(one.startswith(line.rstrip("…")) for one in lines)
        else:
            assert line in lines


@pytest.mark.plain
def test_the_page_names_every_command():
    assert set(re.findall(r"^\| `zermelo (\w+)", PAGE, re.MULTILINE)) == set(app.commands)
