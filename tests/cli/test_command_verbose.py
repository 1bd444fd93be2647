"""`zermelo --verbose`: what is compiled, loaded, chosen and served, on standard error."""

import json
import logging
import os
import re
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

pytestmark = pytest.mark.plain


def test_the_chosen_algorithm_is_logged(zermelo):
    said = zermelo("--verbose", "best", "connect-four", "--nodes", "50")
    assert said.code == 0
    lines = said.err.splitlines()
    assert all(re.match(r"\d\d:\d\d:\d\d zermelo\.|note: ", line) for line in lines), said.err
    assert "zermelo.cli.answers: agent auto searches connect-four, Limit(time=None, nodes=50, depth=None)" in said.err
    assert "zermelo.arena.auto: auto chose alpha-beta for connect-four" in said.err
    assert "stopped: nodes" in said.err


def test_the_answer_is_the_same_and_nothing_is_logged_without_it(zermelo):
    arguments = ("solve", "nim", "--json")
    loud, quiet = zermelo("--verbose", *arguments), zermelo(*arguments)
    assert loud.json["value"] == quiet.json["value"]
    assert "agent solve: exact" in loud.err
    assert quiet.err == ""
    logger = logging.getLogger("zermelo")
    assert (logger.handlers, logger.level) == ([], logging.NOTSET)


@pytest.mark.compiled
def test_compilations_and_cache_hits_are_logged(tmp_path):
    def run():
        found = subprocess.run(
            [sys.executable, "-m", "zermelo.cli", "--verbose", "perft", "tree", "--depth", "1", "--json"],
            capture_output=True,
            text=True,
            env={**os.environ, "ZERMELO_CACHE_DIR": str(tmp_path)},
            timeout=120,
            check=True,
        )
        assert json.loads(found.stdout)["leaves"] == 3
        return found.stderr

    first, second = run(), run()
    assert re.search(r"zermelo\.kernel\.compiler: compiling \w+ for Tree", first)
    assert re.search(r"zermelo\.kernel\.compiler: \w+ for Tree: compiled in [\d.]+ s", first)
    assert "compil" not in second.replace("zermelo.kernel.compiler", "")
    assert re.search(r"\w+ for Tree: loaded from the cache in [\d.]+ s", second)


def test_the_server_logs_what_it_does_but_not_its_token(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-m", "zermelo.cli", "--verbose", "serve", "--port", "0", "--no-browser"]
            + ["--host", "0.0.0.0"],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "ZERMELO_DATA_DIR": str(tmp_path)},
        )
    try:
        port, token = re.search(r":(\d+)/\?token=(\S+)", server.stdout.readline()).groups()
        with pytest.raises(HTTPError, match="401"):
            urlopen(Request(f"http://127.0.0.1:{port}/api/games?token=wrong-one"), timeout=30)
        deadline = time.monotonic() + 30
        while "started" not in log.read_text() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        server.terminate()
        server.communicate(timeout=30)
    said = log.read_text()
    assert f"zermelo.web.server: listening on 0.0.0.0, port {port}" in said
    assert re.search(r"zermelo\.web\.pool: process \d+: started", said)
    assert "zermelo.web.login: refused http '/api/games': 401, token wrong" in said
    assert "zermelo.web.server: shutting down" in said
    assert token not in said
    assert "wrong-one" not in said
