"""The maze of Pac-Man in flat memory: where each step leads, what lies where, and how far everything is.

A square is a number, row by row, of a cell that can be reached. Pellets are numbered too: the capsules first, then the
food, row by row. One compiled search serves all mazes, because all there is to know about a maze is in its memory: an
`Atlas` and the tables that it leads to.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from zermelo.games.pacman.layout import Layout
from zermelo.games.pacman.position import Position, standing
from zermelo.kernel import U64, Memory, Numbers, Record, Static, array, bit, pointer, popcount, replace_item
from zermelo.kernel.records import CELL

NORTH, SOUTH, EAST, WEST, STOP = range(5)
NOTHING = -1
NEIGHBOURHOOD = 24
"""The number of squares around each that are known, at most a third of the maze; the last one stands for the others."""


class Square(Record):
    """What there is to know about a square."""

    ways: U64
    """The open directions as bits."""
    pellet: int
    """The number of the pellet on it at the start, or NOTHING."""
    steps: Numbers = array(Numbers, STOP)
    """The square in each direction, or NOTHING."""


SQUARE_BYTES = CELL * Square.cells


class Atlas(Record):
    """A maze as the rules read it; its squares follow it in memory."""

    squares: int
    """The number of squares, which is more than any distance."""
    capsules: int
    """The number of capsules at the start."""
    food: int
    """The amount of food at the start."""
    pacman: int
    """Pac-Man at the start."""
    ghosts: U64
    """The ghosts at the start."""
    distances: Numbers = pointer(Numbers)
    """For each square, how many steps it is to each other one."""
    nearest_food: Numbers = pointer(Numbers)
    """For each square, the squares of all the food, the nearest first."""
    neighbours: Numbers = pointer(Numbers)
    """For each square, the NEIGHBOURHOOD squares around it, the nearest first, itself included."""
    capsule_squares: Numbers = pointer(Numbers)
    """For each capsule, its square."""

    def square(self, place: int) -> Square:
        return Square(self.address + ATLAS_BYTES + place * SQUARE_BYTES)


ATLAS_BYTES = CELL * Atlas.cells


class Maze(Static):
    """A layout in flat memory."""

    runtime = ("atlas",)
    not_compiled = ("layout", "places")

    def __init__(self, layout: Layout, ghosts: int) -> None:
        """With at most this many of the layout's ghosts."""
        self.layout = layout
        self.ghosts = min(ghosts, len(layout.ghosts))
        self.places = {cell: place for place, cell in enumerate(layout.squares)}
        self.words = (len(layout.capsules) + len(layout.food) + 63) // 64
        self.none = (U64(0),) * self.words
        self.atlas = self._atlas()

    # -- the start ---------------------------------------------------------------------------------

    def start(self) -> Position:
        return Position(self.pellets(), self.atlas.pacman, self.homes(), 0, 0, 0, False)

    def homes(self) -> U64:
        """The ghosts where they start, and return to when they are eaten."""
        return self.atlas.ghosts

    def pellets(self) -> tuple[U64, ...]:
        """All there is to eat."""
        found, left = self.none, self.capsules() + self.food()
        for i in range(self.words):
            found = replace_item(found, i, ~U64(0) if left >= 64 else bit(max(left, 0)) - U64(1))
            left -= 64
        return found

    # -- pellets -----------------------------------------------------------------------------------

    def capsules(self) -> int:
        """The number of capsules at the start."""
        return self.atlas.capsules

    def food(self) -> int:
        """The amount of food at the start."""
        return self.atlas.food

    def has_food(self, pellets: tuple[U64, ...]) -> bool:
        found = pellets[0] & ~self.capsule_bits()
        for i in range(1, self.words):
            found |= pellets[i]
        return found != U64(0)

    def food_in(self, pellets: tuple[U64, ...]) -> int:
        """The amount of food left."""
        found = popcount(pellets[0] & ~self.capsule_bits())
        for i in range(1, self.words):
            found += popcount(pellets[i])
        return found

    def capsules_in(self, pellets: tuple[U64, ...]) -> int:
        """The number of capsules left."""
        return popcount(pellets[0] & self.capsule_bits())

    def capsule_bits(self) -> U64:
        return bit(self.capsules()) - U64(1)

    def capsule(self, number: int) -> int:
        """The square of a capsule."""
        return self.atlas.capsule_squares[number]

    # -- squares -----------------------------------------------------------------------------------

    def squares(self) -> int:
        """The number of squares, which is more than any distance."""
        return self.atlas.squares

    def ways(self, place: int) -> U64:
        """The directions that are open, as bits."""
        return self.atlas.square(place).ways

    def pellet(self, place: int) -> int:
        """The number of the pellet that lies on the square at the start, or NOTHING."""
        return self.atlas.square(place).pellet

    def step(self, place: int, direction: int) -> int:
        """The square in an open direction."""
        return self.atlas.square(place).steps[direction]

    def distance(self, one: int, other: int) -> int:
        """The distance between two squares in steps."""
        return self.atlas.distances[one * self.atlas.squares + other]

    def nearest_food(self, place: int, rank: int) -> int:
        """The square of a food of the start: the nearest one for rank 0."""
        return self.atlas.nearest_food[place * self.atlas.food + rank]

    def neighbour(self, place: int, rank: int) -> int:
        """A square nearby: itself for rank 0."""
        return self.atlas.neighbours[place * NEIGHBOURHOOD + rank]

    # -- memory ------------------------------------------------------------------------------------

    def _atlas(self) -> Atlas:
        layout = self.layout
        around = [self._around(cell) for cell in layout.squares]
        homes = [standing(self.places[cell], STOP) for cell in layout.ghosts[: self.ghosts]]
        memory = Memory(Atlas.cells + Square.cells * len(around))
        atlas = Atlas(memory.address, [memory])
        atlas.squares, atlas.capsules, atlas.food = len(around), len(layout.capsules), len(layout.food)
        atlas.pacman = standing(self.places[layout.pacman], STOP)
        atlas.ghosts = U64(sum(ghost << 16 * index for index, ghost in enumerate(homes)))
        pellets = {cell: number for number, cell in enumerate((*layout.capsules, *layout.food))}
        for place, (cell, ways) in enumerate(zip(layout.squares, around, strict=True)):
            square = atlas.square(place)
            square.ways, square.pellet = U64(sum(1 << direction for direction in ways)), pellets.get(cell, NOTHING)
            for direction in range(STOP):
                square.steps[direction] = ways.get(direction, NOTHING)
        self._fill_tables(atlas, [list(ways.values()) for ways in around])
        return atlas

    def _fill_tables(self, atlas: Atlas, neighbours: list[list[int]]) -> None:
        distances = [_distances(neighbours, place) for place in range(len(neighbours))]
        food = [self.places[cell] for cell in self.layout.food]
        nearest_food = [sorted(food, key=steps.__getitem__) for steps in distances]
        nearest = [sorted(range(len(neighbours)), key=steps.__getitem__) for steps in distances]
        last = max(len(neighbours) // 3 - 1, 1)
        atlas.distances = _table(atlas, chain.from_iterable(distances))
        atlas.nearest_food = _table(atlas, chain.from_iterable(nearest_food))
        atlas.neighbours = _table(atlas, (near[min(rank, last)] for near in nearest for rank in range(NEIGHBOURHOOD)))
        atlas.capsule_squares = _table(atlas, (self.places[cell] for cell in self.layout.capsules))

    def _around(self, cell: int) -> dict[int, int]:
        """The squares around a cell by their direction."""
        width = self.layout.width
        cells = {NORTH: cell - width, SOUTH: cell + width, EAST: cell + 1, WEST: cell - 1}
        return {direction: self.places[other] for direction, other in cells.items() if other in self.places}


def _distances(neighbours: list[list[int]], start: int) -> list[int]:
    """The distances from a square to all others."""
    found = [NOTHING] * len(neighbours)
    found[start] = 0
    line = [start]
    for place in line:
        for other in neighbours[place]:
            if found[other] == NOTHING:
                found[other] = found[place] + 1
                line.append(other)
    return found


def _table(atlas: Atlas, numbers: Iterable[int]) -> Numbers:
    """An array that lives as long as the atlas."""
    items = list(numbers)
    found = Numbers.allocate(len(items))
    for index, item in enumerate(items):
        found[index] = item
    atlas.keeps_alive.append(found)
    return found
