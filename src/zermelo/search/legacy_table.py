"""The transposition table, shared by all threads without a lock.

An entry is two words. The second is the value, a floating-point number; the first, combined by exclusive or with the
`checksum` of the second, is

    the lower 44 bits of the key | depth (7 bits) | age (3) | move number (8, 255: none) | kind (2)

The upper 32 bits of the key choose a cluster of four entries, one line of the processor's cache. An entry that two
threads wrote halves of fails the comparison of keys, because its words do not fit together [Hyatt & Mann 2002].
"""

from __future__ import annotations

from zermelo.kernel import U64, Memory, load, load_word, number, real_of, store_word, word_of
from zermelo.kernel import prefetch as prefetch_cell
from zermelo.search.legacy_workspace import AGE, CLUSTERS, TABLE

NOTHING, EXACT, LOWER, UPPER = range(4)
PROVED = 127
"""The depth of an entry that was searched to the end."""
DEEPEST = 126
NO_MOVE = 255
UNKNOWN = 1 << 30
"""Stands for no move where NO_MOVE may be the number of a move."""
AGES = 8
CLUSTER = 8
"""Words in a cluster."""
AGE_PENALTY = 8
"""Replacement: each move of age costs an entry this many plies of depth."""
KEY_SHIFT = 20
SAMPLE = 400


class Table:
    """Flat memory of very nearly `megabytes`; the system hands it out as it is used."""

    def __init__(self, megabytes: float, large_pages: bool = False) -> None:
        self.clusters = max(1, int(megabytes * 1024 * 1024) // (8 * CLUSTER))
        self.memory = Memory(self.clusters * CLUSTER, large_pages)
        self.age = 0

    @property
    def address(self) -> int:
        return self.memory.address

    def clear(self) -> None:
        """Forget everything, in place: workspaces keep using the same memory."""
        self.memory.clear()
        self.age = 0

    def fullness(self) -> int:
        """Entries of this age among a thousand, from a sample."""
        entries = min(SAMPLE, 4 * self.clusters)
        used = 0
        for index in range(entries):
            word = self.memory[2 * index] ^ self.memory[2 * index + 1]
            used += word & 3 != NOTHING and (word >> 10) & (AGES - 1) == self.age
        return used * 1000 // entries


def prefetch(memory: int, key: U64) -> None:
    """Prefetch the key's cluster into the cache: a cache miss takes as long as generating the moves."""
    prefetch_cell(load(memory, TABLE), place_of(memory, key))


def probe(memory: int, key: U64) -> tuple[U64, float]:
    """The first word of the key's entry and the value; a word of kind NOTHING if there is none."""
    table = load(memory, TABLE)
    first = place_of(memory, key)
    wanted = key << KEY_SHIFT
    for cell in range(first, first + CLUSTER, 2):
        value = load_word(table, cell + 1)
        word = load_word(table, cell) ^ checksum(value)
        if (word ^ wanted) >> KEY_SHIFT == U64(0) and kind_in(word) != NOTHING:
            return word, real_of(value)
    return U64(0), 0.0


def store_entry(memory: int, key: U64, value: float, kind: int, move: int, depth: int) -> None:
    """Store a value. It replaces the entry of the same position, or else the shallowest and oldest of the cluster."""
    table, age = load(memory, TABLE), load(memory, AGE)
    first = place_of(memory, key)
    wanted = key << KEY_SHIFT
    cell, least = first, 1 << 20
    for there in range(first, first + CLUSTER, 2):
        word = load_word(table, there) ^ checksum(load_word(table, there + 1))
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
    store_word(table, cell, word ^ checksum(bits))
    store_word(table, cell + 1, bits)


def checksum(value: U64) -> U64:
    """A word whose upper half also depends on the last bits of the value, in which wins one ply apart differ."""
    return value ^ (value << 32)


def place_of(memory: int, key: U64) -> int:
    """The first cell of the key's cluster."""
    return CLUSTER * number(((key >> 32) * load_word(memory, CLUSTERS)) >> 32)


def kind_in(word: U64) -> int:
    return number(word & U64(3))


def move_in(word: U64) -> int:
    """The number of the best move in the order of `candidates`, `veiled` if mirror images share the entry; NO_MOVE if
    unknown."""
    return number((word >> 2) & U64(255))


def veiled(move: int, veil: int) -> int:
    """A move number as it is stored: moved on by the veil of the position, a number below NO_MOVE.

    Mirror images share an entry but not the order of their moves. Each has a veil of its own, so that an image that
    did not write the number reads one that hardly ever is the number of a move.
    """
    if move >= NO_MOVE:
        return NO_MOVE
    return move + veil if move + veil < NO_MOVE else move + veil - NO_MOVE


def unveiled(stored: int, veil: int) -> int:
    """The inverse of `veiled`."""
    if stored >= NO_MOVE:
        return NO_MOVE
    return stored - veil if stored >= veil else stored - veil + NO_MOVE


def age_in(word: U64) -> int:
    return number((word >> 10) & U64(7))


def depth_in(word: U64) -> int:
    return number((word >> 13) & U64(127))
