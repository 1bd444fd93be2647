"""The screenshots of the documentation: small, all in use, all described, all made by the script."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "screenshots"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LARGEST = 1_500_000


def used():
    """The pictures that the pages name, with what is said of them."""
    found = [
        match for page in PAGES for match in re.findall(r"!\[(.*?)\]\((?:docs/)?screenshots/(.*?)\)", page.read_text())
    ]
    return {name: text for text, name in found}


def test_they_are_small_and_each_is_on_a_page_with_a_description():
    files = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert sum(files.values()) <= LARGEST
    assert set(files) == set(used())
    assert all(len(text) > 20 for text in used().values())


def test_the_script_makes_all_of_them():
    text = (ROOT / "tools" / "screenshots.py").read_text()
    names = re.findall(r"^    Shot\(\s*\"([\w-]+)\"", text, re.MULTILINE)
    assert {f"{name}.png" for name in names} == set(used())
