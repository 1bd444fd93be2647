"""The colours of players, by name, light and dark; `board.css` has the same for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.core.picture import Picture


class Owned(NamedTuple):
    """The colours of a player's pieces, of their edges, and of text on them."""

    fill: str
    edge: str
    on: str


class Colour(NamedTuple):
    """A named colour in both themes."""

    light: Owned
    dark: Owned


def _deep(light: str, dark: str) -> Colour:
    """White text in the light theme, dark text in the dark one."""
    return Colour(Owned(light, light, "#ffffff"), Owned(dark, dark, "#15191e"))


def _bright(fill: str, edge: str) -> Colour:
    """The same in both themes, with a dark edge on white paper."""
    return Colour(Owned(fill, edge, "#1f2933"), Owned(fill, fill, "#15191e"))


PALETTE = {
    "blue": _deep("#0a66c2", "#66b2ff"),
    "black": Colour(Owned("#1f2933", "#1f2933", "#ffffff"), Owned("#07090b", "#b4bec8", "#ffffff")),
    "red": _deep("#c0271b", "#ff8075"),
    "green": _deep("#15803d", "#4ccb79"),
    "purple": _deep("#7e22ce", "#e08cf5"),
    "gold": _bright("#f2c14e", "#8a6100"),
    "white": Colour(Owned("#ffffff", "#1f2933", "#1f2933"), Owned("#eef1f4", "#8b96a1", "#1f2933")),
    "pink": _bright("#ff4fd0", "#b0257d"),
    "cyan": _bright("#28d7e5", "#0b7285"),
    "orange": _bright("#e07b00", "#a05a00"),
}
"""Blue is the accent colour."""
USUAL = ("blue", "black", "red", "green", "purple", "gold")
"""The colours of the players if neither the picture nor their names say otherwise."""
ALSO = {"yellow": "gold", "violet": "purple", "turquoise": "cyan"}


def owner_name(owner: int) -> str:
    """The suffix of the CSS classes of a player's pieces: the number, or `x` without a player or a colour."""
    return str(owner) if 0 <= owner < len(USUAL) else "x"


def colours_of(picture: Picture, seats: Sequence[str] = ()) -> tuple[str, ...]:
    """The colour of each of six players: as the picture says, otherwise that after which the seat is named.

    Players without a colour get the usual ones that are left.
    """
    wanted = [colour if colour in PALETTE else "" for colour in picture.colours]
    wanted += [_named(seat) for seat in seats[len(wanted) :]]
    wanted = (wanted + [""] * len(USUAL))[: len(USUAL)]
    left = [colour for colour in USUAL if colour not in wanted]
    return tuple(colour or left.pop(0) for colour in wanted)


def _named(seat: str) -> str:
    """The colour after which a seat is named, or nothing."""
    word = seat.lower()
    return ALSO.get(word, word if word in PALETTE else "")
