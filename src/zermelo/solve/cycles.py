"""Values of positions that can recur, by proved bounds: for one player, or for two opponents.

Every position of a component has a lower and an upper value. Each sweep narrows them: the maximum, the minimum or the
mean over the moves, with sums rounded outwards. A game that never ends is a draw, which pays `Game.middle`. If both
sides can stay in cycles, sweeps alone do not raise the lower value or reduce the upper one. Then the bounds are raised
to what a player can hold who takes no risks and accepts a draw:

    held = the best move, the other's best reply or the worst roll, but at most a draw, and at least the lower value

A player who keeps `held` from falling either reaches a position with a lower value of at least `held`, or plays for
ever, which is a draw. The greatest solution counts; it is found from above by comparisons alone. The upper value is the
other player's lower value. [Everett, "Recursive games", 1957, for the values; Kelmendi, Kraemer, Kretinsky and
Weininger, "Value iteration for simple stochastic games: stopping criterion and learning algorithm", 2018, for another
remedy]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel
from zermelo.solve.graph import CLOSE, NOWHERE, ROUNDING, SOLO_EDGE, BoundEdge, Edge, SoloFrame, SoloGraph

MUST_LEAVE, MAY_STAY = 0, 1
"""Marks: whether play must leave the component, whatever the players do."""


@kernel
def narrow(graph: SoloGraph, first: int, end: int) -> int:
    """Narrow the bounds of the positions at these places of the stack until they meet or the graph is stopped.

    Positions in which play may stay for ever come first; returns the place after them.
    """
    low, high, width = bound_outside(graph, first, end)
    reach = max(abs(low), abs(high))
    for place in range(first, end):
        frame = graph.frame_at(place)
        frame.lower, frame.upper = low, high
        if frame.owner == CHANCE:
            frame.slack = graph.mean_error(frame, reach)
    ring = gather(graph, first, end)
    effort, credit = 0, 0
    gap, change = high - low, 1.0
    while gap > width + CLOSE * reach and change > 0:
        graph.nodes += end - first
        if graph.is_stopped():
            break
        gap, change = sweep(graph, first, end)
        credit += end - first
        if ring > first and (credit >= effort or change == 0):
            rise, effort = hold(graph, first, ring, 0)
            fall, more = hold(graph, first, ring, 1)
            change, effort, credit = max(change, rise, fall), effort + more, 0
    return ring


def bound_outside(graph: SoloGraph, first: int, end: int) -> tuple[float, float, float]:
    """The least and the greatest value outside, a draw included, and the largest gap between bounds there.

    From now on edges that lead there hold bounds.
    """
    low, high, width = graph.draw, graph.draw, 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        for address in range(frame.first, frame.end, -SOLO_EDGE):
            edge = Edge(address)
            if edge.is_settled():
                value, error = edge.payoffs[0], edge.error
                if error > 0:
                    error += ROUNDING * (abs(value) + error)
                bounds = BoundEdge(address)
                bounds.lower, bounds.upper = value - error, value + error
                low, high, width = min(low, value - error), max(high, value + error), max(width, 2 * error)
    return low, high, width


def sweep(graph: SoloGraph, first: int, end: int) -> tuple[float, float]:
    """Update all positions once; returns the largest remaining gap between bounds, and the largest change."""
    gap, change = 0.0, 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        before = frame.upper - frame.lower
        update(frame)
        after = frame.upper - frame.lower
        gap, change = max(gap, after), max(change, before - after)
    return gap, change


def update(frame: SoloFrame) -> None:
    """Narrow the bounds of a position by those of its moves."""
    owner, low, high, is_first = frame.owner, 0.0, 0.0, True
    address, end = frame.first, frame.end
    while address > end:
        edge = BoundEdge(address)
        edge_low, edge_high = edge.bounds()
        if owner == CHANCE:
            weight = edge.probability()
            low += weight * edge_low
            high += weight * edge_high
        elif is_first:
            low, high = edge_low, edge_high
        elif owner == 0:
            low, high = max(low, edge_low), max(high, edge_high)
        else:
            low, high = min(low, edge_low), min(high, edge_high)
        is_first = False
        address -= SOLO_EDGE
    if owner == CHANCE:
        low, high = low - frame.slack, high + frame.slack
    frame.lower, frame.upper = max(low, frame.lower), min(high, frame.upper)


# -- cycles ------------------------------------------------------------------------------------------------------------


def gather(graph: SoloGraph, first: int, end: int) -> int:
    """Move the positions in which play may stay for ever to the front; returns the place after them."""
    for place in range(first, end):
        graph.frame_at(place).mark = MAY_STAY
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            frame = graph.frame_at(place)
            if frame.mark == MAY_STAY and not can_stay(frame):
                frame.mark = MUST_LEAVE
                is_changed = True
    ring = first
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.mark == MAY_STAY:
            graph.stack(place, graph.frame_at(ring))
            graph.stack(ring, frame)
            ring += 1
    return ring


def can_stay(frame: SoloFrame) -> bool:
    """Whether some move, or every roll, leads to a position in which play may stay."""
    is_roll = frame.owner == CHANCE
    for address in range(frame.first, frame.end, -SOLO_EDGE):
        to = BoundEdge(address).to
        is_kept = to.address != NOWHERE and to.mark == MAY_STAY
        if is_kept != is_roll:
            return not is_roll
    return is_roll


def hold(graph: SoloGraph, first: int, ring: int, player: int) -> tuple[float, int]:
    """Raise the bounds of a player to what can be held; returns the largest change, and the number of updates.

    Seen by the player: for the second one, values change their sign.
    """
    draw = graph.draw if player == 0 else -graph.draw
    for place in range(first, ring):
        frame = graph.frame_at(place)
        frame.held = max(draw, least_of(frame, player))
    effort, is_changed = 0, True
    while is_changed:
        is_changed = False
        effort += ring - first
        for place in range(first, ring):
            frame = graph.frame_at(place)
            least, before = least_of(frame, player), frame.held
            if before > least:
                held = max(least, holdable(frame, player))
                if held < before:
                    frame.held = held
                    is_changed = True
    change = 0.0
    for place in range(first, ring):
        frame = graph.frame_at(place)
        rise = frame.held - least_of(frame, player)
        if rise > 0:
            change = max(change, rise)
            if player == 0:
                frame.lower = frame.held
            else:
                frame.upper = -frame.held
    return change, effort


def least_of(frame: SoloFrame, player: int) -> float:
    """The player's lower bound."""
    return frame.lower if player == 0 else -frame.upper


def holdable(frame: SoloFrame, player: int) -> float:
    """The value that can be held after the player's best move, or the worst move or roll of others."""
    is_own, found, is_first = frame.owner == player, 0.0, True
    address, end = frame.first, frame.end
    while address > end:
        edge = BoundEdge(address)
        to = edge.to
        if to.address == NOWHERE:
            held = edge.lower if player == 0 else -edge.upper
        elif to.mark == MAY_STAY:
            held = to.held
        else:
            held = least_of(to, player)
        if is_first or (held > found) == is_own:
            found = held
        is_first = False
        address -= SOLO_EDGE
    return found
