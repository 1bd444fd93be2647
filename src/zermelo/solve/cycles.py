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
    frame_at,
    frame_size,
    mean_error,
)

FRAME, EDGE = frame_size(1), edge_size(1)
HELD, LOWER, UPPER = range(VALUES, VALUES + 3)
EDGE_LOWER, EDGE_UPPER = PAYOFFS, ERROR
"""The bounds that a settled edge holds during the iteration."""
SLACK = LEAST
"""A field of a frame that is free once all edges have been followed."""
MUST_LEAVE, MAY_STAY = 0, 1
"""Whether the play must get out sooner or later, whatever the players do."""


@kernel
def narrow(memory: int, workspace: int, edges: int, first: int, end: int, draw: float) -> int:
    """Bring the bounds of the positions at these places of the stack together, unless it is stopped.

    Those where the play may stay for ever come first; the place behind them.
    """
    low, high, width = bound_outside(workspace, edges, first, end, draw)
    reach = max(abs(low), abs(high))
    for place in range(first, end):
        frame = frame_at(workspace, FRAME, place)
        store_real(workspace, frame + LOWER, low)
        store_real(workspace, frame + UPPER, high)
        if load(workspace, frame + OWNER) == CHANCE:
            slack = mean_error(edges, load(workspace, frame + FIRST), load(workspace, frame + END), EDGE, reach)
            store_real(workspace, frame + SLACK, slack)
    ring = gather(workspace, edges, first, end)
    effort, credit = 0, 0
    gap, change = high - low, 1.0
    while gap > width + CLOSE * reach and change > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            break
        gap, change = 0.0, 0.0
        for place in range(first, end):
            frame = frame_at(workspace, FRAME, place)
            before = load_real(workspace, frame + UPPER) - load_real(workspace, frame + LOWER)
            update(workspace, edges, frame)
            after = load_real(workspace, frame + UPPER) - load_real(workspace, frame + LOWER)
            gap, change = max(gap, after), max(change, before - after)
        credit += end - first
        if ring > first and (credit >= effort or change == 0):
            rise, effort = hold(workspace, edges, first, ring, 0, draw)
            fall, more = hold(workspace, edges, first, ring, 1, draw)
            change, effort, credit = max(change, rise, fall), effort + more, 0
    return ring


def bound_outside(workspace: int, edges: int, first: int, end: int, draw: float) -> tuple[float, float, float]:
    """The least and the greatest value outside, a draw included, and how far bounds there are apart.

    From now on edges that lead there hold bounds.
    """
    low, high, width = draw, draw, 0.0
    for place in range(first, end):
        frame = frame_at(workspace, FRAME, place)
        for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -EDGE):
            if load(edges, edge + TO) < 0:
                value, error = load_real(edges, edge + PAYOFFS), load_real(edges, edge + ERROR)
                if error > 0:
                    error += ROUNDING * (abs(value) + error)
                store_real(edges, edge + EDGE_LOWER, value - error)
                store_real(edges, edge + EDGE_UPPER, value + error)
                low, high, width = min(low, value - error), max(high, value + error), max(width, 2 * error)
    return low, high, width


def update(workspace: int, edges: int, frame: int) -> None:
    """The bounds of a position from those of its moves; they never become worse."""
    owner = load(workspace, frame + OWNER)
    edge, end = load(workspace, frame + FIRST), load(workspace, frame + END)
    low, high = 0.0, 0.0
    is_first = True
    while edge > end:
        to = load(edges, edge + TO)
        if to >= 0:
            edge_low, edge_high = load_real(workspace, to + LOWER), load_real(workspace, to + UPPER)
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
        slack = load_real(workspace, frame + SLACK)
        low, high = low - slack, high + slack
    store_real(workspace, frame + LOWER, max(low, load_real(workspace, frame + LOWER)))
    store_real(workspace, frame + UPPER, min(high, load_real(workspace, frame + UPPER)))


# -- circles -----------------------------------------------------------------------------------------------------------


def gather(workspace: int, edges: int, first: int, end: int) -> int:
    """Put the positions where the play may stay for ever to the front; the place behind them."""
    for place in range(first, end):
        store(workspace, frame_at(workspace, FRAME, place) + LINK, MAY_STAY)
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            frame = frame_at(workspace, FRAME, place)
            if load(workspace, frame + LINK) == MAY_STAY and not can_stay(workspace, edges, frame):
                store(workspace, frame + LINK, MUST_LEAVE)
                is_changed = True
    ring = first
    for place in range(first, end):
        frame = frame_at(workspace, FRAME, place)
        if load(workspace, frame + LINK) == MAY_STAY:
            store(workspace, place * FRAME + STACK, frame_at(workspace, FRAME, ring))
            store(workspace, ring * FRAME + STACK, frame)
            ring += 1
    return ring


def can_stay(workspace: int, edges: int, frame: int) -> bool:
    """Whether some move, or every roll, leads to a position where the play may stay."""
    is_roll = load(workspace, frame + OWNER) == CHANCE
    for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -EDGE):
        to = load(edges, edge + TO)
        is_kept = to >= 0 and load(workspace, to + LINK) == MAY_STAY
        if is_kept != is_roll:
            return not is_roll
    return is_roll


def hold(workspace: int, edges: int, first: int, ring: int, player: int, draw: float) -> tuple[float, int]:
    """Raise the bounds of a player to what can be held; by how much at most, and after looking at how many positions.

    Seen by the player: for the second one, values change their sign.
    """
    sign, kind = (1.0, LOWER) if player == 0 else (-1.0, UPPER)
    for place in range(first, ring):
        frame = frame_at(workspace, FRAME, place)
        store_real(workspace, frame + HELD, max(sign * draw, sign * load_real(workspace, frame + kind)))
    effort, is_changed = 0, True
    while is_changed:
        is_changed = False
        effort += ring - first
        for place in range(first, ring):
            frame = frame_at(workspace, FRAME, place)
            least, before = sign * load_real(workspace, frame + kind), load_real(workspace, frame + HELD)
            if before > least:
                held = max(least, holdable(workspace, edges, frame, player))
                if held < before:
                    store_real(workspace, frame + HELD, held)
                    is_changed = True
    change = 0.0
    for place in range(first, ring):
        frame = frame_at(workspace, FRAME, place)
        rise = load_real(workspace, frame + HELD) - sign * load_real(workspace, frame + kind)
        if rise > 0:
            store_real(workspace, frame + kind, sign * load_real(workspace, frame + HELD))
            change = max(change, rise)
    return change, effort


def holdable(workspace: int, edges: int, frame: int, player: int) -> float:
    """What can be held after the player's best move, or the worst move or roll of others."""
    is_own = load(workspace, frame + OWNER) == player
    found = 0.0
    edge, end = load(workspace, frame + FIRST), load(workspace, frame + END)
    is_first = True
    while edge > end:
        to = load(edges, edge + TO)
        if to >= 0 and load(workspace, to + LINK) == MAY_STAY:
            held = load_real(workspace, to + HELD)
        elif player == 0:
            held = load_real(workspace, to + LOWER) if to >= 0 else load_real(edges, edge + EDGE_LOWER)
        else:
            held = -load_real(workspace, to + UPPER) if to >= 0 else -load_real(edges, edge + EDGE_UPPER)
        if is_first or (held > found) == is_own:
            found = held
        is_first = False
        edge -= EDGE
    return found
