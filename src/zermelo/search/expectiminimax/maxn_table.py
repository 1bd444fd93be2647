"""The transposition table of max^n: an entry holds the payoffs of all players.

An entry is two words and a number for each player:

    key | depth (8 bits), proved (1), age (3), move number (8, 255: none) | payoff of the first player | ...

Two entries make a cluster: the first is replaced only by a deeper one, the second always. With depth 0, only the move
is known. Not safe for several threads.
"""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.kernel import U64, Memory, Reals, Record, Words, array, number, pointer
from zermelo.kernel.records import CELL
from zermelo.search.runtime.table import AGES, NO_MOVE, SAMPLE

DEEPEST_KEPT = 255
HEAD = 2
"""Cells of an entry before the payoffs."""


class PayoffTable:
    """Flat memory of about `megabytes`; the operating system allocates it as it is used."""

    def __init__(self, megabytes: float, players: int) -> None:
        self.entry = HEAD + players
        self.clusters = max(1, int(megabytes * 1024 * 1024) // (2 * CELL * self.entry))
        self.memory = Memory(self.clusters * 2 * self.entry, True)
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
        entries = min(SAMPLE, 2 * self.clusters)
        words = (self.memory[self.entry * index + 1] for index in range(entries))
        return sum(word != 0 and age_of(word) == self.age for word in words) * 1000 // entries


class PayoffEntry(Record):
    """An entry of the table; the payoffs follow it, one for each player."""

    key: U64
    word: int
    """Depth, proved, age and move; 0 if the entry is free."""
    payoffs: Reals = array(Reals, 0)

    def is_of(self, key: U64) -> bool:
        return self.key == key and self.word != 0

    def depth(self) -> int:
        """The depth of its search; 0 if only the move is known."""
        return self.word >> 12

    def is_proved(self) -> bool:
        return self.word & (1 << 11) != 0

    def move(self) -> int:
        return self.word & NO_MOVE


assert PayoffEntry.cells == HEAD


class PayoffTableView(Record):
    """The kernels' view of a table."""

    entries: Words = pointer(Words)
    clusters: U64
    age: int

    def entry(self, game: Game, place: int) -> PayoffEntry:
        return PayoffEntry(self.entries.address + CELL * (HEAD + game.players) * place)

    def place_of(self, key: U64) -> int:
        """The first entry of the key's cluster."""
        return 2 * number(((key >> 32) * self.clusters) >> 32)

    def probe(self, game: Game, key: U64) -> PayoffEntry:
        """The key's entry; one with address 0 if there is none."""
        place = self.place_of(key)
        if self.entry(game, place).is_of(key):
            return self.entry(game, place)
        return self.entry(game, place + 1) if self.entry(game, place + 1).is_of(key) else PayoffEntry(0)

    def store(self, game: Game, key: U64, payoffs: Reals, move: int, depth: int, is_proved: bool) -> None:
        """Store the payoffs and the best move of a position."""
        place = self.place_of(key)
        entry = self.entry(game, place)
        if entry.key != key and entry.word != 0 and age_of(entry.word) == self.age and entry.depth() > depth:
            entry = self.entry(game, place + 1)
        if depth == 0 and entry.key == key and entry.depth() > 0:
            return
        entry.key = key
        proved = 1 if is_proved else 0
        entry.word = (min(depth, DEEPEST_KEPT) << 12) | (proved << 11) | (self.age << 8) | min(move, NO_MOVE)
        copy_payoffs(game, payoffs, entry.payoffs)


def copy_payoffs(game: Game, source: Reals, target: Reals) -> None:
    """Copy the payoffs of all players."""
    for player in range(game.players):
        target[player] = source[player]


def age_of(word: int) -> int:
    return (word >> 8) & (AGES - 1)
