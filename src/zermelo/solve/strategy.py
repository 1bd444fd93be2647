"""Best moves in positions that recur: of equal moves, one that makes progress.

A move can keep the value and yet stay in a cycle for ever, which is a draw. A player with a better value must avoid
that, and so forces play, step by step, out of every set of positions that the players need not leave. All others may
play any move that keeps the value. Of several moves the first is chosen.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE
from zermelo.kernel import kernel
from zermelo.solve.graph import NOWHERE, SOLO_EDGE, BoundEdge, SoloFrame, SoloGraph

FAR = 1 << 40
"""The mark of a position without a known way out of the cycles; other marks are the number of steps out."""


@kernel
def choose(graph: SoloGraph, first: int, ring: int, end: int) -> None:
    """Choose a move in the positions at these places of the stack; before `ring`, play may stay for ever."""
    for place in range(first, end):
        frame = graph.frame_at(place)
        frame.mark = FAR if place < ring else 0
        frame.choice = frame.first if frame.owner == CHANCE else best_edge(frame)
    for player in range(2):
        steps, is_nearer = 1, True
        while is_nearer:
            is_nearer = False
            for place in range(first, ring):
                frame = graph.frame_at(place)
                if frame.mark == FAR and is_ahead(frame, player, graph.draw):
                    is_nearer = makes_progress(frame, player, steps) or is_nearer
            steps += 1


def best_edge(frame: SoloFrame) -> int:
    """The address of the first move that keeps the value."""
    address = frame.first
    while not keeps_value(frame, BoundEdge(address)):
        address -= SOLO_EDGE
    return address


def keeps_value(frame: SoloFrame, edge: BoundEdge) -> bool:
    """Whether an edge keeps the value, as far as the bounds show."""
    low, high = edge.bounds()
    return low <= frame.upper and high >= frame.lower


def is_ahead(frame: SoloFrame, player: int, draw: float) -> bool:
    return frame.lower > draw if player == 0 else frame.upper < draw


def makes_progress(frame: SoloFrame, player: int, steps: int) -> bool:
    """Whether the player leaves the cycles in `steps` steps from here, surely or with a chance; stores the move.

    A roll that changes the value counts too, because play cannot pass it for ever.
    """
    owner = frame.owner
    is_opponent = owner == 1 - player
    for address in range(frame.first, frame.end, -SOLO_EDGE):
        edge = BoundEdge(address)
        to = edge.to
        is_out = to.address == NOWHERE or to.mark < steps
        is_kept = keeps_value(frame, edge)
        is_way = is_out and is_kept if owner == player else is_out or not is_kept
        if is_way and not is_opponent:
            frame.mark = steps
            frame.choice = address
            return True
        if is_opponent and not is_way:
            return False
    if is_opponent:
        frame.mark = steps
    return is_opponent
