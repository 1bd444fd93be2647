"""Opponent models: players who search a few plies themselves, or follow their habits."""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.habits import habit_word
from zermelo.search.expectiminimax.workspace import OUTCOME, ExpectiminimaxWorkspace
from zermelo.textbook import expectiminimax

OPEN_MINDED = 0.5
"""The weight of a move without games, beside the counts of the others (additive smoothing)."""


def preferred_move(game: Game, state: State, seat: int, top: int, pushed: int, work: ExpectiminimaxWorkspace) -> int:
    """The stack place of the move that a seat's own paranoid search prefers."""
    depth = work.skill(seat) - 1
    best, found = -INFINITE, top
    for place in range(top, pushed, OUTCOME):
        child = game.result(state, work.outcome(place).action)
        value = float(expectiminimax(game, child, seat, depth))
        if value > best:
            best, found = value, place
    return found


def habit_weight(game: Game, state: State, action: int, work: ExpectiminimaxWorkspace) -> float:
    """The number of times a seat played a move in this position, smoothed."""
    return work.habits.find(habit_word(game, state, action)).count + OPEN_MINDED
