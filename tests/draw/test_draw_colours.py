"""One palette: six players, told apart and legible, in figures and on the page alike."""

import itertools
import math
import re
from pathlib import Path

import pytest

from zermelo.core.picture import Panel
from zermelo.draw import board_svg, board_text
from zermelo.draw.markup import OWNERS_DARK, OWNERS_LIGHT, STYLE
from zermelo.games.backgammon import Backgammon

STATIC = Path(__file__).parents[2] / "src" / "zermelo" / "web" / "static"
themes = pytest.mark.parametrize("owners", [OWNERS_LIGHT, OWNERS_DARK], ids=["light", "dark"])


def rgb(colour):
    return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]


def linear(colour):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour)]


def luminance(colour):
    """As WCAG 2 has it."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def perceived(colour):
    """Where it lies for the eye: lightness, green to red, blue to yellow [Ottosson, "Oklab", 2020]."""
    red, green, blue = linear(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@themes
def test_a_sign_on_a_piece_can_be_read(owners):
    assert [owner for owner in owners if contrast(owner.fill, owner.on) < 4.5] == []


@pytest.mark.parametrize(("owners", "paper"), [(OWNERS_LIGHT, "#ffffff"), (OWNERS_DARK, "#15191e")])
def test_a_piece_stands_out_from_the_paper(owners, paper):
    assert [owner for owner in owners if contrast(owner.edge, paper) < 3] == []


@themes
def test_no_two_players_look_alike(owners):
    for one, other in itertools.combinations(owners, 2):
        assert math.dist(perceived(one.fill), perceived(other.fill)) > 0.15, (one, other)


def test_the_figures_have_all_six_in_both_themes():
    light, dark = STYLE.split("@media")
    for part, owners in ((light, OWNERS_LIGHT), (dark, OWNERS_DARK)):
        for number, owner in enumerate(owners):
            assert f".owner-{number} {{ fill: {owner.fill}; stroke: {owner.edge} }}" in part
            assert f".on-{number} {{ fill: {owner.on} }}" in part


def variables():
    """What the page's style sheets say, with both themes."""
    sheets = (STATIC / "style.css").read_text("utf-8").partition("/* Where players")[0]
    sheets += (STATIC / "board.css").read_text("utf-8")
    return dict(re.findall(r"(--[\w-]+): ([^;}]+?)\s*[;}]", sheets))


def resolved(name, theme):
    value = variables()[name]
    while value.startswith(("var(", "light-dark(")):
        inner = value.partition("(")[2].rstrip(")")
        value = variables()[inner] if value.startswith("var(") else inner.split(", ")[theme]
    return value


@pytest.mark.parametrize(("theme", "owners"), [(0, OWNERS_LIGHT), (1, OWNERS_DARK)], ids=["light", "dark"])
def test_the_page_has_the_colours_of_the_figures(theme, owners):
    names = [("--first", "--first-edge"), ("--second", "--second-edge")]
    names += [(f"--owner-{number}", f"--edge-{number}") for number in range(2, 6)]
    found = [(resolved(fill, theme), resolved(edge, theme)) for fill, edge in names]
    assert found == [(owner.fill, owner.edge) for owner in owners]


def test_the_dots_beside_the_seats_have_the_colours_of_the_pieces():
    board, page = ((STATIC / name).read_text("utf-8") for name in ("board.css", "style.css"))
    for number in range(6):
        fill, edge = re.search(rf"\.zermelo \.owner-{number} \{{ fill: (.*?); stroke: (.*?) \}}", board).groups()
        dot = re.search(rf"\.dot\.owner-{number} \{{(.*?)\}}", page) or re.search(r"\.dot \{(.*?)\}", page)
        assert f"background: {fill}" in dot[1]
        assert edge in dot[1]


def test_bars_have_the_colours_of_whose_they_are():
    rows = (("Ann", 5.0), ("Bob", 2.0), ("pot", 1.0))
    bars = re.findall(r'<rect class="(owner-\w)"', board_svg(Panel(rows, goal=10, owners=(0, 1, -1))))
    assert bars == ["owner-0", "owner-1", "owner-x"]
    assert re.findall(r'<rect class="(owner-\w)"', board_svg(Panel(rows, goal=10))) == ["owner-0"] * 3
    assert "\x1b[33m" in board_text(Panel(rows, goal=10, owners=(0, 1, -1)), color=True)


def test_the_sides_of_backgammon_need_no_sign_where_there_are_colours():
    game = Backgammon()
    picture = game.picture(game.initial())
    assert ">Black<" in board_svg(picture)
    assert ">White<" in board_svg(picture)
    assert {"O Black", "X White"} <= {row.rpartition("│")[2].strip() for row in board_text(picture).split("\n")}
