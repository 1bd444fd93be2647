"""Backward induction: the payoffs of any finite game of perfect information, dice, many players and circles included.

Positions are searched depth first, and each gets its value when all positions below it are solved. Positions that lead
to one another, a strongly connected component, are solved together [Tarjan, "Depth-first search and linear graph
algorithms", 1972]: in most games a component is one position, and one step of induction solves it; otherwise the values
are found by iteration, between bounds.

The table keeps all positions and never forgets:

    counters, then places of 3 + width cells:   key | status | how far the payoffs can be off | payoffs

A status is free, open with its frame, or done with the key of the position that the best move leads to. What is in the
bank of a position is left out of its value.
"""

from __future__ import annotations

from zermelo.core.counters import FREE_CELLS, LIMIT, NODES, OldCounters, give_up
from zermelo.core.game import CHANCE, Game, State, has_one_value
from zermelo.kernel import (
    U64,
    Memory,
    kernel,
    load,
    load_real,
    load_word,
    mix,
    number,
    store,
    store_real,
    store_word,
)
from zermelo.kernel.states import numbers_of
from zermelo.solve.cycles import narrow
from zermelo.solve.equilibrium import find_equilibrium
from zermelo.solve.graph import (
    ABOVE,
    CHOICE,
    END,
    ERROR,
    FIRST,
    INDEX,
    LEAST,
    NEXT,
    OWNER,
    PARENT,
    PAYOFFS,
    ROUNDING,
    SETTLED,
    SLOT,
    STACK,
    TO,
    VALUES,
    WEIGHT,
    edge_size,
    frame_at,
    frame_size,
    mean_error,
)
from zermelo.solve.plain import FAIR
from zermelo.solve.strategy import choose

MASK, USED, ROOM, WIDTH, DRAW, WORKSPACE, EDGES, WORKSPACE_ROOM, STATE_CELLS = range(FREE_CELLS, FREE_CELLS + 9)
SLOTS = 16
STATUS, OFF, WORTH = 1, 2, 3
FREE, OPEN, DONE = range(3)
STATUS_BITS, OPEN_OR_DONE = 2, 3
FULL, STUCK, UNFAIR, UNSETTLED, GAINFUL = range(1, 6)
NO_FRAME = UNSEEN = -1


