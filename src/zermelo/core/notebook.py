"""Objects that a notebook draws when they are the last value of a cell.

`zermelo.draw` lies above everything that it draws, so it is imported when a notebook asks for a picture.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol


class Figure(Protocol):
    """What `zermelo.draw.figure` returns."""

    svg: str | None
    html: str | None


class HasFigure:
    """An object that `zermelo.draw.figure` shows as a picture, a table, or both."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return self._figure().svg

    def _repr_html_(self) -> str | None:
        return self._figure().html

    def _figure(self) -> Figure:
        figure: Figure = import_module("zermelo.draw").figure(self)
        return figure
