"""A table of words as SVG: the names of the rows and columns are what a player chooses from."""

from __future__ import annotations

from zermelo.core.picture import Table
from zermelo.draw.markup import Markup, element, label, text_width

HIGH, ROOM = 40, 26
"""The height of a row, and the room beside the words of a column."""


def table_parts(table: Table, margin: float) -> tuple[float, float, list[Markup]]:
    """The width, the height and the parts of the picture; the cell of a row or column to choose covers its entries."""
    widths = [_width([name, *(row[col] for row in table.entries)]) for col, name in enumerate(table.cols)]
    side = _width(table.rows)
    left, top = margin + side, margin + HIGH
    starts = [left + sum(widths[:col]) for col in range(len(widths))]
    right, bottom = left + sum(widths), top + HIGH * len(table.rows)
    chosen = {cells[0] for cells in table.touches.values() if len(cells) == 1}
    parts = [element("rect", class_="light", x=left, y=top, width=right - left, height=bottom - top, rx=4)]
    for row, col in table.marked:
        place = {"x": starts[col], "y": top + row * HIGH, "width": widths[col], "height": HIGH}
        parts.append(element("rect", class_="marked", **place))
    for row, name in enumerate(table.rows):
        end = right if row in chosen else left
        place = {"x": margin, "y": top + row * HIGH, "width": end - margin, "height": HIGH, "rx": 4}
        words = label(left - ROOM / 2, top + row * HIGH + HIGH / 2 + 5, name, "strong", "end")
        parts.append(
            element("g", element("rect", fill="transparent", **place), words, class_="cell line-of", data_cell=row)
        )
    for col, name in enumerate(table.cols):
        number = len(table.rows) + col
        end = bottom if number in chosen else top
        place = {"x": starts[col], "y": margin, "width": widths[col], "height": end - margin, "rx": 4}
        words = label(starts[col] + widths[col] / 2, margin + HIGH / 2 + 5, name, "strong")
        parts.append(
            element("g", element("rect", fill="transparent", **place), words, class_="cell line-of", data_cell=number)
        )
    for row, entries in enumerate(table.entries):
        for col, text in enumerate(entries):
            middle = starts[col] + widths[col] / 2
            parts.append(label(middle, top + row * HIGH + HIGH / 2 + 5, text, "entry"))
    return right + margin, bottom + margin, parts


def describe_table(table: Table) -> str:
    """The entries, row by row."""
    rows = [
        f"{name}: " + ", ".join(f"{col} {text}" for col, text in zip(table.cols, entries, strict=True))
        for name, entries in zip(table.rows, table.entries, strict=True)
    ]
    return "; ".join(rows)


def _width(texts: list[str] | tuple[str, ...]) -> float:
    return max((text_width(text, 14) for text in texts), default=0) + ROOM
