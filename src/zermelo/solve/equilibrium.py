"""Payoffs of positions that can recur, where everybody plays for themselves: moves that nobody would change alone.

Sweep after sweep everybody keeps their move in every position until another one is better for them; the game is broken
off as a draw, later and later. Once no move changes any more, the payoffs of those moves are found between bounds: as
nobody has a choice then, one gets out of a circle for certain, or never, which is a draw. Last comes the question
whether another move would have been better; if so, it all goes on from there.

Nothing says that it comes to an end: with three players, or with payoffs that do not cancel, there may be no such
moves, or the sweeps may go round them for ever.
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
    mean_error,
    seat_at,
    seat_size,
)

SLACK = LEAST
CAUGHT, LEAVING = 0, 1
BETTER = 1e-10
"""The part of the scale by which a move must be better than another."""
PATIENCE = 1000
"""Within so many sweeps changes become smaller, if they ever do."""
ROUNDS = 50


@kernel
def agree(memory: int, desk: int, edges: int, first: int, end: int, width: int, draw: float) -> bool:
    """Find moves and their payoffs for the positions at these places of the stack; False if that does not succeed."""
    reach, off = abs(draw), 0.0
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        store(desk, seat + CHOICE, load(desk, seat + FIRST))
        for player in range(width):
            store_real(desk, seat + VALUES + player, draw)
        for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -edge_size(width)):
            if load(edges, edge + TO) < 0:
                error = load_real(edges, edge + ERROR)
                off = max(off, 2 * error)
                for player in range(width):
                    reach = max(reach, abs(load_real(edges, edge + PAYOFFS + player)) + error)
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        if load(desk, seat + OWNER) == CHANCE:
            slack = mean_error(edges, load(desk, seat + FIRST), load(desk, seat + END), edge_size(width), reach)
            store_real(desk, seat + SLACK, slack)
    for _ in range(ROUNDS):
        if not repeat(memory, desk, edges, first, end, width, reach):
            return False
        if not weigh(memory, desk, edges, first, end, width, reach, draw, off):
            return False
        if not is_improved(desk, edges, first, end, width, BETTER * reach + off):
            return True
    return False


def repeat(memory: int, desk: int, edges: int, first: int, end: int, width: int, reach: float) -> bool:
    """Sweep until nothing changes any more; False if that does not happen, or once it is stopped."""
    least, patience = 4 * reach, PATIENCE
    while patience > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            return False
        shift = 0.0
        for place in range(first, end):
            seat = seat_at(desk, seat_size(width), place)
            if load(desk, seat + OWNER) != CHANCE and prefer(desk, edges, seat, width, BETTER * reach):
                shift = 2 * reach
            for player in range(width):
                value = expected(desk, edges, seat, width, player, VALUES, 0.0)
                shift = max(shift, abs(value - load_real(desk, seat + VALUES + player)))
                store_real(desk, seat + VALUES + player, value)
        if shift <= CLOSE * reach:
            return True
        patience -= 1
        if shift < 0.99 * least:
            least, patience = shift, PATIENCE
    return False


def prefer(desk: int, edges: int, seat: int, width: int, better: float) -> bool:
    """Choose the move that is best for the mover, if it is better than the one chosen before; whether it is."""
    mover = load(desk, seat + OWNER)
    chosen = load(desk, seat + CHOICE)
    best, most = chosen, worth(desk, edges, chosen, width, mover, VALUES, 0.0) + better
    for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -edge_size(width)):
        value = worth(desk, edges, edge, width, mover, VALUES, 0.0)
        if value > most:
            best, most = edge, value
    store(desk, seat + CHOICE, best)
    return best != chosen


def worth(desk: int, edges: int, edge: int, width: int, player: int, kind: int, side: float) -> float:
    """What an edge is worth to a player; of a settled one, on that side of its value."""
    to = load(edges, edge + TO)
    if to >= 0:
        return load_real(desk, to + kind + player)
    value, error = load_real(edges, edge + PAYOFFS + player), load_real(edges, edge + ERROR)
    return value + side * (error + ROUNDING * (abs(value) + error)) if error > 0 else value


def expected(desk: int, edges: int, seat: int, width: int, player: int, kind: int, side: float) -> float:
    """What a position is worth to a player after the chosen move, or on an average."""
    if load(desk, seat + OWNER) != CHANCE:
        return worth(desk, edges, load(desk, seat + CHOICE), width, player, kind, side)
    total = 0.0
    for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -edge_size(width)):
        total += load_real(edges, edge + WEIGHT) * worth(desk, edges, edge, width, player, kind, side)
    return total + side * load_real(desk, seat + SLACK)


def weigh(
    memory: int, desk: int, edges: int, first: int, end: int, width: int, reach: float, draw: float, off: float
) -> bool:
    """Bounds for the payoffs of the chosen moves; False once it is stopped."""
    lower, upper = VALUES + width, VALUES + 2 * width
    find_ways_out(desk, edges, first, end, width)
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        is_caught = load(desk, seat + LINK) == CAUGHT
        for player in range(width):
            store_real(desk, seat + lower + player, draw if is_caught else -reach)
            store_real(desk, seat + upper + player, draw if is_caught else reach)
    gap, change = 2 * reach, reach
    while gap > off + CLOSE * reach and change > 0:
        nodes = load(memory, NODES) + end - first
        store(memory, NODES, nodes)
        if nodes >= load(memory, LIMIT):
            return False
        gap, change = 0.0, 0.0
        for place in range(first, end):
            seat = seat_at(desk, seat_size(width), place)
            if load(desk, seat + LINK) == CAUGHT:
                continue
            for player in range(width):
                low, high = load_real(desk, seat + lower + player), load_real(desk, seat + upper + player)
                new_low = max(low, expected(desk, edges, seat, width, player, lower, -1.0))
                new_high = min(high, expected(desk, edges, seat, width, player, upper, 1.0))
                store_real(desk, seat + lower + player, new_low)
                store_real(desk, seat + upper + player, new_high)
                gap, change = max(gap, new_high - new_low), max(change, new_low - low, high - new_high)
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        for player in range(width):
            low, high = load_real(desk, seat + lower + player), load_real(desk, seat + upper + player)
            store_real(desk, seat + VALUES + player, (low + high) / 2)
    return True


def find_ways_out(desk: int, edges: int, first: int, end: int, width: int) -> None:
    """Mark the positions from which the chosen moves can lead out; from the others they never do."""
    for place in range(first, end):
        store(desk, seat_at(desk, seat_size(width), place) + LINK, CAUGHT)
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(first, end):
            seat = seat_at(desk, seat_size(width), place)
            if load(desk, seat + LINK) == CAUGHT and leads_out(desk, edges, seat, width):
                store(desk, seat + LINK, LEAVING)
                is_changed = True


def leads_out(desk: int, edges: int, seat: int, width: int) -> bool:
    """Whether the chosen move, or some roll, leads out or to a position from which there is a way out."""
    for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -edge_size(width)):
        if load(desk, seat + OWNER) == CHANCE or edge == load(desk, seat + CHOICE):
            to = load(edges, edge + TO)
            if to < 0 or load(desk, to + LINK) != CAUGHT:
                return True
    return False


def is_improved(desk: int, edges: int, first: int, end: int, width: int, better: float) -> bool:
    """Whether somebody finds a better move than the chosen one, now that the payoffs are known."""
    is_better = False
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        if load(desk, seat + OWNER) != CHANCE and prefer(desk, edges, seat, width, better):
            is_better = True
    return is_better
