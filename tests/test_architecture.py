"""The page about the architecture and the guide for contributors name files that exist."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[1]
PATH = re.compile(r"`((?:src|tests|docs|examples|benchmarks)/[^`<>*\s]*)`")


@pytest.mark.parametrize(("page", "fewest"), [("docs/architecture.md", 40), ("CONTRIBUTING.md", 10)])
def test_every_path_that_is_named_exists(page, fewest):
    paths = set(PATH.findall((ROOT / page).read_text(encoding="utf-8")))
    assert len(paths) >= fewest
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_the_picture_has_every_layer():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages = {path.parent.name for path in (ROOT / "src/zermelo").glob("*/__init__.py")}
    assert packages == set(re.findall(r"│ (\w+)", text))
    assert packages == set(re.findall(r"^\| `src/zermelo/(\w+)/` \|", text, re.MULTILINE))
