"""SVG and HTML as text: elements, escaping, one style sheet for light and dark."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import NamedTuple, TypeAlias

Attribute: TypeAlias = str | float


class Markup(str):
    """Text that is already markup; plain `str` is escaped on its way in."""

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
    """The text with everything replaced that neither XML nor a terminal should meet: controls, lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("�" if unicodedata.category(letter) in ("Cc", "Cs", "Cn") else letter for letter in text)


def text_width(text: str, size: float) -> float:
    """A cautious guess how wide a sans-serif font sets the text."""
    return size * sum(map(_letter_width, text))


def svg(width: float, height: float, title: str, description: str, *parts: Markup) -> str:
    """A picture that stands alone: its own paper, its own style, a name and a description for screen readers."""
    head = lines(
        element("title", title),
        element("desc", description) if description else Markup(),
        element("style", Markup(STYLE)),
        element("rect", class_="paper", width=width, height=height, rx=6),
    )
    body = Markup(f"\n{lines(head, *parts)}\n")
    return element(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        class_="zermelo",
        width=width,
        height=height,
        viewBox=f"0 0 {_plain(width)} {_plain(height)}",
        role="img",
    )


def label(x: float, y: float, text: str, style: str = "", anchor: str = "middle") -> Markup:
    """A line of text; `y` is its base line."""
    return element("text", text, x=x, y=y, class_=f"{anchor} {style}".rstrip())


def _attribute(value: Attribute) -> str:
    return escape(clean(value)) if isinstance(value, str) else _plain(value)


def _plain(number: float) -> str:
    """At most one decimal: a tenth of a pixel."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _letter_width(letter: str) -> float:
    if letter in " ,.:;|!'()[]ijlt/·":
        return 0.4
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.9 if letter in "mwMW@%—" else 0.66


_SHAPES = """\
.zermelo { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
.zermelo .start { text-anchor: start }
.zermelo .middle { text-anchor: middle }
.zermelo .end { text-anchor: end }
.zermelo .small { font-size: 11px }
.zermelo .strong { font-weight: 600 }
.zermelo .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre }
.zermelo .line { fill: none; stroke-width: 1.2 }
.zermelo .best { stroke-width: 2.4 }
.zermelo .faint { stroke-dasharray: 2 4 }
.zermelo .dashed { stroke-dasharray: 4 3 }
.zermelo .thick { fill: none; stroke-width: 6; stroke-linecap: round }"""

_COLOURS = """\
.zermelo .paper {{ fill: {paper} }}
.zermelo text {{ fill: {ink} }}
.zermelo .muted {{ fill: {muted} }}
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
.zermelo .thick.owner-{owner} {{ fill: none; stroke: {alone}; stroke-width: 6 }}
.zermelo .on-{owner} {{ fill: {on} }}
.zermelo .rim-{owner} {{ stroke: {on} }}"""

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "muted": "#68737d",
    "rule": "#c5ccd3",
    "light": "#f4f6f8",
    "dark": "#dfe5ea",
    "accent": "#0a66c2",
    "tint": "#d3e6fa",
    "red": "#c0271b",
}
_DARK = {
    "paper": "#15191e",
    "ink": "#e4e9ee",
    "muted": "#98a3ae",
    "rule": "#4a535d",
    "light": "#262d35",
    "dark": "#37414c",
    "accent": "#66b2ff",
    "tint": "#1d3f61",
    "red": "#ff8075",
}


class Owned(NamedTuple):
    """The colours of a player: of pieces, of their edges, of what is written on them."""

    fill: str
    edge: str
    on: str


OWNERS_LIGHT = (
    Owned("#0a66c2", "#0a66c2", "#ffffff"),
    Owned("#1f2933", "#1f2933", "#ffffff"),
    Owned("#c0271b", "#c0271b", "#ffffff"),
    Owned("#15803d", "#15803d", "#ffffff"),
    Owned("#7e22ce", "#7e22ce", "#ffffff"),
    Owned("#f2c14e", "#8a6100", "#1f2933"),
)
"""Of the players in turn: the accent colour, black, red, green, purple, gold. The page has the same in `board.css`."""
OWNERS_DARK = (
    Owned("#66b2ff", "#66b2ff", "#15191e"),
    Owned("#07090b", "#b4bec8", "#ffffff"),
    Owned("#ff8075", "#ff8075", "#15191e"),
    Owned("#4ccb79", "#4ccb79", "#15191e"),
    Owned("#e08cf5", "#e08cf5", "#15191e"),
    Owned("#f2c14e", "#f2c14e", "#15191e"),
)


def owner_name(owner: int) -> str:
    """What the classes of a player's pieces end in: the number, or `x` without a player or a colour."""
    return str(owner) if 0 <= owner < len(OWNERS_LIGHT) else "x"


def _colour_rules(theme: dict[str, str], owners: tuple[Owned, ...]) -> str:
    rules = [_COLOURS.format(**theme)]
    for number, (fill, edge, on) in enumerate(owners):
        alone = theme["ink"] if number == 1 else edge
        rules.append(_OWNED.format(owner=number, fill=fill, edge=edge, on=on, alone=alone))
    return "\n".join(rules)


def _indent(rules: str) -> str:
    return "\n".join("  " + rule for rule in rules.split("\n"))


STYLE = (
    f"\n{_SHAPES}\n{_colour_rules(_LIGHT, OWNERS_LIGHT)}\n"
    f"@media (prefers-color-scheme: dark) {{\n{_indent(_colour_rules(_DARK, OWNERS_DARK))}\n}}\n"
)
