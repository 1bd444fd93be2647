"""One palette: the colours of the players are distinct and legible, in figures and on the page."""

import itertools
import math
import re
from pathlib import Path

import pytest

from zermelo.core.picture import Grid, Panel, Piece, Points
from zermelo.draw import board_svg, board_text, show
from zermelo.draw.markup import style_sheet
from zermelo.draw.palette import PALETTE, USUAL, colours_of
from zermelo.games import find
from zermelo.games.backgammon import Backgammon
from zermelo.games.library.registry import names

pytestmark = pytest.mark.plain

STATIC = Path(__file__).parents[2] / "src" / "zermelo" / "web" / "static"
LIGHT = [colour.light for colour in PALETTE.values()]
DARK = [colour.dark for colour in PALETTE.values()]
themes = pytest.mark.parametrize("owners", [LIGHT, DARK], ids=["light", "dark"])


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


@pytest.mark.parametrize(("owners", "paper"), [(LIGHT, "#ffffff"), (DARK, "#15191e")])
def test_a_piece_stands_out_from_the_paper(owners, paper):
    found = [max(contrast(owner.fill, paper), contrast(owner.edge, paper)) for owner in owners]
    assert min(found) >= 3


@themes
def test_no_two_colours_look_alike(owners):
    for one, other in itertools.combinations(owners, 2):
        assert math.dist(perceived(one.fill), perceived(other.fill)) >= 0.1, (one, other)


@pytest.mark.parametrize("key", [None, *names()])
def test_no_two_players_look_alike(key):
    game = None if key is None else find(key)
    colours = USUAL if game is None else colours_of(game.picture(game.initial()), game.seats)[: game.players]
    assert len(set(colours)) == len(colours)
    for theme in ("light", "dark"):
        owners = [getattr(PALETTE[colour], theme) for colour in colours]
        for one, other in itertools.combinations(owners, 2):
            assert math.dist(perceived(one.fill), perceived(other.fill)) > 0.15, (one, other)


@pytest.mark.parametrize("colours", [USUAL, ("white", "black", "red", "pink", "cyan", "orange")])
def test_the_figures_have_all_six_in_both_themes(colours):
    light, dark = style_sheet(colours).split("@media")
    for part, theme in ((light, "light"), (dark, "dark")):
        for number, colour in enumerate(colours):
            owner = getattr(PALETTE[colour], theme)
            assert f".owner-{number} {{ fill: {owner.fill}; stroke: {owner.edge} }}" in part
            assert f".on-{number} {{ fill: {owner.on} }}" in part


# -- who has which ---------------------------------------------------------------------------------


def test_players_named_after_colours_have_them():
    assert colours_of(Grid(1, 1, (None,)), ("Red", "Green", "Blue"))[:3] == ("red", "green", "blue")
    assert colours_of(Grid(1, 1, (None,)), ("White", "Black"))[:2] == ("white", "black")
    assert colours_of(Grid(1, 1, (None,)), ("Yellow", "me"))[:2] == ("gold", "blue")


def test_a_picture_s_colours_come_before_names_and_habits():
    picture = Grid(1, 1, (None,), colours=("red", "none such"))
    assert colours_of(picture, ("White", "Black", "Green")) == ("red", "blue", "green", "black", "purple", "gold")


@pytest.mark.parametrize("key", names())
def test_players_have_the_colours_of_their_names(key):
    game = find(key)
    found = colours_of(game.picture(game.initial()), game.seats)
    for seat, colour in zip(game.seats, found, strict=False):
        assert seat.lower() not in PALETTE or seat.lower() == colour


def test_white_s_men_are_white_in_figures_and_notebooks():
    game = find("chess")
    for svg in (board_svg(game.picture(game.initial())), show("chess").svg):
        assert ".owner-0 { fill: #ffffff; stroke: #1f2933 }" in svg


# -- the page --------------------------------------------------------------------------------------


def sheet(name):
    """A style sheet of the page, with one space wherever there is white space."""
    return " ".join((STATIC / name).read_text("utf-8").split()).replace("( ", "(").replace(" )", ")")


def variables():
    """What the page's style sheets say, with both themes."""
    sheets = sheet("style.css") + sheet("board.css").partition("/* Materials")[0]
    return dict(re.findall(r"(--[\w-]+): ([^;}]+?)\s*[;}]", sheets))


def resolved(name, theme):
    value = variables()[name]
    while value.startswith(("var(", "light-dark(")):
        inner = value.partition("(")[2].rstrip(")")
        value = variables()[inner] if value.startswith("var(") else inner.split(", ")[theme]
    return value


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_colours_of_the_figures(theme):
    column = ("light", "dark").index(theme)
    for name, colour in PALETTE.items():
        parts = (f"--{name}", f"--{name}-edge", f"--on-{name}")
        assert tuple(resolved(one, column) for one in parts) == getattr(colour, theme)
    for number, name in enumerate(USUAL):
        assert resolved(f"--owner-{number}", column) == getattr(PALETTE[name], theme).fill
    assert resolved("--accent", column) == getattr(PALETTE["blue"], theme).fill


def test_a_board_on_the_page_names_the_colours_of_its_players_and_its_material():
    picture = Grid(1, 1, (Piece("p", 0, "pawn"),), colours=("white", "black"), material="wood")
    svg = board_svg(picture, for_page=True)
    assert 'class="zermelo wood"' in svg
    assert "--owner-0:var(--white);--edge-0:var(--white-edge);--on-0:var(--on-white)" in svg
    assert "<style>" not in svg


MATERIALS = dict(re.findall(r"\.zermelo\.(\w+) \{ (.*?) \}", sheet("board.css")))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("key", [key for key in names() if key not in ("tree", "pacman")])
def test_pieces_stand_out_from_what_the_board_is_made_of(key, theme):
    """By their fill or their rim, on every kind of square."""
    game = find(key)
    picture = game.picture(game.initial())
    if not picture.material:
        return
    grounds = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#\w+(?:, #\w+)?)", MATERIALS[picture.material]))
    grounds = {name: ground.split(", ")[theme] for name, ground in grounds.items() if ", " in ground}
    places = {"plastic": ["hole"], "cloth": ["square", "dark-square"], "wood": ["square", "dark-square", "surface"]}
    for place in places[picture.material]:
        for colour in colours_of(picture, game.seats)[: game.players]:
            fill, edge, _on = PALETTE[colour][theme]
            rims = (fill, edge, grounds["grid"]) if isinstance(picture, Points) else (fill, edge)
            assert max(contrast(rim, grounds[place]) for rim in rims) >= 3, (place, colour)


def test_the_dots_beside_the_seats_have_the_colours_of_the_pieces():
    board, page = sheet("board.css"), sheet("style.css")
    for number in range(6):
        fill, edge = re.search(rf"\.zermelo \.owner-{number} \{{ fill: (.*?); stroke: (.*?);? \}}", board).groups()
        dot = re.search(rf"\.dot\.owner-{number} \{{(.*?)\}}", page)
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
