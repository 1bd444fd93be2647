"""Habits: how often a player made each move in each position of saved games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from zermelo.core.game import Action, Game, State
from zermelo.kernel import U64, Memory, Record, Words, mix, number, pointer
from zermelo.kernel.records import CELL


class Habit(Record):
    """An entry of the table of habits."""

    word: U64
    """The key of a move in a position; 0 if the entry is free."""
    count: float
    """The number of times the move was played there."""


HABIT_BYTES = CELL * Habit.cells


class Habits(Record):
    """A hash table with linear probing; its size is a power of two, and it is never full."""

    entries: Words = pointer(Words)
    mask: int
    """The size minus 1."""

    def entry(self, place: int) -> Habit:
        return Habit(self.entries.address + HABIT_BYTES * place)

    def find(self, word: U64) -> Habit:
        """The entry of a word, or the free entry for it."""
        place = number(word & U64(self.mask))
        while self.entry(place).word != U64(0) and self.entry(place).word != word:
            place = (place + 1) & self.mask
        return self.entry(place)


def habit_word(game: Game, state: State, action: int) -> U64:
    """The key of a move in a position; never 0."""
    return mix(game.key(state) ^ mix(U64(action) + U64(1))) | U64(1)


def no_habits() -> Habits:
    """An empty table."""
    return _table(1)


def habits_of(game: Game, choices: Iterable[tuple[State, Action]]) -> Habits:
    """The table for these moves."""
    counts = Counter(int(habit_word(game, state, action)) for state, action in choices)
    table = _table(1 << max(1, (2 * len(counts)).bit_length()))
    for word, count in counts.items():
        entry = table.find(U64(word))
        entry.word, entry.count = U64(word), float(count)
    return table


def _table(size: int) -> Habits:
    found, memory = Habits.allocate(), Memory(Habit.cells * size)
    found.keeps_alive.append(memory)
    found.entries, found.mask = Words(memory.address), size - 1
    return found
