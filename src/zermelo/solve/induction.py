"""Backward induction: the payoffs of any finite game of perfect information, dice, many players and circles included.

The positions are looked at depth first, and each gets its value when everything behind it is known. Positions that lead
to one another become known together [Tarjan, "Depth-first search and linear graph algorithms", 1972]: alone, in most
games, and then one step of induction is enough; otherwise their values are found by iteration, between bounds.

The table keeps all positions and never forgets:

    counters, then places of 3 + width cells:   key | status | how far the payoffs can be off | payoffs

A status is free, open with its seat, or done with the key of the position that the best move leads to. What is in the
bank of a position is left out of its value.
"""

from __future__ import annotations

from zermelo.core.counters import FREE_CELLS, LIMIT, NODES, Counters, give_up
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
from zermelo.solve.equilibrium import agree
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
    mean_error,
    seat_at,
    seat_size,
)
from zermelo.solve.plain import FAIR
from zermelo.solve.strategy import choose

MASK, USED, ROOM, WIDTH, DRAW, DESK, EDGES, DESK_ROOM, STATE_CELLS = range(FREE_CELLS, FREE_CELLS + 9)
SLOTS = 16
STATUS, OFF, WORTH = 1, 2, 3
FREE, OPEN, DONE = range(3)
STATUS_BITS, OPEN_OR_DONE = 2, 3
FULL, STUCK, UNFAIR, UNSETTLED, GAINFUL = range(1, 6)
NOBODY = UNSEEN = -1


