"""The part of a game's graph that is being looked at: positions have seats, and moves are edges between them.

    seats, from the front of a block of memory:   the fields below | work space | lower values | upper values
    edges, from its end towards the front:        the seat where it leads | probability or key | error | payoffs

Of a seat: its place in the table, who moves, its edges from FIRST to before END (they go down) and the NEXT one to
follow; how high the path was when it was reached (INDEX), the LEAST such height that can be reached from it, the PARENT
and how many seats were taken before its own children's (ABOVE); the move that was chosen, and a LINK for marks. STACK
is no field of the seat: all of them together are the stack of positions whose edges have been followed.

A position has a seat from when it is first met until everything behind it is known. Then its value stands in the table
of all positions, and edges to it are settled: they hold the value themselves.

There is one value per player, or a single one where that says it all: with one player, or two whose payoffs cancel.
"""

from __future__ import annotations

from zermelo.kernel import load, load_real

SLOT, OWNER, FIRST, END, NEXT, INDEX, LEAST, PARENT, ABOVE, STACK, CHOICE, LINK = range(12)
VALUES = 12
"""The cell of a seat where its values begin."""
TO, WEIGHT, ERROR, PAYOFFS = range(4)
SETTLED = -1
"""Instead of a seat: the edge holds the value."""
CLOSE = 2.0**-44
"""The part of the scale at which bounds are close enough."""
ROUNDING = 2.0**-52
"""Twice what a sum or a product can be off by rounding, as a part of it."""


def seat_size(width: int) -> int:
    return VALUES + 3 * width


def edge_size(width: int) -> int:
    return PAYOFFS + width


def seat_at(desk: int, size: int, place: int) -> int:
    """The seat at a place of the stack of open positions."""
    return load(desk, place * size + STACK)


def mean_error(edges: int, first: int, end: int, size: int, reach: float) -> float:
    """How far the mean over the edges of a roll can be off, if values are at most so far from zero."""
    total, count, edge = 0.0, 0, first
    while edge > end:
        total += load_real(edges, edge + WEIGHT)
        count += 1
        edge -= size
    return mean_error_of(total, count, reach)


def mean_error_of(total: float, count: int, reach: float) -> float:
    """The same, from what the probabilities sum to, and how many there are.

    Sums are rounded, and so are probabilities, which therefore may not sum to one.
    """
    rounding = ROUNDING * (count + 2) if count > 1 else 0.0
    return (abs(1.0 - total) + rounding) * reach
