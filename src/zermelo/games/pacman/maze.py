"""The maze of Pac-Man in flat memory: where each step leads, what lies where, and how far everything is.

A square is a number, row by row, of a cell that can be reached. Pellets are numbered too: the capsules first, then the
food, row by row. One compiled search serves all mazes, because all there is to know about a maze is in its memory:

    how many squares, capsules and food; Pac-Man and the ghosts at the start; where each table begins
    for each square    the open directions as bits, the pellet on it or -1, its four neighbours
    for each square    how many steps it is to each other one
    for each square    the squares of all the food, the nearest first
    for each square    the squares around it, the nearest first, itself included
    for each capsule   its square
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games.pacman.layout import Layout
from zermelo.games.pacman.position import Position, standing
from zermelo.kernel import U64, Memory, Static, bit, load, load_word, popcount, replaced

NORTH, SOUTH, EAST, WEST, STOP = range(5)
NOTHING = -1
NEIGHBOURHOOD = 24
"""The number of squares around each that are known, at most a third of the maze; the last one stands for the others."""

SQUARES, CAPSULES, FOOD, PACMAN, GHOSTS, DISTANCES, NEAREST_FOOD, NEIGHBOURS, CAPSULE, RECORDS = range(10)
WAYS, PELLET, STEPS, RECORD = 0, 1, 2, 6


class Maze(Static):
    """A layout in flat memory."""

    runtime = ("memory",)
    not_compiled = ("layout", "cells", "places")

    def __init__(self, layout: Layout, ghosts: int) -> None:
        """With at most this many of the layout's ghosts."""
        self.layout = layout
        self.ghosts = min(ghosts, len(layout.ghosts))
        self.places = {cell: place for place, cell in enumerate(layout.squares)}
        self.words = (len(layout.capsules) + len(layout.food) + 63) // 64
        self.none = (U64(0),) * self.words
        numbers = list(self._numbers())
        self.cells = Memory(len(numbers))
        self.memory = self.cells.address
        for index, number in enumerate(numbers):
            self.cells[index] = number

    # -- the start ---------------------------------------------------------------------------------

    def start(self) -> Position:
        return Position(self.pellets(), load(self.memory, PACMAN), self.homes(), 0, 0, 0, False)

    def homes(self) -> U64:
        """The ghosts where they start, and return to when they are eaten."""
        return load_word(self.memory, GHOSTS)

    def pellets(self) -> tuple[U64, ...]:
        """All there is to eat."""
        found, left = self.none, self.capsules() + self.food()
        for i in range(self.words):
            found = replaced(found, i, ~U64(0) if left >= 64 else bit(max(left, 0)) - U64(1))
            left -= 64
        return found

    # -- pellets -----------------------------------------------------------------------------------

    def capsules(self) -> int:
        """How many there are at the start."""
        return load(self.memory, CAPSULES)

    def food(self) -> int:
        """How much there is at the start."""
        return load(self.memory, FOOD)

    def has_food(self, pellets: tuple[U64, ...]) -> bool:
        found = pellets[0] & ~self.capsule_bits()
        for i in range(1, self.words):
            found |= pellets[i]
        return found != U64(0)

    def food_in(self, pellets: tuple[U64, ...]) -> int:
        """How much food is left."""
        found = popcount(pellets[0] & ~self.capsule_bits())
        for i in range(1, self.words):
            found += popcount(pellets[i])
        return found

    def capsules_in(self, pellets: tuple[U64, ...]) -> int:
        """How many capsules are left."""
        return popcount(pellets[0] & self.capsule_bits())

    def capsule_bits(self) -> U64:
        return bit(self.capsules()) - U64(1)

    def capsule(self, number: int) -> int:
        """The square of a capsule."""
        return load(self.memory, load(self.memory, CAPSULE) + number)

    # -- squares -----------------------------------------------------------------------------------

    def squares(self) -> int:
        """How many there are; more than any distance."""
        return load(self.memory, SQUARES)

    def ways(self, place: int) -> U64:
        """The directions that are open, as bits."""
        return load_word(self.memory, RECORDS + place * RECORD + WAYS)

    def pellet(self, place: int) -> int:
        """The number of the pellet that lies on the square at the start, or NOTHING."""
        return load(self.memory, RECORDS + place * RECORD + PELLET)

    def step(self, place: int, direction: int) -> int:
        """The square in an open direction."""
        return load(self.memory, RECORDS + place * RECORD + STEPS + direction)

    def distance(self, one: int, other: int) -> int:
        """How many steps there are between two squares."""
        return load(self.memory, load(self.memory, DISTANCES) + one * self.squares() + other)

    def nearest_food(self, place: int, rank: int) -> int:
        """The square of a food of the start: the nearest one for rank 0."""
        return load(self.memory, load(self.memory, NEAREST_FOOD) + place * self.food() + rank)

    def neighbour(self, place: int, rank: int) -> int:
        """A square nearby: itself for rank 0."""
        return load(self.memory, load(self.memory, NEIGHBOURS) + place * NEIGHBOURHOOD + rank)

    # -- memory ------------------------------------------------------------------------------------

    def _numbers(self) -> Iterator[int]:
        """All that is in memory, in order."""
        layout = self.layout
        around = [self._around(cell) for cell in layout.squares]
        distances = [_distances([list(ways.values()) for ways in around], place) for place in range(len(around))]
        food = [self.places[cell] for cell in layout.food]
        pellets = {cell: number for number, cell in enumerate((*layout.capsules, *layout.food))}
        homes = [standing(self.places[cell], STOP) for cell in layout.ghosts[: self.ghosts]]
        squares = len(around)
        yield from (squares, len(layout.capsules), len(food), standing(self.places[layout.pacman], STOP))
        yield sum(ghost << 16 * index for index, ghost in enumerate(homes))
        end = RECORDS
        for table in (RECORD, squares, len(food), NEIGHBOURHOOD):
            end += squares * table
            yield end
        for cell, ways in zip(layout.squares, around, strict=True):
            yield from (sum(1 << direction for direction in ways), pellets.get(cell, NOTHING))
            yield from (ways.get(direction, NOTHING) for direction in range(STOP))
        for steps in distances:
            yield from steps
        for steps in distances:
            yield from sorted(food, key=steps.__getitem__)
        for steps in distances:
            near = sorted(range(squares), key=steps.__getitem__)
            last = max(squares // 3 - 1, 1)
            yield from (near[min(rank, last)] for rank in range(NEIGHBOURHOOD))
        yield from (self.places[cell] for cell in layout.capsules)

    def _around(self, cell: int) -> dict[int, int]:
        """The squares around a cell by their direction."""
        width = self.layout.width
        cells = {NORTH: cell - width, SOUTH: cell + width, EAST: cell + 1, WEST: cell - 1}
        return {direction: self.places[other] for direction, other in cells.items() if other in self.places}


def _distances(neighbours: list[list[int]], start: int) -> list[int]:
    """How many steps it is from a square to each."""
    found = [NOTHING] * len(neighbours)
    found[start] = 0
    line = [start]
    for place in line:
        for other in neighbours[place]:
            if found[other] == NOTHING:
                found[other] = found[place] + 1
                line.append(other)
    return found
