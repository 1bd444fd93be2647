"""Move ordering: which move to try next.

The table's move comes first. The others are sorted by the game's own `order`, on whose scale 1 is a hint, plus up to 2
for killer moves, countermoves and the history heuristic. Captures that lose material come last.
"""

from __future__ import annotations

from functools import cache

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import Numbers, Reals, Record, Switches, array
from zermelo.search.runtime.move_stack import NOISY, MoveStack
from zermelo.search.runtime.path import Ply

LAST = -1e9
KILLER, SECOND_KILLER, COUNTERMOVE = 2.0, 1.7, 1.4
MOVE_KINDS = 4096
"""Moves that differ by a multiple of this share entries."""
RING = 256
"""Plies with their own killer moves; more than the longest line with a horizon."""


class Ordering(Switches):
    """The switches of move ordering."""

    order: bool
    killers: bool
    history: bool
    quiescence: bool


class OrderingTables(Record):
    """Statistics of moves, independent of the position."""

    history: Reals = array(Reals, 2 * MOVE_KINDS)
    """The history heuristic's score of each move, by player and move, between -1 and 1. [Schaeffer 1983]"""
    countermoves: Numbers = array(Numbers, MOVE_KINDS)
    """The move that refuted a move last. [Uiterwijk 1992]"""
    killers: Numbers = array(Numbers, 2 * RING)
    """Two killer moves for each ply: quiet moves that caused a cutoff there. [Akl & Newborn 1977]"""
    played: Numbers = array(Numbers, RING)
    """The move that led to each ply; NO_ACTION after a pass."""

    def last_move(self, ply: Ply) -> int:
        """The move that led to a ply."""
        return self.played[ply & (RING - 1)]

    def note_played(self, ply: Ply, action: int) -> None:
        self.played[ply & (RING - 1)] = action

    def history_place(self, player: int, action: int) -> int:
        return MOVE_KINDS * (player & 1) + (action & (MOVE_KINDS - 1))

    def note_killer(self, ply: Ply, action: int) -> None:
        first = 2 * (ply & (RING - 1))
        if self.killers[first] != action:
            self.killers[first + 1] = self.killers[first]
            self.killers[first] = action

    def note_countermove(self, ply: Ply, action: int) -> None:
        """Record the move as the countermove of the last move or roll."""
        last = self.last_move(ply)
        if last != NO_ACTION:
            self.countermoves[last & (MOVE_KINDS - 1)] = action

    def killer_score(self, ply: Ply, action: int) -> float:
        """The bonus of a killer move or countermove; 0 for other moves."""
        first = 2 * (ply & (RING - 1))
        if self.killers[first] == action:
            return KILLER
        if self.killers[first + 1] == action:
            return SECOND_KILLER
        last = self.last_move(ply)
        if last != NO_ACTION and self.countermoves[last & (MOVE_KINDS - 1)] == action:
            return COUNTERMOVE
        return 0.0

    def reward(self, player: int, action: int, weight: float) -> None:
        place = self.history_place(player, action)
        self.history[place] = self.history[place] + weight * (1 - self.history[place])

    def punish(self, player: int, action: int, weight: float) -> None:
        place = self.history_place(player, action)
        self.history[place] = self.history[place] - weight * (1 + self.history[place])


@cache
def blank_ordering() -> OrderingTables:
    """Empty tables."""
    found = OrderingTables.allocate()
    for cells, count in ((found.countermoves, MOVE_KINDS), (found.killers, 2 * RING), (found.played, RING)):
        for index in range(count):
            cells[index] = NO_ACTION
    return found


def keep_noisy(game: Game, state: State, moves: MoveStack, first: int, top: int) -> int:
    """Mark the noisy moves on the stack from `first` on, and remove the others; returns the new top."""
    for place in range(first, top):
        if game.is_noisy(state, moves.action(place)):
            moves.mark(place, NOISY)
    return moves.remove_quiet(first, top)


def score_moves(
    game: Game,
    how: Ordering,
    state: State,
    player: int,
    ply: Ply,
    first: int,
    top: int,
    moves: MoveStack,
    tables: OrderingTables,
) -> None:
    """Write the scores and the marks of the moves on the stack from `first` on."""
    for place in range(first, top):
        action = moves.action(place)
        is_noisy = how.quiescence and game.is_noisy(state, action)
        moves.set_score(place, ordering_score(game, how, state, action, is_noisy, player, ply, tables))
        if is_noisy:
            moves.mark(place, NOISY)


def ordering_score(
    game: Game,
    how: Ordering,
    state: State,
    action: int,
    is_noisy: bool,
    player: int,
    ply: Ply,
    tables: OrderingTables,
) -> float:
    """The score of a move before its search: the game's `order`, killer moves, countermove, history heuristic."""
    found = float(game.order(state, action)) if how.order else 0.0
    if is_noisy:
        return found
    if how.killers:
        bonus = tables.killer_score(ply, action)
        if bonus > 0.0:
            return found + bonus
    if how.history:
        found += tables.history[tables.history_place(player, action)]
    return found


def reward_cutoff(
    how: Ordering,
    player: int,
    ply: Ply,
    depth: int,
    first: int,
    best: int,
    moves: MoveStack,
    tables: OrderingTables,
) -> None:
    """Update killers and history: the quiet move at place `best` caused a cutoff, those from `first` on did not."""
    action = moves.action(best)
    if how.killers:
        tables.note_killer(ply, action)
        tables.note_countermove(ply, action)
    if how.history:
        weight = min(depth * depth, 400) / 1600
        tables.reward(player, action, weight)
        for place in range(first, best):
            if not moves.is_noisy(place):
                tables.punish(player, moves.action(place), weight)
