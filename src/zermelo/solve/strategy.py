"""Best moves in positions that recur: of moves that are equally good, one that gets on.

A move can keep the value and yet lead round in circles for ever. Who is better off than with a draw must not do that:
such a player forces the play, step by step, out of every set of positions that nobody has to leave. Everybody else may
play any move that keeps the value. Of several moves the first is chosen.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel, load, load_real, store
from zermelo.solve.cycles import EDGE, EDGE_LOWER, EDGE_UPPER, LOWER, SEAT, UPPER
from zermelo.solve.graph import CHOICE, END, FIRST, LINK, OWNER, TO, seat_at

STEPS = LINK
"""The field of a seat for the steps that it takes to get out."""
FAR = 1 << 40


@kernel
def choose(desk: int, edges: int, first: int, ring: int, end: int, draw: float) -> None:
    """Choose a move in the positions at these places of the stack; before `ring` nobody may have to leave."""
    for place in range(first, end):
        seat = seat_at(desk, SEAT, place)
        store(desk, seat + STEPS, FAR if place < ring else 0)
        store(desk, seat + CHOICE, load(desk, seat + FIRST))
        if load(desk, seat + OWNER) != CHANCE:
            store(desk, seat + CHOICE, best_edge(desk, edges, seat))
    for player in range(2):
        steps, is_nearer = 1, True
        while is_nearer:
            is_nearer = False
            for place in range(first, ring):
                seat = seat_at(desk, SEAT, place)
                if load(desk, seat + STEPS) == FAR and is_ahead(desk, seat, player, draw):
                    is_nearer = gets_on(desk, edges, seat, player, steps) or is_nearer
            steps += 1


def best_edge(desk: int, edges: int, seat: int) -> int:
    """The first move that keeps the value."""
    edge = load(desk, seat + FIRST)
    while not keeps_value(desk, edges, seat, edge):
        edge -= EDGE
    return edge


def keeps_value(desk: int, edges: int, seat: int, edge: int) -> bool:
    """Whether a move, or a roll, leads to where the value is the same, as far as bounds tell."""
    to = load(edges, edge + TO)
    low = load_real(desk, to + LOWER) if to >= 0 else load_real(edges, edge + EDGE_LOWER)
    high = load_real(desk, to + UPPER) if to >= 0 else load_real(edges, edge + EDGE_UPPER)
    return low <= load_real(desk, seat + UPPER) and high >= load_real(desk, seat + LOWER)


def is_ahead(desk: int, seat: int, player: int, draw: float) -> bool:
    return load_real(desk, seat + LOWER) > draw if player == 0 else load_real(desk, seat + UPPER) < draw


def gets_on(desk: int, edges: int, seat: int, player: int, steps: int) -> bool:
    """Whether the player gets out of the circles in so many steps from here, or has a chance to; then it is noted.

    A roll that changes the value is as good: play does not come to it for ever.
    """
    owner = load(desk, seat + OWNER)
    is_opponent = owner == 1 - player
    for edge in range(load(desk, seat + FIRST), load(desk, seat + END), -EDGE):
        to = load(edges, edge + TO)
        is_out = to < 0 or load(desk, to + STEPS) < steps
        is_kept = keeps_value(desk, edges, seat, edge)
        is_way = is_out and is_kept if owner == player else is_out or not is_kept
        if is_way and not is_opponent:
            store(desk, seat + STEPS, steps)
            store(desk, seat + CHOICE, edge)
            return True
        if is_opponent and not is_way:
            return False
    if is_opponent:
        store(desk, seat + STEPS, steps)
    return is_opponent
