"""Best moves in positions that recur: of moves that are equally good, one that makes progress.

A move can keep the value and yet lead round in circles for ever. A player who is better off than with a draw must not
do that: such a player forces the play, step by step, out of every set of positions that the players need not leave. All
others may play any move that keeps the value. Of several moves the first is chosen.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel, load, load_real, store
from zermelo.solve.cycles import EDGE, EDGE_LOWER, EDGE_UPPER, FRAME, LOWER, UPPER
from zermelo.solve.graph import CHOICE, END, FIRST, LINK, OWNER, TO, frame_at

STEPS = LINK
"""The field of a frame for the number of steps out of the component."""
FAR = 1 << 40


@kernel
def choose(workspace: int, edges: int, first: int, ring: int, end: int, draw: float) -> None:
    """Choose a move in the positions at these places of the stack; play may stay for ever in those before `ring`."""
    for place in range(first, end):
        frame = frame_at(workspace, FRAME, place)
        store(workspace, frame + STEPS, FAR if place < ring else 0)
        store(workspace, frame + CHOICE, load(workspace, frame + FIRST))
        if load(workspace, frame + OWNER) != CHANCE:
            store(workspace, frame + CHOICE, best_edge(workspace, edges, frame))
    for player in range(2):
        steps, is_nearer = 1, True
        while is_nearer:
            is_nearer = False
            for place in range(first, ring):
                frame = frame_at(workspace, FRAME, place)
                if load(workspace, frame + STEPS) == FAR and is_ahead(workspace, frame, player, draw):
                    is_nearer = makes_progress(workspace, edges, frame, player, steps) or is_nearer
            steps += 1


def best_edge(workspace: int, edges: int, frame: int) -> int:
    """The first move that keeps the value."""
    edge = load(workspace, frame + FIRST)
    while not keeps_value(workspace, edges, frame, edge):
        edge -= EDGE
    return edge


def keeps_value(workspace: int, edges: int, frame: int, edge: int) -> bool:
    """Whether a move, or a roll, leads to where the value is the same, as far as bounds tell."""
    to = load(edges, edge + TO)
    low = load_real(workspace, to + LOWER) if to >= 0 else load_real(edges, edge + EDGE_LOWER)
    high = load_real(workspace, to + UPPER) if to >= 0 else load_real(edges, edge + EDGE_UPPER)
    return low <= load_real(workspace, frame + UPPER) and high >= load_real(workspace, frame + LOWER)


def is_ahead(workspace: int, frame: int, player: int, draw: float) -> bool:
    return load_real(workspace, frame + LOWER) > draw if player == 0 else load_real(workspace, frame + UPPER) < draw


def makes_progress(workspace: int, edges: int, frame: int, player: int, steps: int) -> bool:
    """Whether the player gets out of the circles in `steps` steps from here, or has a chance to; the move is stored.

    A roll that changes the value is as good: play does not come to it for ever.
    """
    owner = load(workspace, frame + OWNER)
    is_opponent = owner == 1 - player
    for edge in range(load(workspace, frame + FIRST), load(workspace, frame + END), -EDGE):
        to = load(edges, edge + TO)
        is_out = to < 0 or load(workspace, to + STEPS) < steps
        is_kept = keeps_value(workspace, edges, frame, edge)
        is_way = is_out and is_kept if owner == player else is_out or not is_kept
        if is_way and not is_opponent:
            store(workspace, frame + STEPS, steps)
            store(workspace, frame + CHOICE, edge)
            return True
        if is_opponent and not is_way:
            return False
    if is_opponent:
        store(workspace, frame + STEPS, steps)
    return is_opponent
