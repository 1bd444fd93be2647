"""Search trees as SVG, in the manner of a textbook figure.

Max nodes point up, min nodes point down, chance nodes are round, ends are squares, horizons have dashed rims. The value
stands in the shape, the window on entry beside it (below it at the ends), the move and its chance on the edge. A cut
branch is severed by two strokes, with the reason where its node would be. The principal line has the accent colour.
In the tree of a game with hidden information, a dotted line joins the nodes that their player cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from zermelo.draw.layout import tidy
from zermelo.draw.markup import Markup, element, label, lines, svg, text_width
from zermelo.draw.numerals import chance_text, count_text, window_text
from zermelo.draw.selection import Branch, branch_value_text, select, summary
from zermelo.textbook.trace import Node

MARGIN = 18
GAP = 14
"""The gap between boxes of one level."""
TALL = 42
"""The height of a triangle or a circle; squares are lower."""
SQUARE = 28
VALUE, SMALL = 14, 11
"""Letter sizes."""
NEAR = 0.27
"""The place of a move on its edge, as a share from the child up."""
SEVERED = 0.42
"""The place where a cut branch is severed, as a share from the parent down."""
LEAST_DROP, MOST_DROP = 58, 150
"""The distance between levels; more if edges are flat."""
FIRST_LANE, LANE = 4, 8
"""Where the lines of information sets hang below their level, and their distance."""


@dataclass
class Spot:
    """An element of the figure: a node, a cut branch, or a count of hidden nodes."""

    branch: Branch | None
    """The node; None for a count of hidden nodes."""
    parent: int
    depth: int
    title: str
    """The value, the reason for the cut, or the count of hidden nodes."""
    edge: str = ""
    """The text on the edge to it."""
    seat: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def node(self) -> Node | None:
        return self.branch.node if self.branch else None

    @property
    def kind(self) -> str:
        return self.branch.node.kind if self.branch else "hidden"

    @property
    def window(self) -> str:
        """The text beside or below the shape: the window on entry, or what the player sees."""
        node = self.node
        if node and node.view:
            return node.view
        return window_text(node.window) if node and node.window and node.kind != "cut" else ""

    @property
    def is_best(self) -> bool:
        return self.branch is not None and self.branch.on_line

    @property
    def is_here(self) -> bool:
        return self.branch is not None and self.branch.is_here

    @property
    def is_inner(self) -> bool:
        return self.kind in ("max", "min", "chance")

    @property
    def half(self) -> float:
        """Half the width of the shape, or of the text without a shape."""
        if self.kind in ("cut", "hidden"):
            return text_width(self.title, SMALL) / 2
        words = text_width(self.title, VALUE)
        if self.kind == "chance":
            return max(TALL / 2, words / 2 + 8)
        return max(25.0, words * 0.84 + 2) if self.is_inner else max(SQUARE / 2, words / 2 + 7)

    @property
    def height(self) -> float:
        return TALL if self.is_inner else 0 if self.kind in ("cut", "hidden") else SQUARE

    @property
    def below(self) -> float:
        """The height of the text under the shape."""
        return 18 if not self.is_inner and (self.window or not self.height) else 0

    @property
    def beside(self) -> float:
        """The distance from the centre to the text beside an inner node."""
        return self.half * (0.95 if self.kind == "chance" else 0.56) + 4

    @property
    def extent(self) -> tuple[float, float]:
        """The extent of shape, edge label and text; edge labels move towards the parent and so need more room."""
        on_edge = text_width(self.edge, SMALL) / 2 / (1 - NEAR) + 2 if self.edge else 0.0
        words = text_width(self.window, SMALL)
        if self.is_inner:
            seat = self.beside + text_width(self.seat, SMALL) if self.seat else 0.0
            return max(self.half, on_edge, seat), max(self.half, on_edge, self.beside + words if words else 0.0)
        return (max(self.half, on_edge, words / 2),) * 2


def tree_svg(node: Node, most: int = 200) -> str:
    """The tree as an SVG document with at most `most` nodes; hidden nodes are counted in their places."""
    branches = select(node, most)
    width, height, parts = figure(branches, shape_of)
    return svg(width, height, "A search tree", summary(branches), *parts)


def figure(branches: list[Branch], shaped: Callable[[Spot], Markup]) -> tuple[float, float, list[Markup]]:
    """The width, height and parts: the names of levels, the edges, and each spot as `shaped` draws it."""
    spots, names = place_spots(branches)
    tops = {spot.depth: spot.y for spot in spots}
    width = max(spot.x + spot.extent[1] for spot in spots) + MARGIN
    height = max(spot.y + spot.height + spot.below for spot in spots) + MARGIN
    rows = [label(MARGIN, tops[row] + TALL / 2 + 4, name, "small muted", "start") for row, name in names.items()]
    edges = [_edge(spots[spot.parent], spot) for spot in spots[1:]]
    return width, height, [*rows, *edges, *_set_lines(spots), *map(shaped, spots)]


def place_spots(branches: list[Branch]) -> tuple[list[Spot], dict[int, str]]:
    """Every spot of the figure with its place, parents before children, and the names of the levels."""
    spots = _spots(branches)
    names = _row_names(spots)
    for spot in spots:
        spot.seat = "" if spot.depth in names else spot.seat
    children: list[list[int]] = [[] for _ in spots]
    for number, spot in enumerate(spots[1:], 1):
        children[spot.parent].append(number)
    centres = tidy([spot.extent for spot in spots], children, GAP)
    left = MARGIN + (max(text_width(name, SMALL) for name in names.values()) + 14 if names else 0)
    drops = [LEAST_DROP] * (spots[-1].depth + 1)
    for spot, centre in zip(spots, centres, strict=True):
        spot.x = left + centre
        wanted = round(0.2 * abs(spot.x - spots[spot.parent].x))
        drops[spot.depth] = min(MOST_DROP, max(drops[spot.depth], wanted))
    lanes = {(together[0].depth, lane) for together, lane in _lanes(spots)}
    for depth, _ in lanes:
        if depth + 1 < len(drops):
            drops[depth + 1] += LANE
    for spot in spots:
        spot.y = MARGIN + sum(drops[1 : spot.depth + 1]) + TALL * spot.depth
    return spots, names


def _spots(branches: list[Branch]) -> list[Spot]:
    """The branches in breadth-first order, each followed by its count of hidden nodes."""
    spots = [_spot(branches[0], 0)]
    for number, spot in enumerate(spots):  # grows while it is walked
        if spot.branch is None:
            continue
        spots.extend(_spot(child, number) for child in spot.branch.children)
        if spot.branch.hidden:
            spots.append(Spot(None, number, spot.depth + 1, f"+{count_text(spot.branch.hidden)} more"))
    return spots


def _spot(branch: Branch, parent: int) -> Spot:
    node = branch.node
    title = node.reason if node.kind == "cut" else branch_value_text(branch)
    chance = chance_text(node.probability) if node.probability is not None else ""
    return Spot(branch, parent, branch.depth, title, " · ".join(filter(None, (node.move, chance))), branch.seat)


def _row_names(spots: list[Spot]) -> dict[int, str]:
    """MAX, MIN or CHANCE (or the player, where several do the same) for each level on which all inner nodes agree."""
    names: dict[int, set[str]] = {}
    for spot in spots:
        if spot.is_inner:
            names.setdefault(spot.depth, set()).add(spot.seat.replace("P", "PLAYER ") or spot.kind.upper())
    return {depth: found.pop() for depth, found in names.items() if len(found) == 1}


# -- shapes ----------------------------------------------------------------------------------------


def shape_of(spot: Spot) -> Markup:
    """A node with its text, and the time of entry in the search."""
    parts = [_outline(spot), *_words(spot)]
    step = {"data_entered": spot.node.entered} if spot.node and spot.node.entered >= 0 else {}
    best = " on-line" if spot.is_best else ""
    where = f"translate({spot.x:.1f} {spot.y:.1f})"
    return element("g", *parts, class_=f"node{best}", data_kind=spot.kind, **step, transform=where)


def _outline(spot: Spot) -> Markup:
    half = f"{spot.half:.1f}"
    ground = "here" if spot.is_here else "plain" if spot.kind in ("terminal", "horizon") else "shape"
    style = f"{ground} line" + (" best" if spot.is_best else "")
    if spot.kind == "max":
        return element("path", class_=style, d=f"M0 0L{half} {TALL}H-{half}Z", stroke_linejoin="round")
    if spot.kind == "min":
        return element("path", class_=style, d=f"M-{half} 0H{half}L0 {TALL}Z", stroke_linejoin="round")
    if spot.kind == "chance":
        return element("ellipse", class_=style, cy=TALL / 2, rx=spot.half, ry=TALL / 2)
    if spot.kind in ("terminal", "horizon"):
        style += " dashed" if spot.kind == "horizon" else ""
        corner = SQUARE / 2 if spot.kind == "horizon" else 2
        return element("rect", class_=style, x=-spot.half, width=2 * spot.half, height=SQUARE, rx=corner)
    return Markup()


def _words(spot: Spot) -> list[Markup]:
    if spot.kind in ("cut", "hidden"):
        return [label(0, 12, spot.title, "small muted")] if spot.title else []
    base = {"max": TALL - 7, "min": 17, "chance": TALL / 2 + 5}.get(spot.kind, SQUARE / 2 + 5)
    words = [label(0, base, spot.title, "strong accented" if spot.is_best else "strong")] if spot.title else []
    beside = TALL - 9 if spot.kind == "min" else 13
    if spot.window and spot.is_inner:
        words.append(label(spot.beside, beside, spot.window, "small muted", "start"))
    elif spot.window:
        words.append(label(0, SQUARE + 14, spot.window, "small muted"))
    if spot.seat:
        words.append(label(-spot.beside, beside, spot.seat, "small muted", "end"))
    return words


def _lanes(spots: list[Spot]) -> list[tuple[list[Spot], int]]:
    """The nodes of each information set of one level, from left to right, and the lane of its line below the level.

    Lines of one lane do not overlap.
    """
    sets: dict[tuple[int, object], list[Spot]] = {}
    for spot in spots:
        if spot.node is not None and spot.node.information_set is not None:
            sets.setdefault((spot.depth, spot.node.information_set), []).append(spot)
    found: list[tuple[list[Spot], int]] = []
    ends: dict[int, list[float]] = {}
    several = [sorted(each, key=lambda spot: spot.x) for each in sets.values() if len(each) > 1]
    for together in sorted(several, key=lambda each: each[0].x):
        taken = ends.setdefault(together[0].depth, [])
        lane = next((lane for lane, end in enumerate(taken) if end < together[0].x), len(taken))
        taken[lane : lane + 1] = [together[-1].x]
        found.append((together, lane))
    return found


def _set_lines(spots: list[Spot]) -> list[Markup]:
    """A dotted line through the nodes of each information set."""
    found = []
    for together, lane in _lanes(spots):
        path = "".join(_hanging(one, other, lane) for one, other in pairwise(together))
        name = f"information set: {together[0].window}"
        line = element("path", class_="line best", d=path, stroke_dasharray="0.1 5", stroke_linecap="round")
        found.append(element("g", element("title", name), line, class_="information-set"))
    return found


def _hanging(one: Spot, other: Spot, lane: int) -> str:
    """A line from one node down to a lane, and up to the other node."""
    y = one.y + one.height / 2
    low = one.y + TALL + FIRST_LANE + lane * LANE
    start, end = one.x + one.half * 0.45, other.x - other.half * 0.45
    bend = min(12.0, (end - start) / 2)
    down = f"M{start:.1f} {y:.1f}Q{start:.1f} {low:.1f} {start + bend:.1f} {low:.1f}"
    return f"{down}H{end - bend:.1f}Q{end:.1f} {low:.1f} {end:.1f} {y:.1f}"


def _edge(parent: Spot, spot: Spot) -> Markup:
    """The edge with its label: solid, faint to hidden nodes, severed for cut branches."""
    top, foot = (parent.x, parent.y + parent.height), (spot.x, spot.y)
    if spot.kind == "hidden":
        return element("g", _line(top, foot, "line faint"), class_="edge")
    if spot.kind == "cut":
        drawn = _severed_edge(top, foot)
    else:
        drawn = _line(top, foot, "line best" if spot.is_best else "line")
    return element(
        "g", drawn, _edge_label(spot, _along(foot, top, NEAR)), class_=f"edge{' severed' * (spot.kind == 'cut')}"
    )


def _edge_label(spot: Spot, at: tuple[float, float]) -> Markup:
    if not spot.edge:
        return Markup()
    width = text_width(spot.edge, SMALL) + 2
    ground = element("rect", class_="paper", x=at[0] - width / 2, y=at[1] - 7, width=width, height=14)
    style = "small accented" if spot.is_best else "small muted" if spot.kind == "cut" else "small"
    return lines(ground, label(at[0], at[1] + 4, spot.edge, style))


def _severed_edge(top: tuple[float, float], foot: tuple[float, float]) -> Markup:
    """A stump, two strokes across, and a dashed rest."""
    strokes = []
    for share in (SEVERED - 0.03, SEVERED + 0.03):
        x, y = _along(top, foot, share)
        strokes.append(_line((x - 7, y + 3), (x + 7, y - 3), "line slash"))
    stump = _line(top, _along(top, foot, SEVERED - 0.03), "line")
    rest = _line(_along(top, foot, SEVERED + 0.03), foot, "line dashed")
    return lines(stump, *strokes, rest)


def _line(start: tuple[float, float], end: tuple[float, float], style: str) -> Markup:
    return element("path", class_=style, d=f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}")


def _along(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """The point at this share of the way."""
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
