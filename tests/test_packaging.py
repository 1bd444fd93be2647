"""What the package says about itself: its version, its dependencies, its files."""

import re
import tomllib
from pathlib import Path

import pytest

import zermelo
from zermelo.core.extras import EXTRAS

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines())


def test_the_version_is_written_once():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert "version" not in PROJECT["project"]
    source = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert source.samefile(zermelo.__file__)
    assert re.findall(r'^__version__ = "(.+)"$', source.read_text(), re.MULTILINE) == [zermelo.__version__]


def test_type_checkers_find_the_annotations():
    assert (Path(zermelo.__file__).parent / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["project"]["classifiers"]


def test_the_changelog_has_a_section_for_this_version_or_the_next():
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert all(re.fullmatch(r"Unreleased|\d+\.\d+\.\d+", section) for section in sections)


def test_a_plain_installation_has_neither_a_server_nor_sgf():
    assert {_name(one) for one in PROJECT["project"]["dependencies"]} == {"numpy", "numba", "click", "platformdirs"}


def test_the_extras_are_those_that_the_error_names_and_all_has_every_one():
    extras = PROJECT["project"]["optional-dependencies"]
    optional = {"qrcode"}  # without it the server prints no QR code
    needed = {name: tuple(one for one in map(_name, extras[name]) if one not in optional) for name in extras}
    assert {name: modules for name, modules in needed.items() if name != "all"} == EXTRAS
    assert extras["all"] == [f"zermelo[{','.join(EXTRAS)}]"]


def test_make_installs_every_extra():
    assert '--editable ".[all]"' in (ROOT / "Makefile").read_text()


def test_every_requirement_is_pinned():
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["test"]]
    asked += [one for name in EXTRAS for one in PROJECT["project"]["optional-dependencies"][name]]
    pinned = {name.lower().replace("_", "-") for name in PINS}
    assert {_name(one) for one in asked} <= pinned


def _name(requirement):
    return re.match(r"[\w-]+", requirement)[0]


def test_the_pinned_numba_is_the_last_minor_version_allowed():
    (bounds,) = re.findall(r"numba>=([\d.]+),<([\d.]+)", " ".join(PROJECT["project"]["dependencies"]))
    least, beyond = (tuple(map(int, bound.split("."))) for bound in bounds)
    pinned = tuple(map(int, PINS["numba"].split(".")))[:2]
    assert least <= pinned
    assert beyond == (pinned[0], pinned[1] + 1)