class InductionMemory(Counters):
    """A table for all positions of a game, at most `megabytes` in size but for the smallest of 1,024 places.

    Positions that are being looked at may take as much again.
    """

    def __init__(self, game: Game, state: State, megabytes: int = 256) -> None:
        slots, width = 1 << 10, width_of(game)
        while 2 * slots * 8 * (WORTH + width) <= megabytes * 1024 * 1024:
            slots *= 2
        super().__init__(SLOTS + slots * (WORTH + width))
        self.desk = Memory(megabytes * 1024 * 1024 // 8)
        self.cells[MASK], self.cells[ROOM] = slots - 1, slots - slots // 4
        self.cells[DESK], self.cells[EDGES] = self.desk.address, self.desk.address + 8 * len(self.desk)
        self.cells[DESK_ROOM], self.cells[STATE_CELLS] = len(self.desk), len(list(numbers_of(state)))
        self.cells[WIDTH] = width
        self.set_real(DRAW, game.middle())  # what a game that never ends is worth, as a draw by repetition

    @property
    def positions(self) -> int:
        return self.cells[USED]


def width_of(game: Game) -> int:
    """How many values say it all: one for a single player, or for two whose payoffs cancel."""
    return 1 if has_one_value(game) else game.players


@kernel
def induce(game: Game, state: State, memory: int) -> int:
    """The place in the table where the payoffs of a state stand, without its bank; meaningless once stopped."""
    width = load(memory, WIDTH)
    seat_cells, edge_cells = seat_size(width), edge_size(width)
    desk, edges = load(memory, DESK), load(memory, EDGES)
    states = [game.without_bank(state)]
    root = slot_of(memory, key_of(game, state), width)
    if load(memory, root + STATUS) & OPEN_OR_DONE == DONE:
        return root
    store(memory, NODES, load(memory, NODES) + 1)
    seats = reserve(memory, desk, root, 0, seat_cells)
    seat, parent, height, known, top = 0, NOBODY, 0, 0, -edge_cells
    while seat != NOBODY and load(memory, NODES) < load(memory, LIMIT):
        if load(desk, seat + INDEX) == UNSEEN:
            here = states[seat // seat_cells]
            mover = max(CHANCE, min(game.to_move(here), game.players - 1))  # it is an index from here on
            take_seat(desk, seat, parent, mover, height, seats, top)
            height += 1
            total = 0.0
            if mover == CHANCE:
                for action, probability in game.outcomes(here):
                    if probability > 0:
                        seats = link(game, states, game.result(here, action), top, seats, memory)
                        store_real(edges, top + WEIGHT, probability)
                        total += probability
                        top -= edge_cells
                    if load(memory, NODES) >= load(memory, LIMIT):
                        break
            else:
                for action in game.actions(here):
                    seats = link(game, states, game.result(here, action), top, seats, memory)
                    top -= edge_cells
                    total = 1.0
                    if load(memory, NODES) >= load(memory, LIMIT):
                        break
            store(desk, seat + END, top)
            if load(memory, NODES) < load(memory, LIMIT) and abs(1.0 - total) > FAIR:
                give_up(memory, UNFAIR if total > 0 else STUCK)
        elif load(desk, seat + NEXT) > load(desk, seat + END):
            edge = load(desk, seat + NEXT)
            to = load(edges, edge + TO)
            if to >= 0 and load(memory, load(desk, to + SLOT) + STATUS) & OPEN_OR_DONE == DONE:
                settle(memory, edges, edge, load(desk, to + SLOT), width)
            elif to >= 0 and load(desk, to + INDEX) == UNSEEN:
                parent, seat = seat, to
                continue
            elif to >= 0:
                store(desk, seat + LEAST, min(load(desk, seat + LEAST), load(desk, to + LEAST)))
            store(desk, seat + NEXT, edge - edge_cells)
        else:
            parent, first = load(desk, seat + PARENT), load(desk, seat + INDEX)
            store(desk, known * seat_cells + STACK, seat)
            known += 1
            if load(desk, seat + LEAST) == first:
                known -= height - first
                if height - first == 1 and is_settled(edges, load(desk, seat + FIRST), top, edge_cells):
                    step_back(memory, desk, edges, seat, width)
                elif not go_round(memory, desk, edges, known, known + height - first):
                    return root
                height, top, seats = first, load(desk, seat + FIRST), load(desk, seat + ABOVE)
            seat = parent
    return root


# -- looking at positions ----------------------------------------------------------------------------------------------


def key_of(game: Game, state: State) -> U64:
    """Symmetric positions have the same, and so have those that differ only by what is in the bank."""
    return mix(game.key(game.canonical(game.without_bank(state))))


def slot_of(memory: int, key: U64, width: int) -> int:
    """The cell where the key is, or where it goes; it is put there. There is always room."""
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


def link(game: Game, states: list[State], child: State, edge: int, seats: int, memory: int) -> int:
    """Draw the edge to a position, which gets a seat if it is new; how many seats there are now."""
    edges, width = load(memory, EDGES), load(memory, WIDTH)
    if (seats + 1) * (seat_size(width) + load(memory, STATE_CELLS)) - edge + edge_size(width) > load(memory, DESK_ROOM):
        give_up(memory, FULL)
        return seats
    is_over = game.is_terminal(child)
    for player in range(width):
        payoff = game.utility(child, player) if is_over else game.bank(child, player)
        store_real(edges, edge + PAYOFFS + player, float(payoff))
    taken = attach(memory, edge, key_of(game, child), seats, is_over)
    if taken > seats:
        if seats < len(states):
            states[seats] = game.without_bank(child)
        else:
            states.append(game.without_bank(child))
    return taken


@kernel
def attach(memory: int, edge: int, key: U64, seats: int, is_over: bool) -> int:
    """Let the edge lead to the position with this key; how many seats are taken then."""
    desk, edges, width = load(memory, DESK), load(memory, EDGES), load(memory, WIDTH)
    store(memory, NODES, load(memory, NODES) + 1)
    store_word(edges, edge + WEIGHT, key)
    store_real(edges, edge + ERROR, 0.0)
    store(edges, edge + TO, SETTLED)
    if is_over:
        return seats
    slot = slot_of(memory, key, width)
    status = load(memory, slot + STATUS)
    if status & OPEN_OR_DONE == DONE:
        settle(memory, edges, edge, slot, width)
    elif status != FREE:
        store(edges, edge + TO, status >> STATUS_BITS)
    elif load(memory, USED) >= load(memory, ROOM):
        give_up(memory, FULL)
    else:
        store(edges, edge + TO, seats * seat_size(width))
        return reserve(memory, desk, slot, seats, seat_size(width))
    return seats


def reserve(memory: int, desk: int, slot: int, seats: int, size: int) -> int:
    """Give the next seat to a position that is met for the first time; how many there are now."""
    store(memory, USED, load(memory, USED) + 1)
    store(memory, slot + STATUS, OPEN | (seats * size) << STATUS_BITS)
    store(desk, seats * size + SLOT, slot)
    store(desk, seats * size + INDEX, UNSEEN)
    return seats + 1


def take_seat(desk: int, seat: int, parent: int, mover: int, height: int, seats: int, top: int) -> None:
    """A position is being looked at from now on."""
    store(desk, seat + PARENT, parent)
    store(desk, seat + OWNER, mover)
    store(desk, seat + INDEX, height)
    store(desk, seat + LEAST, height)
    store(desk, seat + ABOVE, seats)
    store(desk, seat + FIRST, top)
    store(desk, seat + NEXT, top)


# -- values ------------------------------------------------------------------------------------------------------------


def settle(memory: int, edges: int, edge: int, slot: int, width: int) -> None:
    """Let an edge hold the value of the position where it leads, with what was put into the bank on the way."""
    store(edges, edge + TO, SETTLED)
    error = load_real(memory, slot + OFF)
    for player in range(width):
        banked = load_real(edges, edge + PAYOFFS + player)
        payoff = banked + load_real(memory, slot + WORTH + player)
        store_real(edges, edge + PAYOFFS + player, payoff)
        if banked != 0 and error > 0:
            error += ROUNDING * abs(payoff)
    store_real(edges, edge + ERROR, error)


def is_settled(edges: int, first: int, end: int, size: int) -> bool:
    """Whether no edge leads to an open position."""
    left = 0
    for edge in range(first, end, -size):
        left += load(edges, edge + TO) != SETTLED
    return left == 0


@kernel
def step_back(memory: int, desk: int, edges: int, seat: int, width: int) -> None:
    """One step of induction: the best move for the mover, the first if there are several, or the mean of a roll."""
    slot, size = load(desk, seat + SLOT), edge_size(width)
    first, end, owner = load(desk, seat + FIRST), load(desk, seat + END), load(desk, seat + OWNER)
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
def go_round(memory: int, desk: int, edges: int, first: int, end: int) -> bool:
    """The values of positions that lead to one another; False once it is stopped."""
    width, draw = load(memory, WIDTH), load_real(memory, DRAW)
    if is_gainful(desk, edges, first, end, width):
        give_up(memory, GAINFUL)
    elif width == 1:
        ring = narrow(memory, desk, edges, first, end, draw)
        choose(desk, edges, first, ring, end, draw)
    elif not agree(memory, desk, edges, first, end, width, draw) and load(memory, NODES) < load(memory, LIMIT):
        give_up(memory, UNSETTLED)
    if load(memory, NODES) >= load(memory, LIMIT):
        return False
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        slot, error = load(desk, seat + SLOT), 0.0
        for player in range(width):
            low = load_real(desk, seat + VALUES + width + player)
            high = load_real(desk, seat + VALUES + 2 * width + player)
            value = (low + high) / 2
            error = max(error, high - value, value - low)
            store_real(memory, slot + WORTH + player, value)
        store_real(memory, slot + OFF, error * (1 + ROUNDING))
        close(memory, slot, load_word(edges, load(desk, seat + CHOICE) + WEIGHT))
    return True


def is_gainful(desk: int, edges: int, first: int, end: int, width: int) -> bool:
    """Whether going round puts something into the bank, each time again."""
    for place in range(first, end):
        seat = seat_at(desk, seat_size(width), place)
        for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -edge_size(width)):
            for player in range(width):
                if load(edges, edge + TO) >= 0 and load_real(edges, edge + PAYOFFS + player) != 0:
                    return True
    return False
