"""A table of information sets by their keys, in flat memory."""

from __future__ import annotations

from zermelo.kernel import U64, Record, Words, number, pointer

FIRST_SLOTS = 1 << 10


class KeyTable(Record):
    """Open addressing; the table doubles when it is half full."""

    sets: int
    slots: int
    """The size of the present table, a power of two; the table of that size begins at word 2 * slots."""
    table: Words = pointer(Words)
    """The key of a set and its number, or 0."""

    def slot_of(self, key: U64) -> int:
        """The word of the table that holds the key, or where it belongs."""
        mask = self.slots - 1
        slot = number(key >> 20) & mask
        while self.table[2 * (self.slots + slot)] != key and self.table[2 * (self.slots + slot)] != U64(0):
            slot = (slot + 1) & mask
        return 2 * (self.slots + slot)

    def grow(self) -> None:
        """Move to a table of twice the size, behind this one."""
        before = self.slots
        self.slots = 2 * before
        for slot in range(before):
            key = self.table[2 * (before + slot)]
            if key != U64(0):
                place = self.slot_of(key)
                self.table[place] = key
                self.table[place + 1] = self.table[2 * (before + slot) + 1]


def words_for(sets: int) -> int:
    """The words of a table that grows to this many sets; memory that is not used costs nothing."""
    return 4 * max(FIRST_SLOTS, 1 << (2 * sets).bit_length())
