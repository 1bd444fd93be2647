"""The board of Go: sets of points as 64-bit words, neighbours, chains and their liberties, and areas.

    8  9 10  x        a point is row * (size + 1) + col, from the lower left corner; the column x beyond the right
    4  5  6  x        edge (here of a 3x3 board) is never on the board, so that
    0  1  2  x        neighbours are 1 and size + 1 apart and no step leads round the edge

A set of points is a tuple of words (`zermelo.core.point_sets`): one word up to 7x7, two for 9x9, six for 19x19. All
points of a set take a step at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.point_sets import Points, common, is_any, points_of, shift_down, shift_up, size_of, union, without
from zermelo.kernel import U64, Static, bit, bits, number, replace_item

# -- the board -------------------------------------------------------------------------------------------


class Board(Static):
    """A square board, with operations on sets of points."""

    def __init__(self, size: int) -> None:
        self.size, self.step = size, size + 1
        self.words = (size * self.step + 62) // 64
        rows = range(size)
        self.all = self.points(row * self.step + col for row in rows for col in rows)
        self.edge = self.points(row * self.step + col for row in rows for col in rows if {row, col} & {0, size - 1})
        self.none = self.points(())
        self.lines = tuple(
            self.points(r * self.step + c for r in rows for c in rows if min(r, c, size - 1 - r, size - 1 - c) == line)
            for line in range(4)
        )  # from the edge

    def points(self, places: Iterable[int]) -> Points:
        """A set from its points."""
        return points_of(places, self.words)

    def point(self, place: int) -> Points:
        """The set of one point."""
        found = self.none
        for i in range(self.words):
            found = replace_item(found, i, bit(place & 63) if place >> 6 == i else U64(0))
        return found

    def empty(self, mine: Points, theirs: Points) -> Points:
        return without(without(self.all, mine), theirs)

    def beside(self, points: Points) -> Points:
        """All neighbours of these points; a point is not its own neighbour."""
        found, step = points, self.step
        for i in range(self.words):
            word = points[i]
            word = word << 1 | word >> 1 | word << step | word >> step
            if i > 0:
                word |= points[i - 1] >> 63 | points[i - 1] >> (64 - step)
            if i < self.words - 1:
                word |= points[i + 1] << 63 | points[i + 1] << (64 - step)
            found = replace_item(found, i, word & self.all[i])
        return found

    def round(self, points: Points) -> Points:
        """All neighbours of these points, diagonal ones too."""
        near = self.beside(points)
        step = self.step
        up, down = shift_up(points, step), shift_down(points, step)
        sides = union(up, down)
        return union(near, common(self.all, union(shift_up(sides, 1), shift_down(sides, 1))))

    def around(self, points: Points, place: int) -> int:
        """The points of a set around a place, as an 8-bit number; points beyond the edge count as in the set.

        Bits 0 to 2 are the row below, 3 and 4 the points beside, 5 to 7 the row above.
        """
        start = place - self.step - 1
        if start < 0:
            word = (points[0] | ~self.all[0]) << -start | (bit(-start) - U64(1))
        else:
            low, high = ~U64(0), ~U64(0)
            for i in range(self.words):
                if start >> 6 == i:
                    low = points[i] | ~self.all[i]
                if start >> 6 == i - 1:
                    high = points[i] | ~self.all[i]
            word = low >> (start & 63) | (high << 1) << (63 - (start & 63))
        row, above = word >> self.step, word >> (2 * self.step)
        found = (word & U64(7)) | (row & U64(1)) << 3 | (row & U64(4)) << 2 | (above & U64(7)) << 5
        return number(found)

    def reflect(self, points: Points, turn: int) -> Points:
        """Left and right exchanged, or after an odd turn rows and columns; seven turns see all eight symmetries."""
        found = self.none
        for i in range(self.words):
            for place in bits(points[i]):
                row, col = (64 * i + place) // self.step, (64 * i + place) % self.step
                image = col * self.step + row if turn % 2 else row * self.step + self.size - 1 - col
                found = union(found, self.point(image))
        return found

    # -- chains ------------------------------------------------------------------------------------------

    def captured(self, stones: Points, empty: Points, asked: Points) -> Points:
        """The stones of chains without a liberty, if one of the stones `asked` is among them; otherwise none.

        `reached` grows from the empty points through the stones, one step at a time, until it has all asked about.
        """
        reached = common(stones, self.beside(empty))
        while is_any(without(asked, reached)):
            more = common(stones, union(reached, self.beside(reached)))
            if more == reached:
                return without(stones, reached)
            reached = more
        return self.none

    def has_liberty(self, stones: Points, empty: Points, asked: Points) -> bool:
        """Whether one of the stones `asked` is in a chain with a liberty."""
        reached = common(stones, self.beside(empty))
        while not is_any(common(asked, reached)):
            more = common(stones, union(reached, self.beside(reached)))
            if more == reached:
                return False
            reached = more
        return True

    def liberties(self, stones: Points, empty: Points, start: Points) -> Points:
        """The liberties of the chain of a stone, or some of them: if there are two or more, at least two."""
        found = start
        while True:
            near = self.beside(found)
            liberties, more = common(near, empty), union(found, common(near, stones))
            if more == found or size_of(liberties) > 1:
                return liberties
            found = more

    def flood_fill(self, start: Points, through: Points) -> Points:
        """All points of `through` that lead to a start, through nothing else."""
        found = common(start, through)
        while True:
            more = common(through, union(found, self.beside(found)))
            if more == found:
                return found
            found = more

    # -- areas -------------------------------------------------------------------------------------------

    def lead(self, mine: Points, theirs: Points) -> int:
        """My area less theirs: stones, and empty points that reach stones of one side only."""
        empty = self.empty(mine, theirs)
        near_mine = self.flood_fill(self.beside(mine), empty)
        near_theirs = self.flood_fill(self.beside(theirs), empty)
        mine, theirs = union(mine, near_mine), union(theirs, near_theirs)
        return size_of(without(mine, theirs)) - size_of(without(theirs, mine))

    def nearer(self, mine: Points, theirs: Points) -> int:
        """The points that are nearer to my stones than to theirs, less those nearer to theirs."""
        free = self.empty(mine, theirs)
        while True:
            my_next, their_next = common(free, self.beside(mine)), common(free, self.beside(theirs))
            if not is_any(union(my_next, their_next)):
                return size_of(mine) - size_of(theirs)
            free = without(without(free, my_next), their_next)
            mine, theirs = union(mine, without(my_next, their_next)), union(theirs, without(their_next, my_next))

    def eyes(self, tight: Points, theirs: Points) -> Points:
        """My eyes among the tight points, which have no empty neighbour: all their neighbours are mine.

        An eye is false, and left out, if two of its diagonals are theirs, or one at the edge.
        """
        found = without(tight, self.beside(theirs))
        if not is_any(found):
            return found
        step = self.step
        right, left = shift_up(theirs, step + 1), shift_up(theirs, step - 1)
        above = union(right, left)
        two = common(right, left)
        left, right = shift_down(theirs, step + 1), shift_down(theirs, step - 1)
        below = union(left, right)
        two = union(union(two, common(left, right)), common(above, below))
        return without(without(found, two), common(union(above, below), self.edge))