class InductionMemory(OldCounters):
    """A table for all positions of a game, at most `megabytes` in size but for the smallest of 1,024 places.

    The frames of open positions may take as much again.
    """

    def __init__(self, game: Game, state: State, megabytes: int = 256) -> None:
        slots, width = 1 << 10, width_of(game)
        while 2 * slots * 8 * (WORTH + width) <= megabytes * 1024 * 1024:
            slots *= 2
        super().__init__(SLOTS + slots * (WORTH + width))
        self.workspace = Memory(megabytes * 1024 * 1024 // 8)
        self.cells[MASK], self.cells[ROOM] = slots - 1, slots - slots // 4
        self.cells[WORKSPACE], self.cells[EDGES] = (
            self.workspace.address,
            self.workspace.address + 8 * len(self.workspace),
        )
        self.cells[WORKSPACE_ROOM], self.cells[STATE_CELLS] = len(self.workspace), len(list(numbers_of(state)))
        self.cells[WIDTH] = width
        self.set_real(DRAW, game.middle())  # what a game that never ends is worth, as a draw by repetition

    @property
    def positions(self) -> int:
        return self.cells[USED]


def width_of(game: Game) -> int:
    """The number of values per position: one for a single player, or for two whose payoffs cancel."""
    return 1 if has_one_value(game) else game.players


@kernel
def induce(game: Game, state: State, memory: int) -> int:
    """The place in the table where the payoffs of a state stand, without its bank; meaningless once stopped."""
    width = load(memory, WIDTH)
    frame_cells, edge_cells = frame_size(width), edge_size(width)
    workspace, edges = load(memory, WORKSPACE), load(memory, EDGES)
    states = [game.without_bank(state)]
    root = slot_of(memory, key_of(game, state), width)
    if load(memory, root + STATUS) & OPEN_OR_DONE == DONE:
        return root
    store(memory, NODES, load(memory, NODES) + 1)
    frames = reserve(memory, workspace, root, 0, frame_cells)
    frame, parent, height, known, top = 0, NO_FRAME, 0, 0, -edge_cells
    while frame != NO_FRAME and load(memory, NODES) < load(memory, LIMIT):
        if load(workspace, frame + INDEX) == UNSEEN:
            here = states[frame // frame_cells]
            mover = max(CHANCE, min(game.to_move(here), game.players - 1))  # it is an index from here on
            open_frame(workspace, frame, parent, mover, height, frames, top)
            height += 1
            total = 0.0
            if mover == CHANCE:
                for action, probability in game.outcomes(here):
                    if probability > 0:
                        frames = link(game, states, game.result(here, action), top, frames, memory)
                        store_real(edges, top + WEIGHT, probability)
                        total += probability
                        top -= edge_cells
                    if load(memory, NODES) >= load(memory, LIMIT):
                        break
            else:
                for action in game.actions(here):
                    frames = link(game, states, game.result(here, action), top, frames, memory)
                    top -= edge_cells
                    total = 1.0
                    if load(memory, NODES) >= load(memory, LIMIT):
                        break
            store(workspace, frame + END, top)
            if load(memory, NODES) < load(memory, LIMIT) and abs(1.0 - total) > FAIR:
                give_up(memory, UNFAIR if total > 0 else STUCK)
        elif load(workspace, frame + NEXT) > load(workspace, frame + END):
            edge = load(workspace, frame + NEXT)
            to = load(edges, edge + TO)
            if to >= 0 and load(memory, load(workspace, to + SLOT) + STATUS) & OPEN_OR_DONE == DONE:
                settle_edge(memory, edges, edge, load(workspace, to + SLOT), width)
            elif to >= 0 and load(workspace, to + INDEX) == UNSEEN:
                parent, frame = frame, to
                continue
            elif to >= 0:
                store(workspace, frame + LEAST, min(load(workspace, frame + LEAST), load(workspace, to + LEAST)))
            store(workspace, frame + NEXT, edge - edge_cells)
        else:
            parent, first = load(workspace, frame + PARENT), load(workspace, frame + INDEX)
            store(workspace, known * frame_cells + STACK, frame)
            known += 1
            if load(workspace, frame + LEAST) == first:
                known -= height - first
                if height - first == 1 and are_settled(edges, load(workspace, frame + FIRST), top, edge_cells):
                    step_back(memory, workspace, edges, frame, width)
                elif not solve_component(memory, workspace, edges, known, known + height - first):
                    return root
                height, top, frames = first, load(workspace, frame + FIRST), load(workspace, frame + ABOVE)
            frame = parent
    return root


# -- positions ---------------------------------------------------------------------------------------------------------


def key_of(game: Game, state: State) -> U64:
    """The key of a position; the same for symmetric positions and for those that differ only in the bank."""
    return mix(game.key(game.canonical(game.without_bank(state))))


def slot_of(memory: int, key: U64, width: int) -> int:
    """The cell of the key, which is inserted if it is new. There is always room."""
    mask = load_word(memory, MASK)
    place = key & mask
    while True:
        cell = SLOTS + number(place) * (WORTH + width)
        if load(memory, cell + STATUS) == FREE:
            store_word(memory, cell, key)
            return cell
        if load_word(memory, cell) == key:
            return cell
        place = (place + U64(1)) & mask


def link(game: Game, states: list[State], child: State, edge: int, frames: int, memory: int) -> int:
    """Add the edge to a position, which gets a frame if it is new; returns the number of frames."""
    edges, width = load(memory, EDGES), load(memory, WIDTH)
    if (frames + 1) * (frame_size(width) + load(memory, STATE_CELLS)) - edge + edge_size(width) > load(
        memory, WORKSPACE_ROOM
    ):
        give_up(memory, FULL)
        return frames
    is_over = game.is_terminal(child)
    for player in range(width):
        payoff = game.utility(child, player) if is_over else game.bank(child, player)
        store_real(edges, edge + PAYOFFS + player, float(payoff))
    taken = attach(memory, edge, key_of(game, child), frames, is_over)
    if taken > frames:
        if frames < len(states):
            states[frames] = game.without_bank(child)
        else:
            states.append(game.without_bank(child))
    return taken


@kernel
def attach(memory: int, edge: int, key: U64, frames: int, is_over: bool) -> int:
    """Let the edge lead to the position with this key; returns the number of frames."""
    workspace, edges, width = load(memory, WORKSPACE), load(memory, EDGES), load(memory, WIDTH)
    store(memory, NODES, load(memory, NODES) + 1)
    store_word(edges, edge + WEIGHT, key)
    store_real(edges, edge + ERROR, 0.0)
    store(edges, edge + TO, SETTLED)
    if is_over:
        return frames
    slot = slot_of(memory, key, width)
    status = load(memory, slot + STATUS)
    if status & OPEN_OR_DONE == DONE:
        settle_edge(memory, edges, edge, slot, width)
    elif status != FREE:
        store(edges, edge + TO, status >> STATUS_BITS)
    elif load(memory, USED) >= load(memory, ROOM):
        give_up(memory, FULL)
    else:
        store(edges, edge + TO, frames * frame_size(width))
        return reserve(memory, workspace, slot, frames, frame_size(width))
    return frames


def reserve(memory: int, workspace: int, slot: int, frames: int, size: int) -> int:
    """Give the next frame to a new position; returns the number of frames."""
    store(memory, USED, load(memory, USED) + 1)
    store(memory, slot + STATUS, OPEN | (frames * size) << STATUS_BITS)
    store(workspace, frames * size + SLOT, slot)
    store(workspace, frames * size + INDEX, UNSEEN)
    return frames + 1


def open_frame(workspace: int, frame: int, parent: int, mover: int, height: int, frames: int, top: int) -> None:
    """Initialise the frame of a position whose edges are about to be listed."""
    store(workspace, frame + PARENT, parent)
    store(workspace, frame + OWNER, mover)
    store(workspace, frame + INDEX, height)
    store(workspace, frame + LEAST, height)
    store(workspace, frame + ABOVE, frames)
    store(workspace, frame + FIRST, top)
    store(workspace, frame + NEXT, top)


# -- values ------------------------------------------------------------------------------------------------------------


def settle_edge(memory: int, edges: int, edge: int, slot: int, width: int) -> None:
    """Let an edge hold the value of the position it leads to, plus what the move puts into the bank."""
    store(edges, edge + TO, SETTLED)
    error = load_real(memory, slot + OFF)
    for player in range(width):
        banked = load_real(edges, edge + PAYOFFS + player)
        payoff = banked + load_real(memory, slot + WORTH + player)
        store_real(edges, edge + PAYOFFS + player, payoff)
        if banked != 0 and error > 0:
            error += ROUNDING * abs(payoff)
    store_real(edges, edge + ERROR, error)


def are_settled(edges: int, first: int, end: int, size: int) -> bool:
    """Whether no edge leads to an open position."""
    left = 0
    for edge in range(first, end, -size):
        left += load(edges, edge + TO) != SETTLED
    return left == 0


@kernel
def step_back(memory: int, workspace: int, edges: int, frame: int, width: int) -> None:
    """One step of induction: the best move for the mover, the first if there are several, or the mean of a roll."""
    slot, size = load(workspace, frame + SLOT), edge_size(width)
    first, end, owner = load(workspace, frame + FIRST), load(workspace, frame + END), load(workspace, frame + OWNER)
    best, sign = first, 1.0
    if width == 1 and owner > 0:
        owner, sign = 0, -1.0
    error, reach = 0.0, 0.0
    for edge in range(first, end, -size):
        off = load_real(edges, edge + ERROR)
        if owner == CHANCE:
            error += load_real(edges, edge + WEIGHT) * off
            for player in range(width):
                reach = max(reach, abs(load_real(edges, edge + PAYOFFS + player)) + off)
        else:
            error = max(error, off)
            payoff = load_real(edges, edge + PAYOFFS + owner) - load_real(edges, best + PAYOFFS + owner)
            if sign * payoff > 0:
                best = edge
    if owner == CHANCE:
        error += mean_error(edges, first, end, size, reach)
    for player in range(width):
        payoff = load_real(edges, best + PAYOFFS + player)
        if owner == CHANCE:
            payoff = 0.0
            for edge in range(first, end, -size):
                payoff += load_real(edges, edge + WEIGHT) * load_real(edges, edge + PAYOFFS + player)
        store_real(memory, slot + WORTH + player, payoff)
    store_real(memory, slot + OFF, error)
    close(memory, slot, load_word(edges, best + WEIGHT))


def close(memory: int, slot: int, choice: U64) -> None:
    """The value of a position is known, and where its best move leads."""
    store_word(memory, slot + STATUS, choice & ~U64(OPEN_OR_DONE) | U64(DONE))


@kernel
def solve_component(memory: int, workspace: int, edges: int, first: int, end: int) -> bool:
    """Solve a strongly connected component, positions that lead to one another; False once it is stopped."""
    width, draw = load(memory, WIDTH), load_real(memory, DRAW)
    if is_gainful(workspace, edges, first, end, width):
        give_up(memory, GAINFUL)
    elif width == 1:
        ring = narrow(memory, workspace, edges, first, end, draw)
        choose(workspace, edges, first, ring, end, draw)
    elif not find_equilibrium(memory, workspace, edges, first, end, width, draw) and load(memory, NODES) < load(
        memory, LIMIT
    ):
        give_up(memory, UNSETTLED)
    if load(memory, NODES) >= load(memory, LIMIT):
        return False
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        slot, error = load(workspace, frame + SLOT), 0.0
        for player in range(width):
            low = load_real(workspace, frame + VALUES + width + player)
            high = load_real(workspace, frame + VALUES + 2 * width + player)
            value = (low + high) / 2
            error = max(error, high - value, value - low)
            store_real(memory, slot + WORTH + player, value)
        store_real(memory, slot + OFF, error * (1 + ROUNDING))
        close(memory, slot, load_word(edges, load(workspace, frame + CHOICE) + WEIGHT))
    return True


def is_gainful(workspace: int, edges: int, first: int, end: int, width: int) -> bool:
    """Whether some cycle adds to the bank each time round."""
    for place in range(first, end):
        frame = frame_at(workspace, frame_size(width), place)
        for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -edge_size(width)):
            for player in range(width):
                if load(edges, edge + TO) >= 0 and load_real(edges, edge + PAYOFFS + player) != 0:
                    return True
    return False
