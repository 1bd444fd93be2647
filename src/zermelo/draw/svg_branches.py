"""A game tree as a board: the figure of a textbook, in which the game walks from node to node.

The way so far has the accent colour, the node where the game is has its own background. Every node that is drawn is a
cell; what does not fit is counted where it is missing.
"""

from __future__ import annotations

from zermelo.core.picture import Branches
from zermelo.draw.markup import Markup, element
from zermelo.draw.numerals import chance_text, value_text
from zermelo.draw.selection import MOST_ON_A_BOARD, around, way_to
from zermelo.draw.svg_trees import Spot, figure, shape_of

RIM, FOOT = 4, 16
"""Margin of a cell around its node, and below a leaf, where the page writes the value of a move."""


def branches_parts(picture: Branches) -> tuple[float, float, list[Markup]]:
    """The width, height and parts of the picture. At the start no node is marked: it is a figure without a solution."""
    branches = around(picture, MOST_ON_A_BOARD)
    if picture.nodes[picture.at].parent < 0:
        branches[0].on_line = branches[0].is_here = False
    return figure(branches, _cell)


def _cell(spot: Spot) -> Markup:
    if spot.node is None:
        return shape_of(spot)
    corner = {"x": spot.x - spot.half - RIM, "y": spot.y - RIM}
    height = spot.height + RIM + (RIM if spot.is_inner else FOOT)
    touched = element("rect", fill="transparent", **corner, width=2 * (spot.half + RIM), height=height)
    return element("g", touched, shape_of(spot), class_="cell branch", data_cell=spot.node.state)


# -- words -----------------------------------------------------------------------------------------


def describe_branches(picture: Branches) -> str:
    """The current node, and the nodes that its branches lead to."""
    below = [cell for cell, node in enumerate(picture.nodes) if node.parent == picture.at]
    ways = []
    for cell in below:
        node = picture.nodes[cell]
        chance = f" with chance {chance_text(node.probability)}" if node.probability is not None else ""
        ways.append(f"{node.move}{chance} to {_kind(picture, cell)}")
    return f"at {node_name(picture, picture.at)}" + (f"; branches: {', '.join(ways)}" if ways else "")


def node_name(picture: Branches, cell: int) -> str:
    """The path of a node and its kind: `a.b, the end, 12`."""
    way = ".".join(picture.nodes[one].move for one in way_to(picture, cell)[1:])
    return f"{way or 'the root'}, {_kind(picture, cell)}"


def drawn_cells(picture: Branches) -> set[int]:
    """The cells drawn in the figure."""
    return {branch.node.state for branch in around(picture, MOST_ON_A_BOARD)}


def _kind(picture: Branches, cell: int) -> str:
    node = picture.nodes[cell]
    if node.kind == "end":
        return f"the end, {value_text(node.value)}"
    if node.kind == "chance":
        return "chance decides"
    is_plain = (node.kind, node.player) in (("max", 0), ("min", 1))
    return f"{node.kind} moves" if is_plain else f"player {node.player + 1} moves"
