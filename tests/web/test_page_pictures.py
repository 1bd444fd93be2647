"""Saved pictures: files with a sensible name that need no style sheet."""

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def saved(tmp_path):
    """Click a button that saves a file."""

    def save(page, name):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    return save


def assert_self_contained(path: Path):
    root = ElementTree.parse(path).getroot()
    assert not [one for one in root.iter() if {"class", "style", "id"} & set(one.attrib)]
    assert not [one for one in root.iter() if one.tag in (f"{SVG}style", f"{SVG}foreignObject")]
    assert {one.get("fill") for one in root.iter(f"{SVG}text")} | {root.get("fill")} != {None}
    assert "var(" not in path.read_text("utf-8")
    return root


def assert_png(path: Path, least: int):
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert min(struct.unpack(">II", content[16:24])) > least


def test_the_tree_is_saved_whole_with_a_name_that_says_what_it_shows(visit, served, saved):
    page = visit()
    page.goto(served.address + "inside")
    expect(page.locator("#tree .node")).to_have_count(13)
    page.get_by_role("slider", name="Step").fill("9")
    page.get_by_role("button", name="Zoom in").click(click_count=4)
    page.get_by_role("button", name="Link, text and picture").click()
    path = saved(page, "Save the picture as SVG")
    assert path.name == "zermelo-alphabeta-tree-step-9.svg"
    root = assert_self_contained(path)
    assert root.find(f"{SVG}title").text == "alpha-beta in a tree, step 9"
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"14", "12", "2 ≤ α = 3", "≤ 2"} <= set(texts)
    assert_png(saved(page, "Save the picture as PNG"), 400)


def test_the_board_is_saved_as_it_is_shown(visit, saved):
    page = visit("#game=chess&moves=e4 e5")
    expect(page.get_by_role("button", name="Position and game as text")).to_be_visible()
    page.get_by_role("button", name="Position and game as text").click()
    path = saved(page, "Save the board as SVG")
    assert path.name == "zermelo-chess-after-2-moves.svg"
    root = assert_self_contained(path)
    assert len(list(root.iter(f"{SVG}rect"))) > 64
    assert_png(saved(page, "Save the board as PNG"), 400)
