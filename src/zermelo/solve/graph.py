"""The open part of a game's graph in Tarjan's algorithm: each open position has a frame, and moves are edges.

    frames, from the front of a block of memory:   the fields below | work space | lower values | upper values
    edges, from its end towards the front:         the frame it leads to | probability or key | error | payoffs

Fields of a frame:

    SLOT        the position's place in the table
    OWNER       the player to move, or CHANCE
    FIRST, END  its edges, from FIRST down to before END
    NEXT        the next edge to follow
    INDEX       the height of the path when the position was reached
    LEAST       the least such height that can be reached from it (Tarjan's low-link)
    PARENT      the frame it was reached from
    ABOVE       the number of frames before those of its children
    STACK       not part of the frame: these cells together are the stack of positions whose edges have been followed
    CHOICE      the edge of the chosen move
    LINK        for marks

A position has a frame from when it is first reached until all positions below it are solved. Then its value is stored
in the table of all positions, and edges to it are settled: they hold the value themselves.

There is one value per player, or a single one if that is enough: with one player, or two whose payoffs cancel.
"""

from __future__ import annotations

from zermelo.kernel import load, load_real

SLOT, OWNER, FIRST, END, NEXT, INDEX, LEAST, PARENT, ABOVE, STACK, CHOICE, LINK = range(12)
VALUES = 12
"""The cell of a frame where its values begin."""
TO, WEIGHT, ERROR, PAYOFFS = range(4)
SETTLED = -1
"""Instead of a frame: the edge holds the value."""
CLOSE = 2.0**-44
"""The share of the scale at which bounds are close enough."""
ROUNDING = 2.0**-52
"""Twice the relative rounding error of a sum or a product."""


def frame_size(width: int) -> int:
    return VALUES + 3 * width


def edge_size(width: int) -> int:
    return PAYOFFS + width


def frame_at(workspace: int, size: int, place: int) -> int:
    """The frame at a place of the stack of open positions."""
    return load(workspace, place * size + STACK)


def mean_error(edges: int, first: int, end: int, size: int, reach: float) -> float:
    """The largest error of the mean over the edges of a roll, if values are at most `reach` from zero."""
    total, count, edge = 0.0, 0, first
    while edge > end:
        total += load_real(edges, edge + WEIGHT)
        count += 1
        edge -= size
    return mean_error_of(total, count, reach)


def mean_error_of(total: float, count: int, reach: float) -> float:
    """The same, from the sum and the number of the probabilities.

    Sums are rounded, and so are probabilities, which therefore may not sum to one.
    """
    rounding = ROUNDING * (count + 2) if count > 1 else 0.0
    return (abs(1.0 - total) + rounding) * reach
