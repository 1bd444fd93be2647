"""Curves on logarithmic axes as SVG: the exploitability of a strategy over the iterations that found it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.core.numerals import number_text
from zermelo.draw.markup import Markup, element, label, svg, text_width

WIDTH, HEIGHT = 460.0, 240.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 16.0, 26.0, 44.0
SMALL = 11
LEAST = 1e-12
"""Smaller numbers are drawn here: 0 has no logarithm."""
DASHES = ("", "6 4", "2 3", "10 3 2 3", "1 5", "10 3 2 3 2 3")
"""Of each curve, so that they can be told apart."""
LINE = 13.0
"""The least distance between the names of two curves."""
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
CROWDED = 7
"""Axes with more powers of ten name every second one."""


class Curve(NamedTuple):
    """A named series of points with positive coordinates."""

    name: str
    points: Sequence[tuple[float, float]]


class Axis(NamedTuple):
    """Powers of ten on a line of the drawing."""

    low: int
    high: int
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(max(value, LEAST)) - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def ticks(self) -> list[int]:
        step = 1 if self.high - self.low <= CROWDED else 2
        return list(range(self.low, self.high + 1, step))


def curve_svg(curves: Sequence[Curve], across: str, up: str, for_page: bool = False) -> str:
    """The curves over `across`, with both axes logarithmic; the last point of each is named."""
    points = [point for curve in curves for point in curve.points]
    x = axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [*_grid(x, y), label(LEFT, 14, up, "small muted", "start")]
    parts.append(label(WIDTH - RIGHT, HEIGHT - 8, across, "small muted", "end"))
    drawn = [curve for curve in curves if curve.points]
    heights = spread([y.at(curve.points[-1][1]) - 7 for curve in drawn], TOP + 5, HEIGHT - BOTTOM - 5)
    for number, (curve, height) in enumerate(zip(drawn, heights, strict=True)):
        parts += _curve(curve, x, y, number, height)
    about = "; ".join(_words(curve, across, up) for curve in curves)
    title = f"{up[:1].upper()}{up[1:]} over {across}"
    return svg(WIDTH, HEIGHT, title, about, *parts, material="chart" if for_page else None)


def axis(values: Sequence[float], start: float, end: float) -> Axis:
    """The powers of ten that hold all values, at least one apart."""
    logs = [math.log10(max(value, LEAST)) for value in values] or [0.0]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return Axis(low, max(high, low + 1), start, end)


def _grid(x: Axis, y: Axis) -> list[Markup]:
    parts = []
    for power in x.ticks():
        at = x.at(10.0**power)
        parts.append(element("path", class_="line faint", d=f"M{at:.1f} {TOP}V{HEIGHT - BOTTOM}"))
        parts.append(label(at, HEIGHT - BOTTOM + 15, power_text(power), "small muted"))
    for power in y.ticks():
        at = y.at(10.0**power)
        parts.append(element("path", class_="line faint", d=f"M{LEFT} {at:.1f}H{WIDTH - RIGHT}"))
        parts.append(label(LEFT - 6, at + 4, power_text(power), "small muted", "end"))
    return parts


def spread(heights: Sequence[float], low: float, high: float) -> list[float]:
    """The heights, moved as little as it takes to keep names apart: downwards, and up again from the bottom."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda one: found[one])
    below = low - LINE
    for one in order:
        below = found[one] = max(found[one], below + LINE)
    above = high + LINE
    for one in reversed(order):
        above = found[one] = min(found[one], above - LINE)
    return found


def _curve(curve: Curve, x: Axis, y: Axis, number: int, height: float) -> list[Markup]:
    """A curve, and its name at a height near its last point."""
    places = [(x.at(across), y.at(up)) for across, up in curve.points]
    style, dashes = "line best" if number == 0 else "line", DASHES[number % len(DASHES)]
    way = "M" + "L".join(f"{one:.1f} {two:.1f}" for one, two in places)
    drawn = [element("path", class_=style, d=way, **({"stroke_dasharray": dashes} if dashes else {}))]
    end, room = places[-1], text_width(curve.name, SMALL) + 8
    anchor, aside = ("end", -7.0) if end[0] + room > WIDTH - RIGHT else ("start", 7.0)
    drawn.append(element("circle", class_="plain best" if number == 0 else "plain", cx=end[0], cy=end[1], r=3))
    drawn.append(label(end[0] + aside, height, curve.name, "small accented" if number == 0 else "small muted", anchor))
    return drawn


def power_text(power: int) -> str:
    """`10⁻³`, and `1`, `10`, `100` as they are."""
    return str(10**power) if 0 <= power <= 2 else f"10{str(power).translate(SUPERSCRIPTS)}"


def _words(curve: Curve, across: str, up: str) -> str:
    if not curve.points:
        return f"{curve.name}: no points yet"
    count, value = curve.points[-1]
    return f"{curve.name}: {up} {number_text(value)} after {number_text(count)} {across}"
