"""The outcomes of a layer of means: rolls of dice, or the moves of a modelled player."""

from __future__ import annotations

from zermelo.core.game import Game, State
from zermelo.search.expectiminimax.models import habit_weight, preferred_move
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import DICE, HABITUAL, OUTCOME, SKILLED, ExpectiminimaxWorkspace
from zermelo.search.runtime.move_stack import MOST_MOVES
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

NO_ROOM = -1


def list_outcomes(
    game: Game, how: Techniques, state: State, mover: int, role: int, top: int, work: ExpectiminimaxWorkspace
) -> int:
    """Push the outcomes, with probabilities that sum to one; returns the new top, or stops the search."""
    pushed = NO_ROOM
    if role == DICE:
        pushed = push_rolls(game, state, top, work)
    else:
        pushed = push_modelled_moves(game, how, state, mover, role, top, work)
    if how.narrow:
        pushed = remove_improbable(top, pushed, work)
    if pushed <= top:
        work.give_up(TOO_WIDE if pushed == NO_ROOM else STUCK)
    return pushed


def push_rolls(game: Game, state: State, top: int, work: ExpectiminimaxWorkspace) -> int:
    """Push the outcomes of the dice; returns the new top, or NO_ROOM."""
    pushed = top
    for action, probability in game.outcomes(state):
        if pushed + OUTCOME > MOST_MOVES:
            return NO_ROOM
        if probability > 0:
            work.push_outcome(pushed, action, float(probability))
            pushed += OUTCOME
    return pushed


def push_modelled_moves(
    game: Game, how: Techniques, state: State, mover: int, role: int, top: int, work: ExpectiminimaxWorkspace
) -> int:
    """Push the moves of a player, with the probabilities of its model; returns the new top, or NO_ROOM.

    Without habits all moves are equally likely, except the one that a skilled player prefers.
    """
    count = game.fill_actions(state, work.moves.buffer(), 0)
    if not work.moves.is_room(top + count, count):
        return NO_ROOM
    total, pushed = 0.0, top + OUTCOME * count
    for index in range(count):
        action, weight = work.moves.generated[index], 1.0
        if how.models and role == HABITUAL:
            weight = habit_weight(game, state, action, work)
        work.push_outcome(top + OUTCOME * index, action, weight)
        total += weight
    reliability = 0.0
    if how.models and role == SKILLED:
        reliability = work.reliability(mover)
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        outcome.probability = (1 - reliability) * outcome.probability / total
    if how.models and role == SKILLED and count > 0:
        outcome = work.outcome(preferred_move(game, state, mover, top, pushed, work))
        outcome.probability += reliability
        pushed = remove_impossible(top, pushed, work)
    return pushed


def remove_impossible(top: int, pushed: int, work: ExpectiminimaxWorkspace) -> int:
    """Remove outcomes of probability 0 from the stack; returns the new top."""
    kept = top
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        if outcome.probability > 0:
            work.push_outcome(kept, outcome.action, outcome.probability)
            kept += OUTCOME
    return kept


def remove_improbable(top: int, pushed: int, work: ExpectiminimaxWorkspace) -> int:
    """Remove improbable outcomes, unless none would be left, and renormalise the others."""
    kept, total, least = top, 0.0, work.improbable
    for place in range(top, pushed, OUTCOME):
        probability = work.outcome(place).probability
        if probability >= least:
            total += probability
    if total == 0.0:
        return pushed
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        if outcome.probability >= least:
            work.push_outcome(kept, outcome.action, outcome.probability / total)
            kept += OUTCOME
    return kept
