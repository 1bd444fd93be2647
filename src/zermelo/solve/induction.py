"""Backward induction: the exact payoffs of any finite game of perfect information, dice and many players included.

Every position is looked at once; the table keeps all of them and never forgets. A position that is met again while it
is being looked at repeats itself: such a game has no last position to start from, and the induction says so.

    counters, then buckets of 2 + players cells:   key | status | one payoff per player
"""

from __future__ import annotations

from zermelo.core.counters import FREE_CELLS, LIMIT, NO_TROUBLE, NODES, Counters, give_up
from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import (
    U64,
    kernel,
    load,
    load_real,
    load_word,
    mix,
    number,
    replaced,
    store,
    store_real,
    store_word,
)

MASK, USED, ROOM = range(FREE_CELLS, FREE_CELLS + 3)
SLOTS = 8
FREE, OPEN, DONE = range(3)
REPEATS, FULL, TOO_LONG, STUCK = range(1, 5)
MOST_PLIES = 20_000


class InductionMemory(Counters):
    """A table for all positions of a game, at most `megabytes` in size but for the smallest of 1,024 places."""

    def __init__(self, players: int, megabytes: int = 256) -> None:
        slots = 1 << 10
        while 2 * slots * 8 * (2 + players) <= megabytes * 1024 * 1024:
            slots *= 2
        super().__init__(SLOTS + slots * (2 + players))
        self.cells[MASK], self.cells[ROOM] = slots - 1, slots - slots // 4

    @property
    def positions(self) -> int:
        return self.cells[USED]


@kernel
def induce(game: Game, state: State, ply: int, memory: int) -> tuple[float, ...]:
    """The payoffs when everybody maximises their own, ties go to the first move; meaningless once stopped."""
    nodes = load(memory, NODES) + 1
    store(memory, NODES, nodes)
    if nodes >= load(memory, LIMIT):
        return game.zeros
    if game.is_terminal(state):
        return game.utilities(state)
    slot = slot_of(memory, mix(game.key(game.canonical(state))), game.players)
    if load(memory, slot + 1) == DONE:
        found = game.zeros
        for player in range(game.players):
            found = replaced(found, player, load_real(memory, slot + 2 + player))
        return found
    trouble = NO_TROUBLE
    if load(memory, slot + 1) == OPEN:
        trouble = REPEATS
    elif load(memory, USED) >= load(memory, ROOM):
        trouble = FULL
    elif ply >= MOST_PLIES:
        trouble = TOO_LONG
    if trouble != NO_TROUBLE:
        give_up(memory, trouble)
        return game.zeros
    store(memory, slot + 1, OPEN)
    store(memory, USED, load(memory, USED) + 1)
    best, is_first = game.zeros, True
    mover = game.to_move(state)
    if mover == CHANCE:
        for action, probability in game.outcomes(state):
            value = induce(game, game.result(state, action), ply + 1, memory)
            if load(memory, NODES) >= load(memory, LIMIT):
                return game.zeros
            for player in range(game.players):
                best = replaced(best, player, best[player] + probability * value[player])
            is_first = False
    else:
        for action in game.actions(state):
            value = induce(game, game.result(state, action), ply + 1, memory)
            if load(memory, NODES) >= load(memory, LIMIT):
                return game.zeros
            if is_first or value[mover] > best[mover]:
                best, is_first = value, False
    if is_first:
        give_up(memory, STUCK)
        return best
    for player in range(game.players):
        store_real(memory, slot + 2 + player, best[player])
    store(memory, slot + 1, DONE)
    return best


def slot_of(memory: int, key: U64, players: int) -> int:
    """The cell where the key is, or where it goes; it is put there. There is always room."""
    mask = load_word(memory, MASK)
    place = key & mask
    while True:
        cell = SLOTS + number(place) * (2 + players)
        if load(memory, cell + 1) == FREE:
            store_word(memory, cell, key)
            return cell
        if load_word(memory, cell) == key:
            return cell
        place = (place + U64(1)) & mask
