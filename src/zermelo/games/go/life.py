"""Chains of Go that cannot be taken even if their side always passes [David Benson, "Life in the Game of Go", 1976].

A region is what is left of the board without the stones of one side, as far as it hangs together. It is vital to a
chain if each of its empty points is a liberty of the chain: the other side cannot fill it to the last. Chains live that
have two vital regions which only living chains enclose.
"""

from __future__ import annotations

from zermelo.core.point_sets import Points, common, first_of, is_any, size_of, union, without
from zermelo.games.go.board import Board


def living_stones(board: Board, stones: Points, others: Points) -> Points:
    """The stones of one side that are unconditionally alive."""
    space, empty = without(board.all, stones), board.empty(stones, others)
    alive, enclosed = stones, space
    while True:
        kept, rest = board.none, alive
        while is_any(rest):
            chain = board.flood_fill(board.point(first_of(rest)), stones)
            rest = without(rest, chain)
            if is_any(second_vital(board, chain, enclosed, space, empty)):
                kept = union(kept, chain)
        if kept == alive:
            return alive
        alive = kept
        enclosed = enclosed_regions(board, alive, stones)


def enclosed_regions(board: Board, alive: Points, stones: Points) -> Points:
    """The regions that touch no stones of this side but living ones."""
    space = without(board.all, stones)
    return without(space, board.flood_fill(board.beside(without(stones, alive)), space))


def second_vital(board: Board, chain: Points, enclosed: Points, space: Points, empty: Points) -> Points:
    """A region that is vital to a chain, if there is another one as well."""
    near = board.beside(chain)
    rest, found = common(enclosed, near), 0
    while is_any(rest):
        region = board.flood_fill(board.point(first_of(rest)), space)
        rest = without(rest, region)
        if not is_any(without(common(region, empty), near)):
            found += 1
            if found == 2:
                return region
    return board.none


def sure_lead(board: Board, stones: Points, others: Points) -> int:
    """A lower limit of one side's lead against any play, by its living stones and their eyes.

    An eye of one point is its own; of a larger one, one point at least is not the other side's.
    """
    alive = living_stones(board, stones, others)
    own, open_points = size_of(alive), 0
    if own == 0:
        return -size_of(board.all)
    space = without(board.all, stones)
    rest = enclosed_regions(board, alive, stones)
    while is_any(rest):
        region = board.flood_fill(board.point(first_of(rest)), space)
        rest = without(rest, region)
        if size_of(region) == 1:
            own += 1
        elif is_vital_to_some(board, region, alive, others):
            open_points += 1
    return own - (size_of(board.all) - own - open_points)


def is_vital_to_some(board: Board, region: Points, alive: Points, others: Points) -> bool:
    """Whether all empty points of a region are liberties of one chain around it."""
    empty = without(region, others)
    rest = common(board.beside(region), alive)
    while is_any(rest):
        chain = board.flood_fill(board.point(first_of(rest)), alive)
        rest = without(rest, chain)
        if not is_any(without(empty, board.beside(chain))):
            return True
    return False
