"""Equilibrium payoffs of positions that can recur, if all players maximise their own payoffs.

In an equilibrium no player gains by changing one move alone. In each sweep, every position keeps its chosen move until
another one is better; after n sweeps, the values are those of a game cut off as a draw after n plies. Once no move
changes, bounds give the payoffs of the chosen moves: without choices, play leaves a cycle with certainty, or never,
which is a draw. If another move is better than a chosen one, the sweeps continue from there.

The method need not terminate: with three players, or with payoffs that do not cancel, there may be no equilibrium in
such moves, or the sweeps may cycle for ever.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel
from zermelo.solve.graph import CLOSE, ESTIMATE, LOWER, ROUNDING, UPPER, Edge, Frame, Graph

CAUGHT, LEAVING = 0, 1
"""Marks: whether the chosen moves can lead out of the component."""
BETTER = 1e-10
"""The share of the scale by which a move must be better than another."""
PATIENCE = 1000
"""Number of sweeps within which changes must become smaller."""
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
    """Choose the first move everywhere, and start with the value of a draw.

    Returns the largest absolute value outside, and the largest gap between bounds there.
    """
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
    """Sweep until nothing changes; False if that does not happen, or once the graph is stopped."""
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
    """Choose a move for every mover, and update all estimates; returns the largest change."""
    shift = 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.owner != CHANCE and prefer(graph, frame, BETTER * reach):
            shift = 2 * reach
        for player in range(graph.width):
            value = expected_value(graph, frame, player, ESTIMATE, 0.0)
            shift = max(shift, abs(value - graph.value(frame, ESTIMATE, player)))
            graph.set_value(frame, ESTIMATE, player, value)
    return shift


def prefer(graph: Graph, frame: Frame, better: float) -> bool:
    """Choose the mover's best move if it is better than the present choice; returns whether it is."""
    mover, chosen = frame.owner, frame.choice
    best, most = chosen, edge_value(graph, Edge(chosen), mover, ESTIMATE, 0.0) + better
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        value = edge_value(graph, Edge(address), mover, ESTIMATE, 0.0)
        if value > most:
            best, most = address, value
    frame.choice = best
    return best != chosen


def edge_value(graph: Graph, edge: Edge, player: int, kind: int, side: float) -> float:
    """The value of an edge for a player; for a settled edge, its error is added on the given side."""
    if not edge.is_settled():
        return graph.value(edge.to, kind, player)
    value, error = edge.payoffs[player], edge.error
    return value + side * (error + ROUNDING * (abs(value) + error)) if error > 0 else value


def expected_value(graph: Graph, frame: Frame, player: int, kind: int, side: float) -> float:
    """The value of a position for a player: that of the chosen move, or the mean over a roll."""
    if frame.owner != CHANCE:
        return edge_value(graph, Edge(frame.choice), player, kind, side)
    total = 0.0
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        edge = Edge(address)
        total += edge.probability() * edge_value(graph, edge, player, kind, side)
    return total + side * frame.slack


# -- bounds ------------------------------------------------------------------------------------------------------------


def bound_payoffs(graph: Graph, first: int, end: int, reach: float, off: float) -> bool:
    """Bound the payoffs of the chosen moves, and set the estimates to the middle; False once the graph is stopped."""
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
    """Mark the positions from which the chosen moves can lead out of the component."""
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
    """Whether the chosen move, or some roll, leads out or to a marked position."""
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        if frame.owner == CHANCE or address == frame.choice:
            edge = Edge(address)
            if edge.is_settled() or edge.to.mark != CAUGHT:
                return True
    return False


def narrow_bounds(graph: Graph, first: int, end: int) -> tuple[float, float]:
    """Update the bounds of all positions once; returns the largest remaining gap, and the largest change."""
    gap, change = 0.0, 0.0
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.mark == CAUGHT:
            continue
        for player in range(graph.width):
            low, high = graph.value(frame, LOWER, player), graph.value(frame, UPPER, player)
            new_low = max(low, expected_value(graph, frame, player, LOWER, -1.0))
            new_high = min(high, expected_value(graph, frame, player, UPPER, 1.0))
            graph.set_value(frame, LOWER, player, new_low)
            graph.set_value(frame, UPPER, player, new_high)
            gap, change = max(gap, new_high - new_low), max(change, new_low - low, high - new_high)
    return gap, change


def is_improved(graph: Graph, first: int, end: int, better: float) -> bool:
    """Whether a player has a better move than the chosen one, given the payoffs."""
    is_better = False
    for place in range(first, end):
        frame = graph.frame_at(place)
        if frame.owner != CHANCE and prefer(graph, frame, better):
            is_better = True
    return is_better
