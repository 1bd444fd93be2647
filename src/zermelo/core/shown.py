"""What a notebook shows: objects that are drawn when they are the last word of a cell.

Drawing lies above everything that is drawn, so it is looked up when a notebook asks for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol


class Pictured(Protocol):
    """What `zermelo.draw.figure` returns."""

    svg: str | None
    html: str | None


class Shown:
    """An object of which `zermelo.draw.figure` knows a picture, a table, or both."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return self._figure().svg

    def _repr_html_(self) -> str | None:
        return self._figure().html

    def _figure(self) -> Pictured:
        figure: Pictured = import_module("zermelo.draw").figure(self)
        return figure
