"""Players who look neither for the best nor for the worst: they search a little themselves, or follow their habits."""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.habits import habit_word
from zermelo.search.expectiminimax.workspace import OUTCOME, ExpectiminimaxWorkspace
from zermelo.textbook import expectiminimax

OPEN_MINDED = 0.5
"""What a move that was never seen counts, beside those that were."""


def preferred(game: Game, state: State, seat: int, top: int, pushed: int, work: ExpectiminimaxWorkspace) -> int:
    """The place of the move on the stack that a seat finds best for itself, if all others are against it."""
    depth = work.skill(seat) - 1
    best, found = -INFINITE, top
    for place in range(top, pushed, OUTCOME):
        child = game.result(state, work.outcome(place).action)
        value = float(expectiminimax(game, child, seat, depth))
        if value > best:
            best, found = value, place
    return found


def habit_weight(game: Game, state: State, action: int, work: ExpectiminimaxWorkspace) -> float:
    """How often a seat made a move in this position, and a little more."""
    return work.habits.find(habit_word(game, state, action)).count + OPEN_MINDED
