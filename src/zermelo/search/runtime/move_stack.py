"""The move stack: the untried moves of all positions on the current line.

An entry is three cells: the action, its score, and its number in the order of generation together with its marks. A
position's moves lie from its `top` to where the next position's begin.
"""

from __future__ import annotations

from zermelo.kernel import FILL_MASK, Numbers, Record, array, load, load_real, store, store_real

MOST_MOVES = 174_080
"""Capacity of the stack."""
ENTRY = 3
NOISY, LOSING = 1 << 16, 1 << 17
"""Marks: a noisy move; a capture that loses material."""
NUMBER = NOISY - 1
"""Mask of the move's number."""


class MoveStack(Record):
    generated: Numbers = array(Numbers, FILL_MASK + 1)
    """The buffer for the generated moves of one position."""
    entries: Numbers = array(Numbers, ENTRY * MOST_MOVES)

    def buffer(self) -> int:
        """The address of the buffer, for the game's `fill_...` methods."""
        return self.generated.address

    def is_room(self, top: int, count: int) -> bool:
        """Whether `count` moves fit into the buffer and onto the stack."""
        return top + count <= MOST_MOVES and count <= FILL_MASK

    def push(self, place: int, action: int, score: float, marks: int) -> None:
        """Write a move, with its number in the order of generation and its marks."""
        entries = self.entries.address
        store(entries, ENTRY * place, action)
        store_real(entries, ENTRY * place + 1, score)
        store(entries, ENTRY * place + 2, marks)

    def push_generated(self, top: int, count: int, table_move: int) -> int:
        """Push `count` generated moves, the table's move first; returns where the others begin.

        The caller must have checked `is_room`.
        """
        for index in range(count):
            self.push(top + index, self.generated[index], 0.0, index)
        if table_move < count:
            self.swap(top, top + table_move)
            return top + 1
        return top

    def action(self, place: int) -> int:
        return load(self.entries.address, ENTRY * place)

    def score(self, place: int) -> float:
        return load_real(self.entries.address, ENTRY * place + 1)

    def set_score(self, place: int, score: float) -> None:
        store_real(self.entries.address, ENTRY * place + 1, score)

    def marks(self, place: int) -> int:
        """The move's number and its marks."""
        return load(self.entries.address, ENTRY * place + 2)

    def set_marks(self, place: int, marks: int) -> None:
        store(self.entries.address, ENTRY * place + 2, marks)

    def mark(self, place: int, marks: int) -> None:
        """Add marks to a move."""
        self.set_marks(place, self.marks(place) | marks)

    def number(self, place: int) -> int:
        """The move's number in the order of generation."""
        return self.marks(place) & NUMBER

    def is_noisy(self, place: int) -> bool:
        return self.marks(place) & NOISY != 0

    def swap(self, one: int, other: int) -> None:
        if one != other:
            action, score, marks = self.action(one), self.score(one), self.marks(one)
            self.push(one, self.action(other), self.score(other), self.marks(other))
            self.push(other, action, score, marks)

    def select_next(self, first: int, top: int) -> None:
        """Selection sort, one step: swap the best-scored move, the earlier of equals, to `first`."""
        best, highest, earliest = first, self.score(first), self.number(first)
        for place in range(first + 1, top):
            score = self.score(place)
            if score >= highest and (score > highest or self.number(place) < earliest):
                best, highest, earliest = place, score, self.number(place)
        self.swap(first, best)

    def insert(self, first: int, place: int, action: int, score: float) -> None:
        """Insertion sort: put a move among those from `first` to `place`, behind its equals."""
        while place > first and self.score(place - 1) < score:
            self.push(place, self.action(place - 1), self.score(place - 1), 0)
            place -= 1
        self.push(place, action, score, 0)

    def remove_quiet(self, first: int, top: int) -> int:
        """Remove the quiet moves from `first` on; returns the new top."""
        kept = first
        for place in range(first, top):
            if self.is_noisy(place):
                self.swap(kept, place)
                kept += 1
        return kept
