"""Equilibrium payoffs of positions that can recur, if all players play for themselves.

An equilibrium: no player gains by changing one move alone. Sweep after sweep each player keeps the chosen move of every
position until another one is better; the game is broken off as a draw, later and later. Once no move changes any more,
the payoffs of those moves are found between bounds: without choices, play leaves a circle with certainty, or never,
which is a draw. Last comes the question whether another move would be better; if so, the sweeps continue from there.

It need not terminate: with three players, or with payoffs that do not cancel, there may be no such moves, or the sweeps
may go round them for ever.
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES
from zermelo.core.game import CHANCE
from zermelo.kernel import kernel, load, load_real, store, store_real
from zermelo.solve.graph import (
    CHOICE,
    CLOSE,
    END,
    ERROR,
    FIRST,
    LEAST,
    LINK,
    OWNER,
    PAYOFFS,
    ROUNDING,
    TO,
    VALUES,
    WEIGHT,
    edge_size,
    frame_at,
    frame_size,
    mean_error,
)

SLACK = LEAST
CAUGHT, LEAVING = 0, 1
BETTER = 1e-10
"""The part of the scale by which a move must be better than another."""
PATIENCE = 1000
"""Sweeps within which the changes must have become smaller."""
ROUNDS = 50


@kernel
def find_equilibrium(memory: int, workspace: int, edges: int, first: int, end: int, width: int, draw: float) -> bool:
    """Find equilibrium moves and payoffs of the positions at these places of the stack; False if it fails."""
    reach, off = abs(draw), 0.0
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        store(workspace, frame + CHOICE, load(workspace, frame + FIRST))
        for player in range(width):
            store_real(workspace, frame + VALUES + player, draw)
        for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -edge_size(width)):
            if load(edges, edge + TO) < 0:
                error = load_real(edges, edge + ERROR)
                off = max(off, 2 * error)
                for player in range(width):
                    reach = max(reach, abs(load_real(edges, edge + PAYOFFS + player)) + error)
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        if load(workspace, frame + OWNER) == CHANCE:
            slack = mean_error(
                edges, load(workspace, frame + FIRST), load(workspace, frame + END), edge_size(width), reach
            )
            store_real(workspace, frame + SLACK, slack)
    for _ in range(ROUNDS):
        if not sweep_until_stable(memory, workspace, edges, first, end, width, reach):
            return False
        if not bound_payoffs(memory, workspace, edges, first, end, width, reach, draw, off):
            return False
        if not is_improved(workspace, edges, first, end, width, BETTER * reach + off):
            return True
    return False


def sweep_until_stable(memory: int, workspace: int, edges: int, first: int, end: int, width: int, reach: float) -> bool:
    """Sweep until nothing changes any more; False if that does not happen, or once it is stopped."""
    least, patience = 4 * reach, PATIENCE
    while patience > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            return False
        shift = 0.0
        for place in range(first, end):
            frame = frame_at(workspace, frame_size(width), place)
            if load(workspace, frame + OWNER) != CHANCE and prefer(workspace, edges, frame, width, BETTER * reach):
                shift = 2 * reach
            for player in range(width):
                value = expected(workspace, edges, frame, width, player, VALUES, 0.0)
                shift = max(shift, abs(value - load_real(workspace, frame + VALUES + player)))
                store_real(workspace, frame + VALUES + player, value)
        if shift <= CLOSE * reach:
            return True
        patience -= 1
        if shift < 0.99 * least:
            least, patience = shift, PATIENCE
    return False


def prefer(workspace: int, edges: int, frame: int, width: int, better: float) -> bool:
    """Choose the move that is best for the mover, if it is better than the one chosen before; whether it is."""
    mover = load(workspace, frame + OWNER)
    chosen = load(workspace, frame + CHOICE)
    best, most = chosen, worth(workspace, edges, chosen, width, mover, VALUES, 0.0) + better
    for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -edge_size(width)):
        value = worth(workspace, edges, edge, width, mover, VALUES, 0.0)
        if value > most:
            best, most = edge, value
    store(workspace, frame + CHOICE, best)
    return best != chosen


def worth(workspace: int, edges: int, edge: int, width: int, player: int, kind: int, side: float) -> float:
    """What an edge is worth to a player; of a settled one, on that side of its value."""
    to = load(edges, edge + TO)
    if to >= 0:
        return load_real(workspace, to + kind + player)
    value, error = load_real(edges, edge + PAYOFFS + player), load_real(edges, edge + ERROR)
    return value + side * (error + ROUNDING * (abs(value) + error)) if error > 0 else value


def expected(workspace: int, edges: int, frame: int, width: int, player: int, kind: int, side: float) -> float:
    """What a position is worth to a player after the chosen move, or on an average."""
    if load(workspace, frame + OWNER) != CHANCE:
        return worth(workspace, edges, load(workspace, frame + CHOICE), width, player, kind, side)
    total = 0.0
    for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -edge_size(width)):
        total += load_real(edges, edge + WEIGHT) * worth(workspace, edges, edge, width, player, kind, side)
    return total + side * load_real(workspace, frame + SLACK)


def bound_payoffs(
    memory: int, workspace: int, edges: int, first: int, end: int, width: int, reach: float, draw: float, off: float
) -> bool:
    """Bound the payoffs of the chosen moves; False once it is stopped."""
    lower, upper = VALUES + width, VALUES + 2 * width
    mark_ways_out(workspace, edges, first, end, width)
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        is_caught = load(workspace, frame + LINK) == CAUGHT
        for player in range(width):
            store_real(workspace, frame + lower + player, draw if is_caught else -reach)
            store_real(workspace, frame + upper + player, draw if is_caught else reach)
    gap, change = 2 * reach, reach
    while gap > off + CLOSE * reach and change > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            return False
        gap, change = 0.0, 0.0
        for place in range(first, end):
            frame = frame_at(workspace, frame_size(width), place)
            if load(workspace, frame + LINK) == CAUGHT:
                continue
            for player in range(width):
                low, high = load_real(workspace, frame + lower + player), load_real(workspace, frame + upper + player)
                new_low = max(low, expected(workspace, edges, frame, width, player, lower, -1.0))
                new_high = min(high, expected(workspace, edges, frame, width, player, upper, 1.0))
                store_real(workspace, frame + lower + player, new_low)
                store_real(workspace, frame + upper + player, new_high)
                gap, change = max(gap, new_high - new_low), max(change, new_low - low, high - new_high)
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        for player in range(width):
            low, high = load_real(workspace, frame + lower + player), load_real(workspace, frame + upper + player)
            store_real(workspace, frame + VALUES + player, (low + high) / 2)
    return True


def mark_ways_out(workspace: int, edges: int, first: int, end: int, width: int) -> None:
    """Mark the positions from which the chosen moves can lead out; from the others they never do."""
    for place in range(first, end):
        store(workspace, frame_at(workspace, frame_size(width), place) + LINK, CAUGHT)
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            frame = frame_at(workspace, frame_size(width), place)
            if load(workspace, frame + LINK) == CAUGHT and leads_out(workspace, edges, frame, width):
                store(workspace, frame + LINK, LEAVING)
                is_changed = True


def leads_out(workspace: int, edges: int, frame: int, width: int) -> bool:
    """Whether the chosen move, or some roll, leads out or to a position from which there is a way out."""
    for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -edge_size(width)):
        if load(workspace, frame + OWNER) == CHANCE or edge == load(workspace, frame + CHOICE):
            to = load(edges, edge + TO)
            if to < 0 or load(workspace, to + LINK) != CAUGHT:
                return True
    return False


def is_improved(workspace: int, edges: int, first: int, end: int, width: int, better: float) -> bool:
    """Whether a player has a better move than the chosen one, now that the payoffs are known."""
    is_better = False
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        if load(workspace, frame + OWNER) != CHANCE and prefer(workspace, edges, frame, width, better):
            is_better = True
    return is_better
