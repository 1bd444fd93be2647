"""Players who look neither for the best nor for the worst: they search a little themselves, or follow their habits."""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.kernel import U64, load, load_real, load_word, mix, number
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.workspace import DEPTHS, HABIT_MASK, HABITS, MOST_SEATS, RELIABILITIES
from zermelo.search.legacy_workspace import MOVES
from zermelo.textbook import expectiminimax

HABIT_CELLS = 2
"""An entry of the table of habits: a word for the state and the move, and how often it was made there."""
OPEN_MINDED = 0.5
"""What a move that was never seen counts, beside those that were."""


def reliability(seat: int, memory: int) -> float:
    return load_real(memory, RELIABILITIES + (seat & (MOST_SEATS - 1)))


def preferred(game: Game, state: State, seat: int, top: int, pushed: int, memory: int) -> int:
    """The number of the move on the stack that a seat finds best for itself, if all others are against it."""
    depth = load(memory, DEPTHS + (seat & (MOST_SEATS - 1))) - 1
    best, found = -INFINITE, 0
    for place in range(top, pushed, 2):
        child = game.result(state, load(memory, MOVES + 3 * place))
        value = float(expectiminimax(game, child, seat, depth))
        if value > best:
            best, found = value, (place - top) // 2
    return found


def habit(game: Game, state: State, action: int, memory: int) -> float:
    """How often a seat made a move in this position, and a little more."""
    table, mask = load(memory, HABITS), load(memory, HABIT_MASK)
    word = habit_word(game, state, action)
    place = number(word & U64(mask))
    while load_word(table, HABIT_CELLS * place) != U64(0):
        if load_word(table, HABIT_CELLS * place) == word:
            return load_real(table, HABIT_CELLS * place + 1) + OPEN_MINDED
        place = (place + 1) & mask
    return OPEN_MINDED


def habit_word(game: Game, state: State, action: int) -> U64:
    """What stands in the table for a move in a position; never 0."""
    return mix(game.key(state) ^ mix(U64(action) + U64(1))) | U64(1)
