"""Values of positions that can recur, between bounds that are proved: for one player, or for two opponents.

Every position of a part of the graph has a lower and an upper value. Sweep after sweep they come nearer to one another:
the best, the worst or the mean of what the moves lead to, with sums rounded outwards. A game that never ends is a draw,
in the middle of the scale. So where both sides can go round in circles, the lower value does not rise by itself, nor
does the upper one fall. What helps is to ask what a player can hold who takes no chances and is content with a draw:

    held = the best move, the other's best reply or the worst roll, but at most a draw, and at least the lower value

Who moves so that it never falls either comes to a position where the lower value is as much, or never ends the game.
The greatest solution counts, and it is found from above by comparisons alone. The upper value is the other player's
lower one. [Everett, "Recursive games", 1957, for the values; Kelmendi, Kraemer, Kretinsky and Weininger, "Value
iteration for simple stochastic games: stopping criterion and learning algorithm", 2018, for another remedy]
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
    LEAST,
    LINK,
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
HELD, LOWER, UPPER = range(VALUES, VALUES + 3)
EDGE_LOWER, EDGE_UPPER = PAYOFFS, ERROR
"""What a settled edge holds meanwhile."""
SLACK = LEAST
"""A field of a seat that is free once all edges have been followed."""
MUST_LEAVE, MAY_STAY = 0, 1
"""Whether the play must get out sooner or later, whatever the players do."""


@kernel
def narrow(memory: int, desk: int, edges: int, first: int, end: int, draw: float) -> int:
    """Bring the bounds of the positions at these places of the stack together, unless it is stopped.

    Those where the play may stay for ever come first; the place behind them.
    """
    low, high, width = spread(desk, edges, first, end, draw)
    reach = max(abs(low), abs(high))
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        store_real(desk, seat + LOWER, low)
        store_real(desk, seat + UPPER, high)
        if load(desk, seat + OWNER) == CHANCE:
            slack = mean_error(edges, load(desk, seat + FIRST), load(desk, seat + END), EDGE, reach)
            store_real(desk, seat + SLACK, slack)
    ring = gather(desk, edges, first, end)
    effort, credit = 0, 0
    gap, change = high - low, 1.0
    while gap > width + CLOSE * reach and change > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            break
        gap, change = 0.0, 0.0
        for place in range(first, end):
            seat = seat_at(desk, SEAT, place)
            before = load_real(desk, seat + UPPER) - load_real(desk, seat + LOWER)
            update(desk, edges, seat)
            after = load_real(desk, seat + UPPER) - load_real(desk, seat + LOWER)
            gap, change = max(gap, after), max(change, before - after)
        credit += end - first
        if ring > first and (credit >= effort or change == 0):
            rise, effort = hold(desk, edges, first, ring, 0, draw)
            fall, more = hold(desk, edges, first, ring, 1, draw)
            change, effort, credit = max(change, rise, fall), effort + more, 0
    return ring


def spread(desk: int, edges: int, first: int, end: int, draw: float) -> tuple[float, float, float]:
    """The least and the greatest value outside, a draw included, and how far bounds there are apart.

    From now on edges that lead there hold bounds.
    """
    low, high, width = draw, draw, 0.0
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -EDGE):
            if load(edges, edge + TO) < 0:
                value, error = load_real(edges, edge + PAYOFFS), load_real(edges, edge + ERROR)
                if error > 0:
                    error += ROUNDING * (abs(value) + error)
                store_real(edges, edge + EDGE_LOWER, value - error)
                store_real(edges, edge + EDGE_UPPER, value + error)
                low, high, width = min(low, value - error), max(high, value + error), max(width, 2 * error)
    return low, high, width


def update(desk: int, edges: int, seat: int) -> None:
    """The bounds of a position from those of its moves; they never become worse."""
    owner = load(desk, seat + OWNER)
    edge, end = load(desk, seat + FIRST), load(desk, seat + END)
    low, high = 0.0, 0.0
    is_first = True
    while edge > end:
        to = load(edges, edge + TO)
        if to >= 0:
            edge_low, edge_high = load_real(desk, to + LOWER), load_real(desk, to + UPPER)
        else:
            edge_low, edge_high = load_real(edges, edge + EDGE_LOWER), load_real(edges, edge + EDGE_UPPER)
        if owner == CHANCE:
            weight = load_real(edges, edge + WEIGHT)
            low += weight * edge_low
            high += weight * edge_high
        elif is_first:
            low, high = edge_low, edge_high
        elif owner == 0:
            low, high = max(low, edge_low), max(high, edge_high)
        else:
            low, high = min(low, edge_low), min(high, edge_high)
        is_first = False
        edge -= EDGE
    if owner == CHANCE:
        slack = load_real(desk, seat + SLACK)
        low, high = low - slack, high + slack
    store_real(desk, seat + LOWER, max(low, load_real(desk, seat + LOWER)))
    store_real(desk, seat + UPPER, min(high, load_real(desk, seat + UPPER)))


# -- circles -----------------------------------------------------------------------------------------------------------


def gather(desk: int, edges: int, first: int, end: int) -> int:
    """Put the positions where the play may stay for ever to the front; the place behind them."""
    for place in range(first, end):
        store(desk, seat_at(desk, SEAT, place) + LINK, MAY_STAY)
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            seat = seat_at(desk, SEAT, place)
            if load(desk, seat + LINK) == MAY_STAY and not can_stay(desk, edges, seat):
                store(desk, seat + LINK, MUST_LEAVE)
                is_changed = True
    ring = first
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        if load(desk, seat + LINK) == MAY_STAY:
            store(desk, place * SEAT + STACK, seat_at(desk, SEAT, ring))
            store(desk, ring * SEAT + STACK, seat)
            ring += 1
    return ring


def can_stay(desk: int, edges: int, seat: int) -> bool:
    """Whether some move, or every roll, leads to a position where the play may stay."""
    is_roll = load(desk, seat + OWNER) == CHANCE
    for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -EDGE):
        to = load(edges, edge + TO)
        is_kept = to >= 0 and load(desk, to + LINK) == MAY_STAY
        if is_kept != is_roll:
            return not is_roll
    return is_roll


def hold(desk: int, edges: int, first: int, ring: int, player: int, draw: float) -> tuple[float, int]:
    """Raise the bounds of a player to what can be held; by how much at most, and after looking at how many positions.

    Seen by the player: for the second one, values change their sign.
    """
    sign, kind = (1.0, LOWER) if player == 0 else (-1.0, UPPER)
    for place in range(first, ring):
        seat = seat_at(desk, SEAT, place)
        store_real(desk, seat + HELD, max(sign * draw, sign * load_real(desk, seat + kind)))
    effort, is_changed = 0, True
    while is_changed:
        is_changed = False
        effort += ring - first
        for place in range(first, ring):
            seat = seat_at(desk, SEAT, place)
            least, before = sign * load_real(desk, seat + kind), load_real(desk, seat + HELD)
            if before > least:
                held = max(least, holdable(desk, edges, seat, player))
                if held < before:
                    store_real(desk, seat + HELD, held)
                    is_changed = True
    change = 0.0
    for place in range(first, ring):
        seat = seat_at(desk, SEAT, place)
        rise = load_real(desk, seat + HELD) - sign * load_real(desk, seat + kind)
        if rise > 0:
            store_real(desk, seat + kind, sign * load_real(desk, seat + HELD))
            change = max(change, rise)
    return change, effort


def holdable(desk: int, edges: int, seat: int, player: int) -> float:
    """What can be held after the player's best move, or the worst move or roll of others."""
    is_own = load(desk, seat + OWNER) == player
    found = 0.0
    edge, end = load(desk, seat + FIRST), load(desk, seat + END)
    is_first = True
    while edge > end:
        to = load(edges, edge + TO)
        if to >= 0 and load(desk, to + LINK) == MAY_STAY:
            held = load_real(desk, to + HELD)
        elif player == 0:
            held = load_real(desk, to + LOWER) if to >= 0 else load_real(edges, edge + EDGE_LOWER)
        else:
            held = -load_real(desk, to + UPPER) if to >= 0 else -load_real(edges, edge + EDGE_UPPER)
        if is_first or (held > found) == is_own:
            found = held
        is_first = False
        edge -= EDGE
    return found
