"""SVG and HTML as text: elements, escaping, one style sheet for light and dark."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TypeAlias

from zermelo.draw.palette import PALETTE, USUAL, Owned

Attribute: TypeAlias = str | float


class Markup(str):
    """Text that is already markup; plain `str` is escaped."""

    __slots__ = ()


def element(name: str, *content: str, **attributes: Attribute) -> Markup:
    """`<name ...>content</name>`; in attribute names `_` stands for `-`, and a last one is dropped: `class_`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items()
    )
    inner = "".join(part if isinstance(part, Markup) else escape(clean(part), quote=False) for part in content)
    return Markup(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")


def lines(*parts: Markup) -> Markup:
    """Elements one below the other."""
    return Markup("\n".join(part for part in parts if part))


def clean(text: str) -> str:
    """The text without characters that are invalid in XML and in terminals: controls, lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("�" if unicodedata.category(letter) in ("Cc", "Cs", "Cn") else letter for letter in text)


def text_width(text: str, size: float) -> float:
    """A safe estimate of the text's width in a sans-serif font."""
    return size * sum(map(_letter_width, text))


def svg(
    width: float,
    height: float,
    title: str,
    description: str,
    *parts: Markup,
    colours: tuple[str, ...] = USUAL,
    material: str | None = None,
    flips: bool = False,
) -> str:
    """A separate SVG document with background, style, and a name and a description for screen readers.

    With a material it is for the page, which has the style sheet and the colours of the players. There a board that
    `flips` is turned top to bottom, others are turned round.
    """
    sheet = element("style", Markup(style_sheet(colours))) if material is None else Markup()
    head = lines(
        element("title", title),
        element("desc", description) if description else Markup(),
        sheet,
        element("rect", class_="paper", width=width, height=height, rx=6),
    )
    body = Markup(f"\n{lines(head, *parts)}\n")
    if material is None:
        body = Markup(with_attributes(body, colours))
        look: dict[str, Attribute] = {"font_family": FONTS, "font_size": 14, "class_": "zermelo"}
    else:
        look = {"class_": f"zermelo {material}".rstrip(), "style": owner_variables(colours)}
        if flips:
            look["data_turn"] = "flip"
    return element(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        **look,
        width=width,
        height=height,
        viewBox=f"0 0 {_plain(width)} {_plain(height)}",
        role="img",
    )


def owner_variables(colours: Sequence[str]) -> str:
    """The custom properties of the page for the players' colours."""
    return ";".join(
        f"--owner-{number}:var(--{colour});--edge-{number}:var(--{colour}-edge);--on-{number}:var(--on-{colour})"
        for number, colour in enumerate(colours)
    )


def label(x: float, y: float, text: str, style: str = "", anchor: str = "middle") -> Markup:
    """A line of text; `y` is its base line."""
    return element("text", text, x=x, y=y, class_=f"{anchor} {style}".rstrip())


def _attribute(value: Attribute) -> str:
    return escape(clean(value)) if isinstance(value, str) else _plain(value)


def _plain(number: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _letter_width(letter: str) -> float:
    if letter in " ,.:;|!'()[]ijlt/·":
        return 0.4
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.9 if letter in "mwMW@%—" else 0.66


FONTS = "system-ui, Segoe UI, DejaVu Sans, sans-serif"

_SHAPES = """\
.zermelo .start { text-anchor: start }
.zermelo .middle { text-anchor: middle }
.zermelo .end { text-anchor: end }
.zermelo .small { font-size: 11px }
.zermelo .strong { font-weight: 600 }
.zermelo .mono { font-family: ui-monospace, DejaVu Sans Mono, monospace; white-space: pre }
.zermelo .line { fill: none; stroke-width: 1.2 }
.zermelo .best { stroke-width: 2.4 }
.zermelo .surface { fill: none }
.zermelo .faint { stroke-dasharray: 2 4 }
.zermelo .dashed { stroke-dasharray: 4 3 }
.zermelo .thick { fill: none; stroke-width: 6; stroke-linecap: round }"""

_COLOURS = """\
.zermelo .paper {{ fill: {paper} }}
.zermelo text {{ fill: {ink} }}
.zermelo .muted {{ fill: {muted} }}
.zermelo .star {{ fill: {muted} }}
.zermelo .accented {{ fill: {accent} }}
.zermelo .line {{ stroke: {muted} }}
.zermelo .slash {{ stroke: {ink} }}
.zermelo .shape {{ fill: {light}; stroke: {muted} }}
.zermelo .plain {{ fill: {paper}; stroke: {muted} }}
.zermelo .best {{ stroke: {accent} }}
.zermelo .light {{ fill: {light}; stroke: {rule} }}
.zermelo .dark {{ fill: {dark}; stroke: {rule} }}
.zermelo .marked {{ fill: {tint}; stroke: {rule} }}
.zermelo .here {{ fill: {tint}; stroke: {accent} }}
.zermelo .ink {{ fill: {ink} }}
.zermelo .red {{ fill: {red} }}
.zermelo .owner-x {{ fill: {muted}; stroke: {muted} }}
.zermelo .thick.owner-x {{ fill: none }}
.zermelo .on-x {{ fill: {paper} }}"""

_OWNED = """\
.zermelo .owner-{owner} {{ fill: {fill}; stroke: {edge} }}
.zermelo .thick.owner-{owner} {{ fill: none; stroke: {edge}; stroke-width: 6 }}
.zermelo .on-{owner} {{ fill: {on} }}
.zermelo .rim-{owner} {{ stroke: {on} }}"""

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "muted": "#68737d",
    "rule": "#c5ccd3",
    "light": "#f4f6f8",
    "dark": "#dfe5ea",
    "accent": PALETTE["blue"].light.fill,
    "tint": "#d3e6fa",
    "red": PALETTE["red"].light.fill,
}
_DARK = {
    "paper": "#15191e",
    "ink": "#e4e9ee",
    "muted": "#98a3ae",
    "rule": "#4a535d",
    "light": "#262d35",
    "dark": "#37414c",
    "accent": PALETTE["blue"].dark.fill,
    "tint": "#1d3f61",
    "red": PALETTE["red"].dark.fill,
}


@cache
def style_sheet(colours: tuple[str, ...] = USUAL) -> str:
    """The rules for drawings whose players have these colours, light or dark by the reader's setting."""
    light = _colour_rules(_LIGHT, [PALETTE[colour].light for colour in colours])
    dark = _colour_rules(_DARK, [PALETTE[colour].dark for colour in colours])
    in_the_dark = f"@media (prefers-color-scheme: dark) {{\n{_indent(dark)}\n}}"
    return f"\n.zermelo {{ font: 14px {FONTS}; max-width: 100%; height: auto }}\n{_SHAPES}\n{light}\n{in_the_dark}\n"


def _colour_rules(theme: dict[str, str], owners: list[Owned]) -> str:
    rules = [_COLOURS.format(**theme)]
    for number, (fill, edge, on) in enumerate(owners):
        rules.append(_OWNED.format(owner=number, fill=fill, edge=edge, on=on))
    return "\n".join(rules)


def _indent(rules: str) -> str:
    return "\n".join("  " + rule for rule in rules.split("\n"))


# -- attributes ------------------------------------------------------------------------------------


def with_attributes(markup: str, colours: tuple[str, ...]) -> str:
    """The drawing with the light colours as attributes too, for programs that know no style sheets, such as MuPDF."""
    return _TAG.sub(lambda tag: _with_attributes(tag, colours), markup)


def _with_attributes(tag: re.Match[str], colours: tuple[str, ...]) -> str:
    name, written, end = tag.groups()
    classes = re.search(r' class="([^"]*)"', written)
    looks = _looks(name, classes[1] if classes else "", colours)
    own = set(re.findall(r" ([\w-]+)=", written))
    more = "".join(f' {key}="{value}"' for key, value in looks.items() if key not in own)
    return f"<{name}{written}{more}{end}"


@cache
def _looks(name: str, classes: str, colours: tuple[str, ...]) -> dict[str, str]:
    """What the light style sheet says about an element, the most specific rule last."""
    has = set(classes.split())
    found: list[tuple[int, dict[str, str]]] = []
    for selector, says in _light_rules(colours):
        kind, *wanted = selector.split(".")
        if (not kind or kind == name) and has.issuperset(wanted):
            found.append((len(wanted), says))
    looks: dict[str, str] = {}
    for _, says in sorted(found, key=lambda one: one[0]):
        looks |= says
    return looks


@cache
def _light_rules(colours: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    light = style_sheet(colours).partition("@media")[0]
    rules = []
    for selector, body in re.findall(r"^\.zermelo (\S+) \{ (.*) \}$", light, re.MULTILINE):
        pairs = [part.split(": ", 1) for part in body.split("; ")]
        rules.append((selector, {key: escape(value) for key, value in pairs if key != "white-space"}))
    return rules


_TAG = re.compile(r"<([a-z]+)((?: [\w:-]+=\"[^\"]*\")*)(/?>)")
