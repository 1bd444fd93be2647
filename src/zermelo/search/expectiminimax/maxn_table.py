"""The transposition table of max^n: an entry holds the payoffs of all players.

An entry is two words and a number for each player:

    key | depth (8 bits), proved (1), age (3), move number (8, 255: none) | payoff of the first player | ...

Two entries make a cluster: the first is replaced only by a deeper one, the second always. Depth 0 says that only the
move is known. Not safe between threads.
"""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.kernel import U64, Memory, load, load_real, load_word, number, replaced, store, store_real, store_word
from zermelo.search.legacy_table import AGES, NO_MOVE, SAMPLE
from zermelo.search.legacy_workspace import AGE, CLUSTERS, TABLE

DEEPEST_KEPT = 255


class PayoffTable:
    """Flat memory of very nearly `megabytes`; the system hands it out as it is used."""

    def __init__(self, megabytes: float, players: int) -> None:
        self.entry = 2 + players
        self.clusters = max(1, int(megabytes * 1024 * 1024) // (16 * self.entry))
        self.clear()

    @property
    def address(self) -> int:
        return self.memory.address

    def clear(self) -> None:
        self.memory = Memory(self.clusters * 2 * self.entry, True)
        self.age = 0

    def fullness(self) -> int:
        """Entries of this age among a thousand, from a sample."""
        entries = min(SAMPLE, 2 * self.clusters)
        words = (self.memory[self.entry * index + 1] for index in range(entries))
        return sum(word != 0 and age_of(word) == self.age for word in words) * 1000 // entries


def probe_payoffs(game: Game, memory: int, key: U64) -> int:
    """The address of the key's entry, or 0."""
    first = cluster_of(game, memory, key)
    if load_word(first, 0) == key and load(first, 1) != 0:
        return first
    second = first + 8 * (2 + game.players)
    if load_word(second, 0) == key and load(second, 1) != 0:
        return second
    return 0


def store_payoffs(
    game: Game, memory: int, key: U64, payoffs: tuple[float, ...], move: int, depth: int, is_proved: bool
) -> None:
    """Store the payoffs and the best move of a position."""
    first = cluster_of(game, memory, key)
    entry, age = first, load(memory, AGE)
    word = load(first, 1)
    if load_word(first, 0) != key and word != 0 and age_of(word) == age and word >> 12 > depth:
        entry = first + 8 * (2 + game.players)
    known = load(entry, 1)
    if depth == 0 and load_word(entry, 0) == key and known >> 12 > 0:
        return
    store_word(entry, 0, key)
    proved = 1 if is_proved else 0
    store(entry, 1, (min(depth, DEEPEST_KEPT) << 12) | (proved << 11) | (age << 8) | min(move, NO_MOVE))
    for player in range(game.players):
        store_real(entry, 2 + player, payoffs[player])


def cluster_of(game: Game, memory: int, key: U64) -> int:
    """The address of the key's cluster."""
    place = number(((key >> 32) * load_word(memory, CLUSTERS)) >> 32)
    return load(memory, TABLE) + 16 * (2 + game.players) * place


def payoffs_at(game: Game, entry: int) -> tuple[float, ...]:
    found = game.zeros
    for player in range(game.players):
        found = replaced(found, player, load_real(entry, 2 + player))
    return found


def plies_at(entry: int) -> int:
    """How deep it was searched; 0 if only the move is known."""
    return load(entry, 1) >> 12


def is_proved_at(entry: int) -> bool:
    return load(entry, 1) & (1 << 11) != 0


def move_at(entry: int) -> int:
    return load(entry, 1) & NO_MOVE


def age_of(word: int) -> int:
    return (word >> 8) & (AGES - 1)
