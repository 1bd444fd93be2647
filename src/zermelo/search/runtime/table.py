"""The transposition table, shared by all threads without a lock.

An entry is two words. The second is the value, a floating-point number; the first, combined by exclusive or with the
`checksum` of the second, is

    the lower 44 bits of the key | depth (7 bits) | age (3) | move number (8, 255: none) | kind (2)

The upper 32 bits of the key choose a cluster of four entries, one cache line. If two threads write one entry at the
same time, its words do not match, and the comparison of keys fails [Hyatt & Mann 2002].
"""

from __future__ import annotations

from zermelo.kernel import U64, Memory, Record, Words, number, pointer, prefetch, real_of, word_of

NOTHING, EXACT, LOWER, UPPER = range(4)
PROVED = 127
"""The depth of an entry without a horizon."""
DEEPEST = 126
NO_MOVE = 255
UNKNOWN = 1 << 30
"""No move, where NO_MOVE may be the number of a move."""
AGES = 8
CLUSTER = 8
"""Words in a cluster."""
AGE_PENALTY = 8
"""Replacement: for each move of age, an entry counts this many plies less."""
KEY_SHIFT = 20
SAMPLE = 400


class Table:
    """Flat memory of about `megabytes`; the operating system allocates it as it is used."""

    def __init__(self, megabytes: float, large_pages: bool = False) -> None:
        self.clusters = max(1, int(megabytes * 1024 * 1024) // (8 * CLUSTER))
        self.memory = Memory(self.clusters * CLUSTER, large_pages)
        self.age = 0

    @property
    def address(self) -> int:
        return self.memory.address

    def clear(self) -> None:
        """Clear the table in place, because workspaces keep its address."""
        self.memory.clear()
        self.age = 0

    def fullness(self) -> int:
        """Entries of the current age per thousand, from a sample."""
        entries = min(SAMPLE, 4 * self.clusters)
        used = 0
        for index in range(entries):
            word = self.memory[2 * index] ^ self.memory[2 * index + 1]
            used += word & 3 != NOTHING and (word >> 10) & (AGES - 1) == self.age
        return used * 1000 // entries


class TableView(Record):
    """The kernels' view of a table."""

    entries: Words = pointer(Words)
    clusters: U64
    age: int

    def prefetch(self, key: U64) -> None:
        """Prefetch the key's cluster: a cache miss takes as long as generating the moves."""
        prefetch(self.entries.address, self.place_of(key))

    def probe(self, key: U64) -> tuple[U64, float]:
        """The first word of the key's entry, and its value; a word of kind NOTHING if there is none."""
        entries, first, wanted = self.entries, self.place_of(key), key << KEY_SHIFT
        for cell in range(first, first + CLUSTER, 2):
            value = entries[cell + 1]
            word = entries[cell] ^ checksum(value)
            if (word ^ wanted) >> KEY_SHIFT == U64(0) and kind_in(word) != NOTHING:
                return word, real_of(value)
        return U64(0), 0.0

    def store(self, key: U64, value: float, kind: int, move: int, depth: int) -> None:
        """Store a value in place of the position's entry, or else of the shallowest and oldest one of the cluster."""
        entries, age, first, wanted = self.entries, self.age, self.place_of(key), key << KEY_SHIFT
        cell, least = first, 1 << 20
        for there in range(first, first + CLUSTER, 2):
            word = entries[there] ^ checksum(entries[there + 1])
            if (word ^ wanted) >> KEY_SHIFT == U64(0) and kind_in(word) != NOTHING:
                cell = there
                if move == NO_MOVE:
                    move = move_in(word)
                break
            worth = depth_in(word) - AGE_PENALTY * ((age - age_in(word)) & (AGES - 1))
            if kind_in(word) == NOTHING:
                worth = -(1 << 10)
            if worth < least:
                cell, least = there, worth
        word = wanted | U64((depth << 13) | (age << 10) | (min(move, NO_MOVE) << 2) | kind)
        bits = word_of(value)
        entries[cell] = word ^ checksum(bits)
        entries[cell + 1] = bits

    def place_of(self, key: U64) -> int:
        """The first cell of the key's cluster."""
        return CLUSTER * number(((key >> 32) * self.clusters) >> 32)


def checksum(value: U64) -> U64:
    """A word whose upper half also depends on the value's last bits, in which wins one ply apart differ."""
    return value ^ (value << 32)


def kind_in(word: U64) -> int:
    return number(word & U64(3))


def move_in(word: U64) -> int:
    """The number of the best move in the order of `candidates`, veiled with symmetry; NO_MOVE if unknown."""
    return number((word >> 2) & U64(255))


def veil_of_keys(full: U64, shared: U64) -> int:
    """The veil of a state's move numbers, from its own key and the one that it shares with its mirror images."""
    return number((full ^ shared) & U64(255)) % NO_MOVE


def veil_move(move: int, veil: int) -> int:
    """Return the stored form of a move number: shifted cyclically by the position's veil, a number below NO_MOVE.

    Mirror images share an entry but not the order of their moves. Each image has its own veil, so that a number
    written by another image is rarely the number of a move.
    """
    if move >= NO_MOVE:
        return NO_MOVE
    return move + veil if move + veil < NO_MOVE else move + veil - NO_MOVE


def unveil_move(stored: int, veil: int) -> int:
    """The inverse of `veil_move`."""
    if stored >= NO_MOVE:
        return NO_MOVE
    return stored - veil if stored >= veil else stored - veil + NO_MOVE


def age_in(word: U64) -> int:
    return number((word >> 10) & U64(7))


def depth_in(word: U64) -> int:
    return number((word >> 13) & U64(127))
