"""The command in this process: fast, and with everything it says."""

import io
import json
import sys
from dataclasses import dataclass

import pytest

from zermelo.cli import main


@dataclass
class Said:
    """What a run of the command said."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def sentence(self):
        """The error: exactly one line on standard error, and no answer."""
        assert self.err.startswith("zermelo: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        assert self.out == ""
        return self.err.removeprefix("zermelo: ").rstrip("\n")


@pytest.fixture
def zermelo(capsys, monkeypatch):
    """Run `zermelo ARGUMENTS`, typing `keys` at its prompts."""

    def run(*arguments, keys=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(keys))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run
