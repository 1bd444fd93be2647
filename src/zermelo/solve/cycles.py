"""Values of positions that can recur, between bounds that are proved: for one player, or for two opponents.

Every position of a part of the graph has a lower and an upper value. Sweep after sweep they come nearer to one another:
the best, the worst or the mean of what the moves lead to, with sums rounded outwards. A game that never ends is a draw,
in the middle of the scale. So where both sides can go round in circles the upper value does not fall by itself, and the
lower one does not rise. There, in a set of positions that nobody has to leave,

    upper <= the best that the first player gets by leaving it, or a draw:     the second player need not leave
    lower >= the worst that the second player gets by leaving it, or a draw:   the first player need not leave

which is true of every such set. Bounds meet if it is done for those where all positions have the same value; an
estimate tells which they are, the value of the game that is broken off as a draw, later and later. [Everett, "Recursive
games", 1957, for the values; Kelmendi, Kraemer, Kretinsky and Weininger, "Value iteration for simple stochastic games:
stopping criterion and learning algorithm", 2018, for the sets]
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES
from zermelo.core.game import CHANCE
from zermelo.kernel import kernel, load, load_real, store, store_real
from zermelo.solve.graph import (
    CLOSE,
    END,
    ERROR,
    FIRST,
    INDEX,
    LEAST,
    LINK,
    NEXT,
    OWNER,
    PAYOFFS,
    ROUNDING,
    STACK,
    TO,
    VALUES,
    WEIGHT,
    edge_size,
    mean_error,
    seat_at,
    seat_size,
)

SEAT, EDGE = seat_size(1), edge_size(1)
ESTIMATE, LOWER, UPPER = range(VALUES, VALUES + 3)
EDGE_LOWER, EDGE_UPPER = PAYOFFS, ERROR
"""What a settled edge holds meanwhile."""
SLACK, BEST_EXIT, WORST_EXIT = LEAST, NEXT, INDEX
"""Fields of a seat that are free once all edges have been followed."""
OUTSIDE = -1
LOOSENESS = 4
"""In how many degrees values count as the same, in turn: each sixteen times the one before."""


@kernel
def narrow(memory: int, desk: int, edges: int, first: int, end: int, draw: float) -> int:
    """Bring the bounds of the positions at these places of the stack together, unless it is stopped.

    Those that nobody may have to leave come first; the place behind them.
    """
    low, high, width = spread(desk, edges, first, end, draw)
    reach = max(abs(low), abs(high))
    close = CLOSE * reach
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        store_real(desk, seat + ESTIMATE, draw)
        store_real(desk, seat + LOWER, low)
        store_real(desk, seat + UPPER, high)
        store(desk, seat + LINK, seat)
        if load(desk, seat + OWNER) == CHANCE:
            slack = mean_error(edges, load(desk, seat + FIRST), load(desk, seat + END), EDGE, reach)
            store_real(desk, seat + SLACK, slack)
    trim(desk, edges, first, end, high - low)
    ring = gather(desk, first, end)
    sweep, idle = 0, 0
    while idle < 2 * LOOSENESS:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            break
        gap, shift, change = 0.0, 0.0, 0.0
        for place in range(first, end):
            seat = seat_at(desk, SEAT, place)
            before = load_real(desk, seat + UPPER) - load_real(desk, seat + LOWER)
            step = update(desk, edges, seat)
            after = load_real(desk, seat + UPPER) - load_real(desk, seat + LOWER)
            gap, shift, change = max(gap, after), max(shift, step), max(change, before - after)
        if gap <= width + close:
            break
        if ring > first:
            alike = (4 * shift + close) * 16.0 ** (sweep & (LOOSENESS - 1))
            change = max(change, bound(desk, edges, first, ring, draw, alike))
        idle = 0 if change > 0 or shift > close else idle + 1
        sweep += 1
    return ring


def spread(desk: int, edges: int, first: int, end: int, draw: float) -> tuple[float, float, float]:
    """The least and the greatest value outside, a draw included, and how far bounds there are apart.

    From now on edges that lead there hold bounds.
    """
    low, high, width = draw, draw, 0.0
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        edge = load(desk, seat + FIRST)
        while edge > load(desk, seat + END):
            if load(edges, edge + TO) < 0:
                value, error = load_real(edges, edge + PAYOFFS), load_real(edges, edge + ERROR)
                if error > 0:
                    error += ROUNDING * (abs(value) + error)
                store_real(edges, edge + EDGE_LOWER, value - error)
                store_real(edges, edge + EDGE_UPPER, value + error)
                low, high, width = min(low, value - error), max(high, value + error), max(width, 2 * error)
            edge -= EDGE
    return low, high, width


def update(desk: int, edges: int, seat: int) -> float:
    """Bounds and estimate of a position from those of its moves; by how much the estimate changed."""
    owner = load(desk, seat + OWNER)
    edge, end = load(desk, seat + FIRST), load(desk, seat + END)
    low, high, value = 0.0, 0.0, 0.0
    is_first = True
    while edge > end:
        to = load(edges, edge + TO)
        if to >= 0:
            edge_low, edge_high = load_real(desk, to + LOWER), load_real(desk, to + UPPER)
            estimate = load_real(desk, to + ESTIMATE)
        else:
            edge_low, edge_high = load_real(edges, edge + EDGE_LOWER), load_real(edges, edge + EDGE_UPPER)
            estimate = (edge_low + edge_high) / 2
        if owner == CHANCE:
            weight = load_real(edges, edge + WEIGHT)
            low += weight * edge_low
            high += weight * edge_high
            value += weight * estimate
        elif owner == 0:
            low = edge_low if is_first else max(low, edge_low)
            high = edge_high if is_first else max(high, edge_high)
            value = estimate if is_first else max(value, estimate)
        else:
            low = edge_low if is_first else min(low, edge_low)
            high = edge_high if is_first else min(high, edge_high)
            value = estimate if is_first else min(value, estimate)
        is_first = False
        edge -= EDGE
    if owner == CHANCE:
        slack = load_real(desk, seat + SLACK)
        low, high = low - slack, high + slack
    low, high = max(low, load_real(desk, seat + LOWER)), min(high, load_real(desk, seat + UPPER))
    value = min(max(value, low), high)
    step = abs(value - load_real(desk, seat + ESTIMATE))
    store_real(desk, seat + LOWER, low)
    store_real(desk, seat + UPPER, high)
    store_real(desk, seat + ESTIMATE, value)
    return step


# -- sets of positions that nobody has to leave ------------------------------------------------------------------------


def bound(desk: int, edges: int, first: int, end: int, draw: float, alike: float) -> float:
    """Bounds of sets of positions whose estimates are alike, from what leaving them is worth; the greatest change."""
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        store(desk, seat + LINK, seat)
    trim(desk, edges, first, end, alike)
    join(desk, edges, first, end, alike)
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        store_real(desk, seat + BEST_EXIT, draw)
        store_real(desk, seat + WORST_EXIT, draw)
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        if load(desk, seat + LINK) != OUTSIDE and load(desk, seat + OWNER) != CHANCE:
            look_outside(desk, edges, seat)
    change = 0.0
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        if load(desk, seat + LINK) != OUTSIDE:
            change = max(change, confine(desk, seat))
    return change


def trim(desk: int, edges: int, first: int, end: int, alike: float) -> None:
    """Leave out positions from which one must leave, and those from which one must go to them, and so on."""
    is_changed, sweep = True, 0
    while is_changed:
        is_changed = False
        for number in range(end - first):
            seat = seat_at(desk, SEAT, first + number if sweep & 1 else end - 1 - number)
            if load(desk, seat + LINK) != OUTSIDE and not can_stay(desk, edges, seat, alike):
                store(desk, seat + LINK, OUTSIDE)
                is_changed = True
        sweep += 1


def can_stay(desk: int, edges: int, seat: int, alike: float) -> bool:
    """Whether some move, or every roll, leads to a position like this one that is not left out."""
    is_roll = load(desk, seat + OWNER) == CHANCE
    edge = load(desk, seat + FIRST)
    while edge > load(desk, seat + END):
        if is_kept(desk, seat, load(edges, edge + TO), alike) != is_roll:
            return not is_roll
        edge -= EDGE
    return is_roll


def is_kept(desk: int, seat: int, to: int, alike: float) -> bool:
    """Whether an edge leads to a position that is not left out and whose estimate is like that of its origin."""
    if to < 0 or load(desk, to + LINK) == OUTSIDE:
        return False
    return abs(load_real(desk, to + ESTIMATE) - load_real(desk, seat + ESTIMATE)) <= alike


def gather(desk: int, first: int, end: int) -> int:
    """Put the positions that were not left out to the front; the place behind them."""
    ring = first
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        if load(desk, seat + LINK) != OUTSIDE:
            store(desk, place * SEAT + STACK, seat_at(desk, SEAT, ring))
            store(desk, ring * SEAT + STACK, seat)
            ring += 1
    return ring


def join(desk: int, edges: int, first: int, end: int, alike: float) -> None:
    """Make one set of the two ends of every edge between positions that are alike."""
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        if load(desk, seat + LINK) != OUTSIDE:
            edge = load(desk, seat + FIRST)
            while edge > load(desk, seat + END):
                to = load(edges, edge + TO)
                if is_kept(desk, seat, to, alike):
                    store(desk, head_of(desk, to) + LINK, head_of(desk, seat))
                edge -= EDGE


def head_of(desk: int, seat: int) -> int:
    """The position that stands for the set."""
    while load(desk, seat + LINK) != seat:
        beyond = load(desk, load(desk, seat + LINK) + LINK)
        store(desk, seat + LINK, beyond)
        seat = beyond
    return seat


def is_inside(desk: int, to: int, head: int) -> bool:
    return to >= 0 and load(desk, to + LINK) != OUTSIDE and head_of(desk, to) == head


def look_outside(desk: int, edges: int, seat: int) -> None:
    """Note at the head of the set what leaving it by a move from here is worth."""
    owner, head = load(desk, seat + OWNER), head_of(desk, seat)
    edge = load(desk, seat + FIRST)
    while edge > load(desk, seat + END):
        to = load(edges, edge + TO)
        if not is_inside(desk, to, head):
            if owner == 0:
                high = load_real(desk, to + UPPER) if to >= 0 else load_real(edges, edge + EDGE_UPPER)
                store_real(desk, head + BEST_EXIT, max(load_real(desk, head + BEST_EXIT), high))
            else:
                low = load_real(desk, to + LOWER) if to >= 0 else load_real(edges, edge + EDGE_LOWER)
                store_real(desk, head + WORST_EXIT, min(load_real(desk, head + WORST_EXIT), low))
        edge -= EDGE


def confine(desk: int, seat: int) -> float:
    """The bounds of the set for a position in it; by how much they are better."""
    head = head_of(desk, seat)
    fall = load_real(desk, seat + UPPER) - load_real(desk, head + BEST_EXIT)
    rise = load_real(desk, head + WORST_EXIT) - load_real(desk, seat + LOWER)
    if fall > 0:
        store_real(desk, seat + UPPER, load_real(desk, head + BEST_EXIT))
    if rise > 0:
        store_real(desk, seat + LOWER, load_real(desk, head + WORST_EXIT))
    return max(fall, rise, 0.0)
