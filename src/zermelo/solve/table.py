"""The memory of a proof: counters, a stack of moves and a transposition table, in one flat block.

    cell 0 ...       counters, the number of the best move at the root, what went wrong
    MOVES ...        the move stack, three cells a move: action, score, number
    TABLE ...        buckets of two entries, an entry is two cells:

        word         the upper 48 bits of the key | effort (6 bits) | move number (8, 255: none) | kind (2)
        value        a floating-point number

The lower bits of the key choose the bucket, so that all 64 are checked. In a bucket the entry that took more
effort stays; the other place is for whatever came last.
"""

from __future__ import annotations

from zermelo.core.counters import FREE_CELLS, Counters
from zermelo.kernel import U64, load, load_real, load_word, msb, number, store, store_real, store_word

HITS, MASK, BEST = range(FREE_CELLS, FREE_CELLS + 3)
TOO_LONG, TOO_WIDE, STUCK = range(1, 4)
MOVES = 16
MOST_MOVES = 174_080
"""So many moves fit on the stack: those of all positions on one line that are waiting to be tried."""
TABLE = MOVES + 3 * MOST_MOVES
NOTHING, EXACT, LOWER, UPPER = range(4)
NO_MOVE = 255
LEAST_BUCKETS = 1 << 16
KEY_BITS = U64(0xFFFF_FFFF_FFFF_0000)


class ProofMemory(Counters):
    """Flat memory for one proof: a table of at most `megabytes`, at least 2, and 4 more for the stack."""

    def __init__(self, megabytes: int = 256) -> None:
        buckets = LEAST_BUCKETS
        while 2 * buckets * 32 <= megabytes * 1024 * 1024:
            buckets *= 2
        super().__init__(TABLE + 4 * buckets)
        self.cells[MASK], self.cells[BEST] = buckets - 1, -1

    @property
    def hits(self) -> int:
        return self.cells[HITS]

    @property
    def best(self) -> int:
        """The number of the best move in the last position proved at the root; -1 before any move was looked at."""
        return self.cells[BEST]


def find(memory: int, key: U64) -> int:
    """The cell of the key's entry; -1 if there is none."""
    cell = TABLE + 4 * number(key & load_word(memory, MASK))
    if (load_word(memory, cell) ^ key) & KEY_BITS == U64(0) and kind_in(memory, cell) != NOTHING:
        return cell
    if (load_word(memory, cell + 2) ^ key) & KEY_BITS == U64(0) and kind_in(memory, cell + 2) != NOTHING:
        return cell + 2
    return -1


def kind_in(memory: int, cell: int) -> int:
    return load(memory, cell) & 3


def move_in(memory: int, cell: int) -> int:
    """The number of the best move, in the order of `actions`; -1 if it is not known."""
    move = (load(memory, cell) >> 2) & NO_MOVE
    return -1 if move == NO_MOVE else move


def value_in(memory: int, cell: int) -> float:
    return load_real(memory, cell + 1)


def keep(memory: int, key: U64, value: float, kind: int, move: int, nodes: int) -> None:
    """Remember what was proved of a position with an effort of so many nodes."""
    effort = msb(U64(nodes)) + 1
    cell = TABLE + 4 * number(key & load_word(memory, MASK))
    kept = load_word(memory, cell)
    if (kept ^ key) & KEY_BITS != U64(0):
        if effort >= (number(kept) >> 10) & 63:  # what was here moves to the second place
            store_word(memory, cell + 2, kept)
            store_real(memory, cell + 3, load_real(memory, cell + 1))
        else:
            cell += 2
    move = min(move, NO_MOVE) & NO_MOVE
    store_word(memory, cell, (key & KEY_BITS) | U64((effort << 10) | (move << 2) | kind))
    store_real(memory, cell + 1, value)


def push(memory: int, top: int, action: int, score: float, number: int) -> None:
    """Put a move on the stack, with its number in the order of `actions`."""
    cell = MOVES + 3 * top
    store(memory, cell, action)
    store_real(memory, cell + 1, score)
    store(memory, cell + 2, number)


def pull(memory: int, first: int, top: int) -> int:
    """Bring the move with the highest score to `first`, the earlier of equals, and return its cell."""
    start, best = MOVES + 3 * first, MOVES + 3 * first
    for cell in range(start + 3, MOVES + 3 * top, 3):
        if load_real(memory, cell + 1) > load_real(memory, best + 1):
            best = cell
    action, score, number = load(memory, best), load_real(memory, best + 1), load(memory, best + 2)
    for cell in range(best, start, -3):  # shifted, not swapped, so that equals keep their order
        store(memory, cell, load(memory, cell - 3))
        store_real(memory, cell + 1, load_real(memory, cell - 2))
        store(memory, cell + 2, load(memory, cell - 1))
    push(memory, first, action, score, number)
    return start
