"""The Containerfile: checked by reading, because the tests cannot build it."""

import fnmatch
import json
import re
import shlex
from pathlib import Path

import pytest

from zermelo.cli.command import app
from zermelo.web.login import PUBLIC
from zermelo.web.server import USUAL_PORT

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "Containerfile").read_text()
JOINED = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE))
STEPS = [tuple(line.split(maxsplit=1)) for line in JOINED.splitlines() if line.strip()]


def all_of(name):
    return [rest for step, rest in STEPS if step == name]


def test_every_step_is_one_that_exists():
    known = ["ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"]
    assert {step for step, _ in STEPS} == set(known)


def test_both_stages_begin_with_one_pinned_image_without_a_registry():
    (base,) = (rest.removeprefix("BASE=") for rest in all_of("ARG"))
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", base)
    assert all_of("FROM") == ["${BASE} AS build", "${BASE}"]
    assert "://" not in re.sub(r"http://127\.0\.0\.1", "", TEXT)


def test_everything_is_installed_in_the_pinned_versions():
    installations = [part for rest in all_of("RUN") for part in rest.split("&&") if "pip install" in part]
    assert len(installations) == 2
    assert all("--constraint constraints.txt" in part and "--no-cache-dir" in part for part in installations)
    assert "--build-constraint constraints.txt" in installations[-1]


def test_what_is_copied_exists_and_is_not_ignored():
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*"
    kept = [rule[1:] for rule in rules if rule.startswith("!")]
    sources = [word for rest in all_of("COPY") if "--from" not in rest for word in shlex.split(rest)[:-1]]
    for source in sources:
        assert (ROOT / source).exists()
        assert any(fnmatch.fnmatch(source, rule) for rule in kept)


def test_the_build_has_every_file_that_the_package_is_made_of():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"], "pyproject.toml", "src"}
    needed |= {project["project"]["readme"], *project["project"]["license-files"]}
    copied = {word for rest in all_of("COPY") for word in shlex.split(rest)}
    assert needed <= copied


def test_it_runs_without_privileges_and_keeps_its_data_in_the_volume():
    names = [step for step, _ in STEPS]
    assert all_of("USER") == ["10001"]
    assert names.index("USER") > max(place for place, name in enumerate(names) if name == "RUN")
    assert all_of("VOLUME") == ["/data"]
    environment = dict(word.split("=", 1) for rest in all_of("ENV") for word in shlex.split(rest))
    assert environment["ZERMELO_DATA_DIR"] == "/data"
    assert environment["ZERMELO_CACHE_DIR"].startswith("/data/")


def test_the_command_and_the_health_check_use_the_usual_port():
    command = json.loads(all_of("ENTRYPOINT")[0])
    assert command[:2] == ["zermelo", "serve"]
    app.commands["serve"].make_context("serve", command[2:])
    assert all_of("EXPOSE") == [str(USUAL_PORT)]
    assert command[command.index("--port") + 1] == str(USUAL_PORT)
    python, option, code = json.loads(all_of("HEALTHCHECK")[0].partition("CMD ")[2])
    assert (python, option) == ("python", "-c")
    compile(code, "health check", "exec")
    (path,) = re.findall(rf"http://127\.0\.0\.1:{USUAL_PORT}(/\w+)'", code)
    assert path in PUBLIC
