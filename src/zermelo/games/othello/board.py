"""The board of Othello: words of squares, what can be played, what is turned, and what stays for good.

 0  1  2  3  4  5  6  7        a word has a bit for every square, row by row from the top left;
 8  9 10 11 12 13 14 15        a step to the right is 1 bit, a step down is `size` bits,
16 17 18 ...                   and diagonal steps are one bit more and one bit less than that
"""

from __future__ import annotations

from zermelo.kernel import U64, Static, bit, msb


class Board(Static):
    """A square board of an even size up to 8, with operations on words of discs."""

    def __init__(self, size: int) -> None:
        self.size, self.squares = size, size * size
        self.all = U64((1 << self.squares) - 1)
        top, left = (1 << size) - 1, sum(1 << row * size for row in range(size))
        self.top, self.left = U64(top), U64(left)
        self.not_left = self.all & ~self.left
        self.not_right = self.all & ~(self.left << (size - 1))
        self.sides = U64(left | left << (size - 1))
        self.rims = U64(top | top << (self.squares - size))
        self.inner = self.all & ~self.sides
        self.corners = self.sides & self.rims
        self.crosses = self.aslant(self.corners)
        self.flanks = self.beside(self.corners) & ~self.corners & ~self.crosses
        self.edges = (self.sides | self.rims) & ~self.corners & ~self.flanks
        self.middle = self.inner & ~self.rims & ~self.beside(self.sides | self.rims)
        self.ring = self.inner & ~self.rims & ~self.middle & ~self.crosses
        self.quarter = U64(sum(((1 << size // 2) - 1) << row * size for row in range(size // 2)))
        steps = (1, size - 1, size, size + 1)
        # The rays from square 0 upwards and from square 63 downwards; shifted, they start anywhere.
        self.upwards = tuple(U64(sum(1 << i * step for i in range(1, size))) for step in steps)
        self.downwards = tuple(U64(sum(1 << (63 - i * step) for i in range(1, size))) for step in steps)

    def moves_of(self, mine: U64, theirs: U64) -> U64:
        """The empty squares at the other end of a line of theirs that starts beside one of mine.

        Lines across and aslant stop at the sides: the next square up or down the word is at the other side.
        """
        inner, size = theirs & self.inner, self.size
        across, down = beyond(mine, inner, 1), beyond(mine, theirs, size)
        found = across | down | beyond(mine, inner, size - 1) | beyond(mine, inner, size + 1)
        return found & self.all & ~(mine | theirs)

    def flips(self, mine: U64, theirs: U64, square: int) -> U64:
        """The discs that a disc of mine on this square encloses, in eight directions."""
        inner, back = theirs & self.inner, 63 - square
        across, rising, down, falling = self.upwards
        found = flips_up(mine, inner, across << square) | flips_up(mine, inner, rising << square)
        found |= flips_up(mine, theirs, down << square) | flips_up(mine, inner, falling << square)
        across, rising, down, falling = self.downwards
        found |= flips_down(mine, inner, across >> back) | flips_down(mine, inner, rising >> back)
        found |= flips_down(mine, theirs, down >> back) | flips_down(mine, inner, falling >> back)
        return found

    def beside(self, squares: U64) -> U64:
        """These squares and their neighbours."""
        wide = squares | (squares & self.not_right) << 1 | (squares & self.not_left) >> 1
        return (wide | wide << self.size | wide >> self.size) & self.all

    def aslant(self, squares: U64) -> U64:
        """The diagonal neighbours of these squares."""
        wide = (squares & self.not_right) << 1 | (squares & self.not_left) >> 1
        return (wide << self.size | wide >> self.size) & self.all

    def quarter_of(self, square: int) -> U64:
        """The quarter of the board that a square lies in."""
        half, row, col = self.size // 2, square // self.size, square % self.size
        return self.quarter << ((row // half * self.size + col // half) * half)

    def open_lines(self, empty: U64) -> tuple[U64, U64, U64, U64]:
        """The squares on lines with an empty square, but for the ends of the lines: across, down, rising, falling."""
        size = self.size
        across = empty | empty >> 1
        across |= across >> 2
        across |= across >> (size - 4)
        down = empty | empty >> size
        down |= down >> (2 * size)
        down |= down >> ((size - 4) * size)
        return (
            ((across & self.left) * self.top) & ~self.sides,
            ((down & self.top) * self.left) & ~self.rims,
            (empty | within(empty, self.inner, size - 1)) & self.inner & ~self.rims,
            (empty | within(empty, self.inner, size + 1)) & self.inner & ~self.rims,
        )

    def stable(self, mine: U64, open_lines: tuple[U64, U64, U64, U64]) -> U64:
        """Discs of mine that can never be turned again; not all of them, and none as long as I have no corner.

        Along each of the four directions a stable disc has the edge or another stable disc beside it, or stands in a
        line without an empty square.
        """
        across, down, rising, falling = open_lines
        size, found, more = self.size, U64(0), mine & self.corners
        while more != found:
            found = more
            more = mine & (~across | found << 1 | found >> 1) & (~down | found << size | found >> size)
            more &= ~rising | found << (size - 1) | found >> (size - 1)
            more &= ~falling | found << (size + 1) | found >> (size + 1)
        return found


def beyond(mine: U64, theirs: U64, step: int) -> U64:
    """The squares next after runs of theirs that start next to one of mine, both ways along one direction.

    Runs grow by one, then one, then two and two: to six, and no line has more between two ends.
    """
    up, down = run(mine, theirs, step)
    return up << step | down >> step


def within(ends: U64, inner: U64, step: int) -> U64:
    """The inner squares on the same line as one of the ends."""
    up, down = run(ends, inner, step)
    return up | down


def run(start: U64, through: U64, step: int) -> tuple[U64, U64]:
    """The squares in unbroken runs of `through` that begin next to a start, upwards and downwards."""
    up, down = through & (start << step), through & (start >> step)
    up |= through & (up << step)
    down |= through & (down >> step)
    pairs = through & (through << step)
    others = pairs >> step
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    up |= pairs & (up << (2 * step))
    down |= others & (down >> (2 * step))
    return up, down


def flips_up(mine: U64, theirs: U64, ray: U64) -> U64:
    """Theirs on a ray upwards as far as the first of mine; none if something else comes first.

    Adding 1 carries through all that is not on the ray, and through theirs on it, to the first square of another kind.
    """
    end = ((theirs | ~ray) + U64(1)) & ray & mine
    return (end - U64(end != U64(0))) & ray


def flips_down(mine: U64, theirs: U64, ray: U64) -> U64:
    """The same downwards, where no carry leads."""
    end = bit(msb((ray & ~theirs) | U64(1))) & ray & mine
    return (-end & ray) ^ end
