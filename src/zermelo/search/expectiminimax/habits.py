"""Habits: how often a player made which move in which position, counted in games that were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from zermelo.core.game import Action, Game, State
from zermelo.kernel import U64, Memory, load_word, store_real, store_word
from zermelo.search.expectiminimax.models import HABIT_CELLS, habit_word


def no_habits() -> Memory:
    """An empty table."""
    return Memory(HABIT_CELLS)


def habits_of(game: Game, choices: Iterable[tuple[State, Action]]) -> Memory:
    """The table of the moves that were made."""
    counts = Counter(int(habit_word(game, state, action)) for state, action in choices)
    size = 1 << max(1, (2 * len(counts)).bit_length())
    table = Memory(HABIT_CELLS * size)
    for word, count in counts.items():
        place = word & (size - 1)
        while load_word(table.address, HABIT_CELLS * place) != U64(0):
            place = (place + 1) & (size - 1)
        store_word(table.address, HABIT_CELLS * place, U64(word))
        store_real(table.address, HABIT_CELLS * place + 1, float(count))
    return table
