"""Equilibrium payoffs of positions that can recur, if all players play for themselves.

An equilibrium: no player gains by changing one move alone. Sweep after sweep each player keeps the chosen move of every
position until another one is better; the game is broken off as a draw, later and later. Once no move changes any more,
the payoffs of those moves are found between bounds: without choices, play leaves a circle with certainty, or never,
which is a draw. Last comes the question whether another move would be better; if so, the sweeps continue from there.

It need not terminate: with three players, or with payoffs that do not cancel, there may be no such moves, or the sweeps
may go round them for ever.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel
from zermelo.solve.graph import CLOSE, ESTIMATE, LOWER, ROUNDING, UPPER, Edge, Frame, Graph

CAUGHT, LEAVING = 0, 1
"""Marks: whether the chosen moves can lead out of the component."""
BETTER = 1e-10
"""The part of the scale by which a move must be better than another."""
PATIENCE = 1000
"""Sweeps within which the changes must have become smaller."""
ROUNDS = 50


@kernel
def find_equilibrium(graph: Graph, first: int, end: int) -> bool:
    """Find equilibrium moves and payoffs of the positions at these places of the stack; False if it fails."""
    reach, off = start_with_draws(graph, first, end)
    for _ in range(ROUNDS):
        if not sweep_until_stable(graph, first, end, reach):
            return False
        if not bound_payoffs(graph, first, end, reach, off):
            return False
        if not is_improved(graph, first, end, BETTER * reach + off):
            return True
    return False


def start_with_draws(graph: Graph, first: int, end: int) -> tuple[float, float]:
    """Choose the first move everywhere, and estimate a draw; returns how far values outside are from zero at most, and
    how far bounds there are apart."""
    reach, off = abs(graph.draw), 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        frame.choice = frame.first
        for player in range(graph.width):
            graph.set_value(frame, ESTIMATE, player, graph.draw)
        for address in range(frame.first, frame.end, -graph.edge_bytes):
            edge = Edge(address)
            if edge.is_settled():
                off = max(off, 2 * edge.error)
                for player in range(graph.width):
                    reach = max(reach, abs(edge.payoffs[player]) + edge.error)
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.owner == CHANCE:
            frame.slack = graph.mean_error(frame, reach)
    return reach, off


def sweep_until_stable(graph: Graph, first: int, end: int, reach: float) -> bool:
    """Sweep until nothing changes any more; False if that does not happen, or once the graph is stopped."""
    least, patience = 4 * reach, PATIENCE
    while patience > 0:
        graph.nodes += end - first
        if graph.is_stopped():
            return False
        shift = sweep(graph, first, end, reach)
        if shift <= CLOSE * reach:
            return True
        patience -= 1
        if shift < 0.99 * least:
            least, patience = shift, PATIENCE
    return False


def sweep(graph: Graph, first: int, end: int, reach: float) -> float:
    """Let every mover choose, and estimate all payoffs anew; returns the largest change."""
    shift = 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.owner != CHANCE and prefer(graph, frame, BETTER * reach):
            shift = 2 * reach
        for player in range(graph.width):
            value = expected(graph, frame, player, ESTIMATE, 0.0)
            shift = max(shift, abs(value - graph.value(frame, ESTIMATE, player)))
            graph.set_value(frame, ESTIMATE, player, value)
    return shift


def prefer(graph: Graph, frame: Frame, better: float) -> bool:
    """Choose the move that is best for the mover, if it is better than the one chosen before; whether it is."""
    mover, chosen = frame.owner, frame.choice
    best, most = chosen, worth(graph, Edge(chosen), mover, ESTIMATE, 0.0) + better
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        value = worth(graph, Edge(address), mover, ESTIMATE, 0.0)
        if value > most:
            best, most = address, value
    frame.choice = best
    return best != chosen


def worth(graph: Graph, edge: Edge, player: int, kind: int, side: float) -> float:
    """What an edge is worth to a player; of a settled one, on that side of its value."""
    if not edge.is_settled():
        return graph.value(edge.to, kind, player)
    value, error = edge.payoffs[player], edge.error
    return value + side * (error + ROUNDING * (abs(value) + error)) if error > 0 else value


def expected(graph: Graph, frame: Frame, player: int, kind: int, side: float) -> float:
    """What a position is worth to a player after the chosen move, or on an average."""
    if frame.owner != CHANCE:
        return worth(graph, Edge(frame.choice), player, kind, side)
    total = 0.0
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        edge = Edge(address)
        total += edge.probability() * worth(graph, edge, player, kind, side)
    return total + side * frame.slack


# -- bounds ------------------------------------------------------------------------------------------------------------


def bound_payoffs(graph: Graph, first: int, end: int, reach: float, off: float) -> bool:
    """Bound the payoffs of the chosen moves, and estimate the middle; False once the graph is stopped."""
    mark_ways_out(graph, first, end)
    for place in range(first, end):
        frame = graph.frame_at(place)
        is_caught = frame.mark == CAUGHT
        for player in range(graph.width):
            graph.set_value(frame, LOWER, player, graph.draw if is_caught else -reach)
            graph.set_value(frame, UPPER, player, graph.draw if is_caught else reach)
    gap, change = 2 * reach, reach
    while gap > off + CLOSE * reach and change > 0:
        graph.nodes += end - first
        if graph.is_stopped():
            return False
        gap, change = narrow_bounds(graph, first, end)
    for place in range(first, end):
        frame = graph.frame_at(place)
        for player in range(graph.width):
            low, high = graph.value(frame, LOWER, player), graph.value(frame, UPPER, player)
            graph.set_value(frame, ESTIMATE, player, (low + high) / 2)
    return True


def mark_ways_out(graph: Graph, first: int, end: int) -> None:
    """Mark the positions from which the chosen moves can lead out; from the others they never do."""
    for place in range(first, end):
        graph.frame_at(place).mark = CAUGHT
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            frame = graph.frame_at(place)
            if frame.mark == CAUGHT and leads_out(graph, frame):
                frame.mark = LEAVING
                is_changed = True


def leads_out(graph: Graph, frame: Frame) -> bool:
    """Whether the chosen move, or some roll, leads out or to a position from which there is a way out."""
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        if frame.owner == CHANCE or address == frame.choice:
            edge = Edge(address)
            if edge.is_settled() or edge.to.mark != CAUGHT:
                return True
    return False


def narrow_bounds(graph: Graph, first: int, end: int) -> tuple[float, float]:
    """Update the bounds of all positions once; returns the widest gap that is left, and the largest change."""
    gap, change = 0.0, 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.mark == CAUGHT:
            continue
        for player in range(graph.width):
            low, high = graph.value(frame, LOWER, player), graph.value(frame, UPPER, player)
            new_low = max(low, expected(graph, frame, player, LOWER, -1.0))
            new_high = min(high, expected(graph, frame, player, UPPER, 1.0))
            graph.set_value(frame, LOWER, player, new_low)
            graph.set_value(frame, UPPER, player, new_high)
            gap, change = max(gap, new_high - new_low), max(change, new_low - low, high - new_high)
    return gap, change


def is_improved(graph: Graph, first: int, end: int, better: float) -> bool:
    """Whether a player has a better move than the chosen one, now that the payoffs are known."""
    is_better = False
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.owner != CHANCE and prefer(graph, frame, better):
            is_better = True
    return is_better
